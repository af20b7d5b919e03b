// Threads that a machine may refuse: too many processes, too little memory.
#pragma once

#include <string>
#include <system_error>
#include <thread>
#include <utility>

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

}  // namespace polymax
