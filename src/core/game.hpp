// The first of the three contracts: what a game is. A game is one file in src/games/ whose stem is
// its name everywhere; it holds a class Rules that models this concept. docs/add-a-game.md walks
// through one.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/drawing.hpp"
#include "core/fields.hpp"
#include "core/points.hpp"
#include "core/scores.hpp"

namespace polymax {

// A value that is copied as bytes and compared with ==; copying a state is how we undo.
template <class T>
concept Plain =
    std::is_trivially_copyable_v<T> && std::default_initializable<T> && std::equality_comparable<T>;

// Moves of one position. Grows when it must and keeps its memory, so that a list used again
// allocates nothing.
template <class T>
class List {
 public:
  List() = default;
  List(List&& other) noexcept { *this = std::move(other); }
  List& operator=(List&& other) noexcept {  // the other one is empty then
    items_ = std::move(other.items_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* begin() const { return items_.get(); }
  const T* end() const { return items_.get() + size_; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  std::span<const T> span() const { return {begin(), size_}; }

  void push_back(T item) {
    if (size_ == capacity_) grow(1);
    items_[size_++] = item;
  }

  // The place behind the last move, with room for n more; write there, then call `wrote` with the
  // new end.
  T* room(std::size_t n) {
    if (size_ + n > capacity_) grow(n);
    return items_.get() + size_;
  }
  void wrote(const T* end) { size_ = static_cast<std::size_t>(end - items_.get()); }

 private:
  void grow(std::size_t n) {
    const std::size_t wanted = std::max<std::size_t>({64, 2 * capacity_, size_ + n});
    auto larger = std::make_unique_for_overwrite<T[]>(wanted);
    std::copy_n(items_.get(), size_, larger.get());
    items_ = std::move(larger);
    capacity_ = wanted;
  }

  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0, capacity_ = 0;
};

template <class G>
using MoveList = List<typename G::Move>;

// What a file of games/, eval/ or search/ says of itself.
struct About {
  std::string_view title;   // one line
  int version = 1;          // of the rules or of the algorithm: raise it when results change
  std::string_view source;  // where it is described
};

// The contract. G is a const object that holds rules and tables; states are values. Nobody writes a
// parser of moves: a text means the legal move that has it.
// clang-format off
template <class G>
concept Game =
  Plain<typename G::State> &&
  Plain<typename G::Move> && sizeof(typename G::Move) <= 8 &&
  Described<typename G::Options> &&                       // no options: the published rules
  std::constructible_from<G, typename G::Options> &&
  requires(const G g, const typename G::State s, typename G::State w, typename G::Move m,
           MoveList<G>& out, std::uint64_t seed) {
    { G::about }          -> std::convertible_to<About>;
    { G::default_points } -> std::convertible_to<Points>; // f_t unless the spec says points=
    { g.players() }       -> std::same_as<int>;           // 2..kMaxPlayers
    { g.start(seed) }     -> std::same_as<typename G::State>;
    { g.to_move(s) }      -> std::same_as<int>;           // seat, 0..players-1
    // Appends all, in a fixed order; none only when the game is over. There are no passes.
    { g.moves(s, out) }   -> std::same_as<void>;
    { g.play(w, m) }      -> std::same_as<void>;          // in place, m legal
    { g.over(s) }         -> std::same_as<bool>;
    { g.score(s) }        -> std::same_as<Scores>;        // finished game, in its own units
    { g.gain(s) }         -> std::same_as<Scores>;        // finished game: -1, 0, +1 per seat
    { g.played(s) }       -> std::same_as<int>;           // moves so far, told by the position
    { g.max_length() }    -> std::same_as<int>;           // bound on moves: depth, buffers
    { g.hash(s) }         -> std::same_as<std::uint64_t>; // equal states, equal hash
    { g.move_text(s, m) } -> std::same_as<std::string>;   // cells joined by '-', as clicked
    { g.draw(s) }         -> std::same_as<Drawing>;
  };
// clang-format on

// Network planes: `planes` bit planes over a box of height x width cells. Every plane begins at a
// new 64-bit word; cell (row, column) is bit row * width + column of its plane.
struct PlaneShape {
  int planes = 0, height = 0, width = 0;

  constexpr int cells() const { return height * width; }
  constexpr int words_per_plane() const { return (cells() + 63) / 64; }
  constexpr int words() const { return planes * words_per_plane(); }
  friend constexpr bool operator==(const PlaneShape&, const PlaneShape&) = default;
};

// Optional: what networks see of a position.
template <class G>
concept Learnable = Game<G> &&
    requires(const G g, const typename G::State s, std::span<std::uint64_t> bits) {
  { g.planes() } -> std::same_as<PlaneShape>;
  // Writes every word; bits.size() == planes().words().
  { g.write_planes(s, bits) } -> std::same_as<void>;
};

// Where a move lies, for networks that know the moves: one of the game's move planes, and a cell of
// the planes' box.
struct MovePlace {
  std::uint16_t plane = 0, cell = 0;
  friend constexpr auto operator<=>(const MovePlace&, const MovePlace&) = default;
};

// Optional: no two legal moves of a position lie at the same place. A good map is one where places
// with the same meaning share a plane: the kind of move, its direction, its shape.
template <class G>
concept MoveMapped = Learnable<G> &&
    requires(const G g, const typename G::State s, typename G::Move m) {
  { g.move_planes() } -> std::same_as<int>;  // 1..kMaxMovePlanes
  { g.move_place(s, m) } -> std::same_as<MovePlace>;
};
inline constexpr int kMaxMovePlanes = 1024;
inline constexpr int kMaxMovePlaces = 1 << 16;  // planes x cells

// What becomes of the moves of a move plane. by: from the cell that names such a move to the one
// that will name it when the board is turned, where these differ (the first cell of a piece).
struct MovePlaneTurn {
  std::uint16_t plane = 0;
  std::int16_t by = 0;
  friend bool operator==(const MovePlaneTurn&, const MovePlaneTurn&) = default;
};

// A permutation that maps games to games: cell i of the planes' box goes to cells[i], seat p
// becomes seats[p], plane k becomes planes[k] (empty when the game has no planes). A move at (k, i)
// goes to (moves[k].plane, cells[i + moves[k].by]); empty: move planes stay what they are. Games
// state all of them, the identity first.
struct Symmetry {
  std::vector<std::uint16_t> cells;
  std::array<std::uint8_t, kMaxPlayers> seats{};
  std::vector<std::uint16_t> planes;
  std::vector<MovePlaneTurn> moves{};

  MovePlace turned(MovePlace place) const {
    if (moves.empty()) return {place.plane, cells[place.cell]};
    const MovePlaneTurn& turn = moves[place.plane];
    return {turn.plane, cells[static_cast<std::size_t>(place.cell + turn.by)]};
  }
  friend bool operator==(const Symmetry&, const Symmetry&) = default;
};

// Optional: turns and mirrors of the board. A game whose start positions have none says what
// becomes of a position, State turned(const State&, const Symmetry&): the uniform tests alone ask
// for it.
template <class G>
concept Symmetric = Game<G> && requires(const G g) {
  { g.symmetries() } -> std::same_as<std::vector<Symmetry>>;
};

// Optional: a hand-written guess of every seat's final score() in an unfinished game; cheap, fair
// between seats.
template <class G>
concept Estimating = Game<G> && requires(const G g, const typename G::State s) {
  { g.estimate(s) } -> std::same_as<Scores>;
};

// Optional, in a game's Rules: options by name. Two lists are of those that networks need not mind:
// start_options change the start alone, variant_options change rules but neither planes nor the
// unit of the points: values of one variant are a guess for another. size_options are those by
// which boards of the same game differ in size.
template <class G>
std::vector<std::string> start_options_of() {
  if constexpr (requires { G::start_options; })
    return {G::start_options.begin(), G::start_options.end()};
  return {};
}
template <class G>
std::vector<std::string> size_options_of() {
  if constexpr (requires { G::size_options; })
    return {G::size_options.begin(), G::size_options.end()};
  return {};
}
template <class G>
std::vector<std::string> variant_options_of() {
  if constexpr (requires { G::variant_options; })
    return {G::variant_options.begin(), G::variant_options.end()};
  return {};
}

// Optional: the state as if it were that seat's turn; nothing for a seat that has no move. Needed
// by Best-Reply Search alone.
template <class G>
concept TurnSkipping = Game<G> && requires(const G g, const typename G::State s, int seat) {
  { g.give_turn(s, seat) } -> std::same_as<std::optional<typename G::State>>;
};

}  // namespace polymax
