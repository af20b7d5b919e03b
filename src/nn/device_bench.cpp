#include "nn/device_bench.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/rng.hpp"
#include "nn/cpu_engine.hpp"

namespace polymax {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Median time in microseconds of `action`.
template <class F>
double median_us(F action) {
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) {
    const double begin = now();
    action();
    times.push_back(1e6 * (now() - begin));
  }
  std::ranges::nth_element(times, times.begin() + 100);
  return times[100];
}

// Threads that ask for 5 to 60 positions at a time; returns positions a second.
double feed(Batcher& batcher, const std::vector<std::uint64_t>& positions, std::size_t words,
            const DeviceBench& bench) {
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> counting{false}, stop{false};
  std::exception_ptr problem;
  std::mutex mutex;
  std::vector<std::jthread> threads;
  const std::size_t known = positions.size() / words;
  for (int t = 0; t < bench.callers; ++t)
    threads.emplace_back([&, t](const std::stop_token& asked) {
      Rng rng(static_cast<std::uint64_t>(t));
      std::vector<float> values;
      try {
        while (!stop && !asked.stop_requested()) {
          const std::size_t count = 5 + rng.below(56),
                            first = rng.below(static_cast<std::uint32_t>(known - count));
          values.resize(count * static_cast<std::size_t>(batcher.shape().players));
          batcher.evaluate(std::span(positions).subspan(first * words, count * words), values);
          if (counting) done += count;
        }
      } catch (...) {
        const std::scoped_lock lock(mutex);
        problem = std::current_exception();
      }
    });
  std::this_thread::sleep_for(std::chrono::duration<double>(0.3));
  counting = true;
  const double begin = now();
  std::this_thread::sleep_for(std::chrono::duration<double>(bench.seconds));
  const auto counted = done.load();
  const double spent = now() - begin;
  stop = true;
  for (auto& thread : threads) thread.join();
  if (problem) std::rethrow_exception(problem);
  return static_cast<double>(counted) / spent;
}

double relative_difference(const std::vector<float>& expected, const std::vector<float>& got) {
  double square = 0, error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    square += std::pow(static_cast<double>(expected[i]), 2);
    error += std::pow(static_cast<double>(expected[i]) - static_cast<double>(got[i]), 2);
  }
  return std::sqrt(error / square);
}

}  // namespace

DeviceBenchResult run_device_bench(const Net& net, const TorchSettings& settings,
                                   const std::vector<std::uint64_t>& positions,
                                   const DeviceBench& bench) {
  const auto words = static_cast<std::size_t>(net.shape.input.words());
  auto device = make_torch_device(net, settings);
  DeviceBenchResult out;
  device->raw_rate(bench.limit, 1);  // the card's clock settles under load
  out.raw = device->raw_rate(bench.limit, bench.seconds);
  const auto memory = device->make_batch();
  std::copy_n(positions.begin(), words, memory->planes);
  out.one_launch_us = median_us([&] {
    device->launch(0, *memory, 1);
    device->wait(0);
  });
  Batcher batcher(std::move(device), {bench.limit});
  std::vector<float> one(static_cast<std::size_t>(net.shape.players));
  out.one_caller_us = median_us([&] { batcher.evaluate(std::span(positions).first(words), one); });
  std::vector<float> expected(positions.size() / words * one.size()), got(expected.size());
  CpuEngine(net, Isa::plain).evaluate(positions, expected);
  batcher.evaluate(positions, got);
  out.difference = relative_difference(expected, got);
  const auto before = batcher.statistics();
  out.batched = feed(batcher, positions, words, bench);
  out.statistics = batcher.statistics();
  out.statistics.batches -= before.batches;
  out.statistics.positions -= before.positions;
  out.statistics.busy_seconds -= before.busy_seconds;
  out.statistics.seconds -= before.seconds;
  const double queued = out.statistics.queued_seconds - before.queued_seconds;
  out.queue_us = 1e6 * queued / std::max(1.0, static_cast<double>(out.statistics.batches));
  return out;
}

double raw_device_speed(const Net& net, const TorchSettings& settings, double seconds) {
  const auto device = make_torch_device(net, settings);
  device->raw_rate(settings.max_batch, 1);
  return device->raw_rate(settings.max_batch, seconds);
}

std::function<void()> torch_on_one_core(const Net& net, const std::vector<std::uint64_t>& positions,
                                        std::vector<float>& values) {
  const auto words = static_cast<std::size_t>(net.shape.input.words());
  const auto count = static_cast<int>(positions.size() / words);
  std::shared_ptr<Device> device =
      make_torch_device(net, {.cuda = false, .max_batch = count, .lanes = 1});
  std::shared_ptr<HostBatch> batch = device->make_batch();
  std::ranges::copy(positions, batch->planes);
  return [device, batch, count, &values, players = net.shape.players] {
    device->launch(0, *batch, count);
    values.assign(batch->values, batch->values + count * players);
  };
}

}  // namespace polymax
