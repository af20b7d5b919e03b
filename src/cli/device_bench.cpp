#include "cli/device_bench.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/clock.hpp"
#include "core/rng.hpp"
#include "core/thread.hpp"
#include "nn/cpu_engine.hpp"

namespace polymax {

namespace device_bench {
namespace {

// Median time in microseconds of `action`.
template <class F>
double median_us(F action) {
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) {
    const double begin = wall_seconds();
    action();
    times.push_back(1e6 * (wall_seconds() - begin));
  }
  std::ranges::nth_element(times, times.begin() + 100);
  return times[100];
}

// Threads that ask for 5 to 60 positions at a time; returns positions a second.
double feed(ServedNet& net, const std::vector<std::uint64_t>& positions, std::size_t words,
            const DeviceBench& bench) {
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> counting{false}, stop{false};
  std::exception_ptr problem;
  std::mutex mutex;
  std::vector<std::jthread> threads;
  const std::size_t known = positions.size() / words;
  for (int t = 0; t < bench.callers; ++t)
    threads.push_back(start_thread([&, t](const std::stop_token& asked) {
      Rng rng(static_cast<std::uint64_t>(t));
      std::vector<float> values;
      RandomMoves moves(net.shape(), 60, bench.moves, rng);
      try {
        while (!stop && !asked.stop_requested()) {
          const std::size_t count = 5 + rng.below(56),
                            first = rng.below(static_cast<std::uint32_t>(known - count));
          values.resize(count * static_cast<std::size_t>(net.shape().players));
          const auto some = std::span(positions).subspan(first * words, count * words);
          bench.moves > 0 ? net.evaluate(some, values, moves.first(count))
                          : net.evaluate(some, values);
          if (counting) done += count;
        }
      } catch (...) {
        const std::scoped_lock lock(mutex);
        problem = std::current_exception();
      }
    }));
  std::this_thread::sleep_for(std::chrono::duration<double>(0.3));
  counting = true;
  const double begin = wall_seconds();
  std::this_thread::sleep_for(std::chrono::duration<double>(bench.seconds));
  const auto counted = done.load();
  const double spent = wall_seconds() - begin;
  stop = true;
  for (auto& thread : threads) thread.join();
  if (problem) std::rethrow_exception(problem);
  return static_cast<double>(counted) / spent;
}

}  // namespace
}  // namespace device_bench

double relative_difference(const std::vector<float>& expected, const std::vector<float>& got) {
  double square = 0, error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    square += std::pow(static_cast<double>(expected[i]), 2);
    error += std::pow(static_cast<double>(expected[i]) - static_cast<double>(got[i]), 2);
  }
  return std::sqrt(error / square);
}

std::vector<std::uint64_t> random_positions(const PlaneShape& input, int count) {
  Rng rng(1);
  const int words = input.words_per_plane();
  std::vector<std::uint64_t> out(static_cast<std::size_t>(count * input.words()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int left = input.cells() - 64 * (static_cast<int>(i) % words);
    out[i] = rng.next() & rng.next() & (left >= 64 ? ~0ull : (1ull << left) - 1);
  }
  return out;
}

DeviceBenchResult run_device_bench(const Net& net, TorchDevice device,
                                   const std::vector<std::uint64_t>& positions,
                                   const DeviceBench& bench) {
  const auto words = static_cast<std::size_t>(net.shape.input.words());
  NetService& service = service_of(device);
  const auto served = service.serve(net, bench.limit, bench.mode);
  DeviceBenchResult out;
  service.raw_rate(*served, positions, 1);  // the card's clock settles under load
  out.raw = service.raw_rate(*served, positions, bench.seconds);
  std::vector<float> one(static_cast<std::size_t>(net.shape.players));
  out.one_caller_us =
      device_bench::median_us([&] { served->evaluate(std::span(positions).first(words), one); });
  std::vector<float> expected(positions.size() / words * one.size()), got(expected.size());
  CpuEngine(net, Isa::plain).evaluate(positions, expected);
  served->evaluate(positions, got);
  out.difference = relative_difference(expected, got);
  const auto before = service.statistics();
  out.batched = device_bench::feed(*served, positions, words, bench);
  out.statistics = service.statistics() - before;
  out.queue_us = 1e6 * out.statistics.queued_seconds /
                 std::max(1.0, static_cast<double>(out.statistics.batches));
  return out;
}

double raw_device_speed(const Net& net, TorchDevice device, int batch, double seconds) {
  NetService& service = service_of(device);
  const auto served = service.serve(net, batch);
  const auto positions = random_positions(net.shape.input, 256);
  service.raw_rate(*served, positions, 1);
  return service.raw_rate(*served, positions, seconds);
}

std::function<void()> torch_on_one_core(const Net& net, const std::vector<std::uint64_t>& positions,
                                        std::vector<float>& values) {
  const auto count = positions.size() / static_cast<std::size_t>(net.shape.input.words());
  const std::shared_ptr<ServedNet> served =
      service_of(TorchDevice::cpu).serve(net, static_cast<int>(count));
  values.resize(count * static_cast<std::size_t>(net.shape.players));
  return [served, &positions, &values] { served->evaluate(positions, values); };
}

}  // namespace polymax
