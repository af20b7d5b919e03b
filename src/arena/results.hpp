// The results of a study without its moves, in one text file that is small enough to be published:
// DIR/results.csv. What is in it was played: `study run` does not play it again, status and reports
// count it. Matches of shards come before it.
//   # polymax results 1
//   # study {...}                what its matches must agree on (Study::identity)
//   # computed cpu avx2          what computed the values of networks; none or several lines
//   k,length,result,points,moves,evaluations,error     and with budgets in seconds
//   17,84,WLLL,61 55 40 38,21 21 21 21,10500 ...,      seconds,overrun before the error
//   # sum 0123456789abcdef       of all before it
// Numbers are one for each seat, separated by spaces; no points: they are not known. The result is
// a letter for each seat: W, D, L, or F for one that forfeited the match, whose reason then stands
// where the error of a failed match does.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "arena/study_rows.hpp"

namespace polymax::arena {

class Study;

struct Results {
  // Of the schedule a row holds nothing but k; 0 seats: the match failed.
  struct Match {
    StudyRow row;
    std::size_t seats = 0;
  };
  std::string identity;
  std::set<std::string> computed;
  bool timed = false;
  std::vector<Match> matches;  // by k
};

std::string results_text(const Results& results);

// Throws Error with the line.
Results read_results_text(std::string_view text);

std::string results_file(const std::string& folder);

// What the study's folder has: by k, each with its game, player, networks and seat; nothing where
// there is no file. Throws Error when it is of another study, with the differences.
struct Published {
  std::vector<StudyRow> rows;
  std::set<std::string> computed;
};
Published published_results(const Study& study);

// Writes the folder's file: all matches that are known. Returns how many.
std::size_t publish_results(const Study& study);

}  // namespace polymax::arena
