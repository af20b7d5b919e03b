// A game of the catalog: rules of any kind, their points, and the searches that they offer.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "catalog/any.hpp"
#include "catalog/any_rules.hpp"
#include "catalog/search_kit.hpp"

namespace polymax::catalog {

// How a game is called, what it is played for, who values its positions.
struct GameFacts {
  std::string name;
  std::string spec, gain_spec;  // canonical; gain_spec: the same game with points=gain
  Points points{};
  std::vector<Entry> evaluators;
};

class RulesGame final : public AnyGame {
 public:
  // Throws Error for rules with more places of moves than networks can tell apart.
  RulesGame(std::shared_ptr<const AnyRules> rules, GameFacts facts, const SearchKit& kit);

  const std::string& name() const override { return facts_.name; }
  const std::string& spec() const override { return facts_.spec; }
  const About& about() const override { return rules_->about(); }
  int players() const override { return rules_->players(); }
  Points points() const override { return facts_.points; }
  std::optional<NetPurpose> networks() const override {
    return rules_->networks(facts_.spec, facts_.points);
  }
  int max_length() const override { return rules_->max_length(); }
  std::optional<PlaneShape> planes() const override;
  int move_planes() const override { return rules_->move_planes(); }
  std::unique_ptr<AnyMatch> start(std::uint64_t seed) const override;
  std::unique_ptr<AnyPlayer> player(const Spec& asked, std::uint64_t seed) const override;
  Perft perft(const AnyMatch& from, int depth) const override;
  RandomPlay random_play(std::uint64_t seed, const RandomPlayLimit& limit) const override {
    return rules_->random_play(seed, limit);
  }
  learn::Subject subject() const override;
  std::optional<learn::Lesson> self_play(std::shared_ptr<const LoadedNet> net, const Spec& asked,
                                         const Budget& budget, std::uint64_t seed,
                                         ResolvedPositions* resolved) const override;
  learn::Samples random_samples(std::uint64_t seed,
                                const learn::RandomMatches& asked) const override;

 private:
  const SearchOffer* offer(const std::string& name) const;
  std::unique_ptr<AnyPlayer> make_player(const SearchOffer& offer, const Spec& asked,
                                         std::uint64_t seed) const;
  void need_planes() const;
  std::shared_ptr<const MoverTurns> turns() const;

  std::shared_ptr<const AnyRules> rules_;
  GameFacts facts_;
  const SearchKit& kit_;
  mutable std::once_flag turns_once_;
  mutable std::shared_ptr<const MoverTurns> turns_;
};

}  // namespace polymax::catalog
