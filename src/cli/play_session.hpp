// A match between people at the terminal and engines: asks, obeys, draws.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/record.hpp"
#include "catalog/any.hpp"
#include "cli/line_editor.hpp"
#include "cli/terminal.hpp"
#include "core/searcher.hpp"

namespace polymax::cli {

struct PlaySettings {
  std::string level, budget;  // of engines that are not named; of searches
  bool json = false;          // standard output is for the finished record alone
};

class PlaySession {
 public:
  // saved: the game, its seed, the moves so far, players for all seats, one for all, or none, and
  // what they may spend where that is not as the settings say.
  PlaySession(const PlaySettings& settings, arena::MatchRecord saved, std::stop_token stop);

  // Until the game is over, the person quits or a signal comes.
  void run();
  void finish();

  // Whether a file may be written: it is not there, or the person at the terminal says yes. Where
  // nobody can be asked an Error names what would do (`how`). An Error, too, for a name that says
  // no format, or one that cannot hold this game.
  bool may_write(const std::string& file, bool force, const std::string& how);
  void save(const std::string& file);

  // Whether the game ended early with moves that were saved nowhere.
  bool drops_moves() const;

  // Whether there are moves of a match that can go on.
  bool is_underway() const { return !match_->history().empty() && !match_->over(); }
  bool is_over() const { return match_->over(); }

  // A name for this match that no file in the folder has.
  std::string free_name(const std::filesystem::path& folder) const;

  // The terminal went away while the person was to move.
  bool is_hung_up() const { return input_.hung_up(); }

 private:
  struct Engine {
    std::unique_ptr<AnyPlayer> player;  // null: a person
    Budget budget;
  };

  Engine make_engine(const PlaySettings& settings, std::size_t seat);
  std::string text_for(const std::string& file) const;
  std::vector<std::string> last_cells() const;
  std::string title() const;
  void engine_turn(Engine& engine);
  void person_turn();
  bool board_is_new() const { return !drawn_ || seen_ != match_->history().size(); }
  void show();
  void obey(const std::string& line);
  void list_moves(const std::string& cells) const;
  void save_as(const std::string& file, bool force);
  void hint();
  void undo();
  Completion completion(const std::string& typed) const;

  // Where answers to the person go.
  std::FILE* talk() const { return json_ ? stderr : stdout; }

  arena::MatchRecord saved_;
  std::unique_ptr<const AnyGame> game_;
  std::unique_ptr<AnyMatch> match_;
  std::stop_token stop_;
  Colours colours_;
  bool json_, quit_ = false;
  bool drawn_ = false;  // somebody has seen the board as it was after seen_ moves
  std::size_t seen_ = 0;
  std::vector<std::string> kept_;  // moves that a file has, or that came from the command line
  LineEditor input_;
  std::vector<Engine> engines_;
  Engine hinter_;
  int forfeit_ = -1;  // the seat that broke the rules of the match
  std::string reason_;
};

}  // namespace polymax::cli
