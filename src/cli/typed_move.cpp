#include "cli/typed_move.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "core/error.hpp"

namespace polymax::cli {

namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kBetween = " \t,-";

// The cells of a move text, in small letters.
Words cells_of(std::string_view text) {
  Words out;
  bool inside = false;
  for (const char c : text) {
    const bool between = kBetween.find(c) != std::string_view::npos;
    if (!between && !inside) out.emplace_back();
    if (!between) out.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    inside = !between;
  }
  return out;
}

Words sorted(Words words) {
  std::ranges::sort(words);
  return words;
}

bool begins_with(const Words& all, const Words& first) {
  return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
}

// The legal moves whose cells fit.
template <class Fits>
Words moves_that(const Words& legal, Fits fits) {
  Words out;
  for (const auto& move : legal)
    if (fits(cells_of(move))) out.push_back(move);
  return out;
}

std::string some(const Words& moves) {
  constexpr std::size_t kShown = 12;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, moves.size()); ++i)
    out += (i == 0 ? "" : " ") + moves[i];
  if (moves.size() > kShown) out += " and " + std::to_string(moves.size() - kShown) + " more";
  return out;
}

}  // namespace

std::vector<std::string> moves_with(const Words& legal, std::string_view typed) {
  const Words wanted = sorted(cells_of(typed));
  return moves_that(
      legal, [&](const Words& cells) { return std::ranges::includes(sorted(cells), wanted); });
}

std::string typed_move(const Words& legal, std::string_view typed) {
  const Words wanted = cells_of(typed), set = sorted(wanted);
  // the nearest reading that fits any move decides: as named, its beginning, its cells, some cells
  for (const auto& found :
       {moves_that(legal, [&](const Words& cells) { return cells == wanted; }),
        moves_that(legal, [&](const Words& cells) { return begins_with(cells, wanted); }),
        moves_that(legal, [&](const Words& cells) { return sorted(cells) == set; }),
        moves_with(legal, typed)}) {
    if (wanted.empty() || found.empty()) continue;
    if (found.size() == 1) return found[0];
    throw Error("'" + std::string(typed) + "' is ambiguous: " + some(found));
  }
  throw Error("'" + std::string(typed) + "' is no legal move here; legal: " + some(legal));
}

namespace {

// Cells that come next -> whether a move ends with them.
using NextCells = std::map<std::string, bool>;

NextCells next_in_order(const Words& legal, const Words& before, const std::string& begun) {
  NextCells out;
  for (const auto& move : legal) {
    const Words cells = cells_of(move);
    if (cells.size() <= before.size() || !begins_with(cells, before)) continue;
    const std::string& cell = cells[before.size()];
    if (cell.starts_with(begun)) out[cell] |= cells.size() == before.size() + 1;
  }
  return out;
}

NextCells next_in_any_order(const Words& legal, const Words& before, const std::string& begun) {
  NextCells out;
  for (const auto& move : legal) {
    const Words cells = cells_of(move);
    if (!std::ranges::includes(sorted(cells), sorted(before))) continue;
    for (const auto& cell : cells)
      if (cell.starts_with(begun) && std::ranges::find(before, cell) == before.end())
        out[cell] |= cells.size() == before.size() + 1;
  }
  return out;
}

}  // namespace

Completion move_completion(const Words& legal, const std::string& typed) {
  Completion out{typed.find_last_of(kBetween) + 1, {}};  // npos + 1: the beginning
  const Words before = cells_of(typed.substr(0, out.from));
  const Words last = cells_of(typed.substr(out.from));
  const std::string begun = last.empty() ? "" : last[0];
  auto next = next_in_order(legal, before, begun);
  if (next.empty()) next = next_in_any_order(legal, before, begun);
  for (const auto& [cell, ends] : next) out.words.push_back(cell);
  if (next.size() == 1 && !next.begin()->second) out.words[0] += '-';
  return out;
}

std::string in_columns(const Words& words, std::size_t width) {
  std::size_t column = 1;
  for (const auto& word : words) column = std::max(column, word.size() + 2);
  const std::size_t in_line = std::max<std::size_t>(1, width / column);
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = (i + 1) % in_line == 0 || i + 1 == words.size();
    out += words[i];
    out += last ? std::string("\n") : std::string(column - words[i].size(), ' ');
  }
  return out;
}

}  // namespace polymax::cli
