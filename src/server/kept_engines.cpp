#include "server/kept_engines.hpp"

#include <algorithm>

namespace polymax::server {

namespace {
constexpr std::size_t kLeastBytes = 256u << 10;  // an engine without a tree takes room too
}

Engine KeptEngines::take(const std::string& session, const std::string& key) {
  std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(engines_, [&](const Engine& engine) {
    return engine.session == session && engine.key == key;
  });
  if (found == engines_.end()) return {};
  Engine out = std::move(*found);
  bytes_ -= out.bytes;
  engines_.erase(found);
  return out;
}

void KeptEngines::give(Engine engine) {
  std::list<Engine> dropped;  // destroyed without the lock
  std::lock_guard lock(mutex_);
  engine.bytes += kLeastBytes;
  bytes_ += engine.bytes;
  engines_.push_front(std::move(engine));
  while (bytes_ > most_bytes_ && !engines_.empty()) {
    bytes_ -= engines_.back().bytes;
    dropped.splice(dropped.begin(), engines_, std::prev(engines_.end()));
  }
}

template <class Wanted>
void KeptEngines::forget_if(const Wanted& wanted) {
  std::list<Engine> dropped;
  std::lock_guard lock(mutex_);
  for (auto at = engines_.begin(); at != engines_.end();) {
    const auto next = std::next(at);
    if (wanted(*at)) {
      bytes_ -= at->bytes;
      dropped.splice(dropped.begin(), engines_, at);
    }
    at = next;
  }
}

void KeptEngines::forget(const std::unordered_set<std::string>& sessions) {
  forget_if([&](const Engine& engine) { return sessions.contains(engine.session); });
}

void KeptEngines::forget_movers(const std::string& session) {
  forget_if([&](const Engine& engine) { return engine.moves && engine.session == session; });
}

std::size_t KeptEngines::bytes() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace polymax::server
