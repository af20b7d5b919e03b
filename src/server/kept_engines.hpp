// Searches between two moves of a match: they remember their trees. Kept while there is room; the
// one that rested longest is forgotten first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "catalog/any.hpp"

namespace polymax::server {

struct Engine {
  std::string key;  // session, player, seed
  std::shared_ptr<const AnyGame> game;
  std::unique_ptr<AnyPlayer> player;
  std::size_t bytes = 0;
};

class KeptEngines {
 public:
  explicit KeptEngines(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // The engine of that key, which is then nobody else's; an empty one when there is none.
  Engine take(const std::string& key);
  void give(Engine engine);
  void forget_session(const std::string& id);  // all keys that begin so
  std::size_t bytes() const;

 private:
  mutable std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::list<Engine> engines_;  // the one given last in front
};

}  // namespace polymax::server
