// Turning the board so that the mover is seat 0: for every seat a fixed symmetry of the game that
// makes it seat 0. A network that sees only such positions learns one seat's point of view instead
// of each one's. Bits move by tables, four cells at a time. Chosen: with eight the tables of
// quadrothello take 600 KB instead of 75 and are no faster.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/game.hpp"

namespace polymax {

// For each seat the symmetry by which its positions are turned: of `all` the first that makes it
// seat 0, which is the identity for seat 0. Empty when a seat has none.
std::vector<Symmetry> turns_to_first(std::span<const Symmetry> all, int players);

class MoverTurns {
 public:
  // by_seat: what turns_to_first gave, not empty.
  MoverTurns(const PlaneShape& shape, std::vector<Symmetry> by_seat);

  // Writes every word of `out`, which is other memory. Below a microsecond for most games.
  void turn(int mover, std::span<const std::uint64_t> planes, std::span<std::uint64_t> out) const;

  // What a seat becomes when that mover's position is turned.
  std::size_t seat(int mover, std::size_t seat) const {
    return by_seat_[static_cast<std::size_t>(mover)].seats[seat];
  }

  // Where a move of that mover lies in the turned position.
  MovePlace place(int mover, MovePlace place) const {
    return mover == 0 ? place : by_seat_[static_cast<std::size_t>(mover)].turned(place);
  }

 private:
  // One seat's turn of one plane: for every four cells of the plane and every value of theirs the
  // words to add.
  struct Table {
    std::vector<std::uint64_t> words;
    std::vector<std::uint16_t> planes;  // where each plane goes
  };

  template <std::size_t kWords>
  static void turn_planes(const Table& table, std::size_t parts, const std::uint64_t* from,
                          std::uint64_t* to);
  using TurnPlanes = void (*)(const Table&, std::size_t parts, const std::uint64_t* from,
                              std::uint64_t* to);
  template <std::size_t... kBelow>
  static TurnPlanes turn_planes_of(std::size_t words, std::index_sequence<kBelow...>);
  Table make_table(const Symmetry& by) const;

  PlaneShape shape_;
  std::size_t parts_;  // of a plane
  std::vector<Symmetry> by_seat_;
  std::vector<Table> tables_;  // by seat; that of seat 0 is empty
  TurnPlanes turn_planes_;
};

// The turns of a game's seats; empty when it has a seat that no symmetry makes seat 0.
template <Game G>
std::vector<Symmetry> turns_of(const G& game) {
  if constexpr (Symmetric<G>) return turns_to_first(game.symmetries(), game.players());
  return {};
}

// Null when turns_to_first gives none.
std::shared_ptr<const MoverTurns> mover_turns(const PlaneShape& shape,
                                              std::span<const Symmetry> all, int players);

template <Learnable G>
std::shared_ptr<const MoverTurns> mover_turns(const G& game) {
  if constexpr (Symmetric<G>)
    return mover_turns(game.planes(), game.symmetries(), game.players());
  else
    return nullptr;
}

// The planes of a position, turned when there are turns. A finished position counts as that of the
// seat to_move names.
template <Learnable G>
void write_planes(const G& game, const typename G::State& state, const MoverTurns* turns,
                  std::span<std::uint64_t> out) {
  if (turns == nullptr || game.to_move(state) == 0) return game.write_planes(state, out);
  thread_local std::vector<std::uint64_t> unturned;
  unturned.resize(out.size());
  game.write_planes(state, unturned);
  turns->turn(game.to_move(state), unturned, out);
}

// Where a move lies as networks count: plane * cells + cell, turned when there are turns.
template <MoveMapped G>
std::uint16_t turned_place(const G& game, const typename G::State& state,
                           const typename G::Move& move, const MoverTurns* turns) {
  MovePlace place = game.move_place(state, move);
  if (turns != nullptr) place = turns->place(game.to_move(state), place);
  return static_cast<std::uint16_t>(place.plane * game.planes().cells() + place.cell);
}

// 0 for a game that does not say where its moves lie.
template <Game G>
int move_planes_of(const G& game) {
  if constexpr (MoveMapped<G>)
    return game.move_planes();
  else
    return 0;
}

}  // namespace polymax
