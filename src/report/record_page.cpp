#include "report/record_page.hpp"

#include <fmt/format.h>

#include <set>

#include "core/seats_text.hpp"
#include "report/board_svg.hpp"
#include "report/report_html.hpp"
#include "report/report_svg.hpp"

namespace polymax::report {

namespace {

std::string numbers(const Scores& scores, std::size_t players) {
  constexpr int kDigits = 3;
  return html::minus(seats_text(scores, players, kDigits));
}

// After how many moves a board is shown: the start, the quarters and the end.
std::set<std::size_t> shown(std::size_t moves) {
  return {0, moves / 4, moves / 2, moves * 3 / 4, moves};
}

std::string boards(const AnyGame& game, const arena::MatchRecord& record) {
  const auto wanted = shown(record.moves.size());
  const auto match = game.start(record.start);
  std::string out = "<div class=\"boards\">\n";
  for (std::size_t i = 0;; ++i) {
    if (wanted.contains(i))
      out += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                         board_svg(match->draw(), 18),
                         i == 0 ? "the start" : fmt::format("after move {}", i));
    if (i == record.moves.size()) break;
    match->play(record.moves[i].move);
  }
  return out + "</div>\n";
}

std::string result(const arena::MatchRecord& record) {
  const std::size_t players = record.players.size();
  if (!record.error.empty()) return "<p><b>Failed:</b> " + escape_html(record.error) + "</p>\n";
  if (!record.over) return "<p>Not finished.</p>\n";
  if (record.forfeit >= 0)
    return fmt::format("<p><b>Forfeited</b> by seat {}: {}</p>\n", record.forfeit + 1,
                       escape_html(record.reason));
  return fmt::format("<p>Gain {}, score {}, points {}.</p>\n", numbers(record.gain, players),
                     numbers(record.score, players), numbers(record.points, players));
}

}  // namespace

std::string record_page(const AnyGame& game, const arena::MatchRecord& record,
                        const std::string& title, const std::string& sgf) {
  const std::size_t players = record.players.size();
  std::string body = "<header><div class=\"in\"><h1>" + escape_html(title) +
                     "</h1><p class=\"sub\"><code>" + escape_html(record.game) + "</code>, seed " +
                     std::to_string(record.start) + "; <a href=\"" + escape_html(sgf) +
                     "\">SGF</a></p></div></header>\n<main>\n<section><ol>";
  for (const auto& player : record.players)
    body += "<li><code>" + escape_html(player) + "</code></li>";
  body += "</ol>\n" + result(record) + "</section>\n<section><h2>Boards</h2>\n" +
          boards(game, record) + "</section>\n<section><h2>Moves</h2>\n<ol class=\"moves\">\n";
  for (const auto& move : record.moves)
    body += fmt::format("<li>seat {}: <b>{}</b>{}</li>\n", move.seat + 1, escape_html(move.move),
                        move.valued ? fmt::format(" <small>{}; {} evaluations</small>",
                                                  numbers(move.value, players), move.evaluations)
                                    : "");
  return html::page(title, body + "</ol></section>\n</main>\n");
}

}  // namespace polymax::report
