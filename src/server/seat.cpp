#include "server/seat.hpp"

#include <algorithm>
#include <filesystem>

#include "arena/levels.hpp"
#include "catalog/catalog.hpp"
#include "nn/engines.hpp"
#include "server/error.hpp"

namespace polymax::server {

namespace {

constexpr const char* kUsualBudget = "seconds=1";

// The search and the budget of a seat's text that is neither a person nor a level.
RecordedSeat parts_of(const std::string& text) {
  const auto at = text.rfind('@');
  return {text.substr(0, at), at == std::string::npos ? kUsualBudget : text.substr(at + 1)};
}

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
  const RecordedSeat parts = parts_of(text);
  Spec parsed = Spec::parse(parts.player);
  const auto& known = catalog::searches();
  if (std::ranges::find(known, parsed.name, &Entry::name) == known.end())
    throw Error("no player '" + parsed.name + "': human, " + arena::level_list() + " or a search");
  check_values(parsed, house);
  return {text, parsed.text(), read_budget(parts.budget, house.limits)};
}

RecordedSeat recorded(const Seat& seat, const AnyGame& game) {
  if (seat.person()) return {"human", ""};
  if (!arena::is_level(seat.text)) {
    const RecordedSeat parts = parts_of(seat.text);
    return {Spec::parse(parts.player).text(), parts.budget};
  }
  const auto level = arena::level(game, seat.text);
  return {level.player, level.budget};
}

std::string seat_text(const RecordedSeat& seat, const AnyGame& game, const House& house) {
  if (seat.player == "human" || arena::is_level(seat.player)) return seat.player;
  const std::string budget = seat.budget.empty() ? kUsualBudget : seat.budget;
  const std::string text = seat.player + "@" + budget;
  const Seat read = read_seat(text, game, house);
  check_seat(read, game);
  const auto level = arena::level_of(game, Spec::parse(read.player), catalog::parse_budget(budget));
  return level.empty() ? text : level;
}

Seat strongest(const AnyGame& game, const House& house) {
  return read_seat(std::string(arena::level_names().back().name), game, house);
}

void check_seat(const Seat& seat, const AnyGame& game) {
  if (!seat.person()) game.player(Spec::parse(seat.player), 0);
}

}  // namespace polymax::server
