#include "server/sessions.hpp"

#include <random>
#include <unordered_set>

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
  admit(nullptr);  // before its players are made
  const auto session = std::make_shared<Session>(random_id(), truth, house_);
  admit(session);
  wake(session);
  return session;
}

void Sessions::admit(const std::shared_ptr<Session>& session) {
  std::vector<std::shared_ptr<Session>> ended;
  {
    std::lock_guard lock(mutex_);
    if (sessions_.size() >= house_.limits.sessions) {
      const auto longest = longest_unwatched();
      if (longest == sessions_.end())
        throw Refused(503, "too many matches are open; try again later");
      ended.push_back(std::move(longest->second));
      sessions_.erase(longest);
    }
    if (session) sessions_[session->id()] = session;
  }
  end(ended);
}

Sessions::ById::iterator Sessions::longest_unwatched() {
  auto out = sessions_.end();
  auto since = Clock::now() - duration_of(house_.limits.crowded_seconds);
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at)
    if (const auto left = at->second->left(); left && *left < since) {
      since = *left;
      out = at;
    }
  return out;
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
  std::unordered_set<std::string> unwatched;
  {
    std::lock_guard lock(mutex_);
    for (auto at = sessions_.begin(); at != sessions_.end();) {
      if (!at->second->watched(house_.limits.unwatched_seconds)) unwatched.insert(at->first);
      if (at->second->watched(house_.limits.idle_seconds)) {
        ++at;
        continue;
      }
      ended.push_back(std::move(at->second));
      at = sessions_.erase(at);
    }
  }
  end(ended);
  if (!unwatched.empty()) thinkers_.forget(unwatched);
}

void Sessions::end(const std::vector<std::shared_ptr<Session>>& ended) {
  std::unordered_set<std::string> ids;
  for (const auto& session : ended) {
    session->end();
    ids.insert(session->id());
  }
  if (!ids.empty()) thinkers_.forget(ids);
}

std::size_t Sessions::count() const {
  std::lock_guard lock(mutex_);
  return sessions_.size();
}

}  // namespace polymax::server
