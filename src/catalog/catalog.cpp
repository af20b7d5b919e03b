#include "catalog/catalog.hpp"

#include <algorithm>

#include "catalog/all_games.hpp"
#include "catalog/common_keys.hpp"
#include "catalog/not_offered.hpp"
#include "core/lists.hpp"

namespace polymax {

std::string proof_text(const AnyVerdict& verdict) {
  if (verdict.proof == Proof::none) return "";
  const int gain = verdict.proven_gain;
  const bool win = verdict.proof == Proof::gain && gain > 0;
  std::string out = verdict.proof == Proof::exact ? "value exact"
                    : win                         ? "win proven"
                    : gain < 0                    ? "loss proven"
                                                  : "draw proven";
  if (verdict.coalition)
    out += win ? " even if all others play together" : " if all others play together";
  return out;
}

}  // namespace polymax

namespace polymax::catalog {

namespace {

std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> out;
  for (const auto& entry : entries) out.push_back(entry.name);
  return out;
}

// Every entry that some game offers, once, by name.
std::vector<Entry> union_of(std::vector<Entry> GameEntry::*list) {
  std::vector<Entry> out;
  for (const auto& game : games())
    for (const auto& entry : game.*list)
      if (std::ranges::find(out, entry.name, &Entry::name) == out.end()) out.push_back(entry);
  std::ranges::sort(out, {}, &Entry::name);
  return out;
}

struct Outside {
  Entry entry;
  MakePlayer make;
};

std::vector<Outside>& all_outside() {
  static std::vector<Outside> all;
  return all;
}

// Null where there is none.
const Outside* find_outside(const std::string& name) {
  for (const auto& one : all_outside())
    if (one.entry.name == name) return &one;
  return nullptr;
}

}  // namespace

void offer_player(Entry entry, MakePlayer make) {
  std::erase_if(all_outside(), [&](const Outside& o) { return o.entry.name == entry.name; });
  all_outside().push_back({std::move(entry), std::move(make)});
}

std::vector<Entry> outside_players() {
  std::vector<Entry> out;
  for (const auto& outside : all_outside()) out.push_back(outside.entry);
  return out;
}

std::unique_ptr<AnyPlayer> outside_player(const AnyGame& game, const Spec& spec,
                                          std::uint64_t seed) {
  const Outside* outside = find_outside(spec.name);
  return outside != nullptr ? outside->make(game, spec, seed) : nullptr;
}

bool names_program(const Spec& spec) {
  return find_outside(spec.name) != nullptr ||
         std::ranges::any_of(spec.arguments, [](const SpecArgument& argument) {
           return names_program(argument.value);
         });
}

const std::vector<GameEntry>& games() {
  static const std::vector<GameEntry> all = bound_games();
  return all;
}

const std::vector<Entry>& searches() {
  static const std::vector<Entry> all = union_of(&GameEntry::searches);
  return all;
}

const std::vector<Entry>& evaluators() {
  static const std::vector<Entry> all = union_of(&GameEntry::evaluators);
  return all;
}

std::unique_ptr<const AnyGame> open_game(const Spec& spec) {
  for (const auto& game : games())
    if (game.entry.name == spec.name) return game.open(spec);
  std::vector<std::string> known;
  for (const auto& game : games()) known.push_back(game.entry.name);
  unknown_name(spec, "game", known);
}

void fail_not_offered(const Spec& spec, const std::string& kind, const std::string& game,
                      const std::vector<Entry>& offered, const std::vector<Entry>& known) {
  if (std::ranges::find(known, spec.name, &Entry::name) == known.end())
    unknown_name(spec, kind, names_of(known));
  const std::string message = "the game '" + game + "' does not offer the " + kind + " '" +
                              spec.name + "'; it offers " + joined(names_of(offered), ", ");
  try {
    fail_at(spec, spec.at, message);
  } catch (const Error& error) {
    throw NotOffered(error.what());
  }
}

}  // namespace polymax::catalog
