// What is fuzzed: the readers of untrusted text and bytes, each with what it promises of any input
// whatever. A broken promise is a BrokenPromise or a sanitizer's report; an Error is a right
// answer. Used by the libFuzzer programs (libfuzzer.cpp) and by corpus_test.cpp, which needs no
// clang.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/spec.hpp"
#include "nn/net_file.hpp"

namespace polymax::fuzz {

struct BrokenPromise : std::logic_error {
  using std::logic_error::logic_error;
};

inline void promise(bool kept, const std::string& what) {
  if (!kept) throw BrokenPromise(what);
}

// One line that says something.
inline void check_message(const std::string& message) {
  const auto control = [](char c) { return (c >= 0 && c < ' ') || c == 127; };
  promise(!message.empty() && std::ranges::none_of(message, control),
          "an error is one line: " + message);
}

using Mutation = std::function<std::string(std::string)>;

struct Reader {
  std::string_view name;           // of the folder below corpus/
  bool (*feed)(std::string_view);  // whether the input was accepted
  std::string (*change)(const std::string& input, std::uint32_t choice, const Mutation& mutate);
};

// A whole net that a file can hold again, or an Error.
inline bool feed_net_file(std::string_view bytes) {
  try {
    const Net net = net_from_bytes(bytes, "input");
    const NetPrecision precision = precision_of(bytes, "input");
    promise(net_from_bytes(net_to_bytes(net, precision), "again") == net,
            "a net survives writing and reading");
    return true;
  } catch (const Error& error) {
    check_message(error.what());
    promise(std::string_view(error.what()).size() < 600, "an error about a file is short");
    return false;
  }
}

// Three times in four the header alone, with its new length before it: otherwise nearly nothing
// gets past that length.
inline std::string change_net_file(const std::string& bytes, std::uint32_t choice,
                                   const Mutation& mutate) {
  std::uint64_t length = 0;
  if (choice % 4 == 0 || bytes.size() < sizeof length) return mutate(bytes);
  std::memcpy(&length, bytes.data(), sizeof length);
  length = std::min<std::uint64_t>(length, bytes.size() - sizeof length);
  const std::string header = mutate(bytes.substr(sizeof length, length));
  const std::uint64_t now = header.size();
  return std::string(reinterpret_cast<const char*>(&now), sizeof now) + header +
         bytes.substr(sizeof length + length);
}

// A spec that its text gives again, or an Error.
inline bool feed_spec(std::string_view text) {
  try {
    const Spec spec = Spec::parse(text);
    promise(Spec::parse(spec.text()) == spec, "the text of a spec gives the spec");
    return true;
  } catch (const Error& error) {
    check_message(error.what());
    return false;
  }
}

inline std::string change_spec(const std::string& text, std::uint32_t, const Mutation& mutate) {
  return mutate(text);
}

constexpr std::array<Reader, 2> kReaders{
    {{"net_file", feed_net_file, change_net_file}, {"spec", feed_spec, change_spec}}};

}  // namespace polymax::fuzz
