// Threads that a machine may refuse: too many processes, too little memory.
#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace polymax {

// A thread that does `work`, or an Error (failed) that says why there is none.
template <class Work>
std::jthread start_thread(Work&& work) {
  try {
    return std::jthread(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    throw Error("cannot start a thread: " + error.code().message(), Error::Kind::failed);
  }
}

// Does work(0) in the caller's thread and work(1) ... work(count - 1) in threads of their own, and
// returns when all have ended. Where the machine refuses threads, those that there are do the work:
// `work` shares it out as it goes. It throws nothing.
template <class Work>
void run_together(std::size_t count, const Work& work) {
  std::vector<std::jthread> others;
  try {
    for (std::size_t i = 1; i < count; ++i) others.push_back(start_thread([&work, i] { work(i); }));
  } catch (const Error&) {
  }
  work(std::size_t{0});
}

}  // namespace polymax
