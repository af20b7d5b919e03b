#include "learn/tensorboard.hpp"

#include <array>
#include <cstring>

namespace polymax::learn {

namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? rest >> 1 ^ 0x82f63b78u : rest >> 1;
    out[i] = rest;
  }
  return out;
}

std::uint32_t masked(std::uint32_t crc) {
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

template <class T>
std::string raw(T number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::string varint(std::uint64_t number) {
  std::string out;
  for (; number >= 128; number >>= 7) out += static_cast<char>(number | 128);
  return out + static_cast<char>(number);
}

// Fields of a protocol buffer: a key that holds the number and the kind of the field, then the
// value.
std::string fixed64_field(int number, double value) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 1) + raw(value);
}
std::string fixed32_field(int number, float value) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 5) + raw(value);
}
std::string varint_field(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
std::string bytes_field(int number, const std::string& value) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(value.size()) + value;
}

std::string record(const std::string& data) {
  const std::string length = raw(static_cast<std::uint64_t>(data.size()));
  return length + raw(masked(crc32c(length))) + data + raw(masked(crc32c(data)));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto table = make_table();
  std::uint32_t crc = ~0u;
  for (const char byte : bytes)
    crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(byte)) & 255];
  return ~crc;
}

std::size_t whole_records(std::string_view file) {
  constexpr std::size_t kAround = 8 + 4 + 4;  // length and the two sums
  std::size_t at = 0;
  while (file.size() - at >= kAround) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data() + at, sizeof length);
    if (length > file.size() - at - kAround) break;
    const std::string whole = record(std::string(file.substr(at + 12, length)));
    if (whole != file.substr(at, whole.size())) break;
    at += whole.size();
  }
  return at;
}

// Event: 1 wall_time, 2 step, 3 file_version, 5 summary. Summary: 1 value. Value: 1 tag, 2
// simple_value.
std::string tensorboard_header(double wall) {
  return record(fixed64_field(1, wall) + bytes_field(3, "brain.Event:2"));
}

std::string tensorboard_event(double wall, std::int64_t step,
                              const std::vector<std::pair<std::string, double>>& values) {
  std::string summary;
  for (const auto& [tag, value] : values)
    summary += bytes_field(1, bytes_field(1, tag) + fixed32_field(2, static_cast<float>(value)));
  return record(fixed64_field(1, wall) + varint_field(2, static_cast<std::uint64_t>(step)) +
                bytes_field(5, summary));
}

}  // namespace polymax::learn
