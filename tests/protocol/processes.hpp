// What a process holds: for tests that nothing is left behind.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace polymax {

inline std::size_t open_descriptors() {
  std::size_t out = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++out;
  return out;
}

// Of every process: /proc/N/NAME; empty where it has just gone.
inline std::vector<std::string> of_all_processes(const char* name) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos)
      continue;
    std::ifstream file(entry.path() / name, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    out.push_back(text.str());
  }
  return out;
}

// Children of this process, dead (zombies) or alive.
inline std::size_t children() {
  std::size_t out = 0;
  for (const auto& text : of_all_processes("stat")) {
    const auto end = text.rfind(')');  // of the name, which may hold anything
    if (end == std::string::npos) continue;
    std::istringstream rest(text.substr(end + 1));
    char state = 0;
    long parent = 0;
    rest >> state >> parent;
    out += parent == ::getpid();
  }
  return out;
}

// Processes of the system, not zombies, whose command line holds the text.
inline std::size_t running_with(const std::string& text) {
  std::size_t out = 0;
  for (auto line : of_all_processes("cmdline")) {
    std::ranges::replace(line, '\0', ' ');
    out += line.find(text) != std::string::npos;
  }
  return out;
}

// Whether so many of them are seen at some moment within a minute: processes come and go in their
// own time, and an engine that is tried before its match is started twice.
inline bool soon_running_with(const std::string& text, std::size_t count) {
  for (int i = 0; i < 6000; ++i) {
    if (running_with(text) == count) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace polymax
