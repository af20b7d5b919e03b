// Seeded random numbers that are the same on every machine: SplitMix64 fills the state of
// xoshiro256++ (Blackman, Vigna).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace polymax {

// One round of SplitMix64's finaliser: a bijection of 64-bit numbers that looks random.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) {
    for (auto& word : state_) {
      word = mix64(seed);
      seed += 0x9e3779b97f4a7c15u;
    }
  }

  // As state() gave it: goes on with the same numbers.
  using State = std::array<std::uint64_t, 4>;
  explicit constexpr Rng(const State& state) : state_(state) {}
  constexpr const State& state() const { return state_; }

  constexpr std::uint64_t next() {
    const std::uint64_t out = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return out;
  }

  // Uniform on 0..n-1, n >= 1; the bias of at most n/2^32 is accepted for speed.
  constexpr std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{n}) >> 32);
  }

  // Uniform on [0, 1) with 53 random bits.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  template <class T>
  constexpr void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
  }

  friend constexpr bool operator==(const Rng&, const Rng&) = default;

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
  }

  State state_{};
};

}  // namespace polymax
