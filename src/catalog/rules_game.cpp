#include "catalog/rules_game.hpp"

#include <algorithm>
#include <utility>

#include "catalog/catalog.hpp"
#include "catalog/common_keys.hpp"
#include "catalog/rules_match.hpp"
#include "catalog/rules_player.hpp"
#include "core/error.hpp"
#include "core/rng.hpp"
#include "nn/engines.hpp"

namespace polymax::catalog {

RulesGame::RulesGame(std::shared_ptr<const AnyRules> rules, GameFacts facts, const SearchKit& kit)
    : rules_(std::move(rules)), facts_(std::move(facts)), kit_(kit) {
  const auto places =
      static_cast<std::int64_t>(move_planes()) * (move_planes() > 0 ? rules_->planes().cells() : 0);
  if (places > kMaxMovePlaces)
    throw Error("the game '" + facts_.name + "' has " + std::to_string(places) +
                " places of moves (planes x cells); " + std::to_string(kMaxMovePlaces) +
                " are the most");
}

std::optional<PlaneShape> RulesGame::planes() const {
  return rules_->can(Can::kPlanes) ? std::optional(rules_->planes()) : std::nullopt;
}

std::unique_ptr<AnyMatch> RulesGame::start(std::uint64_t seed) const {
  return std::make_unique<RulesMatch>(rules_, facts_.points, seed);
}

std::unique_ptr<AnyPlayer> RulesGame::player(const Spec& asked, std::uint64_t seed) const {
  if (const auto* found = offer(asked.name)) return make_player(*found, asked, seed);
  if (auto other = outside_player(*this, asked, seed)) return other;
  fail_not_offered(asked, "search", facts_.name, offered_searches(rules_->abilities()), searches());
}

const SearchOffer* RulesGame::offer(const std::string& name) const {
  for (const auto& offer : search_offers())
    if (offer.name == name && rules_->can(offer.needs)) return &offer;
  return nullptr;
}

// Throws Error for settings that the search does not know.
std::unique_ptr<AnyPlayer> RulesGame::make_player(const SearchOffer& offer, const Spec& asked,
                                                  std::uint64_t seed) const {
  Spec own = asked;
  Aim aim = Aim::points;
  std::optional<Spec> eval;  // nothing: it needs none and refuses eval=
  std::vector<std::string> also;
  if (const auto preset = preset_evaluator(offer, rules_->abilities()); !preset.empty()) {
    if (const auto given = take_argument(own, "aim"))
      aim = read_common<AimSetting>(asked, *given).aim;
    const auto given = take_argument(own, "eval");
    eval = given ? read_common<EvalSetting>(asked, *given).eval : word(preset);
    also = {"aim", "eval"};
  }
  const Spec settings = offer.canonical(own, also);
  const Spec chosen = eval.value_or(word("zero"));
  if (std::ranges::find(facts_.evaluators, chosen.name, &Entry::name) == facts_.evaluators.end())
    fail_not_offered(chosen, "evaluator", facts_.name, facts_.evaluators, evaluators());
  const bool wins = aim == Aim::win;
  const Points points = wins ? Points::gain : facts_.points;
  Spec evaluator_spec;
  auto evaluator = rules_->evaluator(chosen, {points, seed, wins ? facts_.gain_spec : facts_.spec},
                                     evaluator_spec);
  Spec canonical = settings;
  if (wins) canonical.arguments.push_back({"aim", 0, word("win")});
  if (eval) canonical.arguments.push_back({"eval", 0, evaluator_spec});
  const AnyTask task{rules_.get(), points, evaluator.get(), seed};
  return std::make_unique<RulesPlayer>(rules_, kit_, std::move(evaluator), task, settings,
                                       canonical.text());
}

Perft RulesGame::perft(const AnyMatch& from, int depth) const {
  return rules_->perft(own_match(*rules_, from).state(), depth);
}

// The symmetries of the game, or the identity alone. A win by additive depth is worth up to the
// longest game's moves, however rare wins are.
learn::Subject RulesGame::subject() const {
  need_planes();
  learn::Subject out{*networks(), rules_->symmetries()};
  // what is learned goes on with networks of this very game
  out.substitute.clear();
  out.start_options.clear();
  out.variant_options.clear();
  if (facts_.points == Points::depth) out.spread = static_cast<float>(max_length()) / 4;
  if (rules_->can(Can::kTurn)) return out;
  Symmetry same;
  for (int i = 0; i < out.planes.cells(); ++i) same.cells.push_back(static_cast<std::uint16_t>(i));
  for (int k = 0; k < out.planes.planes; ++k) same.planes.push_back(static_cast<std::uint16_t>(k));
  for (std::size_t p = 0; p < kMaxPlayers; ++p) same.seats[p] = static_cast<std::uint8_t>(p);
  out.symmetries.push_back(same);
  return out;
}

std::optional<learn::Lesson> RulesGame::self_play(std::shared_ptr<const LoadedNet> net,
                                                  const Spec& asked, const Budget& budget,
                                                  std::uint64_t seed,
                                                  ResolvedPositions* resolved) const {
  need_planes();
  const auto* found = offer(asked.name);
  if (found == nullptr || !found->teaches)
    fail_at(asked, asked.at,
            "the search '" + asked.name + "' does not make learning data; descent does");
  Rng rng(seed);
  const auto turns = net->net().turned ? this->turns() : nullptr;
  const auto evaluator = rules_->network(std::move(net), turns);
  const std::uint64_t start_seed = rng.next();
  const AnyTask task{rules_.get(), facts_.points, evaluator.get(), rng.next(), resolved};
  return kit_.lesson(task, asked, budget, start_seed, turns.get());
}

learn::Samples RulesGame::random_samples(std::uint64_t seed,
                                         const learn::RandomMatches& asked) const {
  need_planes();
  return kit_.random_samples(*rules_, facts_.points, seed, asked,
                             asked.turned ? turns().get() : nullptr);
}

void RulesGame::need_planes() const {
  if (!rules_->can(Can::kPlanes))
    throw Error("the game '" + facts_.name +
                "' has no planes for networks: there is nothing to learn with");
}

// Made when they are first asked for, and shared by all matches. Throws Error when the game has
// none.
std::shared_ptr<const MoverTurns> RulesGame::turns() const {
  std::call_once(turns_once_,
                 [&] { turns_ = mover_turns(rules_->planes(), rules_->symmetries(), players()); });
  if (!turns_)
    throw Error("'" + facts_.spec + "' has a seat that no symmetry of the game makes seat 1");
  return turns_;
}

}  // namespace polymax::catalog
