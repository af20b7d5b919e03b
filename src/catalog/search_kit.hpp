// All searches, compiled for the games whose states fit a box of some size (boxed.hpp), behind
// virtual calls: a few for a move that is thought about.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/any_rules.hpp"
#include "core/searcher.hpp"
#include "learn/lesson.hpp"

namespace polymax::catalog {

struct Coded {
  using Move = MoveCode;
};
using CodeVerdict = Verdict<Coded>;
using CodeWatcher = Watcher<Coded>;

// A verdict whose moves are told in another way, move(of) for `of`; without its principal
// variation.
template <class To, class From, class F>
Verdict<To> translated(const Verdict<From>& verdict, const F& move) {
  Verdict<To> out;
  static_cast<Conclusion&>(out) = verdict;
  out.best = move(verdict.best);
  out.children.reserve(verdict.children.size());
  for (const auto& child : verdict.children)
    out.children.push_back(
        {move(child.move), child.value, child.visits, child.resolved, child.bound});
  return out;
}

// What a search is made for (Task in core/searcher.hpp). All of it outlives the search.
struct AnyTask {
  const AnyRules* rules = nullptr;
  Points points{};
  AnyEvaluator* evaluator = nullptr;
  std::uint64_t seed = 0;
  ResolvedPositions* resolved = nullptr;
};

class AnySearch {
 public:
  virtual ~AnySearch() = default;
  virtual CodeVerdict think(const std::byte* root, const Budget& budget,
                            const CodeWatcher& watcher) = 0;
  virtual void advance(MoveCode move) = 0;
};

class SearchKit {
 public:
  virtual ~SearchKit() = default;
  // settings: of a search that the game offers, without eval= and aim=.
  virtual std::unique_ptr<AnySearch> make(const AnyTask& task, const Spec& settings) const = 0;

  // A match of a search that teaches against itself; see AnyGame::self_play. The evaluator is a
  // network; turns: null where it wants none.
  virtual std::optional<learn::Lesson> lesson(const AnyTask& task, const Spec& settings,
                                              const Budget& budget, std::uint64_t start_seed,
                                              const MoverTurns* turns) const = 0;

  // See AnyGame::random_samples.
  virtual learn::Samples random_samples(const AnyRules& rules, Points points, std::uint64_t seed,
                                        const learn::RandomMatches& asked,
                                        const MoverTurns* turns) const = 0;
};

// The kits of the program; cmake/catalog.cmake writes the list of sizes. Throws Error when the
// state fits none of them.
const SearchKit& kit_for(std::size_t state_bytes);

// A search as all games know it.
struct SearchOffer {
  std::string name;
  About about;
  std::vector<SettingInfo> settings;     // without eval= and aim=
  unsigned needs = 0;                    // what a game must be able to (Can) to have it
  std::optional<std::string> evaluator;  // unless the spec has eval=; none: the game's own guess,
                                         // or zero; empty: it needs none and refuses eval=
  bool teaches = false;
  // The settings that differ from the defaults; throws Error for unknown ones.
  Spec (*canonical)(const Spec& asked, const std::vector<std::string>& also_known);
};
const std::vector<SearchOffer>& search_offers();

// Those of a game that can this much.
std::vector<Entry> offered_searches(unsigned can);
// Who values positions for that search unless the spec says; empty: nobody.
std::string preset_evaluator(const SearchOffer& offer, unsigned can);

}  // namespace polymax::catalog
