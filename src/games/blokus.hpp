// Blokus, 20 x 20, four colours. Seats 0..3 start in the corners a20, t20, t1, a1; a new piece
// touches an own piece corner to corner, never edge to edge. Must play if possible; a blocked
// colour never plays again. Score: placed squares, +15 for all 21 pieces, +5 more when the monomino
// came last. Differs: the paper counts pieces; that is score=pieces. A colour's pieces never share
// an edge, so its cells alone say which pieces lie where; and whoever has moved how often says
// whose slot went by unused: turn and blocked seats follow from the board.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "board/bitboard.hpp"
#include "board/corner_ways.hpp"
#include "board/planes.hpp"
#include "board/square_grid.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"

namespace polymax::blokus {

enum class Scoring { official, pieces };

struct Options {
  Scoring score = Scoring::official;
  static Fields fields() {
    return {field("score", &Options::score, "squares with bonuses, or pieces placed",
                  std::array<std::string_view, 2>{"official", "pieces"})};
  }
};

class Rules {
 public:
  using Options = blokus::Options;
  using Board = CornerWays::Board;

  static constexpr int kSeats = 4, kPieces = 21;

  // The four colours' boards one after the other, an empty word before and behind: bits that a
  // shift carries from one board into the next only meet its margins.
  using Colours = Bitboard<64 * (kSeats * Board::kWords + 2)>;

  struct State {
    Colours colours;
    std::array<std::uint32_t, kSeats> left{kAllPieces, kAllPieces, kAllPieces, kAllPieces};
    std::uint64_t hash = 0;
    std::uint8_t turn = 0;
    std::uint8_t blocked = 0;  // bit = seat that could not play in its turn
    // Bit = seat that finished with the monomino, where the score asks.
    std::uint8_t monomino_last = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  struct Move {
    std::uint16_t placement = 0;  // as in CornerWays
    friend bool operator==(Move, Move) = default;
  };

  static constexpr About about{"Blokus, 20 x 20, four colours", 1,
                               "https://en.wikipedia.org/wiki/Blokus"};
  static constexpr Points default_points = Points::score;
  static constexpr bool most_points_win = true;

  explicit Rules(Options options = {}) : options_(options) {}

  int players() const { return kSeats; }
  State start(std::uint64_t) const { return {}; }
  int to_move(const State& s) const { return s.turn; }
  int max_length() const { return kSeats * kPieces; }
  bool over(const State& s) const { return s.blocked == (1 << kSeats) - 1; }

  int played(const State& s) const {
    int out = 0;
    for (const auto left : s.left) out += kPieces - std::popcount(left);
    return out;
  }

  void moves(const State& s, MoveList<Rules>& out) const {
    if (over(s)) return;
    const CornerWays::Field field = field_of(s, s.turn);
    const CornerWays::Ways ways = corners_.ways_of(s.left[s.turn]);
    const int most = field.corners().count() * CornerWays::kWays;
    Move* to = out.room(static_cast<std::size_t>(most) + kPickSlack);
    field.corners().for_each([&](int corner) { to = corners_.write(field, corner, ways, to); });
    out.wrote(to);
  }

  void play(State& s, Move m) const {
    const auto& shape = corners_.orientation(m.placement / CornerWays::kBits);
    const int first = m.placement % CornerWays::kBits;
    for (std::size_t i = 0; i < shape.size; ++i)
      s.colours.set(colour_bit(s.turn, first + shape.offsets[i]));
    s.left[s.turn] ^= 1u << shape.piece;
    s.hash ^= zobrist(s.turn, m.placement);
    if (options_.score == Scoring::official && s.left[s.turn] == 0 && shape.size == 1) {
      s.monomino_last = static_cast<std::uint8_t>(s.monomino_last | 1u << s.turn);
      s.hash ^= zobrist(kSeats, s.turn);
    }
    pass_turn(s);
  }

  Scores score(const State& s) const {
    Scores out;
    for (int p = 0; p < kSeats; ++p) out[p] = placed(s, static_cast<std::size_t>(p));
    return out;
  }

  Scores gain(const State& s) const { return leaders_win(score(s), kSeats); }
  std::uint64_t hash(const State& s) const { return s.hash ^ zobrist(kSeats + 1, s.turn); }

  std::string move_text(const State&, Move m) const {
    const auto& shape = corners_.orientation(m.placement / CornerWays::kBits);
    std::string out;
    for (std::size_t i = 0; i < shape.size; ++i) {
      const int cell = CornerWays::cell_of(m.placement % CornerWays::kBits + shape.offsets[i]);
      out += (i == 0 ? "" : "-") + square_name(CornerWays::kSide, cell);
    }
    return out;
  }

  Drawing draw(const State& s) const {
    Drawing out = draw_squares(CornerWays::kSide);
    for (auto& cell : out.cells)
      for (int p = 0; p < kSeats; ++p)
        if (s.colours.test(colour_bit(p, CornerWays::bit_of(cell.index)))) cell.owner = p;
    for (std::size_t p = 0; p < kSeats; ++p) {
      add_supply(s, p, out);
      out.so_far.push_back(placed(s, p));
      if (s.blocked >> p & 1) out.out.push_back(static_cast<int>(p));
      out.notes.push_back(note(s, p));
    }
    return out;
  }

  // By seat: cells, to move, pieces left (21 each), blocked, finished with the monomino, open
  // cells, corners, cells near enough to a corner; then the real cells.
  PlaneShape planes() const {
    return {kSeats * (kPieces + 7) + 1, CornerWays::kSide, CornerWays::kSide};
  }

  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    constexpr Cells kEverywhere = Cells::first_cells(CornerWays::kSide * CornerWays::kSide);
    PlaneWriter out(bits, planes());
    for (std::size_t p = 0; p < kSeats; ++p) out.cells(cells_of(s, p));
    for (unsigned p = 0; p < kSeats; ++p) out.flag(s.turn == p, kEverywhere);
    for (unsigned i = 0; i < kSeats * kPieces; ++i)
      out.flag(s.left[i / kPieces] >> i % kPieces & 1, kEverywhere);
    for (unsigned p = 0; p < kSeats; ++p) out.flag(s.blocked >> p & 1, kEverywhere);
    for (unsigned p = 0; p < kSeats; ++p) out.flag(s.monomino_last >> p & 1, kEverywhere);
    std::array<Area, kSeats> areas;
    for (std::size_t p = 0; p < kSeats; ++p) areas[p] = area_of(s, p);
    for (const Area& area : areas) out.cells(on_board(area.open));
    for (const Area& area : areas) out.cells(on_board(area.corners));
    for (const Area& area : areas) out.cells(on_board(near_cells(area)));
    out.cells(kEverywhere);
  }

  // A plane for every orientation of a piece, at its first cell in reading order.
  int move_planes() const { return CornerWays::kOrientations; }
  MovePlace move_place(const State&, Move m) const {
    return {static_cast<std::uint16_t>(m.placement / CornerWays::kBits),
            static_cast<std::uint16_t>(CornerWays::cell_of(m.placement % CornerWays::kBits))};
  }

  // Quarter turns, each seat becoming the next.
  std::vector<Symmetry> symmetries() const {
    auto out = quarter_turns(CornerWays::kSide, {1, 1, kPieces, 1, 1, 1, 1, 1, kOfNobody});
    for (int quarters = 0; quarters < 4; ++quarters)
      for (int i = 0; i < CornerWays::kOrientations; ++i) {
        const auto [orientation, first] = corners_.turned(i, quarters);
        out[static_cast<std::size_t>(quarters)].moves.push_back(
            {static_cast<std::uint16_t>(orientation),
             static_cast<std::int16_t>(first.row * CornerWays::kSide + first.column)});
      }
    return out;
  }

  // What lies, and of each piece left its worth times r / (r + resistance of its size), where r
  // counts the open cells that a piece can reach at once. The first three pieces open about 25
  // cells each, so a seat that has not laid them yet counts as if it had.
  Scores estimate(const State& s) const {
    Scores out = score(s);
    for (std::size_t p = 0; p < kSeats; ++p) {
      if (s.blocked >> p & 1) continue;
      const int waiting = std::max(0, 3 - (kPieces - std::popcount(s.left[p])));
      const auto r = static_cast<float>(near_cells(area_of(s, p)).count() + 25 * waiting);
      for (std::size_t size = 1; size <= 5; ++size)
        out.seats[p] += worth(size, s.left[p]) * r / (r + kResistance[size]);
    }
    return out;
  }

 private:
  static constexpr std::uint32_t kAllPieces = (1u << kPieces) - 1;
  static constexpr std::array<std::uint32_t, 6> kPiecesOfSize = [] {
    std::array<std::uint32_t, 6> out{};
    for (std::size_t i = 0; i < kPieces; ++i)
      out[static_cast<std::size_t>(kPolyominoes[i].size())] |= 1u << i;
    return out;
  }();
  static constexpr std::array<float, 6> kResistance{0, 0, 2, 10, 40, 120};  // tuned on one-ply play
  static constexpr Board kReal = CornerWays::real_cells();
  static constexpr std::array<int, kSeats> kStartCells{0, 19, 399, 380};

  static constexpr int colour_bit(int seat, int bit) {
    return 64 * (1 + seat * Board::kWords) + bit;
  }

  // What pieces of one size count once they lie.
  float worth(std::size_t size, std::uint32_t pieces) const {
    const int count = std::popcount(pieces & kPiecesOfSize[size]);
    return static_cast<float>(options_.score == Scoring::pieces ? count
                                                                : count * static_cast<int>(size));
  }

  float placed(const State& s, std::size_t seat) const {
    float out = 0;
    for (std::size_t size = 1; size <= 5; ++size) out += worth(size, kAllPieces & ~s.left[seat]);
    if (s.left[seat] != 0 || options_.score == Scoring::pieces) return out;
    return out + (s.monomino_last >> seat & 1 ? 20 : 15);
  }

  // Open: free and not beside an own cell. Corners: open and diagonal to an own cell, or the start.
  struct Area {
    Board open, corners;
  };

  static Area area_of(const State& s, std::size_t seat) {
    constexpr int kRow = CornerWays::kStride;
    constexpr std::size_t kWords = Board::kWords;
    const std::uint64_t* all = s.colours.words.data() + 1;
    // From the word before the colour's first.
    const std::uint64_t* own = s.colours.words.data() + seat * kWords;
    Area out;
    for (std::size_t w = 0; w < kWords; ++w) {
      const auto both_ways = [before = own[w], here = own[w + 1], behind = own[w + 2]](int by) {
        return here << by | before >> (64 - by) | here >> by | behind << (64 - by);
      };
      const std::uint64_t taken =
          all[w] | all[w + kWords] | all[w + 2 * kWords] | all[w + 3 * kWords];
      out.open.words[w] = kReal.words[w] & ~(taken | both_ways(1) | both_ways(kRow));
      out.corners.words[w] = out.open.words[w] & (both_ways(kRow + 1) | both_ways(kRow - 1));
    }
    if (s.left[seat] == kAllPieces) out.corners.set(CornerWays::bit_of(kStartCells[seat]));
    return out;
  }

  static CornerWays::Field field_of(const State& s, std::size_t seat) {
    const Area area = area_of(s, seat);
    return {area.open, area.corners};
  }

  // The open cells that are at most four steps through open cells from a corner: where a piece can
  // come to lie.
  static Board near_cells(const Area& area) {
    constexpr int kRow = CornerWays::kStride;
    Board near = area.corners;
    for (int step = 0; step < 4; ++step) {
      std::uint64_t before = 0;
      for (std::size_t w = 0; w < Board::kWords; ++w) {
        const std::uint64_t here = near.words[w],
                            behind = w + 1 < Board::kWords ? near.words[w + 1] : 0;
        const std::uint64_t sideways = here << 1 | before >> 63 | here >> 1 | behind << 63;
        const std::uint64_t up_down =
            here << kRow | before >> (64 - kRow) | here >> kRow | behind << (64 - kRow);
        near.words[w] = (here | sideways | up_down) & area.open.words[w];
        before = here;
      }
    }
    return near;
  }

  bool can_play(const State& s, std::size_t seat) const {
    if (s.left[seat] == 0) return false;
    const CornerWays::Field field = field_of(s, seat);
    const CornerWays::Ways ways = corners_.ways_of(s.left[seat]);
    for (std::size_t w = 0; w < Board::kWords; ++w)
      for (std::uint64_t rest = field.corners().words[w]; rest != 0; rest &= rest - 1)
        if (corners_.any(field, static_cast<int>(64 * w) + std::countr_zero(rest), ways))
          return true;
    return false;
  }

  // The next seat that can play; those found blocked on the way are so for good.
  void pass_turn(State& s) const {
    for (unsigned step = 1; step <= kSeats; ++step) {
      const unsigned seat = (s.turn + step) % kSeats;
      if (s.blocked >> seat & 1) continue;
      if (can_play(s, seat)) {
        s.turn = static_cast<std::uint8_t>(seat);
        return;
      }
      s.blocked = static_cast<std::uint8_t>(s.blocked | 1u << seat);
    }
  }

  static Cells cells_of(const State& s, std::size_t seat) {
    return on_board(s.colours.words.data() + 1 + seat * Board::kWords);
  }
  static Cells on_board(const Board& set) { return on_board(set.words.data()); }
  static Cells on_board(const std::uint64_t* words) {
    Cells out;
    std::size_t at = 0;
    for (std::size_t w = 0; w < Board::kWords; ++w) {
      const std::uint64_t bits = gather_bits(words[w], kReal.words[w]);
      out.words[at / 64] |= bits << at % 64;
      if (at % 64 != 0 && at / 64 + 1 < Cells::kWords)
        out.words[at / 64 + 1] |= bits >> (64 - at % 64);
      at += static_cast<std::size_t>(std::popcount(kReal.words[w]));
    }
    return out;
  }

  // Where the seat begins, and its pieces.
  static void add_supply(const State& s, std::size_t seat, Drawing& to) {
    if (s.left[seat] == kAllPieces)
      for (auto& cell : to.cells)
        if (cell.index == kStartCells[seat]) cell.home = static_cast<int>(seat);
    for (std::size_t i = 0; i < kPieces; ++i)
      if (s.left[seat] >> i & 1)
        to.pieces.push_back({static_cast<int>(seat), std::string(kPolyominoes[i].name),
                             std::string(kPolyominoes[i].rows)});
  }

  // Fits into 80 columns with all pieces.
  std::string note(const State& s, std::size_t seat) const {
    const int left = std::popcount(s.left[seat]);
    std::string out = "seat " + std::to_string(seat + 1) + ": " +
                      std::to_string(static_cast<int>(placed(s, seat))) + " points, " +
                      (s.blocked >> seat & 1 ? "blocked with " : "") + std::to_string(left) +
                      " left";
    if (left > 0) out += ":";
    for (std::size_t i = 0; i < kPieces; ++i)
      if (s.left[seat] >> i & 1) out += " " + std::string(kPolyominoes[i].name);
    return out;
  }

  Options options_;
  CornerWays corners_;
};

static_assert(Game<Rules>);

}  // namespace polymax::blokus
