// Descent for any number of seats (Cohen-Solal 2020, Descent Minimax; Max^n paper, section 3): the
// search that makes learning data. An iteration goes on from every position it expands to the best
// unresolved one below, until it meets a finished or resolved position. The move played is drawn by
// the ordinal law: a proven win always, a proven loss only when there is nothing else. After a
// match harvest() gives every position expanded and every finished one met, with its value at that
// time.
// Differs, each by a setting:
//   share < 1   only some moves of a match are searched, the first always: matches end sooner
//   ends > 0    a position teaches its value mixed with the mean of the points in which the lines
//               through it ended: a young network's values err alike everywhere, ends do not
//   opening > 0 a match begins with random moves
//   weak > 0    some seats of a match play any move: where good play always draws, the others learn
//               to win from what these give away
//   width > 0   so many children are valued besides those known: more lines for as many values.
//               The others count as the worst of these and leave the position unresolved. Taken
//               are those of the highest prior with Gumbel noise (Kool et al. 2019), without a
//               prior random ones; a part `full` of positions has all valued, to see what is
//               missed
// Chosen: finished positions are met when the position before them is expanded; equal ranks are
// shuffled by the seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <deque>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "tree/agree.hpp"
#include "tree/best_first.hpp"
#include "tree/ordinal.hpp"

namespace polymax::descent {

enum class Law { sqrt_uniform, uniform, fixed };
inline constexpr std::array<std::string_view, 3> kLawNames{"sqrt_uniform", "uniform", "fixed"};

struct Params {
  Law law = Law::sqrt_uniform;
  double e = 1, share = 1, ends = 0, weak = 0, noise = 1, full = 0.02;
  bool batch = true, refresh = true, literal = false;
  int opening = 0, width = 0, memory = 1024;

  static Fields fields() {
    using P = Params;
    return {
        field(
            "law", &P::law,
            "how e of the ordinal law is drawn for a move: sqrt(U), U on [0,1], or e=", kLawNames),
        field("e", &P::e, "parameter of law=fixed: 1 plays the best move, 0 any", 0, 1),
        field("share", &P::share,
              "part of the moves, drawn at random, that are searched; others are played from what "
              "earlier lines have found",
              0, 1),
        field("ends", &P::ends,
              "weight of the ends of lines in what a position teaches; the rest is its value", 0,
              1),
        field("opening", &P::opening,
              "random moves a seat that a match begins with, any number up to this", 0, 1000),
        field("weak", &P::weak, "chance of a seat to play random moves, drawn for every match", 0,
              1),
        field("width", &P::width,
              "children of a position that are valued: those with the highest prior where the "
              "network has one, else drawn at random; 0 = all",
              0, 1 << 20),
        field("noise", &P::noise, "with width and a prior: of its logarithm; 0 = none", 0, 100),
        field("full", &P::full,
              "with width and a prior: part of the positions whose children are all valued", 0, 1),
        field("batch", &P::batch, "all children of a position valued by one call"),
        field("refresh", &P::refresh,
              "moves take the newest value of a position reached by several ways"),
        field("literal", &P::literal,
              "resolution rule as published, wrong when some seats may tie"),
        field("memory", &P::memory, "limit of the tree in MiB", 1, 1 << 20)};
  }
};

template <Game G>
class Search {
 public:
  using Params = descent::Params;
  using State = typename G::State;

  static constexpr About about{"Descent Max^n, for learning", 1,
                               "https://arxiv.org/abs/2008.01188"};

  explicit Search(const Task<G>& task, const Params& params = {})
      : task_(task),
        params_(params),
        rng_(task.seed),
        opening_(draw_opening()),
        weak_(draw_weak()),
        tree_(*this, {.literal = params.literal,
                      .refresh = params.refresh,
                      .batch = params.batch,
                      .memory = static_cast<std::size_t>(params.memory) << 20}) {}

  Verdict<G> think(const State& root, const Budget& budget, const Watcher<G>& watcher = {}) {
    Meter meter(budget, watcher);
    tree_.start(root, meter);
    const bool opening = opening_ > 0;
    if (opening)
      --opening_;
    else if (std::exchange(first_, false) || params_.share >= 1 || rng_.uniform() < params_.share) {
      const auto now = [&] { return verdict(tree_.root_edges().best_action(), meter); };
      tree_.run(meter, {.whole = true}, watcher, now);
    }
    const bool any = opening || weak_[static_cast<std::size_t>(task_.game->to_move(root))];
    return verdict(any ? any_move() : draw_move(), meter);
  }

  void advance(const typename G::Move&) {}

  // sink(state, value) for every expanded position and every finished one met since the search was
  // made, each once. The task's resolved positions get those found. Of positions that memory was
  // too short for nothing is known but the value.
  template <class Sink>
  void harvest(Sink sink) {
    const auto& tree = tree_.tree();
    std::unordered_set<std::uint64_t> seen;  // finished or forgotten
    const auto give = [&](const State& state, const Scores& value, const ValuedMoves<G>& moves) {
      if constexpr (std::invocable<Sink&, const State&, const Scores&, const ValuedMoves<G>&>)
        sink(state, value, moves);
      else
        sink(state, value);
    };
    const auto once = [&](const State& state, const Scores& value, std::uint64_t hash) {
      if (seen.insert(hash).second) give(state, value, {});
    };
    for (NodeIndex i = 0; i < tree.end(); ++i) {
      if (!tree.alive(i)) continue;
      if (task_.resolved != nullptr && (tree[i].bits & bits::kResolved))
        task_.resolved->put(tree[i].hash, {tree[i].value, tree[i].bits});
      give(tree_.kept(i), taught(tree[i]), valued_moves(i));
      give_finished(i, once);
    }
    for (auto pair = forgotten_.rbegin(); pair != forgotten_.rend(); ++pair)
      if (tree.find(pair->hash) == kNoNode) once(pair->state, pair->value, pair->hash);
  }

  const BestFirst<G, Keep::states>& tree() const { return tree_; }

 private:
  // The tree, and what this search does besides.
  class Tree final : public BestFirst<G, Keep::states> {
   public:
    Tree(Search& search, const BestFirstRules& rules)
        : BestFirst<G, Keep::states>(search.task_, rules), search_(search) {}

   private:
    // Whole, whatever time that takes: what is valued in part teaches nothing.
    std::size_t value(Line& line, const Meter*) override {
      auto& at = this->own(line);
      return search_.params_.width > 0 ? search_.value_some(at.expansion, at.state)
                                       : BestFirst<G, Keep::states>::value(line, nullptr);
    }
    void ended(const Line& line) override {
      if (search_.params_.ends > 0) search_.note_end(line);
    }
    void forget(NodeIndex i) override { search_.remember(i); }

    Search& search_;
  };

  struct Ends {
    Scores mean{};
    int lines = 0;
  };

  // The value is the root's, whatever move was drawn.
  Verdict<G> verdict(std::size_t chosen, const Meter& meter) {
    Verdict<G> out = tree_.verdict(chosen, meter);
    out.value = tree_.root_node().value;
    out.cost.bytes += forgotten_.size() * sizeof(Pair);
    tree_.prove(out);
    return out;
  }

  int draw_opening() {
    const auto most = static_cast<std::uint32_t>(params_.opening * task_.game->players());
    return most == 0 ? 0 : static_cast<int>(rng_.below(most + 1));
  }

  std::array<bool, kMaxPlayers> draw_weak() {
    std::array<bool, kMaxPlayers> out{};
    for (int p = 0; p < task_.game->players() && params_.weak > 0; ++p)
      out[static_cast<std::size_t>(p)] = rng_.uniform() < params_.weak;
    return out;
  }

  // Of the children that would have to be valued only params_.width are.
  std::size_t value_some(Expansion<G>& children, const State& of) {
    drawn_.clear();
    left_out_.clear();
    const std::size_t asked =
        task_.evaluator.knows_moves() ? draw_by_prior(children, of) : draw_any(children);
    for (const std::size_t i : left_out_) children.known[i] = 1;
    const std::size_t evaluated = asked + children.value(task_, {params_.batch});
    if (left_out_.empty()) return evaluated;
    auto& guessed = guessed_[task_.game->hash(of)];
    guessed.assign(children.moves.size(), false);
    for (const std::size_t i : left_out_) guessed[i] = true;
    const int mover = task_.game->to_move(of);
    const Scores worst = children.values[*std::ranges::min_element(
        drawn_, {}, [&](std::size_t i) { return children.values[i][mover]; })];
    for (const std::size_t i : left_out_) children.values[i] = worst;
    return evaluated;
  }

  // By reservoir sampling. Returns how many positions the evaluator was asked for, as the next one
  // does.
  std::size_t draw_any(const Expansion<G>& children) {
    std::uint32_t met = 0;
    for (std::size_t i = 0; i < children.moves.size(); ++i) {
      if (children.known[i] || children.over[i]) continue;
      if (const std::size_t at = rng_.below(++met);
          drawn_.size() < static_cast<std::size_t>(params_.width))
        drawn_.push_back(i);
      else
        left_out_.push_back(at < drawn_.size() ? std::exchange(drawn_[at], i) : i);
    }
    return 0;
  }

  std::size_t draw_by_prior(const Expansion<G>& children, const State& of) {
    const auto width = static_cast<std::size_t>(params_.width);
    for (std::size_t i = 0; i < children.moves.size(); ++i)
      if (!children.known[i] && !children.over[i]) drawn_.push_back(i);
    if (rng_.uniform() < params_.full) {
      full_.insert(task_.game->hash(of));
      return 0;
    }
    if (drawn_.size() <= width) return 0;
    Scores value;
    task_.evaluator.evaluate({&of, 1}, {&value, 1}, priors_);
    constexpr float kTiny = 1e-30f;
    auto& liking = priors_.all;
    must_agree(liking.size(), children.moves.size());
    for (float& x : liking)
      x = std::log(x + kTiny) -
          static_cast<float>(params_.noise * std::log(-std::log(rng_.uniform() + 1e-300)));
    std::ranges::nth_element(drawn_, drawn_.begin() + static_cast<std::ptrdiff_t>(width),
                             std::greater<>(), [&](std::size_t i) { return liking[i]; });
    left_out_.assign(drawn_.begin() + static_cast<std::ptrdiff_t>(width), drawn_.end());
    drawn_.resize(width);
    return 1;
  }

  // Of an expanded position the moves whose points are more than a guess. Valid until the next
  // call.
  ValuedMoves<G> valued_moves(NodeIndex i) {
    const auto& node = tree_.tree()[i];
    const Edges edges = tree_.tree().edges(i);
    list_again(i, edges.count);
    valued_.clear();
    points_.clear();
    const auto found = guessed_.find(node.hash);
    if (found != guessed_.end()) must_agree(found->second.size(), edges.count);
    for (std::size_t e = 0; e < edges.count; ++e) {
      if (found != guessed_.end() && found->second[e] && !(edges.bits[e] & bits::kLinked)) continue;
      valued_.push_back(moves_[e]);
      points_.push_back(edges.of_seat(node.seat)[e]);
    }
    return {valued_, points_, params_.width == 0 || full_.contains(node.hash)};
  }

  // A line that was cut short has no end.
  void note_end(const Line& line) {
    const auto& tree = tree_.tree();
    if (!(tree[line.at].bits & bits::kResolved)) return;
    const Scores end = tree[line.at].value;
    for (const auto& step : line.steps) {
      Ends& of = ends_[tree[step.node].hash];
      ++of.lines;
      of.mean = between(of.mean, end, 1.0f / static_cast<float>(of.lines));
    }
  }

  // What an expanded position teaches.
  Scores taught(const Arena::Node& node) const {
    const auto found = node.bits & bits::kResolved ? ends_.end() : ends_.find(node.hash);
    if (found == ends_.end()) return node.value;
    return between(node.value, found->second.mean, static_cast<float>(params_.ends));
  }

  struct Pair {
    State state;
    Scores value;
    std::uint64_t hash;
  };

  // Keeps what a node teaches that goes for want of memory.
  void remember(NodeIndex i) {
    const auto keep = [this](const State& state, const Scores& value, std::uint64_t hash) {
      forgotten_.push_back({state, value, hash});
    };
    const auto& node = tree_.tree()[i];
    guessed_.erase(node.hash);
    full_.erase(node.hash);
    keep(tree_.kept(i), taught(node), node.hash);
    ends_.erase(node.hash);
    give_finished(i, keep);
  }

  // to(state, value, hash) for the finished positions behind a node.
  template <class To>
  void give_finished(NodeIndex i, To to) {
    const Edges edges = tree_.tree().edges(i);
    moves_.clear();
    for (std::size_t e = 0; e < edges.count; ++e) {
      if (!(edges.bits[e] & bits::kOver)) continue;
      if (moves_.empty()) list_again(i, edges.count);
      State over = tree_.kept(i);
      task_.game->play(over, moves_[e]);
      to(over, edges.value(e), edges.link[e]);
    }
  }

  void list_again(NodeIndex i, std::size_t count) {
    moves_.clear();
    task_.game->moves(tree_.kept(i), moves_);
    must_agree(moves_.size(), count);
  }

  double draw_e() {
    if (params_.law == Law::fixed) return params_.e;
    const double u = rng_.uniform();
    return params_.law == Law::uniform ? u : std::sqrt(u);
  }

  std::size_t any_move() {
    return rng_.below(static_cast<std::uint32_t>(tree_.root_edges().count()));
  }

  // The edge of the root to play.
  std::size_t draw_move() {
    const auto edges = tree_.root_edges();
    std::vector<std::size_t> wins, ranked;
    for (std::size_t i = 0; i < edges.count(); ++i) {
      if (edges.proven(i, 1)) wins.push_back(i);
      if (!edges.proven(i, -1)) ranked.push_back(i);
    }
    const auto key = [&](std::size_t i) { return std::tuple{edges.c(i), edges.v(i), edges.n(i)}; };
    if (!wins.empty()) return *std::ranges::max_element(wins, {}, key);
    if (ranked.empty()) return edges.best_action();
    rng_.shuffle(std::span(ranked));
    std::ranges::stable_sort(ranked, std::greater<>(), key);
    return ranked[ordinal_rank(ranked.size(), draw_e(), rng_)];
  }

  Task<G> task_;
  Params params_;
  bool first_ = true;
  Rng rng_;
  int opening_;                         // random moves still to be played
  std::array<bool, kMaxPlayers> weak_;  // seats that play any move
  Tree tree_;
  std::unordered_map<std::uint64_t, Ends> ends_;  // by the position's hash
  std::deque<Pair> forgotten_;                    // grows without copying
  std::vector<std::size_t> drawn_, left_out_;     // children of the position that is expanded
  MoveList<G> moves_;
  std::unordered_map<std::uint64_t, std::vector<bool>> guessed_;  // by hash: children not valued
  std::unordered_set<std::uint64_t> full_;  // with a prior: positions drawn to have all valued
  MovePriors priors_;
  std::vector<typename G::Move> valued_;  // as is points_: of the position that is harvested
  std::vector<float> points_;
};

}  // namespace polymax::descent
