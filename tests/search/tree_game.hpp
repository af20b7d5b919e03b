// Random explicit trees as games: the ground on which every search is compared with an oracle of
// its definition. Seats may move several times in a row, leaves lie at different depths, positions
// may be reached by several ways, values are small whole numbers so that ties happen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "core/rng.hpp"

namespace polymax::tree_game {

enum class Payoffs { one_winner, common_draw, partial_ties, joint_wins, zero_sum };
inline constexpr std::array<std::string_view, 5> kPayoffsNames{
    "one_winner", "common_draw", "partial_ties", "joint_wins", "zero_sum"};

struct Options {
  int seats = 3, depth = 4, branching = 3, seed = 1;
  Payoffs payoffs = Payoffs::one_winner;
  bool turns_in_order = false;  // on: seat = ply mod seats
  bool shared =
      false;       // on: children may be positions that exist already (a directed acyclic graph)
  int scores = 5;  // final scores are whole numbers of -scores..scores, in the order of the gains
  int early = 6;   // one position in so many is over before `depth`; 0 = none

  static Fields fields() {
    return {field("seats", &Options::seats, "seats", 2, kMaxPlayers),
            field("depth", &Options::depth, "longest line", 1, 20),
            field("branching", &Options::branching, "most moves of a position", 1, 50),
            field("seed", &Options::seed, "seed", 0, 2000000000),
            field("payoffs", &Options::payoffs, "who may win", kPayoffsNames),
            field("turns_in_order", &Options::turns_in_order, "seats move in turn"),
            field("shared", &Options::shared, "positions reached by several ways"),
            field("scores", &Options::scores, "largest score", 1, 1000),
            field("early", &Options::early, "one position in so many is over early", 0, 1000)};
  }
};

class Rules {
 public:
  using Options = tree_game::Options;

  struct State {
    std::uint32_t node = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  struct Move {
    std::uint32_t to = 0;
    friend bool operator==(Move, Move) = default;
  };

  // Everything about a position; oracles walk these directly.
  struct Node {
    int seat = 0, ply = 0;
    std::vector<std::uint32_t> children;  // empty = over
    Scores gain, score;                   // of a finished position
    Scores guess;                         // of an unfinished one
  };

  static constexpr About about{"random tree", 1, ""};
  static constexpr Points default_points = Points::score;

  explicit Rules(const Options& options = {}) : options_(options) {
    Rng rng(static_cast<std::uint64_t>(options.seed));
    levels_.resize(static_cast<std::size_t>(options.depth) + 1);
    grow(rng, 0);
  }

  const Node& node(const State& s) const { return nodes_[s.node]; }
  const std::vector<Node>& nodes() const { return nodes_; }

  int players() const { return options_.seats; }
  State start(std::uint64_t) const { return {}; }
  int to_move(const State& s) const { return node(s).seat; }
  int played(const State& s) const { return node(s).ply; }
  int max_length() const { return options_.depth; }
  bool over(const State& s) const { return node(s).children.empty(); }
  void moves(const State& s, MoveList<Rules>& out) const {
    for (const auto child : node(s).children) out.push_back({child});
  }
  void play(State& s, Move m) const { s.node = m.to; }
  Scores score(const State& s) const { return node(s).score; }
  Scores gain(const State& s) const { return node(s).gain; }
  std::uint64_t hash(const State& s) const { return mix64(s.node); }
  std::string move_text(const State&, Move m) const { return "n" + std::to_string(m.to); }
  Drawing draw(const State&) const { return {}; }
  Scores estimate(const State& s) const { return node(s).guess; }

 private:
  std::uint32_t grow(Rng& rng, int ply) {
    auto& level = levels_[static_cast<std::size_t>(ply)];
    if (options_.shared && ply > 0 && !level.empty() && rng.below(4) == 0)
      return level[rng.below(static_cast<std::uint32_t>(level.size()))];
    const auto id = static_cast<std::uint32_t>(nodes_.size());
    level.push_back(id);
    nodes_.emplace_back();
    const auto seats = static_cast<std::uint32_t>(options_.seats);
    nodes_[id].ply = ply;
    nodes_[id].seat =
        options_.turns_in_order ? ply % options_.seats : static_cast<int>(rng.below(seats));
    const bool over =
        ply == options_.depth || (ply > 0 && options_.early > 0 &&
                                  rng.below(static_cast<std::uint32_t>(options_.early)) == 0);
    if (over) {
      nodes_[id].gain = random_gain(rng);
      nodes_[id].score = random_score(rng, nodes_[id].gain);
      return id;
    }
    nodes_[id].guess = random_guess(rng);
    const auto count = 1 + rng.below(static_cast<std::uint32_t>(options_.branching));
    std::vector<std::uint32_t> children;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto child = grow(rng, ply + 1);
      if (std::ranges::find(children, child) == children.end()) children.push_back(child);
    }
    nodes_[id].children = children;
    return id;
  }

  Scores random_gain(Rng& rng) const {
    const int seats = options_.seats;
    const auto some = [&] {
      return static_cast<int>(rng.below(static_cast<std::uint32_t>(seats)));
    };
    if (options_.payoffs != Payoffs::one_winner && rng.below(4) == 0) return {};
    Scores out = one_winner(some(), seats);
    if (options_.payoffs == Payoffs::joint_wins && rng.below(2) == 0) out[some()] = 1;
    if (options_.payoffs >= Payoffs::partial_ties && options_.payoffs != Payoffs::zero_sum &&
        rng.below(3) == 0) {
      out = all_seats(seats, -1);  // nobody wins, some seats tie: (0, 0, -1)
      out[some()] = 0;
      out[some()] = 0;
    }
    return out;
  }

  // Ordered as the gains are: a better gain never has a lower score.
  Scores random_score(Rng& rng, const Scores& gain) const {
    const auto size = [&] {
      return static_cast<float>(1 + rng.below(static_cast<std::uint32_t>(options_.scores)));
    };
    Scores out;
    for (int p = 0; p < options_.seats; ++p) out[p] = gain[p] * size();
    if (options_.payoffs == Payoffs::zero_sum) out[1] = -out[0];
    return out;
  }

  Scores random_guess(Rng& rng) const {
    Scores out;
    const auto span = static_cast<std::uint32_t>(2 * options_.scores + 1);
    for (int p = 0; p < options_.seats; ++p)
      out[p] = static_cast<float>(static_cast<int>(rng.below(span)) - options_.scores);
    if (options_.payoffs == Payoffs::zero_sum) out[1] = -out[0];
    return out;
  }

  Options options_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> levels_;  // nodes by ply
};

static_assert(Game<Rules>);

// The value of the game of one seat against all others together.
inline float against_all(const Rules& game, std::uint32_t s, int view) {
  const auto& node = game.node({s});
  if (node.children.empty()) return node.gain[view];
  float out = node.seat == view ? -2.0f : 2.0f;
  for (const auto child : node.children) {
    const float value = against_all(game, child, view);
    out = node.seat == view ? std::max(out, value) : std::min(out, value);
  }
  return out;
}

// Whether the seat wins whatever the others do.
inline bool forces_win(const Rules& game, Rules::State state, int seat) {
  const auto& children = game.node(state).children;
  if (children.empty()) return game.gain(state)[seat] == 1;
  const auto wins = [&](std::uint32_t child) { return forces_win(game, {child}, seat); };
  return game.to_move(state) == seat ? std::ranges::any_of(children, wins)
                                     : std::ranges::all_of(children, wins);
}

}  // namespace polymax::tree_game
