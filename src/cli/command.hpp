// How a subcommand is written. It is one file with three things in it:
//
//   struct Options {                            // an aggregate, the defaults are its values
//     std::string game;
//     double seconds = 2;
//     bool json = false;
//     static auto fields() {                    // one line an option: name, help, what is allowed
//       return std::tuple{
//           argument(field("GAME", &Options::game, "game spec, e.g. othello")),
//           field("seconds", &Options::seconds, "time for each line", 0.01, 3600),  // --seconds X
//           field("json", &Options::json, "one line of JSON")};                     // a flag
//     }
//   };
//   void run(const Options& options) { ... }
//   Command example_command() {
//     return command<Options>("example", "what it does", "Example: polymax example othello", run);
//   }
//
// and a line in main.cpp (or in the list of parts of the command above it).
// - Fields are those of core/spec.hpp and core/option_fields.hpp; what may be written is checked by
//   their one reader.
// - argument(f): required, by its place. maybe_argument(f): not required. rest(f): all that follow.
//   required(f): an option that must be given. existing_file(f), existing_folder(f): must be there;
//   output_file(f): may be written, in a folder that is there; output_folder(f): is or can be one.
//   part<&Options::play>(): the options of a member that has fields() itself;
//   part<&Options::play, PlayFields>(): listed by PlayFields::fields().
// - run takes (options) or (options, given), where given.has("seed") tells what was written; it
//   returns nothing or the exit code. Results go to stdout (--json: core/json_text.hpp), progress
//   and notes to stderr, mistakes are polymax::Error.
// - A default that may not be written (threads = 0 of 1 to 4096) is not shown: say it in the help.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/option_fields.hpp"
#include "core/spec.hpp"

namespace polymax::cli {

enum class Place { option, argument, rest };
enum class Path { none, file, folder, new_file, new_folder };

// An option or an argument as the reader and the help see it.
struct Argument {
  std::string key;   // seconds, GAME
  std::string name;  // --seconds, GAME
  std::string help, allowed, preset, placeholder;
  Place place = Place::option;
  Path path = Path::none;
  bool required = false, flag = false, list = false;
  // Reads `text` into the options; again: it was given before (lists grow). Throws Error.
  std::function<void(void* options, const std::string& text, bool again)> assign;
};

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
  std::vector<Argument> arguments;
  std::vector<Command> parts;
  std::function<std::shared_ptr<void>()> fresh;               // options at their defaults
  std::function<int(const void* options, const Given&)> run;  // empty: one of the parts is meant
};

// Reads the words behind the program's name and runs what they say; its exit code. Throws Error.
int run_words(const Command& program, const std::vector<std::string>& words);

std::string help_text(const Command& command, const std::string& path);

// ---- declaring ----

template <class Field>
struct Declared {
  Field field;
  Place place = Place::option;
  Path path = Path::none;
  bool required = false;
};

template <class Field>
Declared<Field> declared(const Field& field) {
  return {field};
}
template <class Field>
Declared<Field> declared(const Declared<Field>& field) {
  return field;
}

template <class F>
auto argument(const F& field) {
  auto out = declared(field);
  out.place = Place::argument;
  out.required = true;
  return out;
}
template <class F>
auto maybe_argument(const F& field) {
  auto out = declared(field);
  out.place = Place::argument;
  return out;
}
template <class F>
auto rest(const F& field) {
  auto out = declared(field);
  out.place = Place::rest;
  return out;
}
template <class F>
auto required(const F& field) {
  auto out = declared(field);
  out.required = true;
  return out;
}
template <class F>
auto existing_file(const F& field) {
  auto out = declared(field);
  out.path = Path::file;
  return out;
}
template <class F>
auto existing_folder(const F& field) {
  auto out = declared(field);
  out.path = Path::folder;
  return out;
}

template <class F>
auto output_file(const F& field) {
  auto out = declared(field);
  out.path = Path::new_file;
  return out;
}
template <class F>
auto output_folder(const F& field) {
  auto out = declared(field);
  out.path = Path::new_folder;
  return out;
}

namespace detail {

template <class T, class O>
O owner_of(T O::*);
template <class T, class O>
T type_of(T O::*);

}  // namespace detail

// kMember's options, listed by Fields::fields().
template <auto kMember, class Fields>
struct Part {};
template <auto kMember, class Fields = decltype(detail::type_of(kMember))>
auto part() {
  return Part<kMember, Fields>{};
}

namespace detail {

template <class O>
void append(const TextsField<O>& f, O& to, const O& more) {
  (to.*f.member).insert((to.*f.member).end(), (more.*f.member).begin(), (more.*f.member).end());
}
template <class O>
void append(const IntsField<O>& f, O& to, const O& more) {
  (to.*f.member).insert((to.*f.member).end(), (more.*f.member).begin(), (more.*f.member).end());
}

template <class O>
std::string placeholder(const IntField<O>&) {
  return "N";
}
template <class O>
std::string placeholder(const CountField<O>&) {
  return "N";
}
template <class O>
std::string placeholder(const RealField<O>&) {
  return "X";
}
template <class O>
std::string placeholder(const SwitchField<O>&) {
  return "";
}
template <class O, class E, std::size_t kCount>
std::string placeholder(const ChoiceField<O, E, kCount>&) {
  return "NAME";
}
template <class O>
std::string placeholder(const TextField<O>&) {
  return "TEXT";
}
template <class O>
std::string placeholder(const TextsField<O>& f) {
  return std::string("A") + f.separator + "B...";
}
template <class O>
std::string placeholder(const IntsField<O>&) {
  return "N,N...";
}
template <class O>
std::string placeholder(const SpecField<O>&) {
  return "SPEC";
}

template <class Field>
using OwnerOf = decltype(owner_of(std::declval<Field>().member));

// What is in words of a field, and its reader; `inside` finds the field's owner in the options.
template <class Field, class Inside>
Argument erased(const Declared<Field>& declared, Inside inside) {
  using Owner = OwnerOf<Field>;
  const Field& f = declared.field;
  Argument out;
  out.key = std::string(f.key);
  out.name = (declared.place == Place::option ? "--" : "") + out.key;
  out.help = std::string(f.help);
  out.allowed = polymax::detail::allowed(f);
  out.preset = polymax::detail::value_of(f, Owner{}).name;
  out.placeholder = placeholder(f);
  out.place = declared.place;
  out.path = declared.path;
  out.required = declared.required;
  constexpr bool kList =
      std::is_same_v<Field, TextsField<Owner>> || std::is_same_v<Field, IntsField<Owner>>;
  out.flag = std::is_same_v<Field, SwitchField<Owner>>;
  out.list = kList;
  out.assign = [f, inside, name = out.name, spread = declared.place == Place::rest](
                   void* options, const std::string& text, bool again) {
    Field named = f;
    named.key = name;
    if constexpr (std::is_same_v<Field, TextsField<Owner>>)
      if (spread) named.separator = '\0';  // a word is one text
    Owner& owner = inside(options);
    const Spec value = polymax::detail::word(text);
    if constexpr (kList) {
      Owner more{};
      polymax::detail::assign(named, more, value);
      if (!again) (owner.*f.member).clear();
      append(named, owner, more);
    } else {
      polymax::detail::assign(named, owner, value);
    }
  };
  return out;
}

template <Described T, class Inside>
void add_arguments(std::vector<Argument>& out, Inside inside);

template <class Inside, class Field>
void add_argument(std::vector<Argument>& out, Inside inside, const Field& field) {
  out.push_back(erased(declared(field), inside));
}
template <class Inside, auto kMember, class Fields>
void add_argument(std::vector<Argument>& out, Inside inside, const Part<kMember, Fields>&) {
  using Inner = decltype(type_of(kMember));
  add_arguments<Fields>(out,
                        [inside](void* options) -> Inner& { return inside(options).*kMember; });
}

template <Described T, class Inside>
void add_arguments(std::vector<Argument>& out, Inside inside) {
  std::apply([&](const auto&... field) { (add_argument(out, inside, field), ...); }, T::fields());
}

}  // namespace detail

template <Described Options, class Run>
Command command(std::string name, std::string about, std::string footer, Run run) {
  Command out;
  out.name = std::move(name);
  out.about = std::move(about);
  out.footer = std::move(footer);
  detail::add_arguments<Options>(
      out.arguments, [](void* options) -> Options& { return *static_cast<Options*>(options); });
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
inline Command command_of_parts(std::string name, std::string about, std::string footer,
                                std::vector<Command> parts) {
  Command out;
  out.name = std::move(name);
  out.about = std::move(about);
  out.footer = std::move(footer);
  out.parts = std::move(parts);
  return out;
}

}  // namespace polymax::cli
