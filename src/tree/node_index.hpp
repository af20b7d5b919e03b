// From the hash of a position to the number of its node: open addressing with linear probing, never more than three
// quarters full, 8 bytes a slot. A slot keeps 32 bits of the hash; the owner compares the rest. Nothing is ever
// removed: an arena that frees nodes builds its index anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace polymax {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = std::numeric_limits<NodeIndex>::max();

class NodeTable {
 public:
  static constexpr std::size_t kMeanBytes = 16;  // of an entry, while the table grows by doubling

  // The node inserted with this hash for which same(node) holds; kNoNode when there is none.
  template <class Same>
  NodeIndex find(std::uint64_t hash, Same same) const {
    if (slots_.empty()) return kNoNode;
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t i = tag & mask();; i = (i + 1) & mask()) {
      if (slots_[i].node == kNoNode) return kNoNode;
      if (slots_[i].tag == tag && same(slots_[i].node)) return slots_[i].node;
    }
  }

  void insert(std::uint64_t hash, NodeIndex node) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow();
    place({tag_of(hash), node});
    ++used_;
  }

  void clear() {
    slots_ = {};
    used_ = 0;
  }

  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    NodeIndex node = kNoNode;
  };

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>((hash * 0x9e3779b97f4a7c15u) >> 32);
  }
  std::size_t mask() const { return slots_.size() - 1; }

  void place(Slot entry) {
    std::size_t i = entry.tag & mask();
    while (slots_[i].node != kNoNode) i = (i + 1) & mask();
    slots_[i] = entry;
  }

  void grow() {
    const auto old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    for (const Slot& entry : old)
      if (entry.node != kNoNode) place(entry);
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace polymax
