// A search of one game type behind AnyPlayer, and the lists of what a game offers. The generated
// headers name all files of search/ and eval/; a pair whose constraint fails is simply not offered.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/all_evaluators.hpp"
#include "catalog/all_searches.hpp"
#include "catalog/any.hpp"
#include "catalog/bind_match.hpp"
#include "catalog/common_keys.hpp"
#include "core/clock.hpp"

namespace polymax::catalog {

template <class Tag, class G>
concept OffersSearch = requires {
  typename Tag::template type<G>;
}
&&Searcher<typename Tag::template type<G>, G>;

template <class Tag, class G>
concept OffersEvaluator = requires {
  typename Tag::template type<G>;
}
&&OfferedEvaluator<typename Tag::template type<G>, G>;

// A search may name the evaluator it takes when the spec has no eval=: static constexpr
// std::string_view default_evaluator; an empty name means that it needs none and refuses eval=.
template <class S, class G>
std::string default_evaluator() {
  if constexpr (requires { S::default_evaluator; }) return std::string(S::default_evaluator);
  return Estimating<G> ? "estimate" : "zero";
}

// The settings in `asked` that differ from the defaults. takes_eval: eval= and aim= were taken out
// before.
template <Described P>
Spec canonical_settings(const Spec& asked, bool takes_eval) {
  std::vector<std::string> also;
  if (takes_eval) also = {"aim", "eval"};
  return write_settings(asked.name, read_settings<P>(asked, also));
}

// Owns an evaluator of any kind.
template <class G>
struct OwnedEvaluator {
  std::shared_ptr<void> owner;
  EvaluatorRef<G> ref;
  Spec spec;  // canonical
};

template <Game G>
std::vector<Entry> offered_evaluators() {
  std::vector<Entry> out;
  each_evaluator([&]<class Tag>(Tag) {
    if constexpr (OffersEvaluator<Tag, G>) {
      using E = typename Tag::template type<G>;
      out.push_back({Tag::name, E::about, describe_settings<typename E::Params>()});
    }
  });
  return out;
}

template <Game G>
std::vector<Entry> offered_searches() {
  std::vector<Entry> out;
  each_search([&]<class Tag>(Tag) {
    if constexpr (OffersSearch<Tag, G>) {
      using S = typename Tag::template type<G>;
      Entry entry{Tag::name, S::about, describe_settings<typename S::Params>()};
      if (const auto preset = default_evaluator<S, G>(); !preset.empty()) {
        entry.settings.push_back(describe_settings<AimSetting>()[0]);
        entry.settings.push_back(
            {"eval", "who values unfinished positions", "an evaluator", preset});
      }
      out.push_back(entry);
    }
  });
  return out;
}

// Throws Error "no search 'x' ..." or "the game ... does not offer it".
[[noreturn]] void fail_not_offered(const Spec& spec, const std::string& kind,
                                   const std::string& game, const std::vector<Entry>& offered,
                                   const std::vector<Entry>& known);

template <Game G>
OwnedEvaluator<G> make_evaluator(const Spec& spec, const EvaluatorSetup<G>& setup) {
  std::shared_ptr<void> owner;
  std::optional<EvaluatorRef<G>> ref;
  Spec canonical;
  each_evaluator([&]<class Tag>(Tag) {
    if constexpr (OffersEvaluator<Tag, G>) {
      using E = typename Tag::template type<G>;
      if (spec.name != Tag::name) return;
      const auto params = read_settings<typename E::Params>(spec);
      auto made = std::make_shared<E>(setup, params);
      ref.emplace(*made);
      owner = std::move(made);
      canonical = write_settings(Tag::name, params);
    }
  });
  if (!ref) throw Error("no evaluator '" + spec.name + "'");  // callers have checked the name
  return {owner, *ref, canonical};
}

// A search of one game, whichever it is.
template <Game G>
class AnySearch {
 public:
  virtual ~AnySearch() = default;
  virtual Verdict<G> think(const typename G::State& root, const Budget& budget,
                           const Watcher<G>& watcher) = 0;
  virtual void advance(const typename G::Move& move) = 0;
};

template <Game G, class S>
class BoundSearch final : public AnySearch<G> {
 public:
  BoundSearch(const Task<G>& task, const typename S::Params& params) : search_(task, params) {}

  Verdict<G> think(const typename G::State& root, const Budget& budget,
                   const Watcher<G>& watcher) override {
    if constexpr (Watchable<S, G>)
      return search_.think(root, budget, watcher);
    else
      return search_.think(root, budget);
  }
  void advance(const typename G::Move& move) override { search_.advance(move); }

 private:
  S search_;
};

// A search before it is made: its settings, checked; its evaluator; how to make it.
template <Game G>
struct SearchPlan {
  Spec settings;  // canonical, without eval= and aim=
  Aim aim = Aim::points;
  std::optional<Spec> eval;  // nothing: it needs none and refuses eval=
  std::unique_ptr<AnySearch<G>> (*make)(const Task<G>& task, const Spec& settings);
};

// Throws Error for settings that the search does not know.
template <Game G, class S>
SearchPlan<G> plan_search(const Spec& asked) {
  SearchPlan<G> out;
  Spec own = asked;
  if (const auto preset = default_evaluator<S, G>(); !preset.empty()) {
    if (const auto aim = take_argument(own, "aim"))
      out.aim = read_common<AimSetting>(asked, *aim).aim;
    const auto given = take_argument(own, "eval");
    out.eval = given ? given->value : word(preset);
  }
  out.settings = canonical_settings<typename S::Params>(own, out.eval.has_value());
  out.make = [](const Task<G>& task, const Spec& settings) -> std::unique_ptr<AnySearch<G>> {
    return std::make_unique<BoundSearch<G, S>>(task, read_settings<typename S::Params>(settings));
  };
  return out;
}

template <Game G>
class BoundPlayer final : public AnyPlayer {
 public:
  BoundPlayer(std::shared_ptr<const G> game, Points points, SearchPlan<G> plan,
              OwnedEvaluator<G> evaluator, std::string spec, std::uint64_t seed)
      : game_(std::move(game)),
        plan_(std::move(plan)),
        evaluator_(std::move(evaluator)),
        task_{game_.get(), points, evaluator_.ref, seed},
        spec_(std::move(spec)) {}

  const std::string& spec() const override { return spec_; }

  AnyVerdict think(const AnyMatch& any, const Budget& budget, const Watch& watch) override {
    const auto& match = dynamic_cast<const BoundMatch<G>&>(any);
    const double begin = wall_seconds();
    follow(match);
    Budget left = budget;
    left.seconds -= wall_seconds() - begin;  // a great tree that is left takes time to free
    Watcher<G> watcher{watch.every};
    if (watch.see) watcher.see = [&](const Verdict<G>& now) { watch.see(in_words(match, now)); };
    AnyVerdict out = in_words(match, search_->think(match.state(), left, watcher));
    out.cost.seconds = wall_seconds() - begin;
    return out;
  }

 private:
  // Brings the search to the match's position.
  void follow(const BoundMatch<G>& match) {
    const auto& moves = match.moves();
    const bool same = search_ && start_ == match.first_state() &&
                      followed_.size() <= moves.size() &&
                      std::equal(followed_.begin(), followed_.end(), moves.begin());
    if (!same) {
      search_ = plan_.make(task_, plan_.settings);
      start_ = match.first_state();
      followed_.clear();
    }
    for (std::size_t i = followed_.size(); i < moves.size(); ++i) {
      if (same) search_->advance(moves[i]);
      followed_.push_back(moves[i]);
    }
  }

  AnyVerdict in_words(const BoundMatch<G>& match, const Verdict<G>& found) const {
    AnyVerdict out;
    out.best = game_->move_text(match.state(), found.best);
    static_cast<Conclusion&>(out) = found;
    for (const auto& child : found.children)
      out.children.push_back({game_->move_text(match.state(), child.move), child.value,
                              child.visits, child.resolved, child.bound});
    typename G::State state = match.state();
    for (const auto& move : found.pv) {
      out.pv.push_back(game_->move_text(state, move));
      game_->play(state, move);
    }
    return out;
  }

  std::shared_ptr<const G> game_;
  SearchPlan<G> plan_;
  OwnedEvaluator<G> evaluator_;
  Task<G> task_;
  std::string spec_;
  std::unique_ptr<AnySearch<G>> search_;
  typename G::State start_{};
  std::vector<typename G::Move> followed_;
};

}  // namespace polymax::catalog
