// Game and State: games of the catalog or written in Python, and positions as values.
#include <pybind11/numpy.h>

#include <algorithm>

#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "python/common.hpp"
#include "python/rules.hpp"
#include "report/board_svg.hpp"
#include "report/board_text.hpp"

namespace polymax::python {

namespace {

using GamePtr = std::shared_ptr<Game>;

State start(const GamePtr& game, Natural seed) {
  return {game, game->game->start(seed), seed};
}

State play(const State& state, const std::string& move) {
  std::unique_ptr<AnyMatch> next = state.match->clone();
  next->play(move);
  return {state.game, std::move(next), state.seed};
}

void must_have_actions(const State& state) {
  if (state.game->game->move_planes() == 0)
    throw Error("the game '" + state.game->game->name() + "' does not say where its moves lie");
}

std::vector<std::uint32_t> actions(const State& state) {
  must_have_actions(state);
  return state.match->over() ? std::vector<std::uint32_t>{} : state.match->legal_places();
}

State play_action(const State& state, std::uint32_t action) {
  must_have_actions(state);
  std::unique_ptr<AnyMatch> next = state.match->clone();
  if (!next->play_at(action))
    throw Error(std::to_string(action) + " is no legal action here: actions() tells them");
  return {state.game, std::move(next), state.seed};
}

State play_all(State state, const std::vector<std::string>& moves) {
  if (moves.empty()) return state;
  std::unique_ptr<AnyMatch> next = state.match->clone();
  for (const auto& move : moves) next->play(move);
  return {state.game, std::move(next), state.seed};
}

py::tuple pickled(const State& state) {
  return py::make_tuple(std::const_pointer_cast<Game>(state.game), state.seed,
                        state.match->history());
}

State unpickled(const py::tuple& parts) {
  return play_all(start(parts[0].cast<GamePtr>(), {parts[1].cast<std::uint64_t>()}),
                  parts[2].cast<std::vector<std::string>>());
}

State undo(const State& state) {
  std::unique_ptr<AnyMatch> before = state.match->clone();
  if (!before->undo()) throw Error("this is the start: there is no move to take back");
  return {state.game, std::move(before), state.seed};
}

// Scores that only a finished game has.
template <Scores (AnyMatch::*kScores)() const>
std::vector<float> at_the_end(const State& state) {
  if (!state.match->over()) throw Error("the game is not over: it has no result yet");
  return seats_of((*state.match.*kScores)(), state.game->game->players());
}

py::array_t<float> planes(const State& state) {
  if (!state.game->has_planes)
    throw Error("the game '" + state.game->game->name() + "' has no planes for networks");
  const PlaneShape shape = *state.game->game->planes();
  const std::vector<std::uint64_t> bits = state.match->planes();
  py::array_t<float> out({shape.planes, shape.height, shape.width});
  unpack_planes(bits, shape, out.mutable_data());
  return out;
}

std::string text_of(const State& state) {
  std::string out = board_text(state.match->draw(), Colours::none);
  out += state.match->over() ? "the game is over"
                             : "seat " + std::to_string(state.match->to_move() + 1) + " to move";
  return out;
}

std::string repr_of(const State& state) {
  const auto moves = state.match->history().size();
  std::string out = "<polymax.State " + state.game->game->spec() + " after " +
                    std::to_string(moves) + (moves == 1 ? " move" : " moves");
  return out + (state.match->over()
                    ? ", over>"
                    : ", seat " + std::to_string(state.match->to_move() + 1) + " to move>");
}

py::dict random_play(const GamePtr& game, Natural games, Natural seed) {
  if (games == 0) throw Error("games is at least 1");
  RandomPlay played;
  without_gil([&](const std::stop_token& stop) {
    // Ctrl-C is heard between two games
    played = game->game->random_play(seed, {.games = games, .stop = stop});
  });
  const int players = game->game->players();
  py::dict out;
  out["games"] = played.games;
  out["moves"] = played.moves;
  out["choices"] = played.choices;
  out["shortest"] = played.shortest;
  out["longest"] = played.longest;
  out["most_choices"] = played.most_choices;
  out["wins"] = std::vector<double>(played.wins.begin(), played.wins.begin() + players);
  out["draws"] = played.draws;
  out["cpu_seconds"] = played.cpu_seconds;
  return out;
}

std::vector<std::string> names(const std::vector<Entry>& entries) {
  std::vector<std::string> out;
  for (const auto& entry : entries) out.push_back(entry.name);
  return out;
}

py::object points_name(const Game& game) {
  return py::str(std::string(kPointsNames[static_cast<std::size_t>(game.game->points())]));
}

py::object plane_shape(const Game& game) {
  if (!game.has_planes) return py::none();
  const PlaneShape shape = *game.game->planes();
  return py::make_tuple(shape.planes, shape.height, shape.width);
}

int num_actions(const Game& game) {
  const int planes = game.game->move_planes();
  return planes == 0 ? 0 : planes * game.game->planes()->cells();
}

bool same(const State& a, const State& b) {
  return a.game->game->spec() == b.game->game->spec() && a.match->hash() == b.match->hash() &&
         a.match->over() == b.match->over();
}

std::string svg(const State& state, double cell) {
  if (!(cell > 0) || cell > 10000) throw Error("cell is a number of pixels, 10000 at most");
  return board_svg(state.match->draw(), cell);
}

void bind_game(py::module_& module) {
  py::class_<Game, GamePtr>(
      module, "Game",
      R"doc(A game: a spec of the catalog, or an object with rules written in Python.

>>> import polymax
>>> game = polymax.Game("hex3(side=5)")
>>> game.players, game.spec
(3, 'hex3(side=5)')
)doc")
      .def(py::init([](const py::object& spec, const py::object& points) {
             return game_of(spec, points);
           }),
           py::arg("spec"), py::kw_only(), py::arg("points") = py::none())
      .def_property_readonly(
          "spec", [](const Game& g) { return g.game->spec(); },
          "Canonical text: settings at their defaults are left out.")
      .def_property_readonly("name", [](const Game& g) { return g.game->name(); })
      .def_property_readonly("title",
                             [](const Game& g) { return std::string(g.game->about().title); })
      .def_property_readonly("players", [](const Game& g) { return g.game->players(); })
      .def_property_readonly("points", points_name,
                             "What a finished game is worth to searches: score, depth or gain.")
      .def_property_readonly("max_length", [](const Game& g) { return g.game->max_length(); })
      .def_property_readonly("planes_shape", plane_shape,
                             "(planes, height, width) of the input of networks; None without.")
      .def_property_readonly("num_actions", num_actions,
                             "Numbers of State.actions() are below this; 0: the game has none.")
      .def_property_readonly(
          "rules", [](const Game& g) { return g.object; },
          "The object with the rules, for a game written in Python.")
      .def("start", start, py::arg("seed") = 0, R"doc(The start position.

>>> polymax.Game("tictactoe").start().to_move
0
)doc")
      .def("random_play", random_play, py::arg("games") = 1, py::arg("seed") = 0,
           R"doc(Statistics of uniformly random games, played in C++.

>>> polymax.Game("othello").random_play(games=10)["games"]
10
)doc")
      .def("__repr__", [](const Game& g) { return "polymax.Game('" + g.game->spec() + "')"; })
      .def(
          "__eq__",
          [](const Game& a, const Game& b) {
            return a.game->spec() == b.game->spec() && a.object.is(b.object);
          },
          py::is_operator())
      .def("__hash__", [](const Game& g) { return py::hash(py::str(g.game->spec())); })
      .def(py::pickle(
          [](const Game& g) {
            return g.object.is_none() ? py::make_tuple(g.game->spec(), py::none())
                                      : py::make_tuple(g.object, points_name(g));
          },
          [](const py::tuple& t) { return game_of(t[0], t[1]); }));
}

void bind_state(py::module_& module) {
  py::class_<State>(module, "State",
                    R"doc(A position and the moves that led to it: a value, never changed.

>>> state = polymax.Game("tictactoe").start()
>>> after = state.play("b2")
>>> len(state.moves()), len(after.moves()), after.history
(9, 8, ['b2'])
)doc")
      .def_property_readonly("game",
                             [](const State& s) { return std::const_pointer_cast<Game>(s.game); })
      .def_property_readonly(
          "to_move", [](const State& s) { return s.match->to_move(); },
          "The seat whose turn it is, counted from 0.")
      .def_property_readonly("over", [](const State& s) { return s.match->over(); })
      .def_property_readonly("score", at_the_end<&AnyMatch::score>,
                             "Of every seat, in the game's own units; ValueError before the end.")
      .def_property_readonly("gain", at_the_end<&AnyMatch::gain>,
                             "Of every seat: 1 won, 0 drawn, -1 lost; ValueError before the end.")
      .def_property_readonly("points", at_the_end<&AnyMatch::points>,
                             "Of every seat: what searches play for; ValueError before the end.")
      .def_property_readonly(
          "hash", [](const State& s) { return s.match->hash(); },
          "64 bits; the same for equal positions, in every process.")
      .def_property_readonly("history", [](const State& s) { return s.match->history(); })
      .def_property_readonly("seed", [](const State& s) { return s.seed; })
      .def(
          "moves",
          [](const State& s) {
            return s.match->over() ? std::vector<std::string>{} : s.match->legal();
          },
          "The legal moves, in the game's order; none when it is over.")
      .def("actions", actions,
           "The legal moves as numbers below game.num_actions, in the order of moves(): where each "
           "lies for networks. ValueError when the game does not say.")
      .def("play_action", play_action, py::arg("action"), "The position after one of actions().")
      .def("play", play, py::arg("move"),
           "The position after a move, given as text: whole, or the beginning of just one.")
      .def("play_all", play_all, py::arg("moves"), "The position after several moves.")
      .def("undo", undo, "The position before the last move.")
      .def("planes", planes, R"doc(What networks see, as an array of 0 and 1 (float32).

>>> polymax.Game("othello").start().planes().shape == polymax.Game("othello").planes_shape
True
)doc")
      .def("svg", svg, py::arg("cell") = 28,
           "The picture that notebooks show; cell: pixels of a cell.")
      .def("_repr_svg_", [](const State& s) { return board_svg(s.match->draw()); })
      .def("__str__", text_of)
      .def("__repr__", repr_of)
      .def("__eq__", same, py::is_operator())
      .def("__hash__", [](const State& s) { return py::hash(py::int_(s.match->hash())); })
      .def("__copy__", [](const State& s) { return s; })
      .def("__deepcopy__", [](const State& s, const py::dict&) { return s; })
      .def(py::pickle([](const State& s) { return pickled(s); },
                      [](const py::tuple& parts) { return unpickled(parts); }));
}

}  // namespace

void bind_games(py::module_& module) {
  bind_game(module);
  bind_state(module);
  module.def(
      "games",
      [] {
        std::vector<std::string> out;
        for (const auto& game : catalog::games()) out.push_back(game.entry.name);
        return out;
      },
      R"doc(Names of all games.

>>> len(polymax.games()) >= 12
True
)doc");
  module.def(
      "searches", [] { return names(catalog::searches()); }, "Names of all searches.");
  module.def(
      "evaluators", [] { return names(catalog::evaluators()); }, "Names of all evaluators.");
}

std::shared_ptr<Game> game_of(const py::object& given, const py::object& points) {
  auto out = std::make_shared<Game>();
  out->object = py::none();
  if (!py::isinstance<py::str>(given)) {
    out->object = given;
    out->game = open_rules(given, points);
    out->has_planes = rules_have_planes(given);
    return out;
  }
  Spec spec = Spec::parse(std::string(py::str(given)));
  if (!points.is_none()) {
    take_argument(spec, "points");
    spec.arguments.push_back({"points", 0, Spec::parse(std::string(py::str(points)))});
  }
  out->game = catalog::open_game(spec);
  out->has_planes = out->game->planes().has_value();
  return out;
}

}  // namespace polymax::python
