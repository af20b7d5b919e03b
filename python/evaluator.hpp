// Evaluators written in Python: a function of a batch of planes becomes a network that searches ask
// like any other. Requests of threads that wait are joined: the function is called with all of
// them, under the GIL once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "nn/engines.hpp"
#include "python/common.hpp"

namespace polymax::python {

class Evaluator {
 public:
  // bounds: lowest and highest points of a game, for searches that scale by them; by default those
  // of random games, or -1 and 1 for gains.
  // knows_moves: the function gives values and a logit for every action of the game.
  Evaluator(py::object function, std::optional<std::pair<float, float>> bounds, int batch,
            bool knows_moves);

  // The evaluator's spec for this game: good as long as this object lives. Throws Error when the
  // game has no planes.
  Spec spec_for(const Game& game);

  // What it was made of.
  py::tuple parts() const { return py::make_tuple(function_, bounds_, batch_, knows_moves_); }

  std::uint64_t calls() const;      // of the function
  std::uint64_t positions() const;  // valued by it

 private:
  class Joined;
  struct Known {
    std::string name;
    std::shared_ptr<Joined> joined;
    py::object game;  // kept, so that no other takes its place
  };

  py::object function_;
  std::optional<std::pair<float, float>> bounds_;
  int batch_;
  bool knows_moves_;
  // By the game's spec, which of a game written in Python is its name alone, and its object.
  std::map<std::pair<std::string, PyObject*>, Known> known_;
};

// A player's spec with its evaluator, as the catalog of this game takes it.
Spec spec_with(const std::string& spec, const std::shared_ptr<Evaluator>& evaluator,
               const Game& game);

}  // namespace polymax::python
