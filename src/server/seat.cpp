#include "server/seat.hpp"

#include <algorithm>
#include <filesystem>

#include "arena/levels.hpp"
#include "catalog/catalog.hpp"
#include "nn/engines.hpp"
#include "server/error.hpp"

namespace polymax::server {

namespace {

// No text of a request may name a place of the disk but by file=, and that below the root unless it
// is the name of a network that ships; and how many threads there are is for whoever runs the
// server.
void check_values(Spec& spec, const House& house) {
  for (auto& argument : spec.arguments) {
    if (argument.key == "threads") throw Error("'threads' is for the server to say");
    if (argument.key == "file") {
      if (!is_shipped_name(argument.value.name))
        argument.value.name = path_below(house.root, argument.value.name);
    } else if (argument.value.name.find_first_of("/\\") != std::string::npos) {
      throw Error("'" + argument.key + "' may not name a path here");
    }
    check_values(argument.value, house);
  }
}

}  // namespace

std::string path_below(const std::string& root, const std::string& name) {
  namespace fs = std::filesystem;
  const auto refuse = [&] {
    return Refused(404, "there is no '" + name + "' in the served folder");
  };
  if (root.empty() || name.find('\0') != std::string::npos || fs::path(name).is_absolute())
    throw refuse();
  std::error_code failed;
  const auto found = fs::canonical(fs::path(root) / name, failed);
  if (failed) throw refuse();
  const fs::path base(root);
  const auto end = std::mismatch(base.begin(), base.end(), found.begin(), found.end()).first;
  if (end != base.end()) throw refuse();
  return found.string();
}

Budget read_budget(const std::string& text, const Limits& limits) {
  if (text.size() > limits.spec_length) throw Error("the budget is too long");
  Budget out = catalog::parse_budget(text);
  out.seconds = std::min(out.seconds, limits.search_seconds);
  out.nodes = std::min(out.nodes, limits.search_nodes);
  return out;
}

Seat read_seat(const std::string& text, const AnyGame& game, const House& house) {
  if (text.size() > house.limits.spec_length) throw Error("a seat's text is too long");
  if (text == "human") return {text, "", {}};
  if (arena::is_level(text)) {
    const auto level = arena::level(game, text);
    return {text, level.player, read_budget(level.budget, house.limits)};
  }
  const auto at = text.rfind('@');
  const std::string spec = text.substr(0, at);
  Spec parsed = Spec::parse(spec);
  const auto& known = catalog::searches();
  if (std::ranges::find(known, parsed.name, &Entry::name) == known.end())
    throw Error("no player '" + parsed.name + "': human, " + arena::level_list() + " or a search");
  check_values(parsed, house);
  return {text, parsed.text(),
          read_budget(at == std::string::npos ? "seconds=1" : text.substr(at + 1), house.limits)};
}

Seat strongest(const AnyGame& game, const House& house) {
  return read_seat(std::string(arena::level_names().back().name), game, house);
}

void check_seat(const Seat& seat, const AnyGame& game) {
  if (!seat.person()) game.player(Spec::parse(seat.player), 0);
}

}  // namespace polymax::server
