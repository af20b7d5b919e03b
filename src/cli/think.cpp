// polymax think: one search of one position, with everything it found.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arena/levels.hpp"
#include "arena/match.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "core/json.hpp"
#include "core/lists.hpp"
#include "protocol/query.hpp"

namespace polymax::cli::think {

namespace {

struct Options {
  std::string game, player, budget = "evals=2000";
  std::vector<std::string> moves;
  std::uint64_t seed = 0;
  bool all = false, json = false;

  static Arguments fields() {
    return {
        argument(field("GAME", &Options::game, "game spec, e.g. othello or 'hex3(side=5)'")),
        field("player", &Options::player,
              "player spec, e.g. 'mcts(c=0.5)'; default: unbounded_maxn, with the game's shipped "
              "network where there is one"),
        field("budget", &Options::budget,
              "evals=N, nodes=N, seconds=X, depth=N joined by commas, or solved"),
        field("moves", &Options::moves, "play these moves first"),
        field("seed", &Options::seed, "seed of the search and of the start position"),
        field("all", &Options::all, "all moves, not only the first 10"),
        field("json", &Options::json, "one line of JSON")};
  }
};

constexpr std::size_t kShown = 10;

std::vector<float> seats_of(const Scores& value, int players) {
  return {value.seats.begin(), value.seats.begin() + players};
}

std::string text_of(const Scores& value, int players) {
  std::string out;
  for (const float x : seats_of(value, players)) out += fmt::format("{:>9.4f}", x);
  return out;
}

void print_text(const AnyGame& game, const AnyVerdict& v, std::size_t shown) {
  fmt::print("best {}\nvalue{}\n", v.best, text_of(v.value, game.players()));
  std::size_t width = 4;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, v.children[i].move.size());
  fmt::print("{:<{}} {:>10}  value of every seat\n", "move", width, "visits");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& child = v.children[i];
    fmt::print("{:<{}} {:>10} {}{}{}\n", child.move, width, child.visits, child.bound ? "<=" : "  ",
               text_of(child.value, game.players()), child.resolved ? "  resolved" : "");
  }
  if (shown < v.children.size()) fmt::print("and {} more (--all)\n", v.children.size() - shown);
  fmt::print("pv {}\n", joined(v.pv, " "));
  const std::string proven = proof_text(v);
  fmt::print("evaluations {}, nodes {}, depth {}, {:.3f} s, {:.2f} MiB{}{}\n", v.cost.evaluations,
             v.cost.nodes, v.cost.depth, v.cost.seconds,
             static_cast<double>(v.cost.bytes) / (1 << 20), proven.empty() ? "" : ", ", proven);
}

void print_json(const AnyGame& game, const AnyPlayer& player, const AnyVerdict& v,
                std::size_t shown) {
  Json out{{"game", game.spec()}, {"player", player.spec()}};
  out.update(protocol::verdict_json(game, v, shown));
  out["bytes"] = v.cost.bytes;
  fmt::print("{}\n", out.dump());
}

int run(const Options& options, const Given& given) {
  const auto game = catalog::open_game(options.game);
  const std::string spec = given.has("player") ? options.player : arena::default_player(*game);
  const auto player = game->player(Spec::parse(spec), options.seed);
  Budget budget = catalog::parse_budget(options.budget);
  arena::check_budget(Spec::parse(spec), budget);
  const auto match = game->start(options.seed);
  for (const auto& move : options.moves) match->play(move);
  if (match->over()) throw Error("the game is over: there is nothing to think about");
  const StopOnSignal signals;
  budget.stop = signals.token();
  AnyVerdict verdict = player->think(*match, budget);
  protocol::sort_children(verdict, match->to_move());
  const std::size_t shown =
      options.all ? verdict.children.size() : std::min(kShown, verdict.children.size());
  options.json ? print_json(*game, *player, verdict, shown) : print_text(*game, verdict, shown);
  if (!signals.signal_name()) return 0;
  tell(fmt::format("polymax: {}: this is the best so far\n", signals.signal_name()));
  return kUnfinished;
}

}  // namespace

Command command() {
  return cli::command<Options>("think",
                               "search one position: best move, values, principal variation, cost",
                               "Example: polymax think hex --player 'mcts(eval=playouts)' --budget "
                               "evals=20000 --moves f6,e7",
                               run);
}

}  // namespace polymax::cli::think
