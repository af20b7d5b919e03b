// Separed Teamhex on a 20 x 20 rhombus: teams {0,2} (left-right) and {1,3} (top-bottom), a cycle of
// eight turns that says who plays in which quadrant. Paper: section "Games", Separed Teamhex. A
// seat that joins its own sides with its own stones wins alone (+2, all others -2); else allies who
// join their team's sides win together (+1, the others -1). Chosen: zone A at an acute corner (top
// left). Turns whose zone is full are skipped. A seat plays in one half of the board only, so its
// own sides are the edges of its team as far as its stones go.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "board/bitboard.hpp"
#include "board/cell_moves.hpp"
#include "board/hex_distance.hpp"
#include "board/hex_grid.hpp"
#include "board/planes.hpp"
#include "board/race.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax::teamhex {

struct Options {
  int n = 20;
  static Fields fields() { return {field("n", &Options::n, "cells on a side", 4, 20, 2)}; }
};

// A turn of the cycle. Zones are quadrants, clockwise: 0 top left, 1 top right, 2 bottom right, 3
// bottom left.
struct Slot {
  std::uint8_t seat, zone;
};
inline constexpr std::array<Slot, 8> kCycle{
    {{0, 0}, {3, 0}, {1, 1}, {0, 1}, {2, 2}, {1, 2}, {3, 3}, {2, 3}}};

class Rules {
 public:
  using Options = teamhex::Options;

  struct State {
    std::array<Cells, 4> stones{};
    std::array<Cells, 4> reached{};  // own stones connected with the left (0, 2) or top (1, 3) edge
    std::array<Cells, 2> team_reached{};  // the same for the stones of both allies
    std::uint64_t hash = 0;
    std::uint16_t played = 0;
    std::array<std::uint8_t, 4> room{};  // empty cells of each zone
    std::uint8_t slot = 0;
    std::int8_t winning_team = -1;  // 0 = seats 0 and 2, 1 = seats 1 and 3
    std::int8_t lone_winner = -1;   // seat, when it wins alone
    friend bool operator==(const State&, const State&) = default;
  };

  using Move = CellMove;

  static constexpr About about{"Separed Teamhex, 20 x 20", 1,
                               "https://arxiv.org/abs/2604.17378, section Games"};
  static constexpr Points default_points = Points::score;
  static constexpr std::array<std::string_view, 1> size_options{"n"};
  static constexpr bool positive_score_wins = true;

  explicit Rules(Options options = {}) : grid_(HexGrid::rhombus(options.n)) {
    const int n = options.n;
    for (int cell = 0; cell < grid_.box(); ++cell) {
      const bool lower = cell / n >= n / 2, right = cell % n >= n / 2;
      zones_[lower ? (right ? 2 : 3) : (right ? 1 : 0)].set(cell);
    }
  }

  int players() const { return 4; }
  State start(std::uint64_t) const {
    State s;
    s.room.fill(static_cast<std::uint8_t>(grid_.count() / 4));
    return s;
  }
  int to_move(const State& s) const { return kCycle[s.slot].seat; }
  int played(const State& s) const { return s.played; }
  int max_length() const { return grid_.count(); }
  bool over(const State& s) const { return s.winning_team >= 0; }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (over(s)) return;
    const Slot slot = kCycle[s.slot];
    append_cells(grid_.words(), out, [&](std::size_t w) {
      return zones_[slot.zone].words[w] & ~(s.stones[0].words[w] | s.stones[1].words[w] |
                                            s.stones[2].words[w] | s.stones[3].words[w]);
    });
  }

  void play(State& s, Move m) const {
    const unsigned p = kCycle[s.slot].seat, team = p % 2;
    s.stones[p].set(m.cell);
    s.hash ^= zobrist(p, m.cell);
    ++s.played;
    --s.room[kCycle[s.slot].zone];
    if (joins_reach(grid_, from(team), m.cell, s.team_reached[team])) connect(s, p, m.cell);
    set_slot(s, next_slot(s, s.slot + 1u, [](unsigned) { return true; }).value_or(s.slot));
  }

  Scores score(const State& s) const {
    if (s.lone_winner >= 0) {
      Scores out = all_seats(4, -2);
      out[s.lone_winner] = 2;
      return out;
    }
    Scores out;
    for (int p = 0; p < 4; ++p) out[p] = p % 2 == s.winning_team ? 1.0f : -1.0f;
    return out;
  }

  Scores gain(const State& s) const {
    Scores out = score(s);
    for (auto& x : out.seats) x = x > 0 ? 1.0f : -1.0f;
    return out;
  }

  std::uint64_t hash(const State& s) const { return s.hash; }
  std::string move_text(const State&, Move m) const { return grid_.name(m.cell); }

  // At the seat's next turn of the cycle with room, the present one counts; nothing when both of
  // its zones are full.
  std::optional<State> give_turn(const State& s, int seat) const {
    if (over(s)) return std::nullopt;
    const auto slot =
        next_slot(s, s.slot, [=](unsigned p) { return p == static_cast<unsigned>(seat); });
    if (!slot) return std::nullopt;
    State out = s;
    set_slot(out, *slot);
    return out;
  }

  Drawing draw(const State& s) const {
    Drawing out = grid_.draw();
    for (auto& cell : out.cells)
      for (int i = 0; i < 4; ++i) {
        if (zones_[static_cast<std::size_t>(i)].test(cell.index)) cell.tint = i;
        if (s.stones[static_cast<std::size_t>(i)].test(cell.index)) cell.owner = i;
      }
    for (unsigned p = 0; p < 4; ++p)  // the edges of its team as far as its half goes
      for (const Cells* side : {&from(p % 2), &to(p % 2)})
        out.sides.push_back(
            grid_.drawn_side(*side & (zones_[p] | zones_[(p + 1) % 4]), static_cast<int>(p)));
    if (over(s)) return out;
    constexpr std::array<const char*, 4> kZoneNames{"top left", "top right", "bottom right",
                                                    "bottom left"};
    out.notes.push_back("seat " + std::to_string(to_move(s) + 1) + " plays in the zone at the " +
                        kZoneNames[kCycle[s.slot].zone]);
    return out;
  }

  // Stones of each seat; seat to move; the zone it plays in; all zones; sides of each team; real
  // cells.
  PlaneShape planes() const { return {16, grid_.width(), grid_.width()}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    for (const auto& stones : s.stones) out.cells(stones);
    for (int p = 0; p < 4; ++p) out.flag(to_move(s) == p, grid_.cells());
    out.cells(zones_[kCycle[s.slot].zone]);
    for (const auto& zone : zones_) out.cells(zone);
    for (unsigned team = 0; team < 2; ++team) out.cells(from(team) | to(team));
    out.cells(grid_.cells());
  }

  int move_planes() const { return 1; }
  MovePlace move_place(const State&, Move m) const { return {0, m.cell}; }

  std::vector<Symmetry> symmetries() const {
    return {{grid_.turn(0), {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
            {grid_.turn(3), {2, 3, 0, 1}, {2, 3, 0, 1, 6, 7, 4, 5, 8, 11, 12, 9, 10, 13, 14, 15}}};
  }

  // Six outcomes, each with a weight that halves with every stone it still needs; moving is worth
  // half a stone.
  Scores estimate(const State& s) const {
    Scores sum;
    float all = 0;
    const auto count = [&](float weight, auto points_of) {
      all += weight;
      for (int p = 0; p < 4; ++p) sum[p] += weight * points_of(p);
    };
    for (int team = 0; team < 2; ++team)
      count(weight_of_team(s, team), [&](int p) { return p % 2 == team ? 1.0f : -1.0f; });
    for (int seat = 0; seat < 4; ++seat)
      count(weight_of_seat(s, seat), [&](int p) { return p == seat ? 2.0f : -2.0f; });
    for (auto& x : sum.seats) x /= all;
    return sum;
  }

 private:
  // Sides of the rhombus: 0 top, 1 right, 2 bottom, 3 left.
  const Cells& from(unsigned team) const { return grid_.side(team == 0 ? 3 : 0); }
  const Cells& to(unsigned team) const { return grid_.side(team == 0 ? 1 : 2); }

  // The first slot from `first` on whose zone has room and whose seat is wanted.
  template <class F>
  static std::optional<unsigned> next_slot(const State& s, unsigned first, F wanted) {
    for (unsigned i = first; i < first + 8; ++i)
      if (s.room[kCycle[i % 8].zone] > 0 && wanted(kCycle[i % 8].seat)) return i % 8;
    return std::nullopt;
  }

  static void set_slot(State& s, unsigned slot) {
    s.hash ^= kSlotKeys[s.slot] ^ kSlotKeys[slot];
    s.slot = static_cast<std::uint8_t>(slot);
  }

  // After a stone of seat p on `cell` that is connected with the team's first edge.
  void connect(State& s, unsigned p, int cell) const {
    const unsigned team = p % 2;
    flood_reach(grid_, stones_of_team(s, team), cell, s.team_reached[team]);
    if (s.team_reached[team].intersects(to(team))) s.winning_team = static_cast<std::int8_t>(team);
    if (extend_reach(grid_, s.stones[p], from(team), cell, s.reached[p]) &&
        s.reached[p].intersects(to(team)))
      s.lone_winner = static_cast<std::int8_t>(p);
  }

  static Cells stones_of_team(const State& s, unsigned team) {
    return s.stones[team] | s.stones[team + 2];
  }

  float weight_of_team(const State& s, int team) const {
    const auto t = static_cast<unsigned>(team);
    const Cells open = grid_.cells().without(stones_of_team(s, 1 - t));
    return race_weight(stones_needed(grid_, stones_of_team(s, t), open, from(t), to(t)),
                       to_move(s) % 2 == team ? kTempo : 1);
  }

  float weight_of_seat(const State& s, int seat) const {
    const auto p = static_cast<unsigned>(seat);
    const Cells half = zones_[p] | zones_[(p + 1) % 4];
    // The ally has no stone in this half.
    const Cells open = half.without(stones_of_team(s, 1 - p % 2));
    return race_weight(stones_needed(grid_, s.stones[p], open, from(p % 2), to(p % 2)),
                       to_move(s) == seat ? kTempo : 1);
  }

  static constexpr std::array<std::uint64_t, 8> kSlotKeys = [] {
    std::array<std::uint64_t, 8> out{};
    for (unsigned slot = 0; slot < 8; ++slot) out[slot] = zobrist(4, slot);
    return out;
  }();
  static constexpr float kTempo = 1.414214f;

  HexGrid grid_;
  std::array<Cells, 4> zones_;
};

static_assert(Game<Rules>);

}  // namespace polymax::teamhex
