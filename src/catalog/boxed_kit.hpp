// The searches for boxes of one size. A generated kit_<bytes>.cpp makes one for each size.
#pragma once

#include <cstring>
#include <memory>

#include "catalog/all_searches.hpp"
#include "catalog/boxed.hpp"
#include "catalog/search_kit.hpp"
#include "learn/play_lesson.hpp"

namespace polymax::catalog {

template <std::size_t kBytes>
typename Boxed<kBytes>::State box(const std::byte* state, std::size_t bytes) {
  typename Boxed<kBytes>::State out;
  std::memcpy(out.bytes.data(), state, bytes);
  return out;
}

template <class G>
CodeVerdict in_codes(const Verdict<G>& of) {
  CodeVerdict out = translated<Coded>(of, [](MoveCode move) { return move; });
  out.pv = of.pv;
  return out;
}

// A search with the game and the evaluator as it sees them.
template <std::size_t kBytes, class S>
class BoxedSearch final : public AnySearch {
 public:
  using G = Boxed<kBytes>;

  BoxedSearch(const AnyTask& task, const typename S::Params& params)
      : state_bytes_(task.rules->state_bytes()),
        game_({task.rules}),
        evaluator_(*task.evaluator),
        search_(Task<G>{&game_, task.points, evaluator_, task.seed, task.resolved}, params) {}

  CodeVerdict think(const std::byte* root, const Budget& budget,
                    const CodeWatcher& watcher) override {
    const auto state = box<kBytes>(root, state_bytes_);
    if constexpr (Watchable<S, G>) {
      Watcher<G> own{watcher.every};
      if (watcher.see) own.see = [&](const Verdict<G>& now) { watcher.see(in_codes(now)); };
      return in_codes(search_.think(state, budget, own));
    } else {
      return in_codes(search_.think(state, budget));
    }
  }
  void advance(MoveCode move) override { search_.advance(move); }

  const G& game() const { return game_; }
  BoxedEvaluator<kBytes>& evaluator() { return evaluator_; }
  S& search() { return search_; }

 private:
  std::size_t state_bytes_;
  G game_;
  BoxedEvaluator<kBytes> evaluator_;
  S search_;
};

template <std::size_t kBytes>
class BoxedKit final : public SearchKit {
 public:
  using G = Boxed<kBytes>;

  std::unique_ptr<AnySearch> make(const AnyTask& task, const Spec& settings) const override {
    std::unique_ptr<AnySearch> out;
    each_search([&]<class Tag>(Tag) {
      using S = typename Tag::template type<G>;
      if (settings.name == Tag::name)
        out = std::make_unique<BoxedSearch<kBytes, S>>(task,
                                                       read_settings<typename S::Params>(settings));
    });
    return out;
  }

  std::optional<learn::Lesson> lesson(const AnyTask& task, const Spec& settings,
                                      const Budget& budget, std::uint64_t start_seed,
                                      const MoverTurns* turns) const override {
    std::optional<learn::Lesson> out;
    each_search([&]<class Tag>(Tag) {
      using S = typename Tag::template type<G>;
      if constexpr (Teaching<S, G>)
        if (settings.name == Tag::name) {
          BoxedSearch<kBytes, S> made(task, read_settings<typename S::Params>(settings));
          const EvaluatorRef<G> network(made.evaluator());
          out = learn::play_lesson(made.game(), task.points, made.search(), budget,
                                   made.game().start(start_seed), turns, &network);
        }
    });
    return out;
  }

  learn::Samples random_samples(const AnyRules& rules, Points points, std::uint64_t seed,
                                const learn::RandomMatches& asked,
                                const MoverTurns* turns) const override {
    Rng rng(seed);
    const auto own = rules.random_games(points, rng.next(), asked.playouts);
    BoxedEvaluator<kBytes> random_games(*own);
    return learn::random_samples(G({&rules}), points, rng, asked, EvaluatorRef<G>(random_games),
                                 turns);
  }
};

}  // namespace polymax::catalog
