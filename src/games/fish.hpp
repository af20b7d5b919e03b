// Hey, That's My Fish!: penguins slide over 60 hexagonal tiles and take the tiles they leave; most
// fish wins. 8 rows of 7 and 8 tiles in turn. A tile is its number, row by row from the top, so the
// six neighbours are always at -8, -7, -1, +1, +7, +8 and the whole board is one word. Paper:
// section "Hey, That's My Fish!". Chosen: a penguin that cannot move goes at the start of its
// owner's turn, and its owner takes the tile under it. A tile under a penguin never becomes free
// again, so such a penguin is stuck for good. Equal totals are joint wins.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "board/bitboard.hpp"
#include "board/planes.hpp"
#include "board/slide_planes.hpp"
#include "core/game.hpp"
#include "core/hash.hpp"
#include "core/rng.hpp"

namespace polymax::fish {

using Tiles = std::uint64_t;  // bit = tile
inline constexpr int kTiles = 60, kRows = 8, kBoxWidth = 11;
inline constexpr Tiles kAll = (Tiles{1} << kTiles) - 1;
inline constexpr std::array<int, 3> kTilesWith{30, 20, 10};  // 1, 2, 3 fish

constexpr Tiles bit(int tile) {
  return Tiles{1} << tile;
}

// Rows from the top; even ones have 7 tiles and begin half a tile further right.
constexpr int row_size(int row) {
  return 7 + row % 2;
}
constexpr int row_start(int row) {
  return 7 * row + row / 2;
}
constexpr int row_of(int tile) {
  int row = 0;
  while (row + 1 < kRows && row_start(row + 1) <= tile) ++row;
  return row;
}
// Where a row begins in the box of the planes, whose neighbours are those of the other hexagonal
// games.
constexpr int row_box(int row) {
  return row * kBoxWidth + 4 - (row + 1) / 2;
}
constexpr int box_of(int tile) {
  return row_box(row_of(tile)) + tile - row_start(row_of(tile));
}
inline constexpr auto kBoxOf = [] {
  std::array<std::uint16_t, kTiles> out{};
  for (int tile = 0; tile < kTiles; ++tile)
    out[static_cast<std::size_t>(tile)] = static_cast<std::uint16_t>(box_of(tile));
  return out;
}();

// A direction and its opposite: right and left, down left and up right, down right and up left.
struct Axis {
  int by;               // tile number of the forward neighbour minus the own one
  Tiles forward, back;  // tiles that have a neighbour there
};

inline constexpr std::array<Axis, 3> kAxes = [] {
  std::array<Axis, 3> out{{{1, 0, 0}, {7, 0, 0}, {8, 0, 0}}};
  for (auto& axis : out)
    for (int tile = 0; tile + axis.by < kTiles; ++tile) {
      if (row_of(tile + axis.by) != row_of(tile) + (axis.by == 1 ? 0 : 1)) continue;
      axis.forward |= bit(tile);
      axis.back |= bit(tile + axis.by);
    }
  return out;
}();

// The tiles in line with a tile, on either side of it.
struct Line {
  Tiles below, above;  // lower and higher tile numbers
};

inline constexpr auto kLines = [] {
  std::array<std::array<Line, 3>, kTiles> out{};
  for (int tile = 0; tile < kTiles; ++tile)
    for (std::size_t a = 0; a < kAxes.size(); ++a) {
      auto& line = out[static_cast<std::size_t>(tile)][a];
      for (int t = tile; kAxes[a].forward & bit(t);) line.above |= bit(t += kAxes[a].by);
      for (int t = tile; kAxes[a].back & bit(t);) line.below |= bit(t -= kAxes[a].by);
    }
  return out;
}();

// Where a penguin can slide. Between the nearest obstacle below and the nearest above, a
// subtraction flips all bits.
inline Tiles slides(int tile, Tiles free) {
  Tiles out = 0;
  for (const Line& line : kLines[static_cast<std::size_t>(tile)]) {
    const Tiles below = line.below & ~free, above = line.above & ~free;
    const Tiles nearest = bit(63) >> std::countl_zero(below | 1);
    out |= (line.below | line.above) & (above ^ (above - nearest));
  }
  return out & free;
}

// All neighbours of the tiles in a set.
inline Tiles beside(Tiles set) {
  Tiles out = 0;
  for (const Axis& axis : kAxes)
    out |= (set & axis.forward) << axis.by | (set & axis.back) >> axis.by;
  return out;
}

inline std::string tile_name(int tile) {
  const int row = row_of(tile);
  return static_cast<char>('a' + tile - row_start(row)) + std::to_string(kRows - row);
}

struct Options {
  int players = 3;
  std::string tiles;
  static Fields fields() {
    return {field("players", &Options::players, "seats", 2, 4),
            field("tiles", &Options::tiles,
                  "fish on the tiles, row by row from the top; empty = shuffled from the seed",
                  "60 digits: 30 times 1, 20 times 2, 10 times 3")};
  }
};

class Rules {
 public:
  using Options = fish::Options;

  struct State {
    std::array<Tiles, 3> fish{};  // [k] = tiles left with more than k fish; [0] = all tiles left
    std::array<Tiles, kMaxPlayers> penguins{};
    std::uint64_t board_hash = 0;  // of fish and penguins
    std::array<std::uint8_t, kMaxPlayers> taken{};
    std::uint8_t turn = 0;      // 0 when over
    std::uint8_t to_place = 0;  // penguins of all seats that are not on the board yet
    friend bool operator==(const State&, const State&) = default;
  };

  struct Move {
    std::uint8_t from = 0, to = 0;  // from = to: a placement
    friend bool operator==(Move, Move) = default;
  };

  static constexpr About about{
      "Hey, That's My Fish!", 1,
      "https://images-cdn.fantasyflightgames.com/ffg_content/hey-thats-my-fish-board-game/"
      "hey-thats-my-fish-rulebook.pdf"};
  static constexpr Points default_points = Points::score;
  static constexpr std::array<std::string_view, 1> start_options{"tiles"};
  static constexpr bool most_points_win = true;

  explicit Rules(const Options& options = {})
      : players_(options.players), tiles_given_(!options.tiles.empty()) {
    if (tiles_given_) given_ = read_tiles(options.tiles);
  }

  int players() const { return players_; }
  int to_move(const State& s) const { return s.turn; }
  int max_length() const { return kTiles; }
  bool over(const State& s) const { return s.to_place == 0 && all_penguins(s) == 0; }

  // Every move takes a tile, or puts a penguin on the board; a removal takes a tile and a penguin.
  int played(const State& s) const {
    return kTiles - std::popcount(s.fish[0]) + std::popcount(all_penguins(s));
  }

  State start(std::uint64_t seed) const {
    State s;
    s.fish = tiles_given_ ? given_ : shuffled_tiles(seed);
    s.to_place = static_cast<std::uint8_t>(players_ * penguins_per_seat());
    s.board_hash = fresh_hash(s);
    return s;
  }

  void moves(const State& s, MoveList<Rules>& out) const {
    const Tiles free = free_tiles(s);
    Move* to = out.room(4 * 21);  // four penguins, at most 21 targets each
    if (s.to_place > 0) {
      for (Tiles rest = free & ~s.fish[1]; rest != 0; rest &= rest - 1)
        *to++ = {lowest(rest), lowest(rest)};
    } else {
      for (Tiles own = s.penguins[s.turn]; own != 0; own &= own - 1)
        for (Tiles rest = slides(lowest(own), free); rest != 0; rest &= rest - 1)
          *to++ = {lowest(own), lowest(rest)};
    }
    out.wrote(to);
  }

  void play(State& s, Move m) const {
    if (s.to_place > 0)
      --s.to_place;
    else
      take_off(s, s.turn, m.from);
    s.penguins[s.turn] |= bit(m.to);
    s.board_hash ^= zobrist(kPenguin + s.turn, m.to);
    s.turn = next_seat(s.turn);
    if (s.to_place == 0) find_mover(s);
  }

  Scores score(const State& s) const {
    Scores out;
    for (int p = 0; p < players_; ++p) out[p] = s.taken[static_cast<std::size_t>(p)];
    return out;
  }
  Scores gain(const State& s) const { return leaders_win(score(s), players_); }

  std::uint64_t hash(const State& s) const {
    unsigned rest = s.turn;
    for (const auto n : s.taken) rest = rest << 7 | n;  // at most 100 fish
    return s.board_hash ^ zobrist(kRest, rest);
  }

  std::string move_text(const State&, Move m) const {
    return m.from == m.to ? tile_name(m.to) : tile_name(m.from) + '-' + tile_name(m.to);
  }

  Drawing draw(const State& s) const;

  PlaneShape planes() const { return {5 + (2 + kTotalBits) * players_, kRows, kBoxWidth}; }

  // Fish more than 0, 1, 2; penguins by seat; seat to move; placement; bits of every seat's fish
  // taken, lowest first; real cells.
  void write_planes(const State& s, std::span<std::uint64_t> bits) const {
    const auto seats = static_cast<std::size_t>(players_);
    const auto real = in_box(kAll);
    PlaneWriter out(bits, planes());
    for (const Tiles tiles : s.fish) out.cells(in_box(tiles));
    for (std::size_t p = 0; p < seats; ++p) out.cells(in_box(s.penguins[p]));
    for (std::size_t p = 0; p < seats; ++p) out.flag(s.turn == p, real);
    out.flag(s.to_place > 0, real);
    for (std::size_t p = 0; p < seats; ++p)
      for (int b = 0; b < kTotalBits; ++b) out.flag(s.taken[p] >> b & 1, real);
    out.cells(real);
  }

  // Placements lie on their tile, slides where they begin.
  int move_planes() const { return slide_planes_.count(); }
  MovePlace move_place(const State&, Move m) const {
    if (m.from == m.to) return SlidePlanes::one_cell(kBoxOf[m.to]);
    return slide_planes_.slide(kBoxOf[m.from], kBoxOf[m.to]);
  }

  // The left-right mirror, and any rotation of the seats with the board untouched.
  std::vector<Symmetry> symmetries() const {
    std::vector<Symmetry> out;
    for (const bool mirror : {false, true})
      for (int k = 0; k < players_; ++k) out.push_back(symmetry(mirror, k));
    return out;
  }

  // The image of a position. Start positions are not symmetric, so nobody can guess it.
  State turned(const State& s, const Symmetry& by) const;

  // Fish taken, fish under own penguins, and every other tile's fish for the seat with a penguin
  // the fewest steps away (shared when several have); penguins to be placed are one step from every
  // tile where they may be placed.
  Scores estimate(const State& s) const;

 private:
  using Box = Bitboard<kRows * kBoxWidth>;
  static constexpr int kTotalBits = 7;
  static constexpr unsigned kPenguin = 4, kRest = 8;  // of hash keys; 1..3: a tile with such fish

  static std::uint8_t lowest(Tiles set) { return static_cast<std::uint8_t>(std::countr_zero(set)); }
  static Tiles all_penguins(const State& s) {
    return s.penguins[0] | s.penguins[1] | s.penguins[2] | s.penguins[3];
  }
  static Tiles free_tiles(const State& s) { return s.fish[0] & ~all_penguins(s); }
  static unsigned fish_on(const State& s, int tile) {
    return static_cast<unsigned>((s.fish[0] >> tile & 1) + (s.fish[1] >> tile & 1) +
                                 (s.fish[2] >> tile & 1));
  }
  static int fish_in(const State& s, Tiles set) {
    return std::popcount(s.fish[0] & set) + std::popcount(s.fish[1] & set) +
           std::popcount(s.fish[2] & set);
  }

  int penguins_per_seat() const { return 6 - players_; }
  std::uint8_t next_seat(int p) const {
    return static_cast<std::uint8_t>(p + 1 == players_ ? 0 : p + 1);
  }

  // The penguin of seat p on `tile` leaves it, and p takes the tile.
  static void take_off(State& s, int p, int tile) {
    const unsigned n = fish_on(s, tile);
    const auto i = static_cast<std::size_t>(p);
    for (auto& tiles : s.fish) tiles &= ~bit(tile);
    s.penguins[i] &= ~bit(tile);
    s.taken[i] = static_cast<std::uint8_t>(s.taken[i] + n);
    s.board_hash ^= zobrist(n, static_cast<unsigned>(tile)) ^
                    zobrist(kPenguin + static_cast<unsigned>(p), static_cast<unsigned>(tile));
  }

  // Begins the turn of s.turn; passes it on while the seat has no penguin that can move. Nobody
  // has: the game is over.
  void find_mover(State& s) const {
    const Tiles mobile = beside(free_tiles(s));
    for (int tries = 0; tries < players_; ++tries) {
      for (Tiles stuck = s.penguins[s.turn] & ~mobile; stuck != 0; stuck &= stuck - 1)
        take_off(s, s.turn, lowest(stuck));
      if (s.penguins[s.turn] != 0) return;
      s.turn = next_seat(s.turn);
    }
    s.turn = 0;
  }

  static std::uint64_t fresh_hash(const State& s) {
    std::uint64_t out = 0;
    for (Tiles rest = s.fish[0]; rest != 0; rest &= rest - 1)
      out ^= zobrist(fish_on(s, lowest(rest)), lowest(rest));
    for (unsigned p = 0; p < kMaxPlayers; ++p)
      for (Tiles rest = s.penguins[p]; rest != 0; rest &= rest - 1)
        out ^= zobrist(kPenguin + p, lowest(rest));
    return out;
  }

  static std::array<Tiles, 3> shuffled_tiles(std::uint64_t seed);
  static std::array<Tiles, 3> read_tiles(const std::string& digits);
  static Box in_box(Tiles tiles);
  Symmetry symmetry(bool mirror, int seats_on) const;

  int players_;
  bool tiles_given_;
  std::array<Tiles, 3> given_{};
  SlidePlanes slide_planes_{kBoxWidth, kRows - 1, SlidePlanes::kHexagon};
};

// Draws the tiles with three fish, then those with two; the others have one.
inline std::array<Tiles, 3> Rules::shuffled_tiles(std::uint64_t seed) {
  Rng rng(seed);
  std::array<std::uint8_t, kTiles> order{};
  for (int i = 0; i < kTiles; ++i)
    order[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
  std::array<Tiles, 3> out{kAll, 0, 0};
  for (unsigned i = 0; i < static_cast<unsigned>(kTilesWith[2] + kTilesWith[1]); ++i) {
    std::swap(order[i], order[i + rng.below(kTiles - i)]);
    out[1] |= bit(order[i]);
    if (i + 1 == static_cast<unsigned>(kTilesWith[2])) out[2] = out[1];
  }
  return out;
}

inline std::array<Tiles, 3> Rules::read_tiles(const std::string& digits) {
  if (digits.size() != kTiles)
    throw Error("tiles=" + digits + " has " + std::to_string(digits.size()) +
                " digits: tiles takes 60, or none for a shuffled board");
  std::array<Tiles, 3> out{};
  for (int tile = 0; tile < kTiles; ++tile) {
    const char c = digits[static_cast<std::size_t>(tile)];
    if (c < '1' || c > '3')
      throw Error("tiles=" + digits + " has '" + std::string(1, c) + "' as its digit " +
                  std::to_string(tile + 1) + ": tiles takes the digits 1, 2 and 3");
    for (int k = 0; k < c - '0'; ++k) out[static_cast<std::size_t>(k)] |= bit(tile);
  }
  const int threes = std::popcount(out[2]), twos = std::popcount(out[1]) - threes,
            ones = kTiles - twos - threes;
  if (std::array{ones, twos, threes} != kTilesWith)
    throw Error("tiles=" + digits + " has " + std::to_string(ones) + " ones, " +
                std::to_string(twos) + " twos and " + std::to_string(threes) +
                " threes: tiles takes 30 ones, 20 twos and 10 threes");
  return out;
}

inline Drawing Rules::draw(const State& s) const {
  Drawing out;
  out.shape = CellShape::hexagon;
  for (int tile = 0; tile < kTiles; ++tile) {
    const int row = row_of(tile);
    DrawnCell cell;
    cell.name = tile_name(tile);
    cell.index = box_of(tile);
    cell.x = static_cast<float>(tile - row_start(row)) + (row % 2 == 0 ? 0.5f : 0.0f);
    cell.y = static_cast<float>(row) * std::sqrt(3.0f) / 2;
    cell.mark = s.fish[0] & bit(tile) ? static_cast<char>('0' + fish_on(s, tile)) : ' ';
    for (int p = 0; p < players_; ++p)
      if (s.penguins[static_cast<std::size_t>(p)] & bit(tile)) cell.owner = p;
    out.cells.push_back(cell);
  }
  if (!over(s))
    out.notes.push_back(s.to_place > 0
                            ? "placement: " + std::to_string(s.to_place) + " penguins to come"
                            : "a penguin slides");
  for (std::size_t p = 0; p < static_cast<std::size_t>(players_); ++p) {
    out.so_far.push_back(static_cast<float>(s.taken[p]));
    if (s.to_place == 0 && s.penguins[p] == 0) out.out.push_back(static_cast<int>(p));
  }
  for (std::size_t p = 0; p < static_cast<std::size_t>(players_); ++p)
    out.notes.push_back("seat " + std::to_string(p + 1) + ": " + std::to_string(s.taken[p]) +
                        " fish, " + std::to_string(std::popcount(s.penguins[p])) + " penguins");
  return out;
}

inline Rules::Box Rules::in_box(Tiles tiles) {
  Box out;
  for (int row = 0; row < kRows; ++row) {
    const Tiles part = tiles >> row_start(row) & (bit(row_size(row)) - 1);
    const int at = row_box(row), shift = at % 64;
    const auto word = static_cast<std::size_t>(at / 64);
    out.words[word] |= part << shift;
    if (shift > 64 - row_size(row)) out.words[word + 1] |= part >> (64 - shift);
  }
  return out;
}

inline Symmetry Rules::symmetry(bool mirror, int seats_on) const {
  Symmetry out;
  for (int i = 0; i < kRows * kBoxWidth; ++i) out.cells.push_back(static_cast<std::uint16_t>(i));
  for (int tile = 0; mirror && tile < kTiles; ++tile) {
    const int row = row_of(tile), image = 2 * row_start(row) + row_size(row) - 1 - tile;
    out.cells[static_cast<std::size_t>(box_of(tile))] = static_cast<std::uint16_t>(box_of(image));
  }
  for (int p = 0; p < players_; ++p)
    out.seats[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>((p + seats_on) % players_);
  const auto plane = [&](int k) { out.planes.push_back(static_cast<std::uint16_t>(k)); };
  const auto seat = [&](int p) { return int{out.seats[static_cast<std::size_t>(p)]}; };
  for (int k = 0; k < 3; ++k) plane(k);
  for (const int first : {3, 3 + players_})
    for (int p = 0; p < players_; ++p) plane(first + seat(p));
  const int phase = 3 + 2 * players_;
  plane(phase);
  for (int p = 0; p < players_; ++p)
    for (int b = 0; b < kTotalBits; ++b) plane(phase + 1 + kTotalBits * seat(p) + b);
  plane(planes().planes - 1);
  out.moves = slide_planes_.turned(out.cells, kBoxOf);
  return out;
}

inline Rules::State Rules::turned(const State& s, const Symmetry& by) const {
  State out;
  for (int tile = 0; tile < kTiles; ++tile) {
    int image = 0;
    while (box_of(image) != by.cells[static_cast<std::size_t>(box_of(tile))]) ++image;
    for (std::size_t k = 0; k < s.fish.size(); ++k) out.fish[k] |= (s.fish[k] >> tile & 1) << image;
    for (std::size_t p = 0; p < static_cast<std::size_t>(players_); ++p)
      out.penguins[by.seats[p]] |= (s.penguins[p] >> tile & 1) << image;
  }
  for (std::size_t p = 0; p < static_cast<std::size_t>(players_); ++p)
    out.taken[by.seats[p]] = s.taken[p];
  out.turn = over(s) ? std::uint8_t{0} : by.seats[s.turn];
  out.to_place = s.to_place;
  out.board_hash = fresh_hash(out);
  return out;
}

inline Scores Rules::estimate(const State& s) const {
  const auto seats = static_cast<std::size_t>(players_);
  const Tiles free = free_tiles(s);
  auto reach = s.penguins;
  std::array<float, kMaxPlayers> sum{};
  for (std::size_t p = 0; p < seats; ++p)
    sum[p] = static_cast<float>(s.taken[p] + fish_in(s, s.penguins[p]));
  for (Tiles unclaimed = free, claimed = free; claimed != 0; unclaimed &= ~claimed) {
    std::array<Tiles, kMaxPlayers + 2> by{};  // [n] = claimed now by at least n seats
    by[0] = unclaimed;
    for (std::size_t p = 0; p < seats; ++p) {
      const bool places = s.to_place > 0 && std::popcount(s.penguins[p]) < penguins_per_seat();
      reach[p] |= (beside(reach[p]) & free) | (places ? free & ~s.fish[1] : 0);
      for (std::size_t n = seats; n > 0; --n) by[n] |= by[n - 1] & reach[p];
    }
    for (std::size_t p = 0; p < seats; ++p)
      for (std::size_t n = 1; n <= seats; ++n)
        sum[p] +=
            static_cast<float>(fish_in(s, by[n] & ~by[n + 1] & reach[p])) / static_cast<float>(n);
    claimed = by[1];
  }
  return {sum};
}

static_assert(Game<Rules>);

}  // namespace polymax::fish
