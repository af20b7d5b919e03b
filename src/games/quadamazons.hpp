// Quadamazons (Cohen-Solal, section "Games"): Amazons for four on N x N (14), multi-interaction
// distance d (2). Seats clockwise from the top. A seat's area is its half of the board and d lines
// more, halved into two sub-zones. A turn is two steps, a step two moves of the tree: an amazon's
// move inside the area, then its shot, into the sub-zone where it now stands or to the very square
// it came from. Step 2 must end in the other sub-zone than step 1. No amazon move at step 1 of its
// turn: the seat is eliminated. None at step 2: that step is left out. Chosen: the start (the
// paper's figure is lost): seat 0 on the top edge at columns N/2-2 and N/2+1 and on the left and
// right edge at row (N-4)/4, the others by rotation. Blocked seats in a row are eliminated in turn
// order; the third elimination ends the game with the scores max(s, 1) x (1, 0, -1, -2), the last
// seat's first; s, its "number of legal moves", counts its amazon moves at step 1 of a turn.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "board/amazon_board.hpp"
#include "board/bitboard.hpp"
#include "board/first_reach.hpp"
#include "board/four_cells.hpp"
#include "board/planes.hpp"
#include "board/queen_lines.hpp"
#include "board/square_grid.hpp"
#include "core/error.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax::quadamazons {

struct Options {
  int n = 14, d = 2;
  static Fields fields() {
    return {field("n", &Options::n, "cells on a side", 8, QueenLines::kMaxSide, 2),
            field("d", &Options::d, "lines beyond the middle that belong to an area, at most n/2",
                  0, 10)};
  }
};

class Rules {
 public:
  using Options = quadamazons::Options;
  using Move = Slide;  // a shot goes from the amazon's cell to the arrow's

  static constexpr std::uint16_t kNone = AmazonBoard::kNoCell;
  static constexpr int kPlanes = 37;

  struct State {
    QueenLines::Lines occupied{};
    std::array<FourCells, 4> amazons{};
    std::uint64_t hash = 0;
    std::uint16_t played = 0;
    std::uint16_t shooter = kNone;  // cell of the amazon that has moved and must shoot
    std::uint16_t back = kNone;     // where it came from, if that is in its other sub-zone
    std::uint8_t turn = 0;
    std::int8_t used = -1;     // sub-zone reached in step 1; -1 during step 1
    std::uint8_t alive = 0xf;  // bit = seat
    std::array<std::uint8_t, 3> fallen{0xf, 0xf, 0xf};  // eliminated seats, first to last
    friend bool operator==(const State&, const State&) = default;
  };

  static constexpr About about{"Quadamazons, 14 x 14, d = 2", 1,
                               "https://arxiv.org/abs/2604.17378, section Games"};
  static constexpr Points default_points = Points::score;
  static constexpr std::array<std::string_view, 1> size_options{"n"};
  static constexpr bool most_points_win = true;
  static constexpr std::array<std::string_view, 1> variant_options{"d"};

  explicit Rules(Options options = {}) : n_(options.n), d_(checked(options).d), board_(n_) {
    make_zones();
    make_start();
  }

  int players() const { return 4; }
  State start(std::uint64_t) const { return start_; }
  int to_move(const State& s) const { return s.turn; }
  int played(const State& s) const { return s.played; }
  int max_length() const { return 2 * (n_ * n_ - 16); }
  bool over(const State& s) const { return std::has_single_bit(s.alive); }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (over(s)) return;
    Move* to = out.room(lines().room(4));
    if (s.shooter != kNone)
      to = append_shots(s, to);
    else if (s.used < 0)
      for (const auto cell : s.amazons[s.turn]) to = lines().append(cell, to, in_area(s, s.turn));
    else
      for (const auto cell : s.amazons[s.turn])
        to = lines().append_into(cell, to, in_area(s, s.turn), zone(s.turn, 1 - s.used).inside);
    out.wrote(to);
  }

  void play(State& s, Move m) const {
    ++s.played;
    if (s.shooter == kNone)
      move_amazon(s, m);
    else
      shoot(s, m.to);
  }

  Scores score(const State& s) const {
    const auto unit = static_cast<float>(std::max(mobility(s, winner(s)), 1));
    Scores out;
    out[winner(s)] = unit;
    for (int i = 0; i < 3; ++i)
      out[s.fallen[static_cast<std::size_t>(i)]] = unit * static_cast<float>(i - 2);
    return out;
  }

  Scores gain(const State& s) const { return one_winner(winner(s), 4); }
  std::uint64_t hash(const State& s) const { return s.hash; }

  std::string move_text(const State& s, Move m) const { return board_.move_text(s, m); }

  Drawing draw(const State& s) const {
    Drawing out = board_.draw(s);
    const auto band = [&](int i) { return i < n_ / 2 - d_ ? 0 : i < n_ / 2 + d_ ? 1 : 2; };
    for (auto& cell : out.cells) cell.tint = 3 * band(cell.index / n_) + band(cell.index % n_);
    for (const int seat : s.fallen)
      if (seat < 4) out.out.push_back(seat);
    out.notes = notes(s);
    return out;
  }

  // Amazons 0..3; arrows; to move 0..3; step 2's used sub-zone; shooter; square it came from, if in
  // its other sub-zone; eliminated first 0..3, second 0..3; areas 0..3; first sub-zones 0..3; cells
  // that an amazon can enter 0..3; cells that one reaches in two moves at most and before all other
  // seats 0..3; real cells.
  PlaneShape planes() const { return {kPlanes, n_, n_}; }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    PlaneWriter out(bits, planes());
    board_.write_planes(s, out);
    out.cells(s.used < 0 ? Cells{} : lines().cells(zone(s.turn, s.used).inside));
    for (const auto cell : {s.shooter, s.back}) out.cells(AmazonBoard::one_cell(cell));
    for (int i = 0; i < 2; ++i)
      for (int p = 0; p < 4; ++p)
        out.flag(s.fallen[static_cast<std::size_t>(i)] == p, board_.cells());
    for (const auto& area : area_cells_) out.cells(area);
    for (const auto& half : half_cells_) out.cells(half);
    const FirstReach::Near near = reach_of(s).near();
    for (const auto& cells : near.at_once) out.cells(cells);
    for (const auto& cells : near.alone) out.cells(cells);
    out.cells(board_.cells());
  }

  int move_planes() const { return board_.move_planes(); }
  MovePlace move_place(const State& s, Move m) const { return board_.move_place(s, m); }

  std::vector<Symmetry> symmetries() const {
    auto out = quarter_turns(
        n_, {1, kOfNobody, 1, kOfNobody, kOfNobody, kOfNobody, 1, 1, 1, 1, 1, 1, kOfNobody});
    for (Symmetry& by : out) board_.turn_moves(by);
    return out;
  }

  // Ranks by territory: of two seats with t and u cells the first outlives the other with the
  // probability (t+1)/(t+u+2), as in a Bradley-Terry model; the score falls by a unit of 2, about
  // the mean of s, for every seat that lives longer.
  Scores estimate(const State& s) const {
    const Claims claims = amazon_territory(reach_of(s));
    std::array<float, 4> strength{};
    for (std::size_t p = 0; p < 4; ++p)
      strength[p] =
          1 + static_cast<float>(claims.alone[p]) + 0.5f * static_cast<float>(claims.shared[p]);
    Scores out;
    for (int p = 0; p < 4; ++p) out[p] = 2 * (1 - expected_survivors(s, strength, p));
    return out;
  }

 private:
  // Below: amazons, by seat; kFallen + order.
  enum Key : unsigned { kArrow = 4, kShooter, kTurn, kUsed, kFallen };

  const QueenLines& lines() const { return board_.lines(); }

  struct Zone {
    QueenLines::Lines inside{}, outside{};  // outside: within the board, no borders
  };

  static Options checked(const Options& options) {
    if (options.d > options.n / 2)
      throw Error("d=" + std::to_string(options.d) +
                  " is not allowed with n=" + std::to_string(options.n) +
                  ": d takes a whole number 0.." + std::to_string(options.n / 2));
    return options;
  }

  FirstReach reach_of(const State& s) const {
    FirstReach out(lines());
    for (std::size_t p = 0; p < 4; ++p)
      if (alive(s, static_cast<int>(p))) out.add(p, s.amazons[p], areas_[p].inside, s.occupied);
    return out;
  }

  static bool alive(const State& s, int seat) { return s.alive >> seat & 1; }
  static int winner(const State& s) { return std::countr_zero(s.alive); }
  int zone_of(int seat, int cell) const {
    return halves_[static_cast<std::size_t>(cell)] >> seat & 1;
  }
  const Zone& zone(int seat, int half) const {
    return zones_[static_cast<std::size_t>(2 * seat + half)];
  }
  const Zone& area(int seat) const { return areas_[static_cast<std::size_t>(seat)]; }
  QueenLines::Union in_area(const State& s, int seat) const {
    return {&s.occupied, &area(seat).outside};
  }

  Move* append_shots(const State& s, Move* to) const {
    const Zone& here = zone(s.turn, zone_of(s.turn, s.shooter));
    to = lines().append(s.shooter, to, QueenLines::Union{&s.occupied, &here.outside});
    *to = {s.shooter, s.back};
    return to + (s.back == kNone ? 0 : 1);
  }

  void move_amazon(State& s, Move m) const {
    board_.move_amazon(s, m);
    s.back = zone_of(s.turn, m.from) == zone_of(s.turn, m.to) ? kNone : m.from;
    s.hash ^= shooter_key(s);
  }

  static std::uint64_t shooter_key(const State& s) {
    return zobrist(kShooter, unsigned{s.back} << 16 | s.shooter);
  }

  void shoot(State& s, std::uint16_t cell) const {
    lines().flip(s.occupied, cell);
    s.hash ^= zobrist(kArrow, cell) ^ shooter_key(s);
    const int reached = zone_of(s.turn, s.shooter);
    s.shooter = s.back = kNone;
    if (s.used < 0 && can_move_into(s, 1 - reached)) {
      s.used = static_cast<std::int8_t>(reached);
      s.hash ^= zobrist(kUsed, static_cast<unsigned>(reached));
      return;
    }
    if (s.used >= 0) s.hash ^= zobrist(kUsed, static_cast<unsigned>(s.used));
    s.used = -1;
    next_turn(s);
  }

  bool can_move_into(const State& s, int half) const {
    const Zone& wanted = zone(s.turn, half);
    unsigned free = 0;
    for (const auto cell : s.amazons[s.turn])
      free |= lines().free_neighbours(cell, QueenLines::Union{&s.occupied, &wanted.outside});
    if (free != 0) return true;
    return std::ranges::any_of(s.amazons[s.turn], [&](int cell) {
      return zone_of(s.turn, cell) != half &&
             lines().reaches(cell, in_area(s, s.turn), wanted.inside);
    });
  }

  bool can_move(const State& s) const {
    unsigned free = 0;
    for (const auto cell : s.amazons[s.turn])
      free |= lines().free_neighbours(cell, in_area(s, s.turn));
    return free != 0;
  }

  // To the next seat that can move; those before it that cannot are eliminated.
  void next_turn(State& s) const {
    const unsigned before = s.turn;
    do {
      do s.turn = (s.turn + 1) & 3;
      while (!alive(s, s.turn));
      if (can_move(s)) break;
      eliminate(s);
    } while (!over(s));
    if (over(s)) s.turn = static_cast<std::uint8_t>(winner(s));
    s.hash ^= zobrist(kTurn, before) ^ zobrist(kTurn, s.turn);
  }

  static void eliminate(State& s) {
    const auto order = static_cast<unsigned>(4 - std::popcount(s.alive));
    s.fallen[order] = s.turn;
    s.alive = static_cast<std::uint8_t>(s.alive & ~(1u << s.turn));
    s.hash ^= zobrist(kFallen + order, s.turn);
  }

  int mobility(const State& s, int seat) const {
    int sum = 0;
    for (const auto cell : s.amazons[static_cast<std::size_t>(seat)])
      sum += lines().count(cell, in_area(s, seat));
    return sum;
  }

  // How many of the other seats are expected to outlive this one.
  static float expected_survivors(const State& s, const std::array<float, 4>& strength, int seat) {
    const auto fell = std::ranges::find(s.fallen, seat) - s.fallen.begin();
    if (fell < 3) return static_cast<float>(3 - fell);
    float sum = 0;
    const float own = strength[static_cast<std::size_t>(seat)];
    for (int q = 0; q < 4; ++q) {
      const float other = strength[static_cast<std::size_t>(q)];
      if (q != seat && alive(s, q)) sum += other / (own + other);
    }
    return sum;
  }

  std::vector<std::string> notes(const State& s) const {
    std::vector<std::string> out;
    if (over(s))
      out.push_back("seat " + std::to_string(winner(s) + 1) + " is left");
    else
      out.push_back(
          std::string("step ") + (s.used < 0 ? "1" : "2") + " of 2: " +
          (s.shooter == kNone ? "an amazon moves" : square_name(n_, s.shooter) + " shoots"));
    for (const int seat : s.fallen)
      if (seat < 4) out.push_back("seat " + std::to_string(seat + 1) + ": eliminated");
    return out;
  }

  void make_zones() {
    for (int quarters = 0; quarters < 4; ++quarters) {
      const auto turned = turn_squares(n_, quarters);
      for (int i = 0; i < n_ * n_; ++i) {
        const std::size_t cell = turned[static_cast<std::size_t>(i)];
        const bool inside = i / n_ < n_ / 2 + d_;
        const int half = i % n_ < n_ / 2 ? 0 : 1;
        halves_[cell] = static_cast<std::uint8_t>(halves_[cell] | half << quarters);
        const auto add = [&](Zone& zone, bool in) {
          lines().flip(in ? zone.inside : zone.outside, static_cast<int>(cell));
        };
        add(areas_[static_cast<std::size_t>(quarters)], inside);
        for (int k = 0; k < 2; ++k)
          add(zones_[static_cast<std::size_t>(2 * quarters + k)], inside && half == k);
      }
      const auto seat = static_cast<std::size_t>(quarters);
      area_cells_[seat] = lines().cells(areas_[seat].inside);
      half_cells_[seat] = lines().cells(zones_[2 * seat].inside);
    }
  }

  void make_start() {
    start_.occupied = lines().border();
    const int h = n_ / 2, side = (n_ - 4) / 4 * n_;
    for (unsigned p = 0; p < 4; ++p) {
      const auto turned = turn_squares(n_, static_cast<int>(p));
      FourCells amazons{};
      const std::array<int, 4> top{h - 2, h + 1, side, side + n_ - 1};
      std::ranges::transform(top, amazons.begin(),
                             [&](int cell) { return turned[static_cast<std::size_t>(cell)]; });
      std::ranges::sort(amazons);
      board_.put(start_, p, amazons);
    }
  }

  int n_, d_;
  AmazonBoard board_;
  // Bit p: the cell lies in half 1 of seat p's board.
  std::array<std::uint8_t, kMaxCells> halves_{};
  std::array<Zone, 4> areas_{};
  std::array<Zone, 8> zones_{};                   // 2 * seat + half
  std::array<Cells, 4> area_cells_, half_cells_;  // areas and first sub-zones once more
  State start_;
};

static_assert(Game<Rules>);

}  // namespace polymax::quadamazons
