// A search of any rules as a player: follows the match, tells the verdict in words.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/any.hpp"
#include "catalog/search_kit.hpp"

namespace polymax::catalog {

class RulesMatch;

class RulesPlayer final : public AnyPlayer {
 public:
  // settings: of the search; spec: those and the evaluator's. task.evaluator is `evaluator`.
  RulesPlayer(std::shared_ptr<const AnyRules> rules, const SearchKit& kit,
              std::unique_ptr<AnyEvaluator> evaluator, const AnyTask& task, Spec settings,
              std::string spec);

  const std::string& spec() const override { return spec_; }
  AnyVerdict think(const AnyMatch& match, const Budget& budget, const Watch& watch) override;

 private:
  void follow(const RulesMatch& match);
  AnyVerdict in_words(const RulesMatch& match, const CodeVerdict& found) const;

  std::shared_ptr<const AnyRules> rules_;
  const SearchKit& kit_;
  std::unique_ptr<AnyEvaluator> evaluator_;
  AnyTask task_;
  Spec settings_;
  std::string spec_;
  std::unique_ptr<AnySearch> search_;
  std::vector<std::byte> start_;
  std::vector<MoveCode> followed_;
};

}  // namespace polymax::catalog
