// See curve_svg.hpp.
#include "report/curve_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/report_svg.hpp"
#include "report/svg_axis.hpp"

namespace polymax::report {

namespace {

constexpr double kLeft = 64, kRight = 546, kTop = 34, kBase = 240, kSecondLine = 15, kWidest = 640;
constexpr std::size_t kMostPoints = 120, kFewPoints = 16, kManyCurves = 3;

// The range of a plot, and pixels of its values. Logarithmic axes count powers of ten.
class Canvas {
 public:
  explicit Canvas(const CurvePlot& plot) : plot_(plot), x_(0, 1, 6), y_(0, 1, 5) {
    double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
    const auto take = [&](double y) { low = std::min(low, y), high = std::max(high, y); };
    for (const auto& curve : plot.curves)
      for (const auto& point : curve.points) {
        left = std::min(left, point.x), right = std::max(right, point.x);
        take(point.y);
        if (point.interval.known) take(point.interval.low), take(point.interval.high);
      }
    logarithmic_ = plot.logarithmic && low > 0 && high > 20 * low;
    if (plot.level) take(*plot.level);
    if (plot.bottom && !logarithmic_) take(*plot.bottom);
    x_ = Axis(std::min(0.0, left), plot.right.value_or(right), 6);
    x_.high = plot.right.value_or(right) > x_.low ? plot.right.value_or(right) : x_.high;
    y_ = logarithmic_ ? Axis(std::floor(std::log10(low * plot.scale)),
                             std::ceil(std::log10(high * plot.scale)), 5)
                      : Axis(low * plot.scale, high * plot.scale, 5);
  }

  double x(double value) const { return x_.at(value, kLeft, kRight); }
  double y(double value) const {
    const double scaled = value * plot_.scale;
    return y_.at(logarithmic_ ? std::log10(scaled) : scaled, kBase, kTop);
  }
  // In the units of the axis.
  std::string y_text(double value) const {
    const double scaled = value * plot_.scale;
    return scaled >= 1e4 ? brief(scaled) : html::minus(fmt::format("{:.4g}", scaled + 0.0));
  }

  std::string grid() const {
    std::string out;
    for (const double tick : y_.ticks()) {
      if (logarithmic_ && std::fabs(tick - std::round(tick)) > 1e-6) continue;
      const std::string text = logarithmic_     ? fmt::format("{:g}", std::pow(10, tick))
                               : y_.high >= 1e4 ? brief(tick)
                                                : y_.text(tick);
      const double at = y_.at(tick, kBase, kTop);
      out += fmt::format(
          "<path class=\"grid\" d=\"M{} {}H{}\"/><text class=\"label\" x=\"{}\" "
          "y=\"{}\">{}</text>\n",
          px(kLeft), px(at), px(kRight), px(kLeft - 8), px(at + 4), text);
    }
    for (const double tick : x_.ticks())
      out += fmt::format(
          "<path class=\"grid\" d=\"M{0} {1}V{2}\"/><text class=\"tick\" x=\"{0}\" "
          "y=\"{3}\">{4}</text>\n",
          px(x_.at(tick, kLeft, kRight)), px(kTop), px(kBase + 4), px(kBase + 18),
          x_.high >= 1e4 ? brief(tick) : x_.text(tick));
    if (!plot_.below) return out;
    for (const double tick : x_.ticks())
      out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>\n",
                         px(x_.at(tick, kLeft, kRight)), px(kBase + 33),
                         escape_html(plot_.below(tick)));
    return out;
  }

 private:
  const CurvePlot& plot_;
  Axis x_, y_;
  bool logarithmic_ = false;
};

std::string path(const Canvas& canvas, const std::vector<CurvePoint>& points, double aside = 0) {
  std::string out;
  for (const auto& point : points)
    out += fmt::format("{}{} {}", out.empty() ? "M" : "L", px(canvas.x(point.x) + aside),
                       px(canvas.y(point.y)));
  return out;
}

// Moved `aside` by some pixels, so that intervals of several curves stand beside each other.
std::string drawn(const Canvas& canvas, const Curve& curve, const CurvePlot& plot, double aside) {
  const int colour = curve.colour % 8;
  const bool both =
      plot.smooth && curve.points.size() > kFewPoints && plot.curves.size() < kManyCurves;
  std::string out;
  if (both)
    out += fmt::format("<path class=\"line faint l{}\" d=\"{}\"/>\n", colour,
                       path(canvas, curve.points));
  out += fmt::format("<path class=\"line l{}\" d=\"{}\"/>\n", colour,
                     path(canvas, both ? smoothed(curve.points) : curve.points, aside));
  for (const auto& point : curve.points) {
    const double x = canvas.x(point.x) + aside;
    if (point.interval.known)
      out += fmt::format("<path class=\"whisker l{0}\" d=\"M{1} {2}V{3}m-4 0h8M{4} {2}h8\"/>",
                         colour, px(x), px(canvas.y(point.interval.low)),
                         px(canvas.y(point.interval.high)), px(x - 4));
    if (plot.dots || curve.points.size() == 1)
      out += fmt::format("<circle class=\"point s{}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>\n", colour,
                         px(x), px(canvas.y(point.y)));
  }
  return out;
}

// Strips of the plot that say the numbers of all curves at one x.
std::string spots(const Canvas& canvas, const CurvePlot& plot) {
  std::map<double, std::string> at;
  for (const auto& curve : plot.curves)
    for (const auto& point : curve.points) {
      std::string text =
          (curve.name.empty() ? plot.y_axis : curve.name) + ": " + canvas.y_text(point.y);
      if (point.interval.known)
        text += fmt::format(" [{}, {}]", canvas.y_text(point.interval.low),
                            canvas.y_text(point.interval.high));
      at[point.x] += "\n" + text;
    }
  std::string out;
  for (auto it = at.begin(); it != at.end(); ++it) {
    const double x = canvas.x(it->first);
    const double from = it == at.begin() ? kLeft : (x + canvas.x(std::prev(it)->first)) / 2;
    const double to = std::next(it) == at.end() ? kRight : (x + canvas.x(std::next(it)->first)) / 2;
    const std::string where =
        it->first >= 1e4 ? brief(it->first) : html::minus(fmt::format("{:.5g}", it->first));
    out += fmt::format(
        "<g class=\"spot\"><title>{} {}{}</title><rect class=\"hit\" x=\"{}\" y=\"{}\" "
        "width=\"{}\" height=\"{}\"/>"
        "<path d=\"M{} {}V{}\"/></g>\n",
        escape_html(plot.x_axis), where, escape_html(it->second), px(from), px(kTop), px(to - from),
        px(kBase - kTop), px(x), px(kTop), px(kBase));
  }
  return out;
}

std::string key(const CurvePlot& plot) {
  if (plot.curves.size() < 2 && !plot.level) return "";
  std::string out = "<div class=\"key\">";
  for (const auto& curve : plot.curves)
    out += fmt::format("<span><i class=\"dot s{}\"></i>{}</span>", curve.colour % 8,
                       escape_html(curve.name));
  if (plot.level) out += "<span><i class=\"dash\"></i>" + escape_html(plot.level_label) + "</span>";
  return out + "</div>\n";
}

// What is drawn: few points; of many curves only the smoothed ones, which would hide each other
// otherwise.
CurvePlot prepared(CurvePlot plot) {
  for (auto& curve : plot.curves)
    curve.points = thinned(curve.points, plot.thin ? kMostPoints : curve.points.size());
  std::erase_if(plot.curves, [](const Curve& curve) { return curve.points.empty(); });
  if (plot.smooth && plot.curves.size() >= kManyCurves)
    for (auto& curve : plot.curves)
      if (curve.points.size() > kFewPoints) curve.points = smoothed(curve.points);
  return plot;
}

}  // namespace

std::string brief(double number) {
  if (!std::isfinite(number)) return "-";
  const double size = std::fabs(number);
  const auto with = [&](double unit, const char* name) {
    const double value = number / unit;
    return decimal(value, std::fabs(value - std::round(value)) < 0.005 ? 0
                          : std::fabs(value) < 10                      ? 2
                                                                       : 1) +
           name;
  };
  if (size >= 1e9) return with(1e9, "G");
  if (size >= 1e6) return with(1e6, "M");
  if (size >= 1e4) return with(1e3, "k");
  return (number < 0 ? "−" : "") + grouped(static_cast<std::uint64_t>(std::llround(size)));
}

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, std::size_t most) {
  std::vector<CurvePoint> kept;
  for (const auto& point : points)
    if (point.weight > 0 && std::isfinite(point.y)) kept.push_back(point);
  if (kept.size() <= most) return kept;
  const double first = kept.front().x,
               stretch = (kept.back().x - first) / static_cast<double>(most);
  std::vector<CurvePoint> sums(most, {0, 0, 0, {}});
  for (const auto& point : kept) {
    const auto at = stretch > 0 ? static_cast<std::size_t>((point.x - first) / stretch) : 0;
    auto& sum = sums[std::min(at, most - 1)];
    sum.x += point.weight * point.x;
    sum.y += point.weight * point.y;
    sum.weight += point.weight;
  }
  std::vector<CurvePoint> out;
  for (const auto& sum : sums)
    if (sum.weight > 0) out.push_back({sum.x / sum.weight, sum.y / sum.weight, sum.weight, {}});
  return out;
}

std::vector<CurvePoint> smoothed(const std::vector<CurvePoint>& points) {
  std::vector<CurvePoint> out = points;
  if (points.size() < 3) return out;
  const double reach = (points.back().x - points.front().x) / 20;
  for (auto& point : out) {
    double sum = 0, weights = 0;
    for (const auto& near : points) {
      const double weight =
          near.weight * std::max(0.0, 1 - std::fabs(near.x - point.x) / std::max(reach, 1e-12));
      sum += weight * near.y;
      weights += weight;
    }
    if (weights > 0) point.y = sum / weights;
  }
  return out;
}

namespace {

double second_line(const CurvePlot& plot) {
  return plot.below ? kSecondLine : 0;
}

// Of a plot that is prepared.
std::string body_of(const CurvePlot& thin) {
  const Canvas canvas(thin);
  std::string out =
      fmt::format("<text class=\"heading\" x=\"4\" y=\"16\">{}</text>", escape_html(thin.title));
  out += fmt::format(
      "<text class=\"label tick\" style=\"text-anchor:end\" x=\"{}\" y=\"16\">{}</text>\n",
      px(kRight), escape_html(thin.y_axis));
  out += canvas.grid();
  if (thin.level)
    out += fmt::format("<path class=\"level\" d=\"M{} {}H{}\"/>\n", px(kLeft),
                       px(canvas.y(*thin.level)), px(kRight));
  for (std::size_t k = 0; k < thin.curves.size(); ++k) {
    const double off = static_cast<double>(k) - static_cast<double>(thin.curves.size() - 1) / 2;
    out +=
        drawn(canvas, thin.curves[k], thin, thin.curves[k].points[0].interval.known ? 7 * off : 0);
  }
  out += spots(canvas, thin);
  return out + fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>\n",
                           px((kLeft + kRight) / 2), px(kBase + 38 + second_line(thin)),
                           escape_html(thin.x_axis + (thin.below ? "; " + thin.below_axis : "")));
}

}  // namespace

std::string svg_body(const CurvePlot& plot) {
  const CurvePlot thin = prepared(plot);
  return thin.curves.empty() ? "" : body_of(thin);
}

std::string svg(const CurvePlot& plot) {
  const CurvePlot thin = prepared(plot);
  if (thin.curves.empty())
    return "<div><h3>" + escape_html(plot.title) +
           "</h3><p class=\"note\">Nothing to draw yet.</p></div>\n";
  return fmt::format(
             "<div><div class=\"wide\"><svg class=\"plot\" style=\"max-width:{}px\" viewBox=\"0 0 "
             "{} "
             "{}\" role=\"img\" aria-label=\"{}\">\n",
             px(kWidest), px(kCurveWidth), px(kCurveHeight + second_line(thin)),
             escape_html(plot.title)) +
         body_of(thin) + "</svg></div>\n" + key(thin) + "</div>\n";
}

}  // namespace polymax::report
