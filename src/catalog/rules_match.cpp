#include "catalog/rules_match.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace polymax::catalog {

namespace {

// The first moves of a list (those of `chosen`, or all), as text.
std::string some(const std::vector<std::string>& all, std::vector<std::size_t> chosen) {
  constexpr std::size_t kShown = 12;
  if (chosen.empty())
    for (std::size_t i = 0; i < all.size(); ++i) chosen.push_back(i);
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, chosen.size()); ++i)
    out += (i == 0 ? "" : " ") + all[chosen[i]];
  if (chosen.size() > kShown) out += " and " + std::to_string(chosen.size() - kShown) + " more";
  return out;
}

}  // namespace

RulesMatch::RulesMatch(std::shared_ptr<const AnyRules> rules, Points points, std::uint64_t seed)
    : rules_(std::move(rules)), points_(points), seed_(seed), states_(1) {
  states_[0].resize(rules_->state_bytes());
  rules_->start(seed, states_[0].data());
}

Scores RulesMatch::points() const {
  return terminal_points(*rules_, state(), points_);
}

std::vector<std::uint64_t> RulesMatch::planes() const {
  std::vector<std::uint64_t> out;
  if (rules_->can(Can::kPlanes)) {
    out.resize(static_cast<std::size_t>(rules_->planes().words()));
    rules_->write_planes(state(), out);
  }
  return out;
}

std::vector<std::string> RulesMatch::legal() const {
  return texts(list());
}

std::vector<std::uint32_t> RulesMatch::legal_places() const {
  std::vector<std::uint32_t> out;
  if (rules_->can(Can::kMovePlaces))
    for (const MoveCode move : list()) out.push_back(place_of(move));
  return out;
}

std::string RulesMatch::match_move(std::string_view typed) const {
  const auto all = legal();
  return all[find(all, typed)];
}

void RulesMatch::play(std::string_view typed) {
  const auto all = list();
  play_move(all[find(texts(all), typed)]);
}

bool RulesMatch::play_at(std::uint32_t place) {
  if (!rules_->can(Can::kMovePlaces) || over()) return false;
  const auto all = list();
  const auto at = std::ranges::find_if(all, [&](MoveCode move) { return place_of(move) == place; });
  if (at == all.end()) return false;
  play_move(*at);
  return true;
}

bool RulesMatch::undo() {
  if (moves_.empty()) return false;
  states_.pop_back();
  moves_.pop_back();
  history_.pop_back();
  return true;
}

List<MoveCode> RulesMatch::list() const {
  List<MoveCode> out;
  rules_->moves(state(), out);
  return out;
}

std::uint32_t RulesMatch::place_of(MoveCode move) const {
  const MovePlace place = rules_->move_place(state(), move);
  return static_cast<std::uint32_t>(place.plane * rules_->planes().cells() + place.cell);
}

void RulesMatch::play_move(MoveCode move) {
  history_.push_back(rules_->move_text(state(), move));
  moves_.push_back(move);
  states_.push_back(states_.back());
  rules_->play(states_.back().data(), move);
}

std::vector<std::string> RulesMatch::texts(const List<MoveCode>& list) const {
  std::vector<std::string> out;
  for (const MoveCode move : list) out.push_back(rules_->move_text(state(), move));
  return out;
}

// Index of the one move meant among all legal ones; the whole text wins over beginnings.
std::size_t RulesMatch::find(const std::vector<std::string>& all, std::string_view typed) const {
  if (over()) throw Error("the game is over: no move can be played");
  if (const auto exact = std::ranges::find(all, typed); exact != all.end()) {
    if (std::find(exact + 1, all.end(), typed) != all.end())
      throw Error("two moves are called '" + std::string(typed) + "': nobody can tell them apart");
    return static_cast<std::size_t>(exact - all.begin());
  }
  std::vector<std::size_t> begun;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!typed.empty() && all[i].starts_with(std::string(typed) + '-')) begun.push_back(i);
  if (begun.size() == 1) return begun[0];
  throw Error(begun.empty()
                  ? "'" + std::string(typed) + "' is no legal move here; legal: " + some(all, {})
                  : "'" + std::string(typed) + "' is ambiguous: " + some(all, begun));
}

const RulesMatch& own_match(const AnyRules& rules, const AnyMatch& match) {
  const auto* own = dynamic_cast<const RulesMatch*>(&match);
  if (own == nullptr || !rules.same_rules(own->rules()))
    throw Error("the match is one of another game, or of one with other settings");
  return *own;
}

}  // namespace polymax::catalog
