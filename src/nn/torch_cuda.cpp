// The network on a CUDA GPU: bf16, channels last, cuDNN's fused convolutions (bias, skip and ReLU
// in one kernel), one CUDA graph for each of many batch sizes and each lane. A lane has its own
// stream, input, output and graphs, so that lanes run side by side and copies overlap with
// computing.
#include "nn/torch_cuda.inl"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
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

namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess)
    throw Error(std::string(what) + ": " + cudaGetErrorString(error), Error::Kind::failed);
}

struct PinnedBatch : HostBatch {
  PinnedBatch(std::size_t words, std::size_t floats) {
    check(cudaHostAlloc(&planes, words * sizeof(std::uint64_t), cudaHostAllocPortable),
          "pinned memory");
    check(cudaHostAlloc(&values, floats * sizeof(float), cudaHostAllocPortable), "pinned memory");
    std::fill_n(planes, words, 0);
  }
  ~PinnedBatch() override {
    cudaFreeHost(planes);
    cudaFreeHost(values);
  }
};

// Sizes of graphs: every 128 up to 1024, every 256 beyond; small ones for few callers.
std::vector<int> graph_sizes(int most) {
  std::vector<int> out;
  for (int size = 8; size < 128; size *= 2) out.push_back(size);
  for (int size = 128; size <= most; size += size < 1024 ? 128 : 256) out.push_back(size);
  while (!out.empty() && out.back() >= most) out.pop_back();
  out.push_back(most);
  return out;
}

class CudaDevice final : public Device {
 public:
  CudaDevice(const Net& net, const TorchSettings& settings)
      : shape_(net.shape),
        max_batch_(settings.max_batch),
        weights_(make_weights(net)),
        scale_(net.scale) {
    at::globalContext().setBenchmarkCuDNN(true);
    for (int i = 0; i < settings.lanes; ++i) lanes_.push_back(std::make_unique<Lane>(*this));
  }

  const NetShape& shape() const override { return shape_; }
  int lanes() const override { return static_cast<int>(lanes_.size()); }
  int max_batch() const override { return max_batch_; }

  std::unique_ptr<HostBatch> make_batch() override {
    const auto most = static_cast<std::size_t>(max_batch_);
    return std::make_unique<PinnedBatch>(most * static_cast<std::size_t>(shape_.input.words()),
                                         most * static_cast<std::size_t>(shape_.players));
  }

  void launch(int lane, HostBatch& batch, int positions) override {
    lanes_[static_cast<std::size_t>(lane)]->launch(batch, positions);
  }
  void wait(int lane) override { lanes_[static_cast<std::size_t>(lane)]->wait(); }

  void set_weights(const Net& net) override {
    const torch::NoGradGuard no_grad;
    weights_.copy_from(make_weights(net));
    scale_ = net.scale;
    check(cudaStreamSynchronize(c10::cuda::getCurrentCUDAStream()), "new weights");
  }

  double raw_rate(int positions, double seconds) override {
    return lanes_[0]->raw_rate(positions, seconds);
  }

 private:
  static Weights make_weights(const Net& net) {
    const std::int64_t multiple = net.shape.channels % 32 == 0 ? 1 : 32;
    return {net, torch::Device(torch::kCUDA), torch::kBFloat16, multiple, 16};
  }

  struct Lane {
    explicit Lane(CudaDevice& device)
        : owner(device),
          stream(c10::cuda::getStreamFromPool()),
          words(static_cast<std::size_t>(device.shape_.input.words())) {
      const PlaneShape& in = device.shape_.input;
      const auto most = static_cast<std::size_t>(device.max_batch_);
      check(cudaMalloc(&packed, most * words * sizeof(std::uint64_t)), "device memory");
      check(cudaMemset(packed, 0, most * words * sizeof(std::uint64_t)), "device memory");
      const auto options = torch::TensorOptions().device(torch::kCUDA).dtype(torch::kBFloat16);
      planes = torch::zeros({device.max_batch_, in.height, in.width, device.weights_.in_channels},
                            options);
      values =
          torch::zeros({device.max_batch_, device.shape_.players}, options.dtype(torch::kFloat32));
      check(cudaEventCreateWithFlags(&finished, cudaEventBlockingSync | cudaEventDisableTiming),
            "event");
      auto sizes = graph_sizes(device.max_batch_);
      for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
        capture(*size);  // the largest first: they share memory
    }

    ~Lane() {
      cudaFree(packed);
      cudaEventDestroy(finished);
    }

    torch::Tensor forward(torch::Tensor x) const {
      const Weights& w = owner.weights_;
      const std::vector<std::int64_t> one{1, 1}, none{0, 0};
      x = at::cudnn_convolution_relu(x, w.stem.weight, w.stem.bias, one, one, one, 1);
      for (std::size_t i = 0; i < w.convs.size(); i += 2) {
        const auto inner =
            at::cudnn_convolution_relu(x, w.convs[i].weight, w.convs[i].bias, one, one, one, 1);
        x = at::cudnn_convolution_add_relu(inner, w.convs[i + 1].weight, x, 1.0,
                                           w.convs[i + 1].bias, one, one, one, 1);
      }
      x = at::cudnn_convolution_relu(x, w.head.weight, w.head.bias, one, none, one, 1);
      return pool_and_dense(w, x);
    }

    void compute(int size) {
      const auto x = planes.slice(0, 0, size)
                         .permute({0, 3, 1, 2});  // NHWC memory seen as NCHW: channels last
      values.slice(0, 0, size).copy_(forward(x));
    }

    void capture(int size) {
      const torch::NoGradGuard no_grad;
      const c10::cuda::CUDAStreamGuard guard(stream);
      for (int i = 0; i < 2; ++i)
        compute(size);  // cuDNN chooses its kernels, which it cannot do while capturing
      check(cudaStreamSynchronize(stream), "warm-up");
      auto graph = std::make_unique<at::cuda::CUDAGraph>();
      // another network may compute meanwhile: its calls must not break this capture, nor this one
      // its calls
      decltype(graph->pool()) pool{0, 0};
      if (!graphs.empty()) pool = graphs.rbegin()->second->pool();
      graph->capture_begin(pool, cudaStreamCaptureModeThreadLocal);
      compute(size);
      graph->capture_end();
      graphs[size] = std::move(graph);
    }

    at::cuda::CUDAGraph& graph_for(int positions) { return *graphs.lower_bound(positions)->second; }

    void unpack(int positions) {
      const PlaneShape& in = owner.shape_.input;
      unpack_planes(packed, planes.data_ptr(), positions, in.planes, in.words_per_plane(),
                    in.cells(), static_cast<int>(owner.weights_.in_channels), stream);
      check(cudaGetLastError(), "unpacking");
    }

    void launch(HostBatch& host, int positions) {
      const c10::cuda::CUDAStreamGuard guard(stream);
      const auto count = static_cast<std::size_t>(positions);
      check(cudaMemcpyAsync(packed, host.planes, count * words * sizeof(std::uint64_t),
                            cudaMemcpyHostToDevice, stream),
            "copy to the device");
      unpack(positions);
      graph_for(positions).replay();
      const auto players = static_cast<std::size_t>(owner.shape_.players);
      check(cudaMemcpyAsync(host.values, values.data_ptr(), count * players * sizeof(float),
                            cudaMemcpyDeviceToHost, stream),
            "copy from the device");
      check(cudaEventRecord(finished, stream), "event");
      batch = &host;
      launched = count * players;
    }

    void wait() {
      check(cudaEventSynchronize(finished), "computing a batch");
      if (owner.scale_ != 1)
        for (std::size_t i = 0; i < launched; ++i) batch->values[i] *= owner.scale_;
    }

    double raw_rate(int positions, double seconds) {
      const c10::cuda::CUDAStreamGuard guard(stream);
      auto& graph = graph_for(positions);
      const auto begin = std::chrono::steady_clock::now();
      double spent = 0, done = 0;
      while (spent < seconds) {
        for (int i = 0; i < 16; ++i) graph.replay();
        check(cudaStreamSynchronize(stream), "replay");
        done += 16.0 * positions;
        spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      }
      return done / spent;
    }

    CudaDevice& owner;
    c10::cuda::CUDAStream stream;
    std::size_t words;
    std::uint64_t* packed = nullptr;
    torch::Tensor planes, values;
    cudaEvent_t finished{};
    std::map<int, std::unique_ptr<at::cuda::CUDAGraph>> graphs;
    HostBatch* batch = nullptr;
    std::size_t launched = 0;
  };

  NetShape shape_;
  int max_batch_;
  Weights weights_;
  float scale_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device(const Net& net, const TorchSettings& settings) {
  return std::make_unique<CudaDevice>(net, settings);
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
    // other threads go on using the device meanwhile
    graph_.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    try {
      work();
    } catch (...) {
      end_quietly();
      throw;
    }
    graph_.capture_end();
  }
  void replay() override { graph_.replay(); }

 private:
  // So that the stream can be used again.
  void end_quietly() {
    try {
      graph_.capture_end();
    } catch (...) {
    }
  }

  at::cuda::CUDAGraph graph_;
};

}  // namespace

std::unique_ptr<RecordedWork> record_on_cuda(const std::function<void()>& work) {
  return std::make_unique<Graph>(work);
}

}  // namespace polymax::torch_nn
