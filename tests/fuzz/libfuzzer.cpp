// The libFuzzer program of one reader (POLYMAX_READER, its name): clang's fuzzer calls these two
// functions. Built with the preset `fuzz`; `./test --long` runs it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#ifdef POLYMAX_PROTOCOL_READERS
#include "tests/fuzz/protocol_readers.hpp"
#else
#include "tests/fuzz/readers.hpp"
#endif

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

#ifdef POLYMAX_PROTOCOL_READERS
const auto& kAll = polymax::fuzz::kProtocolReaders;
#else
const auto& kAll = polymax::fuzz::kReaders;
#endif

const polymax::fuzz::Reader& reader() {
  return *std::ranges::find(kAll, POLYMAX_READER, &polymax::fuzz::Reader::name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reader().feed({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  const auto mutate = [&](std::string part) {
    const std::size_t room = max_size - (size - part.size());
    std::vector<std::uint8_t> bytes(room + 1);
    std::copy(part.begin(), part.end(), bytes.begin());
    const std::size_t now = LLVMFuzzerMutate(bytes.data(), part.size(), room);
    return std::string(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(now));
  };
  const std::string out =
      reader().change({reinterpret_cast<const char*>(data), size}, seed, mutate);
  std::memcpy(data, out.data(), std::min(out.size(), max_size));
  return std::min(out.size(), max_size);
}
