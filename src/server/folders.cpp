#include "server/folders.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>

#include "server/error.hpp"

namespace polymax::server {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> walked(const std::string& root, const std::string& file) {
  constexpr int kDepth = 4;
  constexpr std::size_t kMost = 300;
  std::vector<std::string> out;
  if (root.empty()) return out;
  std::error_code failed;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(root, options, failed), end; at != end && !failed;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (at->is_directory(unknown)) {
      const bool other =
          name.starts_with('.') || name == "build" || name == "node_modules" || name == "tests";
      if (other || at->is_symlink(unknown) || at.depth() >= kDepth) at.disable_recursion_pending();
    } else if (name == file) {
      out.push_back(fs::relative(at->path().parent_path(), root, unknown).generic_string());
      if (out.size() == kMost) break;
    }
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

// A tree may be large: one walk at a time, and its list serves whoever asks in the next second.
std::vector<std::string> folders_with(const std::string& root, const std::string& file) {
  struct Kept {
    std::string root;
    Clock::time_point until;
    std::vector<std::string> folders;
  };
  static std::mutex mutex;
  static std::map<std::string, Kept> kept;  // by file: there are two
  const std::lock_guard lock(mutex);
  Kept& last = kept[file];
  if (last.root != root || Clock::now() >= last.until) {
    last = {root, {}, walked(root, file)};
    last.until = Clock::now() + std::chrono::seconds(1);
  }
  return last.folders;
}

std::string asked_folder(const Request& request, const House& house, const std::string& file) {
  const auto asked = request.query.find("folder");
  if (asked == request.query.end()) throw Error("which folder? ?folder=NAME");
  const std::string path = path_below(house.root, asked->second);
  if (!fs::is_regular_file(fs::path(path) / file))
    throw Refused(404, "'" + asked->second + "' has no " + file);
  return path;
}

}  // namespace polymax::server
