// Memory for a tree of many small blocks of different sizes: 32-bit addresses, blocks given back
// are used again, a limit for the whole. Chosen: sizes are rounded up to four steps an octave, so
// that a free block fits the next of its kind.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace polymax {

// What becomes of a limit of memory when something is needed: it holds, or gives way.
enum class Limit { hard, soft };

class Pool {
 public:
  using Address = std::uint32_t;  // of a block, in units of 8 bytes
  static constexpr Address kNone = 0;
  static constexpr std::size_t kUnit = 8, kChunk = std::size_t{1} << 19;
  static constexpr std::size_t kLargest = kChunk / 8 * 7;  // bytes of a block

  explicit Pool(std::size_t limit_bytes) : limit_(limit_bytes) {}

  // A block of at least `bytes`, not cleared, aligned to 8; kNone when a hard limit is reached.
  Address take(std::size_t bytes, Limit limit = Limit::hard) {
    assert(bytes <= kLargest);
    const int kind = kind_of(bytes);
    const std::size_t units = units_of(kind);
    Address out = free_[static_cast<std::size_t>(kind)];
    if (out != kNone)
      std::memcpy(&free_[static_cast<std::size_t>(kind)], at(out), sizeof(Address));
    else
      out = fresh(units, limit);
    if (out != kNone) used_ += units * kUnit;
    return out;
  }

  // `bytes` as it was asked for.
  void give_back(Address block, std::size_t bytes) {
    const int kind = kind_of(bytes);
    std::memcpy(at(block), &free_[static_cast<std::size_t>(kind)], sizeof(Address));
    free_[static_cast<std::size_t>(kind)] = block;
    used_ -= units_of(kind) * kUnit;
  }

  std::byte* at(Address block) const {
    return chunks_[block / kChunkUnits].get() + block % kChunkUnits * kUnit;
  }

  std::size_t used() const { return used_; }  // bytes in blocks

  void clear() {
    chunks_.clear();
    free_.fill(kNone);
    next_ = end_ = kNone;
    used_ = 0;
  }

 private:
  static constexpr std::size_t kChunkUnits = kChunk / kUnit;
  static constexpr int kKinds = 59;  // the last is kLargest

  // Kinds 0..3 are 1..4 units, then 5, 6, 7, 8, 10, 12, 14, 16, 20, ...
  static int kind_of(std::size_t bytes) {
    const auto units = static_cast<unsigned>(std::max<std::size_t>(1, (bytes + kUnit - 1) / kUnit));
    if (units <= 4) return static_cast<int>(units) - 1;
    // Units in (4 << octave, 8 << octave].
    const int octave = static_cast<int>(std::bit_width(units - 1)) - 3;
    return 4 * octave + static_cast<int>((units - 1) >> octave);
  }

  static std::size_t units_of(int kind) {
    if (kind < 4) return static_cast<std::size_t>(kind) + 1;
    return static_cast<std::size_t>(kind % 4 + 5) << (kind / 4 - 1);
  }

  // Cuts a block from the newest chunk. A rest too small for it becomes free blocks.
  Address fresh(std::size_t units, Limit limit) {
    if (end_ - next_ < units) {
      if (limit == Limit::hard && (chunks_.size() + 1) * kChunk > limit_) return kNone;
      keep_rest();
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kChunk));
      next_ = static_cast<Address>((chunks_.size() - 1) * kChunkUnits);
      end_ = static_cast<Address>(chunks_.size() * kChunkUnits);
      if (next_ == kNone) ++next_;
    }
    const Address out = next_;
    next_ += static_cast<Address>(units);
    return out;
  }

  void keep_rest() {
    for (int kind = kKinds; kind-- > 0;)
      while (units_of(kind) <= end_ - next_) {
        used_ += units_of(kind) * kUnit;
        give_back(next_, units_of(kind) * kUnit);
        next_ += static_cast<Address>(units_of(kind));
      }
  }

  std::size_t limit_, used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::array<Address, kKinds> free_{};  // first free block of every kind; each holds the next
  Address next_ = kNone, end_ = kNone;  // what is left of the newest chunk
};

}  // namespace polymax
