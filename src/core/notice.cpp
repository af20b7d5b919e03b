#include "core/notice.hpp"

#include <mutex>
#include <set>
#include <utility>

namespace polymax {

namespace {

struct Notices {
  std::mutex mutex;
  std::function<void(const std::string&)> hear;
  std::set<std::string> said;
};

// Never destroyed: threads may still speak while the program ends.
Notices& notices() {
  static auto& out = *new Notices;
  return out;
}

}  // namespace

void notice(const std::string& text) {
  auto& all = notices();
  std::function<void(const std::string&)> hear;
  {
    const std::scoped_lock lock(all.mutex);
    if (!all.hear || !all.said.insert(text).second) return;
    hear = all.hear;
  }
  hear(text);
}

void hear_notices(std::function<void(const std::string&)> hear) {
  auto& all = notices();
  const std::scoped_lock lock(all.mutex);
  all.hear = std::move(hear);
  all.said.clear();
}

}  // namespace polymax
