// Pictures of a report as inline SVG: intervals on an axis, and points of two measurements. Colours
// are variables of the page's style sheet (report_html_style.cpp), so pictures follow light and
// dark. Scores are -1..1, axes are in percent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/statistics.hpp"

namespace polymax::report {

// One line of an interval plot. An interval that is not known is left out.
struct IntervalLine {
  std::string label, title;      // title: shown when the pointer rests on it
  arena::Interval inner, outer;  // thick and thin
  std::string value;             // at the right end
  std::optional<double> mark;    // a diamond: the paper's mean
};

struct IntervalPlot {
  std::string axis;  // "mean score (%)"
  std::vector<IntervalLine> lines;
  std::optional<double> level;  // a dashed line
  std::string level_label;
  double scale = 100;   // axis units per unit of the values
  double width = 1100;  // on the page, about; text keeps its size
};
std::string svg(const IntervalPlot& plot);

struct ScatterPoint {
  double x = 0, y = 0;
  int colour = 0;  // 0..7 of the style sheet
  std::string title;
};

// A square with the diagonal x = y.
struct ScatterPlot {
  std::string x_axis, y_axis;
  std::vector<ScatterPoint> points;
};
std::string svg(const ScatterPlot& plot);

// Text for HTML and SVG.
std::string escape_html(const std::string& text);

}  // namespace polymax::report
