// What an act says when it fails.
#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"

namespace polymax {

inline std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace polymax
