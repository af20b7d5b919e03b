// From the hash of a position to the number of its node, 8 bytes a slot. Segments of open
// addressing with linear probing, never more than three quarters full; the leading bits of the hash
// choose the segment, and a full one is split in two (extendible hashing), so that no insertion
// moves more than one segment. A slot keeps 32 bits of the hash; the owner compares the rest.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace polymax {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = std::numeric_limits<NodeIndex>::max();

class NodeTable {
 public:
  static constexpr std::size_t kLeastSlots = 64, kMostSlots = 1024;  // of a segment

  NodeTable() = default;
  NodeTable(const NodeTable&) = delete;
  NodeTable& operator=(const NodeTable&) = delete;
  ~NodeTable() { clear(); }

  // The node inserted with this hash for which same(node) holds; kNoNode when there is none.
  template <class Same>
  NodeIndex find(std::uint64_t hash, Same same) const {
    if (directory_.empty()) return kNoNode;
    const std::uint32_t tag = tag_of(hash);
    const Slot* slots = segment(tag);
    for (std::size_t i = tag & mask_; slots[i].node != kNoNode; i = (i + 1) & mask_)
      if (slots[i].tag == tag && same(slots[i].node)) return slots[i].node;
    return kNoNode;
  }

  // Fetches what find() will look at first: several finds in a row then wait for memory once.
  void prefetch(std::uint64_t hash) const {
    if (directory_.empty()) return;
    const std::uint32_t tag = tag_of(hash);
    __builtin_prefetch(segment(tag) + (tag & mask_));
  }

  void insert(std::uint64_t hash, NodeIndex node) {
    const std::uint32_t tag = tag_of(hash);
    while (!has_room(tag)) grow(tag);
    place(segment(tag), {tag, node});
  }

  // The node was inserted with this hash. Those behind it move up, so that they are still found
  // from their homes.
  void erase(std::uint64_t hash, NodeIndex node) {
    const std::uint32_t tag = tag_of(hash);
    Slot* slots = segment(tag);
    std::size_t hole = tag & mask_;
    while (slots[hole].node != node) hole = (hole + 1) & mask_;
    for (std::size_t i = (hole + 1) & mask_; slots[i].node != kNoNode; i = (i + 1) & mask_) {
      if (((i - slots[i].tag) & mask_) < ((i - hole) & mask_)) continue;
      slots[hole] = slots[i];
      hole = i;
    }
    slots[hole] = {};
    --used(slots);
  }

  void clear() {
    for (std::size_t i = 0; i < directory_.size(); ++i)
      if (i == 0 || directory_[i] != directory_[i - 1]) delete[] directory_[i];
    directory_.clear();
    segments_ = 0;
    mask_ = kLeastSlots - 1;
    depth_ = 0;
  }

  std::size_t bytes() const {
    return segments_ * segment_bytes() + directory_.size() * sizeof(Slot*);
  }

  // The most that the next insertion can add to bytes().
  std::size_t next_growth() const {
    if (segments_ == 1 && has_room(0)) return 0;
    return segment_bytes() + std::max<std::size_t>(1, directory_.size()) * sizeof(Slot*);
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    NodeIndex node = kNoNode;
  };

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>((hash * 0x9e3779b97f4a7c15u) >> 32);
  }
  Slot* segment(std::uint32_t tag) const { return directory_[std::uint64_t{tag} >> (32 - depth_)]; }
  std::size_t segment_bytes() const { return (mask_ + 2) * sizeof(Slot); }

  // Behind its slots a segment says how many are used and how many leading bits all its tags share.
  std::uint32_t& used(Slot* slots) const { return slots[mask_ + 1].tag; }
  std::uint32_t& bits(Slot* slots) const { return slots[mask_ + 1].node; }

  bool has_room(std::uint32_t tag) const {
    return !directory_.empty() && 4 * (used(segment(tag)) + 1) <= 3 * (mask_ + 1);
  }

  Slot* make_segment(std::uint32_t bits) {
    Slot* out = new Slot[mask_ + 2];
    out[mask_ + 1] = {0, bits};
    ++segments_;
    return out;
  }

  void place(Slot* slots, Slot entry) {
    std::size_t i = entry.tag & mask_;
    while (slots[i].node != kNoNode) i = (i + 1) & mask_;
    slots[i] = entry;
    ++used(slots);
  }

  void grow(std::uint32_t tag) {
    if (directory_.empty()) {
      directory_.push_back(make_segment(0));
    } else if (segments_ == 1 && mask_ + 1 < kMostSlots) {
      Slot* old = directory_[0];
      const std::size_t slots = mask_ + 1;
      mask_ = 2 * slots - 1;
      directory_[0] = make_segment(0);
      for (std::size_t i = 0; i < slots; ++i)
        if (old[i].node != kNoNode) place(directory_[0], old[i]);
      remove(old);
    } else {
      split(tag);
    }
  }

  void split(std::uint32_t tag) {
    Slot* old = segment(tag);
    const std::uint32_t shared = bits(old);
    if (shared == depth_) deepen();
    Slot* halves[2] = {make_segment(shared + 1), make_segment(shared + 1)};
    for (std::size_t i = 0; i <= mask_; ++i)
      if (old[i].node != kNoNode) place(halves[old[i].tag >> (31 - shared) & 1], old[i]);
    const std::size_t each = std::size_t{1} << (depth_ - shared - 1);
    const std::size_t first = (std::uint64_t{tag} >> (32 - shared)) * 2 * each;
    for (std::size_t i = 0; i < 2 * each; ++i) directory_[first + i] = halves[i / each];
    remove(old);
  }

  void deepen() {
    assert(depth_ < 31);
    std::vector<Slot*> wider(2 * directory_.size());
    for (std::size_t i = 0; i < wider.size(); ++i) wider[i] = directory_[i / 2];
    directory_ = std::move(wider);
    ++depth_;
  }

  void remove(Slot* slots) {
    delete[] slots;
    --segments_;
  }

  std::vector<Slot*> directory_;  // by the leading bits of the tag
  std::size_t segments_ = 0, mask_ = kLeastSlots - 1;
  std::uint32_t depth_ = 0;  // bits that the directory looks at
};

}  // namespace polymax
