#include "server/sessions.hpp"

#include <random>
#include <vector>

#include "server/error.hpp"

namespace polymax::server {

std::string random_id() {
  static constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";  // 32 of them
  std::random_device source;
  std::string out;
  for (std::uint32_t bits = 0, left = 0; out.size() < 26; bits >>= 5, --left) {
    if (left == 0) {
      bits = source();
      left = 6;
    }
    out += kLetters[bits % 32];
  }
  return out;
}

Sessions::~Sessions() {
  std::lock_guard lock(mutex_);
  for (const auto& [id, session] : sessions_) session->end();
}

std::shared_ptr<Session> Sessions::open(const Truth& truth) {
  end_idle();
  refuse_more(count());  // before its players are made
  auto session = std::make_shared<Session>(random_id(), truth, house_);
  {
    std::lock_guard lock(mutex_);
    refuse_more(sessions_.size());
    sessions_[session->id()] = session;
  }
  wake(session);
  return session;
}

void Sessions::refuse_more(std::size_t open) const {
  if (open >= house_.limits.sessions)
    throw Refused(503, "too many matches are open; try again later");
}

std::shared_ptr<Session> Sessions::find(const std::string& id) {
  std::lock_guard lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) throw Refused(404, "no such match; it may have ended");
  found->second->touch();
  return found->second;
}

void Sessions::end_idle() {
  std::vector<std::shared_ptr<Session>> ended;
  {
    std::lock_guard lock(mutex_);
    for (auto at = sessions_.begin(); at != sessions_.end();) {
      if (at->second->watched(house_.limits.idle_seconds)) {
        ++at;
        continue;
      }
      ended.push_back(std::move(at->second));
      at = sessions_.erase(at);
    }
  }
  for (const auto& session : ended) {
    session->end();
    thinkers_.forget(*session);
  }
}

std::size_t Sessions::count() const {
  std::lock_guard lock(mutex_);
  return sessions_.size();
}

}  // namespace polymax::server
