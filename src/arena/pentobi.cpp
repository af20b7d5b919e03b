#include "arena/pentobi.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "arena/record.hpp"
#include "arena/sgf.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"

namespace polymax::arena {

namespace {

struct Cell {
  int row = 0, column = 0;
};

Cell cell_of(std::string_view name, std::string_view whole) {
  Cell out;
  const char* end = name.data() + name.size();
  if (name.size() >= 2 && std::isalpha(static_cast<unsigned char>(name[0]))) {
    const auto [stop, error] = std::from_chars(name.data() + 1, end, out.row);
    out.column = std::tolower(static_cast<unsigned char>(name[0])) - 'a';
    if (error == std::errc{} && stop == end && out.row > 0 && out.row <= 20 && out.column < 20)
      return out;
  }
  std::string shown(whole.substr(0, 60));
  std::ranges::replace_if(
      shown, [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  throw Error("'" + shown + "' is no list of cells from a1 to t20");
}

std::vector<Cell> cells_of(std::string_view text, char between) {
  std::vector<Cell> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(between, begin), text.size());
    out.push_back(cell_of(text.substr(begin, end - begin), text));
    begin = end + 1;
  }
  return out;
}

std::string text_of(const std::vector<Cell>& cells, char between) {
  std::string out;
  for (const auto& cell : cells) {
    if (!out.empty()) out += between;
    out += static_cast<char>('a' + cell.column) + std::to_string(cell.row);
  }
  return out;
}

}  // namespace

std::string to_pentobi_move(std::string_view move) {
  auto cells = cells_of(move, '-');
  std::ranges::sort(cells, [](const Cell& a, const Cell& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  return text_of(cells, ',');
}

std::string from_pentobi_move(std::string_view text) {
  auto cells = cells_of(text, ',');
  std::ranges::sort(cells, [](const Cell& a, const Cell& b) {
    return a.row != b.row ? a.row > b.row : a.column < b.column;
  });
  return text_of(cells, '-');
}

std::string blksgf_text(const MatchRecord& record) {
  if (record.game != "blokus" && !record.game.starts_with("blokus("))
    throw Error("a .blksgf file holds Blokus, not " + record.game);
  std::string out = "(;GM[" + std::string(kPentobisName) + "]CA[UTF-8]AP[polymax]";
  if (record.game != "blokus") out += sgf_property("GS", record.game);
  for (std::size_t p = 0; p < record.players.size(); ++p)
    out += sgf_property("P" + std::to_string(p + 1), record.players[p]);
  for (const auto& move : record.moves)
    out += "\n;" + std::to_string(move.seat + 1) + "[" + to_pentobi_move(move.move) + "]";
  return out + ")\n";
}

MatchRecord from_pentobi(const MatchRecord& read, const std::string& spec) {
  const auto game = catalog::open_game(spec.empty() ? "blokus" : spec);
  const auto match = game->start(0);
  for (std::size_t i = 0; i < read.moves.size(); ++i) {
    try {
      if (!match->over() && match->to_move() != read.moves[i].seat)
        throw Error("it is the turn of seat " + std::to_string(match->to_move() + 1));
      const std::string move = from_pentobi_move(read.moves[i].move);
      if (match->match_move(move) != move) throw Error("'" + move + "' is no legal move here");
      match->play(move);
    } catch (const Error& error) {
      throw Error("move " + std::to_string(i + 1) + ": " + error.what());
    }
  }
  auto players = read.players;
  players.resize(static_cast<std::size_t>(game->players()));
  for (auto& player : players)
    if (player.empty()) player = "human";
  return record_of(*game, 0, players, *match);
}

}  // namespace polymax::arena
