// One match of a file of records, as --number asks for it.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "arena/record.hpp"
#include "core/error.hpp"

namespace polymax::cli {

// number: from 1.
inline arena::MatchRecord one_record(const std::string& file, std::uint64_t number) {
  const auto records = arena::read_records(file);
  if (number < 1 || number > records.size())
    throw Error(fmt::format("'{}' holds {} matches: --number {} is not there", file, records.size(),
                            number));
  return records[number - 1];
}

}  // namespace polymax::cli
