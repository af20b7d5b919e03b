// What the writers of a report share: the figures, and how numbers, names and tables are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/analysis.hpp"
#include "arena/paper.hpp"
#include "arena/paper_tables.hpp"
#include "core/grouped.hpp"
#include "report/report.hpp"

namespace polymax::report {

// Everything a writer may read.
struct Figures {
  const arena::StudyTable& table;
  ReportSettings settings;
  arena::Analysis analysis;
  arena::Paper paper;                           // empty without a paper file
  std::vector<arena::Comparison> comparisons;   // of experiments of the paper; may be empty
  std::vector<arena::PaperTable> paper_tables;  // the rows that the paper prints; may be empty
  std::vector<arena::BudgetRow> budgets;        // beside another study; may be empty

  const std::string& player(int p) const { return table.players[static_cast<std::size_t>(p)].name; }
  const std::string& game(int g) const { return table.games[static_cast<std::size_t>(g)].name; }
  // The game with its size: its spec, or the study's name for it where that is another.
  std::string label(int g) const;
  // What equal players score in a game: the benchmark's own row where it is evaluated, else parity.
  double level(int g) const;
  bool measured_level(int g) const;  // the former
  const arena::CellResult& cell(int p, int g) const {
    return analysis.cells[static_cast<std::size_t>(p)][static_cast<std::size_t>(g)];
  }
  int players() const { return static_cast<int>(table.players.size()); }
  int games() const { return static_cast<int>(table.games.size()); }
  // What differs from the paper's study, a line each; empty without its numbers or a game of it.
  std::vector<std::string> unlike_paper() const;
  // "648 of 648 matches (3 failed, 1 forfeited), 216 of 216 blocks whole"
  std::string progress() const;
  // Matches whose random opening ended early: its next move would have ended the match.
  std::size_t short_openings() const;
  std::string pool_title(const arena::Pool& pool) const;  // "all games" or their names
  // Players, best pooled mean first, those without one behind in the study's order.
  std::vector<int> order() const;
};

std::string to_markdown(const Figures& figures);
std::string to_text(const Figures& figures);
std::string to_latex(const Figures& figures);
std::string to_csv(const Figures& figures);
std::string to_json(const Figures& figures);
std::string to_html(const Figures& figures);

// What a reader must know who has the paper beside; empty when nothing differs.
std::string banner_text(const Figures& figures);
// Of matches that the random opening nearly ended; empty when there are none.
std::string openings_text(const Figures& figures);
// Of the study, and of those that have another: "evals=20 (maxn evals=7)".
std::string budget_text(const Figures& figures);
// The study's file and seed, the commit of this program, what computed the values.
std::string origin_text(const Figures& figures);

// 100 x score, "-16.5"; never "-0.0".
std::string percent(double score, int digits = 1);
// "[-17.4, -15.5]", or "not known".
std::string bounds(const arena::Interval& interval, int digits = 1);
// "-16.5 ± 0.9": the mean with its radius, where it is known.
std::string mean_text(const arena::Interval& interval, int digits = 1);
// A place, or "-" for 0: not known.
std::string rank_text(int rank);
// A rank correlation "0.87", or "-" for NaN.
std::string correlation(double value);
// Any number with some decimals, "-" for NaN, never "-0".
std::string decimal(double value, int digits);
// "+85 ± 12", "no finite value" marked by > or <.
std::string rating_text(const arena::Rating& rating);

// "+3.1 [+1.0, +5.2]".
std::string difference(const arena::Interval& interval);
// Its interval alone, with signs too.
std::string difference_bounds(const arena::Interval& interval);

// Whether the pool has games enough for intervals by games.
bool known_by_games(const arena::Pool& pool);

// What every report says about its intervals.
extern const std::string_view kIntervalNote;
extern const std::string_view kParityNote;
extern const std::string_view kRatingNote;
extern const std::string_view kForfeitNote;

// A table of text: the first column to the left, numbers to the right.
struct TextTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;

  std::string markdown() const;
  std::string plain() const;
};

}  // namespace polymax::report
