// The file of a study, study.json: what is to be played. Comments are allowed; an unknown, missing
// or wrong key is an error with its line. docs/reference/studies.md describes the
// keys.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace polymax::arena {

struct StudyFile {
  struct Game {
    std::string name, spec;
    std::string path;  // key in the file, for complaints
  };
  struct Player {
    std::string name, spec;          // $f in the spec: the evaluator of the match
    std::vector<std::string> games;  // names of the games it plays; empty: all
    std::string budget;              // of its moves; empty: that of the study
    std::string path;
  };
  // The evaluators f_0 .. f_{n-1} of a game: network files, or an evaluator spec with $i for the
  // number.
  struct Functions {
    std::vector<std::string>
        files;             // or one pattern with a * in its last part; $game: the game's name
    std::string settings;  // of network(...), e.g. engine=torch,device=cuda
    std::string evaluator;
    std::string path;
  };

  std::string title, budget;
  std::vector<Game> games;
  std::vector<Player> players;
  Player benchmark;
  std::map<std::string, Functions> functions_of;  // by the name of the game
  int functions = 1;  // of every game; 0: "all", as many as every game has files for
  int repetitions = 1, opening = 0;
  std::uint64_t seed = 0;
  std::string canonical;  // the file as JSON without comments and title: two files with the same
                          // plan have the same
};

// name: for complaints. Checks all that can be checked without opening games and networks.
StudyFile parse_study(const std::string& name, const std::string& text);

// Throws an Error about a key of the file: name, line, key, message.
[[noreturn]] void fail_in_study(const std::string& name, const std::string& text,
                                const std::string& path, const std::string& message);

}  // namespace polymax::arena
