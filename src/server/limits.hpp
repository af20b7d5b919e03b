// What a server of the page grants: how many sessions, how long a search, how much memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polymax::server {

struct Limits {
  std::size_t sessions = 1000;
  std::size_t streams = 256;          // open pages
  std::size_t body_bytes = 4u << 20;  // of a request
  std::size_t spec_length = 512;      // of a game, a seat, a budget
  std::size_t undone_moves = 4096;    // of one session, kept for redo
  double idle_seconds = 30 * 60;      // a session that nobody asks for ends
  double crowded_seconds = 5;         // the same while others want its place
  double unwatched_seconds = 60;      // engines rest when nobody looks
  double search_seconds = 60;         // the longest search of one position
  std::uint64_t search_nodes = 20'000'000;
  std::size_t search_bytes = 512u << 20;    // of one search's tree
  std::size_t engines_bytes = 1024u << 20;  // of all trees that are kept between moves
  int threads = 1;                          // searches at once
  // how long a connection may be silent, a request take from its first byte to its last, and an
  // answer wait to be taken (and a second more for every 50 kB)
  double silence_seconds = 15, request_seconds = 20, answer_seconds = 10;
};

}  // namespace polymax::server
