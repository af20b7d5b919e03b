// GTP, version 2: the command loop of `polymax engine --gtp`, without a process around it. One
// answer for every command, thinking included. Colours and moves are those of the game's dialect;
// Blokus follows Pentobi. docs/protocol.md lists the commands.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"
#include "core/drawing.hpp"
#include "protocol/dialect.hpp"
#include "protocol/thinker.hpp"
#include "protocol/ugi.hpp"

namespace polymax::protocol {

class GtpLoop {
 public:
  using Draw = std::function<std::string(const Drawing&)>;

  // Throws Error for a bad player or budget. draw: a board as text, for showboard.
  GtpLoop(const std::string& game, const EngineSettings& settings, Sink sink, Draw draw);

  // False after `quit`. Never throws for what a line says: that is an answer with '?'.
  bool obey(std::string_view line);

 private:
  using Words = std::vector<std::string>;
  struct Command {
    const char* name;
    std::string (GtpLoop::*run)(const Words& words);
  };
  static const std::vector<Command>& commands();

  void answer(char sign, const std::string& id, const std::string& text);
  std::string run(const Words& words);

  std::string protocol_version(const Words&);
  std::string name(const Words&);
  std::string version(const Words&);
  std::string known_command(const Words& words);
  std::string list_commands(const Words&);
  std::string nothing(const Words&);
  std::string set_game(const Words& words);
  std::string board_size(const Words& words);
  std::string clear_board(const Words&);
  std::string play(const Words& words);
  std::string p(const Words& words);
  std::string genmove(const Words& words);
  std::string reg_genmove(const Words& words);
  std::string g(const Words&);
  std::string undo(const Words&);
  std::string final_score(const Words&);
  std::string show_board(const Words&);
  std::string all_legal(const Words& words);
  std::string cputime(const Words&);
  std::string time_settings(const Words& words);
  std::string time_left(const Words& words);
  std::string set_random_seed(const Words& words);
  std::string budget(const Words& words);

  void open(std::unique_ptr<const AnyGame> game);
  int seat(const Words& words, std::size_t i) const;
  bool passed_over(int seat) const;
  void must_be_to_move(int seat) const;
  void play_turn(const std::vector<std::string>& turn);
  void take_back();
  std::vector<std::string> choose();  // plays it too
  std::string generate(int seat);

  EngineSettings settings_;
  Sink sink_;
  Draw draw_;
  std::unique_ptr<const AnyGame> game_;
  std::unique_ptr<const Dialect> dialect_;
  Budget budget_;
  Thinker thinker_;
  std::unique_ptr<AnyMatch> match_;
  std::vector<int> turns_;  // our moves of every GTP move; 0 for a pass
  int last_mover_ = -1;
};

}  // namespace polymax::protocol
