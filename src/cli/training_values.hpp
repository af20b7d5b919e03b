// What a network says of its training, for those who print it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/json.hpp"
#include "nn/net.hpp"

namespace polymax::cli {

// Numbers are numbers.
inline std::vector<std::pair<std::string, Json>> training_values(const Net& net) {
  std::vector<std::pair<std::string, Json>> out;
  net.training.each([&](const char* key, const auto& value) { out.emplace_back(key, value); });
  return out;
}

}  // namespace polymax::cli
