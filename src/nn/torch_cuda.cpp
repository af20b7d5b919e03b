// Networks on a CUDA GPU: bf16, channels last, cuDNN's fused convolutions (bias, skip and ReLU in
// one kernel), one CUDA graph for each of some batch sizes, each lane and each shape. A lane has
// its own stream, and for each shape its own input, output, graphs and a slot that the graphs read
// the weights from; networks are flat copies of such a slot. Lanes run side by side, and copies
// overlap with computing. A lane's graphs never run at the same time: they share their memory.
#include "nn/torch_cuda.inl"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime.h>
#include <torch/torch.h>

#include <chrono>
#include <map>
#include <vector>

#include "core/error.hpp"
#include "nn/torch_net.inl"

namespace polymax::torch_nn {

bool cuda_usable() {
  return torch::cuda::is_available();
}

void unpack_planes(const std::uint64_t* words, void* out, int positions, int planes,
                   int words_per_plane, int cells, int channels, cudaStream_t stream);
void compute_logits(const void* seen, const void* weights, const void* bias,
                    const std::uint32_t* count_and_asked, float* out, int cells, int planes,
                    int channels, cudaStream_t stream);

namespace {

constexpr int kFixedBatch = 512;  // positions that are computed at once whatever is asked
constexpr std::size_t kWorkspace = 48u << 20;  // bytes of the libraries for each lane, about

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess)
    throw Error(std::string(what) + ": " + cudaGetErrorString(error), Error::Kind::failed);
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "memory of the device");
  return free;
}

// Other threads go on using the device meanwhile: their calls must not break this capture, nor this
// one their calls. Where the work fails the capture ends too, so that the stream can be used again.
template <class Work>
void capture_into(at::cuda::CUDAGraph& graph, at::cuda::MempoolId_t pool, const Work& work) {
  graph.capture_begin(pool, cudaStreamCaptureModeThreadLocal);
  try {
    work();
  } catch (...) {
    try {
      graph.capture_end();
    } catch (...) {
    }
    throw;
  }
  graph.capture_end();
}

struct PinnedBatch : HostBatch {
  PinnedBatch(std::size_t words, std::size_t floats, std::size_t room) {
    take(planes, words);
    take(values, floats);
    if (room > 0) {
      take(count_and_asked, 1 + room);
      asked = count_and_asked + 1;
      take(logits, room);
    }
    std::fill_n(planes, words, 0);
  }

  std::uint32_t* count_and_asked = nullptr;  // as the device reads them

 private:
  struct Free {
    void operator()(void* block) const { cudaFreeHost(block); }
  };

  template <class T>
  void take(T*& to, std::size_t count) {
    check(cudaHostAlloc(&to, count * sizeof(T), cudaHostAllocPortable), "pinned memory");
    blocks_.emplace_back(to);
  }

  std::vector<std::unique_ptr<void, Free>> blocks_;
};

// Few, since cuDNN measures kernels for each; close enough that padding costs little.
std::vector<int> graph_sizes(const BatchShape& shape) {
  if (shape.fixed) return {kFixedBatch};
  std::vector<int> out;
  for (const int size : {16, 64, 128, 256, 384, 512, 768, 1024, 1280, 1536, 1792, 2048})
    if (size < shape.most) out.push_back(size);
  for (int size = 2560; size < shape.most; size += 512) out.push_back(size);
  out.push_back(shape.most);
  return out;
}

// Of a lane for small batches: none where all batches are of one size.
constexpr int kNarrow = 256;
std::vector<int> narrow_graph_sizes(const BatchShape& shape) {
  std::vector<int> out;
  if (!shape.fixed)
    for (const int size : graph_sizes(shape))
      if (size <= kNarrow) out.push_back(size);
  return out;
}

FlatLayout flat_of(const NetShape& shape) {
  return {shape,
          {.type = torch::kBFloat16,
           .channels_last = true,
           .channel_multiple = shape.channels % 32 == 0 ? 1 : 32,
           .plane_multiple = 16}};
}

torch::TensorOptions on_gpu(torch::ScalarType type) {
  return torch::TensorOptions().device(torch::kCUDA).dtype(type);
}

// How cuDNN chooses its kernels while this lives: by measuring, or, for values that stay the same,
// by rule and only those that add in one order.
struct KernelChoice {
  explicit KernelChoice(bool fixed) {
    at::globalContext().setBenchmarkCuDNN(!fixed);
    at::globalContext().setDeterministicCuDNN(fixed);
  }
  ~KernelChoice() {
    at::globalContext().setBenchmarkCuDNN(true);
    at::globalContext().setDeterministicCuDNN(false);
  }
};

struct CudaWeights : DeviceWeights {
  torch::Tensor memory;
};

// What computes on a lane: one thing at a time.
struct Lane {
  // first: the device computes it before others.
  explicit Lane(bool first) : stream(c10::cuda::getStreamFromPool(first)) {
    check(cudaEventCreateWithFlags(&finished, cudaEventBlockingSync | cudaEventDisableTiming),
          "event");
  }
  ~Lane() { cudaEventDestroy(finished); }

  c10::cuda::CUDAStream stream;
  cudaEvent_t finished{};
  decltype(std::declval<at::cuda::CUDAGraph>().pool()) pool{0, 0};  // of all its graphs
};

// A shape on one lane.
class LaneShape {
 public:
  LaneShape(Lane& lane, const BatchShape& shape, const FlatLayout& flat,
            const std::vector<int>& sizes)
      : lane_(lane),
        in_(shape.net.input),
        in_channels_(flat.in_channels()),
        players_(static_cast<std::size_t>(shape.net.players)),
        move_planes_(shape.moves ? shape.net.move_planes : 0),
        packed_(torch::zeros({sizes.back() * in_.words()}, on_gpu(torch::kInt64))),
        slot_(torch::zeros({static_cast<std::int64_t>(flat.bytes())}, on_gpu(torch::kUInt8))),
        values_(torch::zeros({sizes.back(), shape.net.players}, on_gpu(torch::kFloat32))),
        asked_(torch::zeros({static_cast<std::int64_t>(1 + shape.room())}, on_gpu(torch::kInt32))),
        logits_(torch::zeros({static_cast<std::int64_t>(shape.room())}, on_gpu(torch::kFloat32))),
        layers_(flat.at(static_cast<std::byte*>(slot_.data_ptr()), torch::kCUDA)) {
    check(cudaStreamSynchronize(c10::cuda::getCurrentCUDAStream()), "buffers");
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
      capture(*size);  // the largest first: they share memory
  }

  void launch(const std::shared_ptr<DeviceWeights>& weights, HostBatch& host, int positions) {
    const c10::cuda::CUDAStreamGuard guard(lane_.stream);
    take(weights);
    copy_in(host, positions);
    graph_for(positions).replay();
    copy_out(host.values, values_, static_cast<std::size_t>(positions) * players_);
    if (host.moves > 0) copy_out(host.logits, logits_, static_cast<std::size_t>(host.moves));
    check(cudaEventRecord(lane_.finished, lane_.stream), "event");
  }

  double raw_rate(const std::shared_ptr<DeviceWeights>& weights, HostBatch& host, int positions,
                  double seconds) {
    const c10::cuda::CUDAStreamGuard guard(lane_.stream);
    take(weights);
    copy_in(host, positions);
    auto& graph = graph_for(positions);
    const auto begin = std::chrono::steady_clock::now();
    double spent = 0, done = 0;
    while (spent < seconds) {
      for (int i = 0; i < 16; ++i) graph.replay();
      check(cudaStreamSynchronize(lane_.stream), "replay");
      done += 16.0 * positions;
      spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return done / spent;
  }

 private:
  void compute(int size) {
    auto planes =
        torch::empty({size, in_.height, in_.width, in_channels_}, on_gpu(torch::kBFloat16));
    unpack_planes(static_cast<const std::uint64_t*>(packed_.data_ptr()), planes.data_ptr(), size,
                  in_.planes, in_.words_per_plane(), in_.cells(), static_cast<int>(in_channels_),
                  lane_.stream);
    check(cudaGetLastError(), "unpacking");
    const auto conv = [](const torch::Tensor& x, const Layer& layer, std::int64_t padding,
                         const torch::Tensor* skip) {
      const std::vector<std::int64_t> one{1, 1}, around{padding, padding};
      return skip ? at::cudnn_convolution_add_relu(x, layer.weight, *skip, 1.0, layer.bias, one,
                                                   around, one, 1)
                  : at::cudnn_convolution_relu(x, layer.weight, layer.bias, one, around, one, 1);
    };
    // NHWC memory seen as NCHW: channels last
    const auto seen = trunk(layers_, planes.permute({0, 3, 1, 2}), conv);
    values_.slice(0, 0, size).copy_(values_of(layers_, seen, conv));
    if (move_planes_ > 0) compute_asked(conv(seen, layers_.prior1, 0, nullptr));
  }

  // The logits that are asked for: far fewer than there are places.
  void compute_asked(const torch::Tensor& seen) {
    const auto last = seen.contiguous(torch::MemoryFormat::ChannelsLast);
    compute_logits(
        last.data_ptr(), layers_.prior2.weight.data_ptr(), layers_.prior2.bias.data_ptr(),
        reinterpret_cast<const std::uint32_t*>(asked_.data_ptr()), logits_.data_ptr<float>(),
        in_.cells(), move_planes_, static_cast<int>(last.size(1)), lane_.stream);
    check(cudaGetLastError(), "logits");
  }

  void capture(int size) {
    const torch::NoGradGuard no_grad;
    const c10::cuda::CUDAStreamGuard guard(lane_.stream);
    for (int i = 0; i < 2; ++i)
      compute(size);  // cuDNN chooses its kernels, which it cannot do while capturing
    check(cudaStreamSynchronize(lane_.stream), "warm-up");
    auto graph = std::make_unique<at::cuda::CUDAGraph>();
    capture_into(*graph, lane_.pool, [&] { compute(size); });
    lane_.pool = graph->pool();
    graphs_[size] = std::move(graph);
  }

  at::cuda::CUDAGraph& graph_for(int positions) { return *graphs_.lower_bound(positions)->second; }

  // The weights in the slot. What the slot held before is let go: its copy was done long ago, since
  // a lane's batch has ended before the next one begins.
  void take(const std::shared_ptr<DeviceWeights>& weights) {
    if (in_slot_ == weights) return;
    const auto& memory = static_cast<CudaWeights&>(*weights).memory;
    check(cudaMemcpyAsync(slot_.data_ptr(), memory.data_ptr(),
                          static_cast<std::size_t>(memory.numel()), cudaMemcpyDeviceToDevice,
                          lane_.stream),
          "copy of weights");
    in_slot_ = weights;
  }

  void copy_in(HostBatch& host, int positions) {
    const auto words = static_cast<std::size_t>(positions) * static_cast<std::size_t>(in_.words());
    check(cudaMemcpyAsync(packed_.data_ptr(), host.planes, words * sizeof(std::uint64_t),
                          cudaMemcpyHostToDevice, lane_.stream),
          "copy to the device");
    if (host.moves == 0 && moves_ == 0) return;
    moves_ = host.moves;
    std::uint32_t* const from = static_cast<PinnedBatch&>(host).count_and_asked;
    *from = static_cast<std::uint32_t>(moves_);
    check(cudaMemcpyAsync(asked_.data_ptr(), from,
                          (1 + static_cast<std::size_t>(moves_)) * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, lane_.stream),
          "copy to the device");
  }

  void copy_out(float* to, const torch::Tensor& from, std::size_t count) {
    check(cudaMemcpyAsync(to, from.data_ptr(), count * sizeof(float), cudaMemcpyDeviceToHost,
                          lane_.stream),
          "copy from the device");
  }

  Lane& lane_;
  PlaneShape in_;
  std::int64_t in_channels_;
  std::size_t players_;
  int move_planes_;  // 0: without moves
  int moves_ = 0;    // that the device is told to compute the logits of
  torch::Tensor packed_, slot_, values_, asked_, logits_;
  Layers layers_;  // in the slot
  std::map<int, std::unique_ptr<at::cuda::CUDAGraph>> graphs_;
  std::shared_ptr<DeviceWeights> in_slot_;
};

class CudaShape final : public DeviceShape {
 public:
  CudaShape(std::vector<std::unique_ptr<Lane>>& lanes, int narrow_from, const BatchShape& shape)
      : flat(flat_of(shape.net)),
        shape_(shape),
        sizes_(graph_sizes(shape)),
        narrow_sizes_(narrow_graph_sizes(shape)),
        narrow_from_(narrow_from) {
    const std::size_t before = free_memory();
    const KernelChoice choice(shape.fixed);
    for (const auto& lane : lanes) {
      const bool narrow = static_cast<int>(on_lane.size()) >= narrow_from;
      if (narrow && narrow_sizes_.empty()) break;
      on_lane.push_back(
          std::make_unique<LaneShape>(*lane, shape, flat, narrow ? narrow_sizes_ : sizes_));
    }
    c10::cuda::CUDACachingAllocator::emptyCache();  // what only the choosing needed
    const std::size_t after = free_memory();
    bytes_ = before > after ? before - after : 0;
  }

  std::size_t bytes() const override { return bytes_; }
  int most() const override { return sizes_.back(); }
  int computed(int positions) const override {
    return *std::ranges::lower_bound(sizes_, positions);
  }
  bool takes(int lane, int positions) const override {
    return lane < narrow_from_ || (!narrow_sizes_.empty() && positions <= narrow_sizes_.back());
  }

  std::unique_ptr<HostBatch> make_batch() override {
    const auto positions = static_cast<std::size_t>(most());
    return std::make_unique<PinnedBatch>(
        positions * static_cast<std::size_t>(shape_.net.input.words()),
        positions * static_cast<std::size_t>(shape_.net.players), shape_.room());
  }

  FlatLayout flat;
  std::vector<std::unique_ptr<LaneShape>> on_lane;

 private:
  BatchShape shape_;
  std::vector<int> sizes_, narrow_sizes_;
  int narrow_from_;
  std::size_t bytes_ = 0;
};

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(const TorchSettings& settings)
      : narrow_from_(settings.lanes), uploads_(c10::cuda::getStreamFromPool()) {
    for (int i = 0; i < settings.lanes + settings.narrow_lanes; ++i)
      lanes_.push_back(std::make_unique<Lane>(i >= settings.lanes));
    free_at_start_ = free_memory();
  }

  std::string name() const override { return at::cuda::getCurrentDeviceProperties()->name; }
  int lanes() const override { return static_cast<int>(lanes_.size()); }
  std::size_t memory() const override { return free_at_start_ / 10 * 8; }

  // Planes, and the three layers of cells that live at a time, of the largest batch on every lane.
  std::size_t estimated_bytes(const BatchShape& shape) const override {
    const FlatLayout flat = flat_of(shape.net);
    const PlaneShape& in = shape.net.input;
    const auto channels = static_cast<std::size_t>(round_up(shape.net.channels, 32));
    const std::size_t position = static_cast<std::size_t>(in.words()) * sizeof(std::uint64_t) +
                                 2 * static_cast<std::size_t>(in.cells()) *
                                     (static_cast<std::size_t>(flat.in_channels()) + 3 * channels);
    const auto lane = [&](const std::vector<int>& sizes) {
      return sizes.empty() ? 0
                           : static_cast<std::size_t>(sizes.back()) * position + 8 * shape.room() +
                                 flat.bytes() + kWorkspace;
    };
    const auto wide = static_cast<std::size_t>(narrow_from_);
    return wide * lane(graph_sizes(shape)) +
           (lanes_.size() - wide) * lane(narrow_graph_sizes(shape));
  }

  std::unique_ptr<DeviceShape> prepare(const BatchShape& shape) override {
    return std::make_unique<CudaShape>(lanes_, narrow_from_, shape);
  }

  std::vector<std::byte> pack(const Net& net) const override {
    return flat_of(net.shape).pack(net);
  }

  std::shared_ptr<DeviceWeights> upload(DeviceShape&, std::span<const std::byte> packed) override {
    const c10::cuda::CUDAStreamGuard guard(uploads_);
    auto out = std::make_shared<CudaWeights>();
    out->memory = torch::empty({static_cast<std::int64_t>(packed.size())}, on_gpu(torch::kUInt8));
    check(cudaMemcpyAsync(out->memory.data_ptr(), packed.data(), packed.size(),
                          cudaMemcpyHostToDevice, uploads_),
          "weights to the device");
    check(cudaStreamSynchronize(uploads_), "weights to the device");
    return out;
  }

  void launch(int lane, DeviceShape& shape, const std::shared_ptr<DeviceWeights>& weights,
              HostBatch& batch, int positions) override {
    on(shape, lane).launch(weights, batch, positions);
  }
  void wait(int lane) override {
    check(cudaEventSynchronize(lanes_[static_cast<std::size_t>(lane)]->finished),
          "computing a batch");
  }

  double raw_rate(DeviceShape& shape, const std::shared_ptr<DeviceWeights>& weights,
                  HostBatch& batch, int positions, double seconds) override {
    return on(shape, 0).raw_rate(weights, batch, positions, seconds);
  }

 private:
  static LaneShape& on(DeviceShape& shape, int lane) {
    return *static_cast<CudaShape&>(shape).on_lane[static_cast<std::size_t>(lane)];
  }

  std::vector<std::unique_ptr<Lane>> lanes_;  // those for small batches last
  int narrow_from_;
  c10::cuda::CUDAStream uploads_;
  std::size_t free_at_start_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device(const TorchSettings& settings) {
  return std::make_unique<CudaDevice>(settings);
}

torch::Tensor unpack_on_cuda(const torch::Tensor& words, const PlaneShape& shape,
                             std::int64_t channels) {
  const std::int64_t positions = words.numel() / shape.words();
  auto out = torch::empty({positions, shape.cells(), channels},
                          torch::TensorOptions().device(torch::kCUDA).dtype(torch::kBFloat16));
  unpack_planes(static_cast<const std::uint64_t*>(words.data_ptr()), out.data_ptr(),
                static_cast<int>(positions), shape.planes, shape.words_per_plane(), shape.cells(),
                static_cast<int>(channels), c10::cuda::getCurrentCUDAStream());
  check(cudaGetLastError(), "unpacking");
  return out;
}

c10::Stream own_stream() {
  return c10::cuda::getStreamFromPool().unwrap();
}

namespace {

class Graph final : public RecordedWork {
 public:
  explicit Graph(const std::function<void()>& work) {
    check(cudaStreamSynchronize(c10::cuda::getCurrentCUDAStream()), "recording");
    capture_into(graph_, {0, 0}, work);
  }
  void replay() override { graph_.replay(); }

 private:
  at::cuda::CUDAGraph graph_;
};

}  // namespace

std::unique_ptr<RecordedWork> record_on_cuda(const std::function<void()>& work) {
  return std::make_unique<Graph>(work);
}

}  // namespace polymax::torch_nn
