// Curves as inline SVG for pages without scripts: several lines over one axis, a smoothed line over
// a faint one where there are many points (from three curves on the smoothed ones alone), whiskers
// where points have intervals. What the pointer rests on says its numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arena/statistics.hpp"

namespace polymax::report {

struct CurvePoint {
  double x = 0, y = 0;
  double weight = 1;         // in means of neighbours
  arena::Interval interval;  // a whisker where it is known
};

struct Curve {
  std::string name;  // in the key and when the pointer rests; may be empty with one curve
  int colour = 0;    // 0..7 of the style sheet
  std::vector<CurvePoint> points;
};

struct CurvePlot {
  std::string title, x_axis, y_axis;
  std::vector<Curve> curves;
  std::optional<double> level;  // a dashed line
  std::string level_label;
  double scale = 1;              // axis units per unit of y
  std::optional<double> bottom;  // the axis goes down to here at least (in units of y)
  std::optional<double> right;   // where x ends; otherwise at the last point. It begins at 0
  // What else a tick of x says, in a second line below it; empty: nothing.
  std::function<std::string(double x)> below;
  std::string below_axis;    // "minutes"
  bool logarithmic = false;  // y, where all values are above 0 and span more than a factor of 20
  bool smooth = true;
  bool thin = true;  // many points are joined to few
  bool dots = false;
};

// "Nothing to draw yet." for a plot without points.
std::string svg(const CurvePlot& plot);

// What stands inside that picture, of this size in its units; empty for a plot without points.
inline constexpr double kCurveWidth = 560, kCurveHeight = 290;
std::string svg_body(const CurvePlot& plot);

// Points (ascending x) joined to at most `most` by weighted means over equal stretches of x; those
// without weight or whose y is no number are left out.
std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, std::size_t most);

// Each y the weighted mean of its neighbours within a twentieth of the range of x, nearer ones
// counting more.
std::vector<CurvePoint> smoothed(const std::vector<CurvePoint>& points);

// "9,500", "12.5k", "4.2M"; "-" for what is no number.
std::string brief(double number);

}  // namespace polymax::report
