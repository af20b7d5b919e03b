#include "catalog/rules_player.hpp"

#include <algorithm>
#include <utility>

#include "catalog/rules_match.hpp"
#include "core/clock.hpp"

namespace polymax::catalog {

RulesPlayer::RulesPlayer(std::shared_ptr<const AnyRules> rules, const SearchKit& kit,
                         std::unique_ptr<AnyEvaluator> evaluator, const AnyTask& task,
                         Spec settings, std::string spec)
    : rules_(std::move(rules)),
      kit_(kit),
      evaluator_(std::move(evaluator)),
      task_(task),
      settings_(std::move(settings)),
      spec_(std::move(spec)) {}

AnyVerdict RulesPlayer::think(const AnyMatch& any, const Budget& budget, const Watch& watch) {
  const RulesMatch& match = own_match(*rules_, any);
  const double begin = wall_seconds();
  follow(match);
  Budget left = budget;
  left.seconds -= wall_seconds() - begin;  // a great tree that is left takes time to free
  CodeWatcher watcher{watch.every};
  if (watch.see) watcher.see = [&](const CodeVerdict& now) { watch.see(in_words(match, now)); };
  AnyVerdict out = in_words(match, search_->think(match.state(), left, watcher));
  out.cost.seconds = wall_seconds() - begin;
  return out;
}

// Brings the search to the match's position.
void RulesPlayer::follow(const RulesMatch& match) {
  const auto& moves = match.moves();
  const bool same = search_ && rules_->same(start_.data(), match.first_state()) &&
                    followed_.size() <= moves.size() &&
                    std::equal(followed_.begin(), followed_.end(), moves.begin());
  if (!same) {
    search_ = kit_.make(task_, settings_);
    start_.assign(match.first_state(), match.first_state() + rules_->state_bytes());
    followed_.clear();
  }
  for (std::size_t i = followed_.size(); i < moves.size(); ++i) {
    if (same) search_->advance(moves[i]);
    followed_.push_back(moves[i]);
  }
}

AnyVerdict RulesPlayer::in_words(const RulesMatch& match, const CodeVerdict& found) const {
  AnyVerdict out = translated<InWords>(
      found, [&](MoveCode move) { return rules_->move_text(match.state(), move); });
  std::vector<std::byte> state(match.state(), match.state() + rules_->state_bytes());
  for (const MoveCode move : found.pv) {
    out.pv.push_back(rules_->move_text(state.data(), move));
    rules_->play(state.data(), move);
  }
  return out;
}

}  // namespace polymax::catalog
