// A review as a table and as JSON.
#include "report/review_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/json.hpp"
#include "core/seats_text.hpp"

namespace polymax::report {

namespace {

constexpr std::array<const char*, 3> kMarks{"", "?", "??"};

std::string columns(const arena::Outlook& outlook, std::size_t players) {
  std::string out;
  for (std::size_t p = 0; p < players; ++p)
    out += outlook.chances ? fmt::format("{:>5.0f}%", 100 * outlook.chances->seats[p])
                           : fmt::format("{:>8.3f}", outlook.points.seats[p]);
  return out;
}

Json outlook_json(const arena::Outlook& outlook, std::size_t players) {
  Json out{{"points", seats_json(outlook.points, players)}};
  out["chances"] = outlook.chances ? seats_json(*outlook.chances, players) : Json();
  return out;
}

}  // namespace

std::string review_text(const arena::Review& review) {
  const std::size_t players = review.players.size();
  std::size_t width = 4;
  for (const auto& move : review.moves)
    width = std::max({width, move.move.size(), move.best.size()});
  std::string out = fmt::format("{}, seen by {}\n{:>4} {:>4}  {:<{}}  {:<{}}  {:<{}} {:>8} {:>7}\n",
                                review.game, review.player, "move", "seat", "played", width, "best",
                                width, review.after.chances ? "chances" : "points",
                                (review.after.chances ? 6 : 8) * players, "points-", "chance-");
  for (std::size_t i = 0; i < review.moves.size(); ++i) {
    const auto& move = review.moves[i];
    out += fmt::format("{:>4} {:>4}  {:<{}}  {:<{}}  {} {:>8.3f} {:>7} {}\n", i + 1, move.seat + 1,
                       move.move, width, move.best == move.move ? "" : move.best, width,
                       columns(move.before, players), move.points_lost,
                       move.chances_lost ? fmt::format("{:.0f}%", 100 * *move.chances_lost) : "-",
                       kMarks[static_cast<std::size_t>(move.grade)]);
  }
  out += fmt::format("{:>4} {:>4}  {:<{}}  {:<{}}  {}\n", review.over ? "end" : "now", "", "",
                     width, "", width, columns(review.after, players));
  for (std::size_t p = 0; p < players; ++p) {
    std::array<int, 3> grades{};
    double points = 0, chances = 0;
    for (const auto& move : review.moves)
      if (move.seat == static_cast<int>(p)) {
        ++grades[static_cast<std::size_t>(move.grade)];
        points += move.points_lost;
        chances += move.chances_lost.value_or(0);
      }
    out += fmt::format(
        "seat {}  {}: {} mistakes, {} blunders, {:.3f} points and {:.0f}% chances lost\n", p + 1,
        review.players[p], grades[1], grades[2], points, 100 * chances);
  }
  return out;
}

std::string review_line(const arena::Review& review) {
  const std::size_t players = review.players.size();
  Json moves = Json::array();
  for (const auto& move : review.moves) {
    Json one{{"move", move.move}, {"seat", move.seat + 1}, {"best", move.best}};
    one.update(outlook_json(move.before, players));
    one["points_lost"] = move.points_lost;
    one["chances_lost"] = move.chances_lost ? Json(*move.chances_lost) : Json();
    one["grade"] = arena::kGradeNames[static_cast<std::size_t>(move.grade)];
    moves.push_back(one);
  }
  return Json{{"game", review.game},
              {"player", review.player},
              {"players", review.players},
              {"over", review.over},
              {"moves", moves},
              {"after", outlook_json(review.after, players)}}
      .dump();
}

}  // namespace polymax::report
