// Player and Verdict: a search that thinks about states.
#include "python/player.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

#include "arena/match.hpp"
#include "catalog/catalog.hpp"
#include "catalog/common_keys.hpp"
#include "core/error.hpp"
#include "python/common.hpp"
#include "python/evaluator.hpp"

namespace polymax::python {

namespace {

// A verdict with the number of seats.
struct Found {
  AnyVerdict verdict;
  int players = 0;
};

struct Child {
  AnyVerdict::Child child;
  int players = 0;
};

// Unknown names are complained of before a game is known.
void check_spec(const Spec& spec) {
  std::vector<std::string> known;
  for (const auto& list : {catalog::searches(), catalog::outside_players()})
    for (const auto& search : list) {
      if (search.name == spec.name) return;
      known.push_back(search.name);
    }
  catalog::unknown_name(spec, "search", known);
}

py::list children(const Found& found) {
  py::list out;
  for (const auto& child : found.verdict.children) out.append(Child{child, found.players});
  return out;
}

py::object proven(const Found& found) {
  if (found.verdict.proof == Proof::none) return py::none();
  return py::str(std::string(kProofNames[static_cast<std::size_t>(found.verdict.proof)]));
}

std::string repr_of(const Found& found) {
  std::string out = "<polymax.Verdict " + found.verdict.best + ", value";
  for (const float x : seats_of(found.verdict.value, found.players))
    out += " " + std::string(py::str(py::float_(std::round(x * 1000.0) / 1000.0)));
  const std::string proof = proof_text(found.verdict);
  return out + (proof.empty() ? "" : ", " + proof) + ", " +
         std::to_string(found.verdict.cost.evaluations) + " evaluations>";
}

py::tuple packed(const Cost& c) {
  return py::make_tuple(c.evaluations, c.nodes, c.bytes, c.depth, c.seconds);
}

Cost cost_of(const py::tuple& t) {
  return {t[0].cast<std::uint64_t>(), t[1].cast<std::uint64_t>(), t[2].cast<std::uint64_t>(),
          t[3].cast<int>(), t[4].cast<double>()};
}

Scores scores_of(const py::handle& given) {
  Scores out;
  const auto seats = given.cast<std::vector<float>>();
  std::copy_n(seats.begin(), std::min(seats.size(), out.seats.size()), out.seats.begin());
  return out;
}

py::tuple packed(const Child& c) {
  return py::make_tuple(c.child.move, seats_of(c.child.value, c.players), c.child.visits,
                        c.child.resolved, c.child.bound);
}

Child child_of(const py::tuple& t) {
  return {{t[0].cast<std::string>(), scores_of(t[1]), t[2].cast<std::uint64_t>(), t[3].cast<bool>(),
           t[4].cast<bool>()},
          static_cast<int>(std::min<std::size_t>(py::len(t[1]), kMaxPlayers))};
}

py::tuple packed(const Found& f) {
  py::list children;
  for (const auto& child : f.verdict.children) children.append(packed(Child{child, f.players}));
  const AnyVerdict& v = f.verdict;
  return py::make_tuple(v.best, seats_of(v.value, f.players), children, v.pv,
                        static_cast<int>(v.proof), v.proven_gain, v.coalition, packed(v.cost));
}

Found found_of(const py::tuple& t) {
  Found out;
  out.players = static_cast<int>(std::min<std::size_t>(py::len(t[1]), kMaxPlayers));
  AnyVerdict& v = out.verdict;
  v.best = t[0].cast<std::string>();
  v.value = scores_of(t[1]);
  for (const auto& child : t[2].cast<std::vector<py::tuple>>())
    v.children.push_back(child_of(child).child);
  v.pv = t[3].cast<std::vector<std::string>>();
  v.proof = static_cast<Proof>(std::clamp(t[4].cast<int>(), 0, 2));
  v.proven_gain = t[5].cast<int>();
  v.coalition = t[6].cast<bool>();
  v.cost = cost_of(t[7].cast<py::tuple>());
  return out;
}

// What is packed in a tuple is a value that Python may copy and send to another process.
template <class T, class Unpack>
void bind_pickling(py::class_<T>& type, Unpack unpack) {
  type.def(py::pickle([](const T& value) { return packed(value); }, unpack));
}

void bind_verdict(py::module_& module) {
  py::class_<Cost> cost(module, "Cost", "What a search has spent.");
  bind_pickling(cost, cost_of);
  cost.def_readonly("evaluations", &Cost::evaluations, "Positions valued.")
      .def_readonly("nodes", &Cost::nodes, "Positions visited.")
      .def_readonly("bytes", &Cost::bytes, "Memory held at the end.")
      .def_readonly("depth", &Cost::depth, "Moves ahead.")
      .def_readonly("seconds", &Cost::seconds);
  py::class_<Child> child(module, "Child", "One move of the position thought about.");
  bind_pickling(child, child_of);
  child.def_property_readonly("move", [](const Child& c) { return c.child.move; })
      .def_property_readonly("value",
                             [](const Child& c) { return seats_of(c.child.value, c.players); })
      .def_property_readonly("visits", [](const Child& c) { return c.child.visits; })
      .def_property_readonly("resolved", [](const Child& c) { return c.child.resolved; })
      .def_property_readonly(
          "bound", [](const Child& c) { return c.child.bound; },
          "The mover gets at most this value, and no more than by the best move.")
      .def("__repr__", [](const Child& c) { return "<polymax.Child " + c.child.move + ">"; });
  py::class_<Found> found(module, "Verdict", "What a search found.");
  bind_pickling(found, found_of);
  found.def_property_readonly("best", [](const Found& f) { return f.verdict.best; })
      .def_property_readonly(
          "value", [](const Found& f) { return seats_of(f.verdict.value, f.players); },
          "Expected points of every seat.")
      .def_property_readonly("children", children, "In the order of moves().")
      .def_property_readonly(
          "pv", [](const Found& f) { return f.verdict.pv; }, "The moves that the search expects.")
      .def_property_readonly("proven", proven,
                             "None, 'gain' (who wins is proven) or 'exact' (the value is).")
      .def_property_readonly(
          "proof", [](const Found& f) { return proof_text(f.verdict); },
          "What is proven, in words; empty when nothing is.")
      .def_property_readonly("cost", [](const Found& f) { return f.verdict.cost; })
      .def("__repr__", repr_of);
}

}  // namespace

Player::Player(const std::string& spec, std::uint64_t seed, const py::object& evaluator)
    : spec_(spec), seed_(seed) {
  check_spec(Spec::parse(spec));
  if (evaluator.is_none()) return;
  evaluator_ = py::isinstance<Evaluator>(evaluator)
                   ? evaluator.cast<std::shared_ptr<Evaluator>>()
                   : std::make_shared<Evaluator>(evaluator, std::nullopt, 1024, false);
}

AnyPlayer& Player::player_of(const std::shared_ptr<const Game>& game) {
  if (!player_ || game_->game != game->game) {
    player_.reset();
    game_ = game;
    player_ = game->game->player(spec_for(*game), seed_);
  }
  return *player_;
}

Spec Player::spec_for(const Game& game) const {
  return spec_with(spec_, evaluator_, game);
}

AnyVerdict Player::think(const State& state, Budget budget, Callback& progress, double every) {
  AnyVerdict out;
  if (state.match->over()) throw Error("the game is over: there is nothing to think about");
  if (thinking_ == std::this_thread::get_id())
    throw Error("this player is thinking already: what it calls cannot ask it again");
  without_gil([&](const std::stop_token& stop) {
    const std::scoped_lock lock(mutex_);
    thinking_ = std::this_thread::get_id();
    std::stop_source end;
    const std::stop_callback passed_on(stop, [&] { end.request_stop(); });
    budget.stop = end.get_token();
    Watch watch{every, {}};
    const int players = state.game->game->players();
    if (progress)
      watch.see = [&](const AnyVerdict& now) {
        if (!progress([&] { return py::cast(Found{now, players}); })) end.request_stop();
      };
    try {
      AnyPlayer& player = [&]() -> AnyPlayer& {
        const Gil gil;  // makes evaluators of Python
        return player_of(state.game);
      }();
      out = player.think(*state.match, budget, watch);
    } catch (...) {
      const Gil gil;
      player_.reset();  // a search that was left in the middle of its work
      thinking_ = std::thread::id();
      throw;
    }
    thinking_ = std::thread::id();
  });
  progress.rethrow();
  return out;
}

void Player::forget() {
  if (thinking_ == std::this_thread::get_id())
    throw Error("this player is thinking: it cannot forget meanwhile");
  std::unique_ptr<AnyPlayer> old;
  std::shared_ptr<const Game> game;
  {
    py::gil_scoped_release release;
    const std::scoped_lock lock(mutex_);
    old = std::move(player_);
    game = std::move(game_);
  }
}

void bind_players(py::module_& module) {
  bind_verdict(module);
  py::class_<Player, std::shared_ptr<Player>>(module, "Player", R"doc(A search with its settings.

>>> player = polymax.Player("unbounded_maxn(decision=safe)")
>>> verdict = player.think(polymax.Game("tictactoe").start(), solved=True)
>>> verdict.proven is not None, len(verdict.children)
(True, 9)
)doc")
      .def(py::init([](const std::string& spec, Natural seed, const py::object& evaluator) {
             return std::make_shared<Player>(spec, seed, evaluator);
           }),
           py::arg("spec") = "unbounded_maxn", py::arg("seed") = 0, py::kw_only(),
           py::arg("evaluator") = py::none())
      .def_property_readonly("spec", &Player::spec)
      .def_property_readonly("seed", &Player::seed)
      .def_property_readonly("evaluator", &Player::evaluator)
      .def(
          "think",
          [](Player& player, const State& state, const py::object& on_progress, double every,
             const py::kwargs& limits) {
            Callback progress(on_progress, "on_progress");
            if (!(every >= 0)) throw Error("every is a number of seconds from 0");
            const Budget budget = budget_of(limits, "evals=2000");
            if (on_progress.is_none()) arena::check_budget(Spec::parse(player.spec()), budget);
            return Found{player.think(state, budget, progress, every), state.game->game->players()};
          },
          py::arg("state"), py::kw_only(), py::arg("on_progress") = py::none(),
          py::arg("every") = 0.1,
          R"doc(Searches a position, without the GIL; Ctrl-C stops it.

Limits: evals, nodes, seconds, depth, solved=True; 2000 evaluations when none is given. The search
remembers what it knows when the next state follows from this one. on_progress(verdict) is called
every so many seconds; when it returns False the search ends with what it has.

>>> polymax.Player("greedy").think(polymax.Game("othello").start(), evals=100).cost.evaluations
4
)doc")
      .def("forget", &Player::forget, "Frees the memory of the search.")
      .def("__repr__", [](const Player& p) { return "polymax.Player('" + p.spec() + "')"; })
      .def(py::pickle(
          [](const Player& p) { return py::make_tuple(p.spec(), p.seed(), p.evaluator()); },
          [](const py::tuple& t) {
            return std::make_shared<Player>(t[0].cast<std::string>(), t[1].cast<std::uint64_t>(),
                                            t[2]);
          }));
}

}  // namespace polymax::python
