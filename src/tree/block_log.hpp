// Memory for blocks of any size that are freed from the oldest on: a log of chunks. Whoever needs
// room looks at the oldest block and either drops it or renews it (a copy at the young end), one by
// one; a chunk is freed when its last block has been passed. So room is made in small steps,
// nothing is fragmented, and a block's place in the log says when it was last looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

#include "tree/node_index.hpp"

namespace polymax {

class BlockLog {
 public:
  explicit BlockLog(std::size_t chunk_bytes) : chunk_(chunk_bytes) {}

  // A block for a node, not cleared, aligned to 8.
  std::byte* add(NodeIndex owner, std::size_t bytes) {
    const std::size_t whole = sizeof(Header) + bytes;
    std::byte* out = take(whole);
    const Header header{owner, static_cast<std::uint32_t>(whole)};
    std::memcpy(out, &header, sizeof header);
    return out + sizeof header;
  }

  // The owner of the oldest block; kNoNode when there is none. Frees chunks that have been passed.
  NodeIndex oldest() {
    while (!chunks_.empty()) {
      Chunk& front = chunks_.front();
      if (head_ == &front) head_ = nullptr;
      if (passed_ < front.used) return header().owner;
      pop_front();
    }
    return kNoNode;
  }

  // oldest() was asked for: passes that block.
  void drop() { passed_ += header().bytes; }

  // As above, but keeps it; returns its new place.
  std::byte* renew() {
    const Header old = header();
    if (is_large(old.bytes)) {
      chunks_.push_back(std::move(chunks_.front()));
      chunks_.pop_front();
      ++first_;
      return chunks_.back().memory.get() + sizeof old;
    }
    std::byte* out = take(old.bytes);
    std::memcpy(out, chunks_.front().memory.get() + passed_, old.bytes);
    passed_ += old.bytes;
    return out + sizeof old;
  }

  // Chunks are numbered as they are made, modulo 2^32: the oldest and the next one. All blocks
  // there are when next() is n have been passed as soon as first() is n.
  std::uint32_t first() const { return first_; }
  std::uint32_t next() const { return first_ + static_cast<std::uint32_t>(chunks_.size()); }

  std::size_t bytes() const { return bytes_; }
  std::size_t chunk_bytes() const { return chunk_; }

 private:
  struct Header {
    NodeIndex owner;
    std::uint32_t bytes;  // with this header
  };

  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0, used = 0;
  };

  bool is_large(std::size_t bytes) const { return bytes > chunk_ / 4; }  // has a chunk of its own

  Header header() const {
    Header out;
    std::memcpy(&out, chunks_.front().memory.get() + passed_, sizeof out);
    return out;
  }

  Chunk& push(std::size_t size) {
    bytes_ += size;
    return chunks_.emplace_back(Chunk{std::make_unique_for_overwrite<std::byte[]>(size), size, 0});
  }

  std::byte* take(std::size_t bytes) {
    Chunk* to = head_;
    if (is_large(bytes))
      to = &push(bytes);
    else if (to == nullptr || to->size - to->used < bytes)
      to = head_ = &push(chunk_);
    return to->memory.get() + std::exchange(to->used, to->used + bytes);
  }

  void pop_front() {
    bytes_ -= chunks_.front().size;
    chunks_.pop_front();
    passed_ = 0;
    ++first_;
  }

  std::size_t chunk_, bytes_ = 0;
  std::deque<Chunk> chunks_;
  Chunk* head_ = nullptr;   // where small blocks go
  std::size_t passed_ = 0;  // bytes of the oldest chunk
  std::uint32_t first_ = 0;
};

}  // namespace polymax
