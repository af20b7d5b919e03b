// polymax play: people and engines in any seats, in the terminal.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arena/record.hpp"
#include "catalog/catalog.hpp"
#include "cli/board.hpp"
#include "cli/command.hpp"
#include "cli/words.hpp"
#include "core/file.hpp"
#include "core/rng.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string game, players, budget = "seconds=1", load, save;
  std::vector<std::string> moves;
  std::uint64_t seed = 0;
  bool json = false;
};

constexpr const char* kHelp =
    "Type a move as it is named (its beginning is enough when only one move begins so), or:\n"
    "  moves      all legal moves\n"
    "  hint       what the engine would play here\n"
    "  undo       take back your last move and what followed\n"
    "  board      draw the board again\n"
    "  save FILE  write the game; polymax play --load FILE goes on with it\n"
    "  help       this text\n"
    "  quit       stop\n";

// One spec for each seat: one given spec stands for all; none means a person against engines.
std::vector<std::string> seat_specs(const std::string& text, int players) {
  if (text.empty()) {
    std::vector<std::string> out(static_cast<std::size_t>(players), "greedy");
    out[0] = "human";
    return out;
  }
  auto out = split(text, ';');
  if (out.size() == 1) out.resize(static_cast<std::size_t>(players), out[0]);
  if (out.size() != static_cast<std::size_t>(players))
    throw Error(fmt::format(
        "--players names {} players, the game has {} seats: give one for each, joined by ';'",
        out.size(), players));
  return out;
}

class Session {
 public:
  Session(const Options& options, arena::MatchRecord saved)
      : saved_(std::move(saved)),
        game_(catalog::open_game(saved_.game)),
        match_(game_->start(saved_.start)),
        budget_(catalog::parse_budget(options.budget)),
        colour_(colour_wanted()),
        json_(options.json) {
    saved_.game = game_->spec();
    saved_.players =
        seat_specs(saved_.players.empty() ? "" : join(saved_.players), game_->players());
    for (std::size_t seat = 0; seat < saved_.players.size(); ++seat) {
      engines_.push_back(nullptr);
      if (saved_.players[seat] == "human") continue;
      engines_[seat] = game_->player(Spec::parse(saved_.players[seat]), mix64(saved_.start + seat));
      saved_.players[seat] = engines_[seat]->spec();
    }
    for (const auto& move : saved_.moves) match_->play(move.move);
  }

  // Until the game is over or the person quits.
  void run() {
    const bool people = std::ranges::any_of(engines_, [](const auto& engine) { return !engine; });
    if (people && !json_) fmt::print("{}\n{}", game_->about().title, kHelp);
    while (!match_->over() && !quit_) {
      const auto seat = static_cast<std::size_t>(match_->to_move());
      if (engines_[seat])
        engine_turn(*engines_[seat], !people);
      else
        person_turn();
    }
  }

  void finish(const std::string& save) {
    if (!save.empty()) write_file(save, text_for(save));
    if (json_) return fmt::print("{}", text_for(""));
    show();
    if (!match_->over()) return fmt::print("stopped after {} moves\n", match_->history().size());
    const Scores score = match_->score(), gain = match_->gain();
    fmt::print("game over after {} moves\n", match_->history().size());
    for (int p = 0; p < game_->players(); ++p)
      fmt::print("{}  {:<24} score {:<6g} {}\n", seat_text(p, colour_),
                 saved_.players[static_cast<std::size_t>(p)], score[p],
                 gain[p] > 0   ? "wins"
                 : gain[p] < 0 ? "loses"
                               : "draws");
  }

 private:
  static std::string join(const std::vector<std::string>& specs) {
    std::string out;
    for (std::size_t i = 0; i < specs.size(); ++i) out += (i == 0 ? "" : ";") + specs[i];
    return out;
  }

  // The game as it stands; the name of the file says in which format.
  std::string text_for(const std::string& file) const {
    return arena::records_text({arena::record_of(*game_, saved_.start, saved_.players, *match_)},
                               file);
  }

  void show() const { fmt::print("\n{}", board_text(match_->draw(), colour_)); }

  void engine_turn(AnyPlayer& engine, bool alone) {
    const int seat = match_->to_move();
    const AnyVerdict verdict = engine.think(*match_, budget_);
    match_->play(verdict.best);
    if (!json_)
      fmt::print("{} plays {}{}", seat_text(seat, colour_), verdict.best, alone ? "\n" : "\n\n");
  }

  void person_turn() {
    if (!json_) {
      show();
      fmt::print("{} to move> ", seat_text(match_->to_move(), colour_));
      std::fflush(stdout);
    }
    std::string line;
    if (!std::getline(std::cin, line)) {
      quit_ = true;
      return;
    }
    try {
      obey(split(line, ' '));
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
  }

  void obey(std::vector<std::string> words) {
    std::erase(words, "");
    if (words.empty()) return;
    if (words[0] == "quit") {
      quit_ = true;
    } else if (words[0] == "help") {
      fmt::print("{}", kHelp);
    } else if (words[0] == "board") {
      return;  // drawn before every prompt
    } else if (words[0] == "moves") {
      for (const auto& move : match_->legal()) fmt::print("{} ", move);
      fmt::print("\n");
    } else if (words[0] == "hint") {
      hint();
    } else if (words[0] == "undo") {
      undo();
    } else if (words[0] == "save") {
      if (words.size() != 2) throw Error("save needs the name of a file: save FILE");
      write_file(words[1], text_for(words[1]));
      fmt::print("saved in {}\n", words[1]);
    } else {
      if (words.size() != 1) throw Error("one move or command a line; 'help' lists the commands");
      match_->play(words[0]);
    }
  }

  void hint() {
    if (!hinter_) hinter_ = game_->player(Spec::parse("greedy"), saved_.start);
    const AnyVerdict verdict = hinter_->think(*match_, budget_);
    fmt::print("{} ({})\n", verdict.best, hinter_->spec());
  }

  // Back to the last position in which a person was to move.
  void undo() {
    if (!match_->undo()) throw Error("nothing to undo");
    while (engines_[static_cast<std::size_t>(match_->to_move())] && match_->undo()) {
    }
  }

  arena::MatchRecord saved_;
  std::unique_ptr<const AnyGame> game_;
  std::unique_ptr<AnyMatch> match_;
  Budget budget_;
  bool colour_, json_, quit_ = false;
  std::vector<std::unique_ptr<AnyPlayer>> engines_;  // null = a person
  std::unique_ptr<AnyPlayer> hinter_;
};

void run(const Options& options) {
  arena::MatchRecord saved;
  saved.game = options.game;
  saved.start = options.seed;
  for (const auto& move : options.moves) saved.moves.emplace_back().move = move;
  if (!options.load.empty()) {
    saved = arena::read_records(options.load).at(0);
    if (!options.game.empty()) throw Error("give either GAME or --load, not both");
  } else if (options.game.empty()) {
    throw Error("GAME is required (or --load FILE); polymax list games shows them");
  }
  if (!options.players.empty()) saved.players = split(options.players, ';');
  Session session(options, saved);
  session.run();
  session.finish(options.save);
}

}  // namespace

void add_play(CLI::App& app) {
  auto* command =
      app.add_subcommand("play", "play in the terminal, people and engines in any seats");
  auto options = std::make_shared<Options>();
  command->add_option("GAME", options->game, "game spec, e.g. quadrothello or 'hex3(side=5)'");
  command->add_option("--players", options->players,
                      "a player for each seat joined by ';': human or a search; one stands for all "
                      "(default human;greedy;...)");
  command->add_option("--budget", options->budget, "what an engine may spend on a move")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "seed of the start position and of the engines");
  command->add_option("--moves", options->moves, "play these moves first")->delimiter(',');
  command->add_option("--load", options->load,
                      "go on with a saved game, or the first record of a file");
  command->add_option("--save", options->save,
                      "write the game to this file at the end, as SGF when it ends in .sgf");
  command->add_flag("--json", options->json,
                    "print the finished game as one line of JSON and nothing else");
  command->footer("Example: polymax play quadrothello --players 'human;greedy;random;random'");
  command->callback([options] { run(*options); });
}

}  // namespace polymax::cli
