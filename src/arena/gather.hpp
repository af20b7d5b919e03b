// All shards of a study together: each match once, whatever processes played it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/shard.hpp"
#include "arena/study.hpp"

namespace polymax::arena {

struct Gathered {
  std::size_t files = 0;
  std::uint64_t matches = 0, twice = 0;  // twice: lines of matches that another line has already
  std::vector<std::uint64_t>
      differing;  // matches that two processes played differently though budgets are counted
  std::vector<bool> done;      // by k
  double first = 0, last = 0;  // when matches ended, in seconds since 1970; 0: none
};

// each(k, line): once for every match, shard by shard. Throws Error for broken lines and shards of
// another study.
Gathered gather(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each = {});

// The same, by k.
void each_shard_match(const Study& study,
                      const std::function<void(std::uint64_t, std::string_view)>& each);

}  // namespace polymax::arena
