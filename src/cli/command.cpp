// The one reader of the command line, and the help it gives.
#include "cli/command.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

#include "core/error.hpp"
#include "core/lists.hpp"

namespace polymax::cli {

namespace {

using Words = std::vector<std::string>;

// How many characters must be written, left out or changed to turn one word into the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// " (did you mean X?)" where one of the names is near.
std::string nearest(const std::string& word, const Words& names) {
  constexpr std::size_t kNear = 2, kLongest = 40;
  if (word.size() > kLongest) return "";
  const std::string* best = nullptr;
  for (const auto& name : names)
    if (distance(word, name) <= kNear && name.size() > kNear &&
        (!best || distance(word, name) < distance(word, *best)))
      best = &name;
  return best ? " (did you mean " + *best + "?)" : "";
}

std::string shown(const std::string& word) {
  constexpr std::size_t kShown = 60;
  return "'" + (word.size() <= kShown ? word : word.substr(0, kShown) + "...") + "'";
}

std::string see_help(const std::string& path) {
  return "; " + path + " --help explains";
}

[[noreturn]] void wrong_path(const Argument& argument, const std::string& why) {
  throw Error(argument.name() + ": " + why);
}

void check_existing(const Argument& argument, const std::string& path) {
  const bool folder = argument.path == Path::folder;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    wrong_path(argument,
               errno == ENOENT || errno == ENOTDIR
                   ? fmt::format("there is no {} {}", folder ? "folder" : "file", shown(path))
                   : fmt::format("cannot read {}: {}", shown(path), std::strerror(errno)));
  if (S_ISDIR(info.st_mode) != folder)
    wrong_path(argument,
               shown(path) + (folder ? " is a file, not a folder" : " is a folder, not a file"));
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))
    wrong_path(argument, shown(path) + " is a device");
  if (::access(path.c_str(), R_OK) != 0)
    wrong_path(argument, fmt::format("cannot read {}: {}", shown(path), std::strerror(errno)));
}

// What is to be written: not something of another kind, and a file in a folder that is there.
void check_output(const Argument& argument, const std::string& path) {
  const bool folder = argument.path == Path::new_folder;
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode) != folder)
      wrong_path(argument,
                 shown(path) + (folder ? " is a file, not a folder" : " is a folder, not a file"));
    if (!folder && !S_ISREG(info.st_mode))
      wrong_path(argument, shown(path) + " is a device, a pipe or a socket, not a file");
    return;
  }
  const auto slash = path.rfind('/');
  if (folder || slash == std::string::npos) return;
  const std::string above = path.substr(0, std::max<std::size_t>(slash, 1));
  if (::stat(above.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    wrong_path(argument, "there is no folder " + shown(above));
}

// An empty name means none where an option has none by default.
void check_path(const Argument& argument, const std::string& path) {
  if (argument.path == Path::none) return;
  const bool existing = argument.path == Path::file || argument.path == Path::folder;
  if (path.empty() && argument.path != Path::new_file && !argument.required) return;
  if (path.empty() && !existing) wrong_path(argument, "the name is empty");
  existing ? check_existing(argument, path) : check_output(argument, path);
}

// Reads `text` into the options; again: it was given before, and a list grows.
void assign(const Argument& argument, void* options, const std::string& text, bool again) {
  const std::string name = argument.name();
  Field field = argument.field;
  field.key = name;
  if (argument.place == Place::rest) field.separator = '\0';  // a word is one text
  if (again && argument.list())
    append(field, options, word(text));
  else
    assign(field, options, word(text));
}

// The words of one command, put into its options.
class Reader {
 public:
  Reader(const Command& command, std::string path, void* options)
      : command_(command), path_(std::move(path)), options_(options) {}

  Given read(const Words& words) {
    bool only_arguments = false;  // after --
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (only_arguments || !is_option(word))
        place(word);
      else if (word == "--")
        only_arguments = true;
      else
        i += option(words, i);
    }
    for (const auto& argument : command_.arguments)
      if (argument.required && !given_.has(argument.key()))
        throw Error(argument.name() + " is required" + see_help(path_));
    return given_;
  }

 private:
  // -1 is a number, - a name of a file.
  static bool is_option(const std::string& word) {
    return word.size() > 1 && word[0] == '-' && !std::strchr("0123456789.", word[1]);
  }

  // The option words[i]; how many words behind it are its value.
  std::size_t option(const Words& words, std::size_t i) {
    const auto equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    const auto found = std::ranges::find_if(command_.arguments, [&](const Argument& a) {
      return a.place == Place::option && a.name() == name;
    });
    if (found == command_.arguments.end()) unknown(name);
    if (equals != std::string::npos) return take(*found, words[i].substr(equals + 1)), 0;
    if (found->flag()) return take(*found, "on"), 0;
    if (i + 1 == words.size() || words[i + 1].starts_with("--"))
      throw Error(name + " needs a value: " + allowed(found->field) + see_help(path_));
    return take(*found, words[i + 1]), 1;
  }

  void place(const std::string& word) {
    for (const auto& argument : command_.arguments) {
      if (argument.place == Place::option) continue;
      if (argument.place == Place::rest || !given_.has(argument.key())) return take(argument, word);
    }
    throw Error("unexpected " + shown(word) + see_help(path_));
  }

  void take(const Argument& argument, const std::string& text) {
    const bool again = given_.has(argument.key());
    if (again && !argument.list() && !argument.flag())
      throw Error(argument.name() + " is given twice");
    assign(argument, options_, text, again);
    check_path(argument, text);
    given_.add(argument.key());
  }

  [[noreturn]] void unknown(const std::string& name) const {
    Words names;
    for (const auto& argument : command_.arguments)
      if (argument.place == Place::option) names.push_back(argument.name());
    throw Error("no option " + shown(name) + nearest(name, names) + see_help(path_));
  }

  const Command& command_;
  std::string path_;
  void* options_;
  Given given_;
};

bool asks_for_help(const Words& words) {
  const auto end = std::ranges::find(words, "--");
  return std::any_of(words.begin(), end,
                     [](const auto& word) { return word == "--help" || word == "-h"; });
}

[[noreturn]] void no_part(const Command& command, const std::string& path, const Words& words) {
  Words names;
  for (const auto& part : command.parts) names.push_back(part.name);
  if (words.empty() || words[0].starts_with("-"))
    throw Error((words.empty() ? "" : "no option " + shown(words[0]) + " here; ") +
                "a command is needed: " + joined(names, ", ") + see_help(path));
  throw Error("no command " + shown(words[0]) + nearest(words[0], names) + "; there are " +
              joined(names, ", "));
}

int run_at(const Command& command, const std::string& path, const Words& words) {
  for (const auto& part : command.parts)
    if (!words.empty() && words[0] == part.name)
      return run_at(part, path + " " + part.name, {words.begin() + 1, words.end()});
  if (asks_for_help(words)) return fmt::print("{}", help_text(command, path)), 0;
  if (!command.run) no_part(command, path, words);
  const auto options = command.fresh();
  const Given given = Reader(command, path, options.get()).read(words);
  return command.run(options.get(), given);
}

// ---- help ----

constexpr std::size_t kWidth = 100, kIndent = 28;

// `left`, then the text in its column, wrapped.
std::string row(const std::string& left, const std::string& text) {
  std::string out = "  " + left, line;
  out.resize(std::max(out.size() + 2, kIndent), ' ');
  std::size_t column = out.size();
  const auto add = [&](const std::string& word) {
    if (column + word.size() > kWidth && column > kIndent) {
      while (out.back() == ' ') out.pop_back();
      out += "\n" + std::string(kIndent, ' ');
      column = kIndent;
    }
    out += word + " ";
    column += word.size() + 1;
  };
  std::string word;
  for (const char c : text) {
    if (c != ' ')
      word += c;
    else
      add(std::exchange(word, ""));
  }
  add(word);
  while (out.back() == ' ') out.pop_back();
  return out + "\n";
}

std::string placeholder(const Argument& argument) {
  if (argument.path == Path::file || argument.path == Path::new_file) return " FILE";
  if (argument.path != Path::none) return " DIR";
  switch (argument.field.kind) {
    case Field::Kind::on_off:
      return "";
    case Field::Kind::integer:
    case Field::Kind::count:
      return " N";
    case Field::Kind::real:
      return " X";
    case Field::Kind::choice:
      return " NAME";
    case Field::Kind::text:
      return " TEXT";
    case Field::Kind::texts:
      return std::string(" A") + argument.field.separator + "B...";
    case Field::Kind::integers:
      return " N,N...";
    case Field::Kind::spec:
      break;
  }
  return " SPEC";
}

// What is written when nothing is; empty: not shown, because it may not be written.
std::string preset(const Command& command, const Argument& argument) {
  if (argument.flag() || argument.required || !argument.shows_default) return "";
  const auto options = command.fresh();
  const std::string out = value_of(argument.field, options.get()).name;
  if (out.empty()) return "";
  try {
    assign(argument, options.get(), out, false);
    return out;
  } catch (const Error&) {
    return "";
  }
}

std::string argument_row(const Command& command, const Argument& argument) {
  std::string notes;
  const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : "; ") + text; };
  const std::string takes = allowed(argument.field);
  const bool plain = argument.flag() || argument.path != Path::none ||
                     argument.field.kind == Field::Kind::texts || takes == "a text";
  if (!plain) note(takes);
  if (argument.required && argument.place == Place::option) note("required");
  if (const std::string shown = preset(command, argument); !shown.empty()) note("default " + shown);
  const std::string left =
      argument.name() + (argument.place == Place::option ? placeholder(argument) : "");
  return row(left, std::string(argument.field.help) + (notes.empty() ? "" : " [" + notes + "]"));
}

std::string usage(const Command& command, const std::string& path) {
  std::string out = "Usage: " + path;
  for (const auto& argument : command.arguments) {
    if (argument.place == Place::rest) out += " [" + argument.name() + "...]";
    if (argument.place == Place::argument)
      out += argument.required ? " " + argument.name() : " [" + argument.name() + "]";
  }
  const bool options = std::ranges::any_of(
      command.arguments, [](const Argument& a) { return a.place == Place::option; });
  if (options) out += " [OPTIONS]";
  if (!command.parts.empty())
    out += std::string(command.run ? "\n       " + path : "") + " COMMAND";
  return out + "\n";
}

}  // namespace

std::string help_text(const Command& command, const std::string& path) {
  std::string out = command.about + "\n" + usage(command, path);
  const auto section = [&](const char* title, const auto& belongs) {
    bool first = true;
    for (const auto& argument : command.arguments) {
      if (!belongs(argument)) continue;
      if (std::exchange(first, false)) out += std::string("\n") + title + ":\n";
      out += argument_row(command, argument);
    }
  };
  section("Arguments", [](const Argument& a) { return a.place != Place::option; });
  section("Options", [](const Argument& a) { return a.place == Place::option; });
  if (!command.parts.empty()) out += "\nCommands:\n";
  for (const auto& part : command.parts) out += row(part.name, part.about);
  return out + "\n" + command.footer + "\n";
}

Argument argument(Argument of) {
  of.place = Place::argument;
  of.required = true;
  return of;
}
Argument maybe_argument(Argument of) {
  of.place = Place::argument;
  return of;
}
Argument rest(Argument of) {
  of.place = Place::rest;
  return of;
}
Argument required(Argument of) {
  of.required = true;
  return of;
}
Argument unshown(Argument of) {
  of.shows_default = false;
  return of;
}
Argument existing_file(Argument of) {
  of.path = Path::file;
  return of;
}
Argument existing_folder(Argument of) {
  of.path = Path::folder;
  return of;
}
Argument output_file(Argument of) {
  of.path = Path::new_file;
  return of;
}
Argument output_folder(Argument of) {
  of.path = Path::new_folder;
  return of;
}

Arguments flattened(const Arguments& arguments) {
  Arguments out;
  for (const Argument& argument : arguments) {
    if (argument.parts.empty()) out.push_back(argument);
    for (Argument inner : flattened(argument.parts)) {
      inner.field.offset += argument.field.offset;
      out.push_back(std::move(inner));
    }
  }
  return out;
}

Command command_of_parts(std::string name, std::string about, std::string footer,
                         std::vector<Command> parts) {
  Command out;
  out.name = std::move(name);
  out.about = std::move(about);
  out.footer = std::move(footer);
  out.parts = std::move(parts);
  return out;
}

int run_words(const Command& program, const std::vector<std::string>& words) {
  return run_at(program, program.name, words);
}

}  // namespace polymax::cli
