// The pieces of the HTML report: each section is a function from the figures to HTML. Page, tile
// and text also serve the page of a run of learning (training_page.cpp).
#pragma once

#include <string>
#include <string_view>

#include "report/report_parts.hpp"

namespace polymax::report {

extern const std::string_view kStyle;

namespace html {

// With true minus signs before digits; `text` also escapes.
std::string minus(const std::string& plain);
std::string text(const std::string& plain);
// A cell's class and strength of colour: how far a score lies above or below parity, `most` = full
// colour.
std::string shade(double score, double parity, double most);
// A whole page with the style sheet; `body` is HTML.
std::string page(const std::string& title, const std::string& body);
enum class Tone { plain, bad };
// One figure on top of a page.
std::string tile(const std::string& value, const std::string& what, Tone tone = Tone::plain);

std::string means(const Figures& figures);
std::string paper_rows(const Figures& figures);
std::string budgets(const Figures& figures);
std::string differences(const Figures& figures);
std::string heat_map(const Figures& figures);
std::string games(const Figures& figures);
std::string seats(const Figures& figures);
std::string ratings(const Figures& figures);
std::string paper(const Figures& figures);
std::string use(const Figures& figures);
std::string failures(const Figures& figures);
std::string forfeits(const Figures& figures);
std::string records(const Figures& figures);
std::string notes(const Figures& figures);

}  // namespace html
}  // namespace polymax::report
