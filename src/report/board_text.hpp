// A position as text, in colour when asked. Knows no game.
#pragma once

#include <string>
#include <vector>

#include "core/drawing.hpp"

namespace polymax {

enum class Colours { none, terminal };

// marked: names of cells to be seen at once, those of the last move.
std::string board_text(const Drawing& drawing, Colours colours,
                       const std::vector<std::string>& marked = {});

// The shapes of the pieces that the seat has not laid yet, side by side; empty in other games.
std::string pieces_text(const Drawing& drawing, int seat, std::size_t width);

// "seat 2 (O)" in its colour; seats count from 1 where people read them.
std::string seat_text(int seat, Colours colours);

}  // namespace polymax
