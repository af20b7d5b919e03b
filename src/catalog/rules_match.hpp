// A match of any rules.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"
#include "catalog/any_rules.hpp"

namespace polymax::catalog {

class RulesMatch final : public AnyMatch {
 public:
  RulesMatch(std::shared_ptr<const AnyRules> rules, Points points, std::uint64_t seed);

  const AnyRules& rules() const { return *rules_; }
  const std::byte* state() const { return states_.back().data(); }
  const std::byte* first_state() const { return states_.front().data(); }
  const std::vector<MoveCode>& moves() const { return moves_; }

  std::unique_ptr<AnyMatch> clone() const override { return std::make_unique<RulesMatch>(*this); }
  std::uint64_t seed() const override { return seed_; }
  int to_move() const override { return rules_->to_move(state()); }
  bool over() const override { return rules_->over(state()); }
  Scores score() const override { return rules_->score(state()); }
  Scores gain() const override { return rules_->gain(state()); }
  Scores points() const override;
  std::uint64_t hash() const override { return rules_->hash(state()); }
  Drawing draw() const override { return rules_->draw(state()); }
  std::vector<std::uint64_t> planes() const override;
  std::vector<std::string> legal() const override;
  std::vector<std::uint32_t> legal_places() const override;
  std::string match_move(std::string_view typed) const override;
  void play(std::string_view typed) override;
  bool play_at(std::uint32_t place) override;
  bool undo() override;
  const std::vector<std::string>& history() const override { return history_; }

 private:
  List<MoveCode> list() const;
  std::uint32_t place_of(MoveCode move) const;
  void play_move(MoveCode move);
  std::vector<std::string> texts(const List<MoveCode>& list) const;
  std::size_t find(const std::vector<std::string>& all, std::string_view typed) const;

  std::shared_ptr<const AnyRules> rules_;
  Points points_;
  std::uint64_t seed_;
  std::vector<std::vector<std::byte>> states_;  // [0] = start; one more for every move
  std::vector<MoveCode> moves_;
  std::vector<std::string> history_;
};

// Throws Error when the match is of other rules.
const RulesMatch& own_match(const AnyRules& rules, const AnyMatch& match);

}  // namespace polymax::catalog
