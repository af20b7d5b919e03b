// Searches between two moves of a match: they remember their trees. Kept while there is room and
// somebody may come back to them; the one that rested longest is forgotten first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

#include "catalog/any.hpp"

namespace polymax::server {

struct Engine {
  std::string session, key;  // its id; for what, seed, player
  bool moves = false;        // it plays in the match
  std::shared_ptr<const AnyGame> game;
  std::unique_ptr<AnyPlayer> player;
  std::size_t bytes = 0;
};

class KeptEngines {
 public:
  explicit KeptEngines(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // The engine of that key, which is then nobody else's; an empty one when there is none.
  Engine take(const std::string& session, const std::string& key);
  void give(Engine engine);
  void forget(const std::unordered_set<std::string>& sessions);
  void forget_movers(const std::string& session);  // those that play in its match
  std::size_t bytes() const;

 private:
  template <class Wanted>
  void forget_if(const Wanted& wanted);

  mutable std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::list<Engine> engines_;  // the one given last in front
};

}  // namespace polymax::server
