// How a subcommand is written. It is one file with three things in it:
//
//   struct Options {      // an aggregate, the defaults are its values
//     std::string game;
//     double seconds = 2;
//     bool json = false;
//     static Arguments fields() {      // one line an option: name, help, what is allowed
//       return {argument(field("GAME", &Options::game, "game spec, e.g. othello")),
//               field("seconds", &Options::seconds, "time for each line", 0.01, 3600),
//               field("json", &Options::json, "one line of JSON")};      // a flag
//     }
//   };
//   void run(const Options& options) { ... }
//   Command command() {      // in the namespace polymax::cli::example
//     return cli::command<Options>("example", "what it does", "Example: polymax example hex", run);
//   }
//
// and a line in main.cpp (or in the list of parts of the command above it).
// - Fields are those of core/fields.hpp; what may be written is checked by their one reader.
// - argument(f): required, by its place. maybe_argument(f): not required. rest(f): all that follow.
//   required(f): an option that must be given. unshown(f): its default is not what happens without
//   it, so that the help does not show it. existing_file(f), existing_folder(f): must be there;
//   output_file(f): may be written, in a folder that is there; output_folder(f): is or can be one.
//   part(&Options::play): the options of a member that has fields() itself;
//   part(&Options::play, play_fields()): listed by play_fields().
// - run takes (options) or (options, given), where given.has("seed") tells what was written; it
//   returns nothing or the exit code. Results go to stdout (--json: core/json.hpp), progress
//   and notes to stderr, mistakes are polymax::Error.
// - A default that may not be written (threads = 0 of 1 to 4096) is not shown: say it in the help.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/fields.hpp"
#include "core/spec.hpp"

namespace polymax::cli {

enum class Place { option, argument, rest };
enum class Path { none, file, folder, new_file, new_folder };

// An option or an argument: a field of the options, how it is given, and what must be true of the
// path that it names. Or, with parts, the options of one member.
struct Argument {
  Argument(const Field& of) : field(of) {}  // NOLINT: a field is an option unless it says otherwise

  Field field;
  Place place = Place::option;
  Path path = Path::none;
  bool required = false;
  bool shows_default = true;
  std::vector<Argument> parts{};  // their offsets count from this one's

  std::string key() const { return std::string(field.key); }  // seconds, GAME
  std::string name() const { return (place == Place::option ? "--" : "") + key(); }  // --seconds
  bool flag() const { return field.kind == Field::Kind::on_off; }
  bool list() const {
    return field.kind == Field::Kind::texts || field.kind == Field::Kind::integers;
  }
};

using Arguments = std::vector<Argument>;

// What was written on the command line, by key.
class Given {
 public:
  bool has(std::string_view key) const { return keys_.contains(std::string(key)); }
  void add(std::string_view key) { keys_.emplace(key); }

 private:
  std::set<std::string> keys_;
};

struct Command {
  std::string name, about, footer;
  Arguments arguments;
  std::vector<Command> parts;
  std::function<std::shared_ptr<void>()> fresh;               // options at their defaults
  std::function<int(const void* options, const Given&)> run;  // empty: one of the parts is meant
};

// Reads the words behind the program's name and runs what they say; its exit code. Throws Error.
int run_words(const Command& program, const std::vector<std::string>& words);

std::string help_text(const Command& command, const std::string& path);

// ---- declaring ----

Argument argument(Argument of);
Argument maybe_argument(Argument of);
Argument rest(Argument of);
Argument required(Argument of);
Argument unshown(Argument of);
Argument existing_file(Argument of);
Argument existing_folder(Argument of);
Argument output_file(Argument of);
Argument output_folder(Argument of);

// The options of a member, listed by `fields`.
template <class O, class T>
Argument part(T O::*member, Arguments fields) {
  Argument out = polymax::detail::member({}, "", member, "");
  out.parts = std::move(fields);
  return out;
}
template <class O, class T>
Argument part(T O::*member) {
  return part(member, T::fields());
}

// Parts in their places.
Arguments flattened(const Arguments& arguments);

template <class Options, class Run>
Command command(std::string name, std::string about, std::string footer, Run run) {
  Command out;
  out.name = std::move(name);
  out.about = std::move(about);
  out.footer = std::move(footer);
  out.arguments = flattened(Options::fields());
  out.fresh = [] { return std::make_shared<Options>(); };
  out.run = [run](const void* made, const Given& given) -> int {
    const Options& options = *static_cast<const Options*>(made);
    const auto call = [&] {
      if constexpr (std::is_invocable_v<Run, const Options&, const Given&>)
        return run(options, given);
      else
        return run(options);
    };
    if constexpr (std::is_void_v<decltype(call())>)
      return call(), 0;
    else
      return call();
  };
  return out;
}

// A command that only has parts.
Command command_of_parts(std::string name, std::string about, std::string footer,
                         std::vector<Command> parts);

}  // namespace polymax::cli
