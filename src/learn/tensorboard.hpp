// Numbers over time as TensorBoard reads them: records with a length, a masked CRC-32C and a
// protocol buffer "Event", appended to one file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polymax::learn {

// One event with all the numbers, as bytes to append. wall: seconds since 1970.
std::string tensorboard_event(double wall, std::int64_t step,
                              const std::vector<std::pair<std::string, double>>& values);

// What a file begins with.
std::string tensorboard_header(double wall);

// How many bytes at the beginning are whole records: a process may have been killed within the
// last.
std::size_t whole_records(std::string_view file);

std::uint32_t crc32c(std::string_view bytes);

}  // namespace polymax::learn
