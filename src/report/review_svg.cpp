#include "report/review_svg.hpp"

#include <fmt/format.h>

#include "report/curve_svg.hpp"
#include "report/report_html.hpp"
#include "report/report_svg.hpp"

namespace polymax::report {

namespace {

double height(const arena::Outlook& outlook, std::size_t seat) {
  return static_cast<double>((outlook.chances ? *outlook.chances : outlook.points).seats[seat]);
}

// Seats have the colours 0..3; a mistake is one point in red.
constexpr int kRed = 4;
constexpr std::size_t kKeyTop = static_cast<std::size_t>(kCurveHeight) + 10, kKeyLine = 18;

CurvePlot plot_of(const arena::Review& review) {
  CurvePlot plot;
  plot.title = review.game + ", seen by " + review.player;
  plot.x_axis = "move";
  plot.y_axis = review.after.chances ? "chances (%)" : "points";
  plot.scale = review.after.chances ? 100 : 1;
  plot.smooth = plot.thin = false;  // mistakes are dots on the curves
  for (std::size_t p = 0; p < review.players.size(); ++p) {
    Curve curve{fmt::format("seat {}: {}", p + 1, review.players[p]), static_cast<int>(p), {}};
    double x = 0;
    for (const auto& move : review.moves)
      curve.points.push_back({x++, height(move.before, p), 1, {}});
    curve.points.push_back({x, height(review.after, p), 1, {}});
    plot.curves.push_back(curve);
  }
  for (std::size_t i = 0; i < review.moves.size(); ++i) {
    const auto& move = review.moves[i];
    if (move.grade == arena::Grade::fine) continue;
    plot.curves.push_back(
        {fmt::format("{} by seat {}, better {}", move.move, move.seat + 1, move.best),
         kRed,
         {{static_cast<double>(i),
           height(move.before, static_cast<std::size_t>(move.seat)),
           1,
           {}}}});
  }
  return plot;
}

std::string key_of(const arena::Review& review) {
  std::string out;
  for (std::size_t p = 0; p < review.players.size(); ++p)
    out += fmt::format(
        "<circle class=\"s{}\" cx=\"12\" cy=\"{}\" r=\"5\"/><text x=\"24\" y=\"{}\">seat {}: "
        "{}</text>\n",
        p, kKeyTop + kKeyLine * p, kKeyTop + 4 + kKeyLine * p, p + 1,
        escape_html(review.players[p]));
  return out;
}

}  // namespace

std::string review_svg(const arena::Review& review) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {} {}\">\n"
      "<style>{}svg{{background:var(--card)}}</style>\n{}{}</svg>\n",
      kCurveWidth, kKeyTop + kKeyLine * review.players.size(), kStyle, svg_body(plot_of(review)),
      key_of(review));
}

}  // namespace polymax::report
