// The paper's published numbers (studies/paper.json) and a study beside them. Games match by the
// name of their spec, players by name or title; letters and digits alone count ("Max^n" is maxn,
// "BRS+" is brsplus). Scores are -1..1.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arena/analysis.hpp"

namespace polymax::arena {

class Study;

struct Paper {
  struct Game {
    std::string name, title;
    double matches = 0;  // of one player
    bool brs = false;    // BRS can play it
    std::string spec;    // ours, of the board and the rules that it was played with
    int channels = 0;    // of its networks; 0: not said
  };
  struct Player {
    std::string name, title, latex;
    bool batching = true;  // child batching
  };
  struct Score {
    double mean = 0, radius = 0;
  };
  struct Experiment {
    std::string name;
    double seconds = 0;
    std::map<std::string, std::map<std::string, Score>> scores;  // player, game
    std::map<std::string, Interval> means;  // over all games, of the players printed
  };
  std::string title, source;
  int functions = 0;  // networks a game
  std::vector<std::string> corrections;
  std::vector<Game> games;
  std::vector<Player> players;
  std::vector<Experiment> experiments;

  const Game* find_game(const std::string& spec) const;      // nullptr: not in the paper
  const Player* find_player(const std::string& name) const;  // likewise
};

// Throws Error (failed) that names the file and what is wrong in it.
Paper read_paper(const std::string& path);

// Where they lie for this study: paper.json beside its folder, or the file that ships; empty where
// neither is there.
std::string paper_file(const Study& study);

// A study beside one of the paper's experiments, where games and players match.
struct Comparison {
  struct Cell {
    int player = 0, game = 0;
    Interval own;
    Paper::Score paper;
  };
  struct Row {  // over the games in common, pooled over matches
    int player = 0;
    int games = 0;
    double own = 0, paper = 0;
    Interval printed;  // the paper's own mean, where all its games are in common
  };
  struct Agreement {
    int players = 0;
    double spearman = 0, kendall = 0;  // NaN where there is nothing to say
  };
  const Paper::Experiment* experiment = nullptr;
  std::vector<int> games;          // of the study, that the paper has
  std::vector<Cell> cells;         // by player, then game
  std::vector<Row> rows;           // by player
  std::vector<Agreement> by_game;  // as `games`
  Agreement pooled;                // of the players with all games in common
  bool other_boards = false;       // some game has settings of its own
};

// One comparison per experiment of the paper; none where nothing matches. The paper must outlive
// them.
std::vector<Comparison> compare(const StudyTable& table, const Analysis& analysis,
                                const Paper& paper);

// The experiment whose seconds are the study's budget, else the first. There is at least one.
const Comparison& closest(const std::vector<Comparison>& comparisons, const StudyTable& table);

}  // namespace polymax::arena
