// Evaluates a network on the CPU, without torch, in the caller's thread: weights are packed once
// and shared, every thread has its own buffers. Results of a position do not depend on the batch it
// came in.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nn/net.hpp"

namespace polymax {

// Instruction sets of the CPU engine; `automatic` takes the fastest that this machine has.
enum class Isa { automatic, plain, avx2, avx512, avx512bf16, amx };
inline constexpr std::array<std::string_view, 6> kIsaNames{"auto",   "plain",      "avx2",
                                                           "avx512", "avx512bf16", "amx"};

// Those that this machine can run, plain first.
std::vector<Isa> available_isas();

// Throws Error when this machine cannot run it.
void check_isa(Isa isa);

// Floating-point operations a second of one core in registers alone, measured now for about
// `seconds`.
double peak_flops(Isa isa, double seconds);

class CpuEngine {
 public:
  // Throws Error when this machine cannot run `isa`.
  explicit CpuEngine(const Net& net, Isa isa = Isa::automatic);
  ~CpuEngine();
  CpuEngine(const CpuEngine&) = delete;
  CpuEngine& operator=(const CpuEngine&) = delete;

  Isa isa() const;

  // planes: shape.input.words() words for each position; out: shape.players points for each
  // position.
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> out) const;

  // The same, and the logits of the asked places; the network has a second head.
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> out,
                const MoveQuery& moves) const;

 private:
  void evaluate(std::span<const std::uint64_t> planes, std::span<float> out,
                const MoveQuery* moves) const;

  struct Packed;
  std::unique_ptr<const Packed> packed_;
};

}  // namespace polymax
