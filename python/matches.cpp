// Matches and tournaments, as `polymax match` plays them: the same seeds give the same games.
#include <string>
#include <vector>

#include "arena/parallel.hpp"
#include "arena/record.hpp"
#include "arena/tournament.hpp"
#include "arena/tournament_figures.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "python/common.hpp"
#include "python/player.hpp"

namespace polymax::python {

namespace {

struct Asked {
  std::shared_ptr<Game> game;
  std::vector<py::object> keep;  // players that own evaluators
  arena::TournamentSettings settings;
  std::vector<std::string> budgets;  // of every player
};

py::list as_list(const py::object& given) {
  return py::isinstance<py::str>(given) || py::isinstance<Player>(given)
             ? py::list(py::make_tuple(given))
             : py::list(given);
}

// players: specs or Player objects; budget: a text for all, or one for each.
Asked asked(const py::object& game, const py::object& players, const py::object& budget) {
  Asked out;
  out.game =
      py::isinstance<Game>(game) ? game.cast<std::shared_ptr<Game>>() : game_of(game, py::none());
  out.settings.game = out.game->game.get();
  for (const py::handle given : as_list(players)) {
    if (!py::isinstance<Player>(given)) {
      out.settings.players.push_back(Spec::parse(std::string(py::str(given))));
      continue;
    }
    out.keep.push_back(py::reinterpret_borrow<py::object>(given));
    out.settings.players.push_back(given.cast<const Player&>().spec_for(*out.game));
  }
  if (budget.is_none() || py::isinstance<py::str>(budget)) {
    const std::string preset = "evals=1000";
    out.settings.budgets = {budget_of(budget, preset)};
    out.budgets.assign(out.settings.players.size(),
                       budget.is_none() ? preset : std::string(py::str(budget)));
    return out;
  }
  for (const py::handle one : budget) {
    out.budgets.emplace_back(py::str(one));
    out.settings.budgets.push_back(catalog::parse_budget(out.budgets.back()));
  }
  return out;
}

py::object loaded(const std::string& json) {
  return py::module_::import("json").attr("loads")(json);
}

py::object tournament(const py::object& game, const py::object& players, Natural games,
                      const py::object& budget, bool against, bool rotate, int opening,
                      Natural seed, int threads, bool share_cores, const py::object& on_match) {
  Asked what = asked(game, players, budget);
  what.settings.against = against;
  what.settings.rotate = rotate;
  what.settings.starts = games;
  what.settings.opening = opening;
  what.settings.seed = seed;
  if (games == 0) throw Error("games is at least 1");
  const arena::MatchLoad load = arena::load_of(what.settings);
  what.settings.threads = threads > 0 ? threads : arena::default_matches(load);
  if (!share_cores) arena::check_threads(what.settings.threads, load.timed);
  Callback watcher(on_match, "on_match");
  arena::TournamentResult result;
  without_gil([&](const std::stop_token& stop) {
    result = arena::tournament(
        what.settings,
        [&](std::uint64_t, const arena::MatchRecord& record, const arena::TournamentResult&) {
          return !watcher || watcher([&] { return loaded(arena::record_line(record)); });
        },
        stop);
  });
  watcher.rethrow();
  return loaded(arena::tournament_json(what.settings, result, what.budgets).dump());
}

py::object match(const py::object& game, const py::object& players, const py::object& budget,
                 int opening, Natural seed) {
  Asked what = asked(game, players, budget);
  what.settings.opening = opening;
  what.settings.seed = seed;
  arena::MatchRecord out;
  without_gil([&](const std::stop_token& stop) {
    arena::tournament(
        what.settings,
        [&](std::uint64_t, const arena::MatchRecord& record, const arena::TournamentResult&) {
          out = record;
          return true;
        },
        stop);
  });
  if (!out.error.empty()) throw Error(out.error, Error::Kind::failed);
  return loaded(arena::record_line(out));
}

}  // namespace

void bind_matches(py::module_& module) {
  module.def("match", match, py::arg("game"), py::arg("players"), py::kw_only(),
             py::arg("budget") = py::none(), py::arg("opening") = 0, py::arg("seed") = 0,
             R"doc(One match, as its record: a player for each seat, as specs or Player objects.

>>> record = polymax.match("tictactoe", ["unbounded_maxn", "random"], budget="evals=100")
>>> len(record["gain"])
2
)doc");
  module.def(
      "tournament", tournament, py::arg("game"), py::arg("players"), py::kw_only(),
      py::arg("games") = 10, py::arg("budget") = py::none(), py::arg("against") = false,
      py::arg("rotate") = false, py::arg("opening") = 0, py::arg("seed") = 0,
      py::arg("threads") = 0, py::arg("share_cores") = false, py::arg("on_match") = py::none(),
      R"doc(Players against each other: the same matches as `polymax match` with these options.

The result is what `polymax match --json` prints. threads: matches at once; by default one for each
core, 512 to 2048 with networks on a GPU. share_cores allows more of them than cores with a budget in
seconds. on_match(record) is called after every match, in order; when it returns False the rest is
left out.

>>> result = polymax.tournament("tictactoe", ["greedy", "random"], games=4, rotate=True)
>>> result["played"], [p["results"] for p in result["players"]]
(8, [8, 8])
)doc");
}

}  // namespace polymax::python
