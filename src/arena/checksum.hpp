// A 64-bit checksum of bytes, for lines that a crash may have torn. Not against people. Chosen: a
// faster one (XXH3) would be a second one beside this, which shards of before have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/number.hpp"
#include "core/rng.hpp"

namespace polymax::arena {

// FNV-1a over bytes, then mixed so that every bit depends on all of them.
constexpr std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mix64(h ^ bytes.size());
}

inline std::string checksum_text(std::string_view bytes) {
  return hex_text(checksum(bytes));
}

}  // namespace polymax::arena
