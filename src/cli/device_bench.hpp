// How fast a torch device computes, alone and fed by many threads through the service.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/rng.hpp"
#include "nn/engines.hpp"
#include "nn/net.hpp"
#include "nn/service.hpp"

namespace polymax {

struct DeviceBench {
  int callers = 256, limit = 4096;
  double seconds = 1;
  BatchMode mode = BatchMode::best;
  int moves = 0;  // of each position, asked of the second head; 0: values alone
};

struct DeviceBenchResult {
  double raw = 0, batched = 0;  // positions a second: computing alone; end to end
  double queue_us = 0;          // mean time of a batch from its first position to its launch
  double one_caller_us = 0;     // one position, one caller
  double difference = 0;        // from the plain CPU kernels, relative
  ServiceStatistics statistics;
};

// positions: packed planes that the callers draw from.
DeviceBenchResult run_device_bench(const Net& net, TorchDevice device,
                                   const std::vector<std::uint64_t>& positions,
                                   const DeviceBench& bench);

// Positions a second of a device alone, in batches of one size, after it has settled. Nobody else
// may use it meanwhile.
double raw_device_speed(const Net& net, TorchDevice device, int batch, double seconds);

// Random places of as many moves for each of so many positions.
struct RandomMoves {
  std::vector<std::uint32_t> ends;
  std::vector<std::uint16_t> places;
  std::vector<float> logits;

  RandomMoves(const NetShape& shape, std::size_t positions, int moves, Rng& rng) {
    for (std::size_t i = 0; i < positions * static_cast<std::size_t>(moves); ++i)
      places.push_back(
          static_cast<std::uint16_t>(rng.below(static_cast<std::uint32_t>(shape.places()))));
    for (std::size_t i = 1; i <= positions; ++i)
      ends.push_back(static_cast<std::uint32_t>(i * static_cast<std::size_t>(moves)));
    logits.resize(places.size());
  }
  MoveQuery first(std::size_t positions) {
    const std::size_t count = ends[positions - 1];
    return {std::span(ends).first(positions), std::span(places).first(count),
            std::span(logits).first(count)};
  }
};

// Root mean square of the difference in units of the root mean square of what is expected.
double relative_difference(const std::vector<float>& expected, const std::vector<float>& got);

// Random planes, a quarter of the bits set.
std::vector<std::uint64_t> random_positions(const PlaneShape& input, int count);

// Values the positions by libtorch in fp32, in the caller's thread, each time it is called;
// `values` become theirs; both must outlive it.
std::function<void()> torch_on_one_core(const Net& net, const std::vector<std::uint64_t>& positions,
                                        std::vector<float>& values);

}  // namespace polymax
