// The rows that the paper prints: its tables of means (without child batching; with it over the
// games of BRS; with it over all games), where of every family with a parameter, k-best Max^n and
// the MCTS by their C, the best one stands. And two budgets of one study beside each other, as the
// paper's 10 seconds and 1 second.
#pragma once

#include <string>
#include <vector>

#include "arena/analysis.hpp"
#include "arena/paper.hpp"

namespace polymax::arena {

struct PaperTable {
  struct Row {
    int player = 0;
    std::string family;  // "best k", "best C"; empty: a player without a parameter
    Interval matches, networks;
  };
  std::string title;
  std::vector<int> games;
  std::vector<Row> rows;  // best first
};

// Of the players and games that the paper has; a table without rows is left out.
std::vector<PaperTable> paper_tables(const StudyTable& table, const Analysis& analysis,
                                     const Paper& paper);

struct BudgetRow {
  int player = 0;  // of the first study
  Interval here, beside;
};

// Means over the games that both studies have, of players of the same name with results in all of
// them; in the order of the first study's means.
std::vector<BudgetRow> budgets_beside(const StudyTable& table, const Analysis& analysis,
                                      const StudyTable& other, const Analysis& of_other);

}  // namespace polymax::arena
