// A player as Python sees it: of no game until it is asked to think.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "python/common.hpp"
#include "python/evaluator.hpp"

namespace polymax::python {

// Several threads may use it: they think one after the other.
class Player {
 public:
  // evaluator: an Evaluator, a function, or None.
  Player(const std::string& spec, std::uint64_t seed, const py::object& evaluator);

  const std::string& spec() const { return spec_; }
  std::uint64_t seed() const { return seed_; }
  std::shared_ptr<Evaluator> evaluator() const { return evaluator_; }

  // As the catalog of a game takes it.
  Spec spec_for(const Game& game) const;

  AnyVerdict think(const State& state, Budget budget, Callback& progress, double every);
  void forget();

 private:
  AnyPlayer& player_of(const std::shared_ptr<const Game>& game);

  std::string spec_;
  std::uint64_t seed_;
  std::shared_ptr<Evaluator> evaluator_;
  std::mutex mutex_;  // of the two below; taken without the GIL
  std::shared_ptr<const Game> game_;
  std::unique_ptr<AnyPlayer> player_;
  std::atomic<std::thread::id> thinking_{};
};

}  // namespace polymax::python
