// Engines by name for people who do not want to think about searches: "beginner" to "maximum".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "catalog/any.hpp"

namespace polymax::server {

struct Level {
  std::string_view name, title, help;
  std::string (*player)(const AnyGame& game);
  std::string (*budget)(const AnyGame& game);
};

std::span<const Level> levels();
std::optional<Level> level_named(std::string_view name);
std::string level_names();  // "beginner, casual, ..."
std::string_view strongest_level();

}  // namespace polymax::server
