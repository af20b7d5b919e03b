// See report_svg.hpp.
#include "report/report_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/columns.hpp"
#include "report/report_html.hpp"
#include "report/svg_axis.hpp"

namespace polymax::report {

namespace {

constexpr double kFirstRow = 26, kRow = 26, kFoot = 44, kLetter = 7.6;
constexpr std::size_t kMostLetters = 60;  // of a label; the whole one is in its title

// Where the parts of an interval plot stand. One with long labels is wider, so that none is cut.
struct Frame {
  double width, left, right;

  Frame(const IntervalPlot& plot) : width(plot.width), left(plot.width > 600 ? 225 : 175) {
    std::size_t label = 0, value = 0;
    for (const auto& line : plot.lines) {
      label = std::max(label, std::min(kMostLetters, columns_of(line.label)));
      value = std::max(value, columns_of(line.value));
    }
    const double wanted = 20 + kLetter * static_cast<double>(label);
    if (wanted > left) {
      width += wanted - left;
      left = wanted;
    }
    right = width - 22 - 6.6 * static_cast<double>(value);
  }
};

Axis axis_of(const IntervalPlot& plot) {
  double low = 1e300, high = -1e300;
  const auto take = [&](double value) {
    low = std::min(low, value * plot.scale);
    high = std::max(high, value * plot.scale);
  };
  for (const auto& line : plot.lines) {
    for (const arena::Interval* interval : {&line.inner, &line.outer})
      if (interval->known) take(interval->low), take(interval->high);
    if (line.mark) take(*line.mark);
  }
  if (plot.level) take(*plot.level);
  if (low > high) low = -1, high = 1;
  return Axis(low, high, plot.width > 600 ? 8 : 5);
}

std::string one_line(const IntervalLine& line, const Axis& axis, const Frame& frame, double scale,
                     double y) {
  const auto x = [&](double value) { return px(axis.at(value * scale, frame.left, frame.right)); };
  std::string out = fmt::format(
      "<g class=\"row\"><title>{}</title><rect class=\"hit\" x=\"0\" y=\"{}\" width=\"{}\" "
      "height=\"{}\"/>",
      escape_html(line.title), px(y - kRow / 2), px(frame.width), px(kRow));
  out += fmt::format("<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>", px(frame.left - 14),
                     px(y + 4), escape_html(cut_to(line.label, kMostLetters)));
  if (line.outer.known) {
    out += fmt::format("<path class=\"outer\" d=\"M{} {}V{}M{} {}H{}M{} {}V{}\"/>",
                       x(line.outer.low), px(y - 5), px(y + 5), x(line.outer.low), px(y),
                       x(line.outer.high), x(line.outer.high), px(y - 5), px(y + 5));
  }
  if (line.inner.known) {
    out += fmt::format(
        "<path class=\"inner\" d=\"M{} {}H{}\"/><circle class=\"dot\" cx=\"{}\" cy=\"{}\" "
        "r=\"4\"/>",
        x(line.inner.low), px(y), x(line.inner.high), x(line.inner.mean), px(y));
  }
  if (line.mark) {
    out += fmt::format("<path class=\"mark\" d=\"M{} {}l5 5l-5 5l-5 -5z\"/>", x(*line.mark),
                       px(y - 5));
  }
  out += fmt::format("<text class=\"value\" x=\"{}\" y=\"{}\">{}</text></g>\n", px(frame.width - 4),
                     px(y + 4), escape_html(line.value));
  return out;
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string svg(const IntervalPlot& plot) {
  const Frame frame(plot);
  const Axis axis = axis_of(plot);
  const double bottom = kFirstRow + kRow * static_cast<double>(plot.lines.size());
  std::string out = fmt::format(
      "<div class=\"wide\"><svg class=\"plot\" style=\"max-width:{0}px\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\" aria-label=\"{2}\">\n",
      px(frame.width), px(bottom + kFoot), escape_html(plot.axis));
  for (double tick : axis.ticks()) {
    const std::string x = px(axis.at(tick, frame.left, frame.right));
    out += fmt::format(
        "<path class=\"grid\" d=\"M{0} {1}V{2}\"/><text class=\"tick\" x=\"{0}\" "
        "y=\"{3}\">{4}</text>\n",
        x, px(kFirstRow - 4), px(bottom + 4), px(bottom + 18), axis.text(tick));
  }
  if (plot.level) {
    const double x = axis.at(*plot.level * plot.scale, frame.left, frame.right);
    out += fmt::format(
        "<path class=\"level\" d=\"M{0} {1}V{2}\"/><text class=\"level-label\" x=\"{0}\" "
        "y=\"{3}\">{4}</text>\n",
        px(x), px(kFirstRow - 6), px(bottom + 4), px(kFirstRow - 10),
        escape_html(plot.level_label));
  }
  double y = kFirstRow + kRow / 2;
  for (const auto& line : plot.lines) {
    out += one_line(line, axis, frame, plot.scale, y);
    y += kRow;
  }
  out += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>\n</svg></div>\n",
                     px((frame.left + frame.right) / 2), px(bottom + 37), escape_html(plot.axis));
  return out;
}

std::string svg(const ScatterPlot& plot) {
  constexpr double kSize = 420, kFrom = 62, kTo = 400, kBase = 352, kRoof = 14;
  double low = 1e300, high = -1e300;
  for (const auto& point : plot.points) {
    low = std::min({low, point.x * 100, point.y * 100});
    high = std::max({high, point.x * 100, point.y * 100});
  }
  const Axis axis(low, high, 6);
  std::string out = fmt::format(
      "<div class=\"wide\"><svg class=\"plot scatter\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{} against {}\">\n",
      px(kSize), px(kSize - 20), escape_html(plot.y_axis), escape_html(plot.x_axis));
  for (double tick : axis.ticks()) {
    const std::string x = px(axis.at(tick, kFrom, kTo)), y = px(axis.at(tick, kBase, kRoof));
    out += fmt::format("<path class=\"grid\" d=\"M{0} {1}V{2}M{3} {4}H{5}\"/>", x, px(kRoof),
                       px(kBase), px(kFrom), y, px(kTo));
    out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>", x, px(kBase + 16),
                       axis.text(tick));
    out += fmt::format("<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>\n", px(kFrom - 8),
                       px(axis.at(tick, kBase, kRoof) + 4), axis.text(tick));
  }
  out += fmt::format("<path class=\"level\" d=\"M{} {}L{} {}\"/>\n", px(kFrom), px(kBase), px(kTo),
                     px(kRoof));
  for (const auto& point : plot.points) {
    out += fmt::format(
        "<circle class=\"point s{}\" cx=\"{}\" cy=\"{}\" r=\"4.5\"><title>{}</title></circle>\n",
        point.colour % 8, px(axis.at(point.x * 100, kFrom, kTo)),
        px(axis.at(point.y * 100, kBase, kRoof)), escape_html(point.title));
  }
  out += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>\n", px((kFrom + kTo) / 2),
                     px(kBase + 36), escape_html(plot.x_axis));
  out += fmt::format(
      "<text class=\"axis\" transform=\"translate(16 {}) rotate(-90)\">{}</text>\n</svg></div>\n",
      px((kBase + kRoof) / 2), escape_html(plot.y_axis));
  return out;
}

}  // namespace polymax::report
