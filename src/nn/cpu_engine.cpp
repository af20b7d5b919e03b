#include "nn/cpu_engine.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "nn/bf16.hpp"
#include "nn/cpu_features.hpp"
#include "nn/cpu_kernels.hpp"
#include "nn/net_file.hpp"

namespace polymax {

namespace {

using nn::ConvLayer;
using nn::Kernels;
using nn::Stream;

constexpr std::size_t kAlign = 64;
// Two activation buffers of a chunk: half of a usual L2 cache.
constexpr std::size_t kChunkBytes = 1 << 20;

// Memory on a cache line, zeroed.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes) { reserve(bytes); }

  // Grows to at least `bytes`; what it held is lost then.
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    const std::size_t whole = (bytes + kAlign - 1) / kAlign * kAlign;
    bytes_ = 0;
    data_.reset(static_cast<char*>(std::aligned_alloc(kAlign, whole)));
    if (!data_) throw std::bad_alloc();
    bytes_ = whole;
    std::memset(data_.get(), 0, bytes_);
  }
  char* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t bytes_ = 0;
};

int round_up(int n, int multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

struct PackedConv {
  Buffer weights, bias;
  ConvLayer layer{};
};

PackedConv pack_conv(const Kernels& kernels, const Net& net, const std::string& name,
                     int in_channels, int out_channels) {
  const Tensor& weight = net.tensor(name + ".weight");
  const Tensor& bias = net.tensor(name + ".bias");
  const int out = static_cast<int>(weight.dims[0]), in = static_cast<int>(weight.dims[1]);
  const bool is_3x3 = weight.dims[2] == 3;
  PackedConv packed;
  packed.weights.reserve(kernels.packed_bytes(in_channels, out_channels, is_3x3));
  kernels.pack(weight.values.data(), in, out, in_channels, out_channels, is_3x3,
               packed.weights.data());
  packed.bias.reserve(sizeof(float) * static_cast<std::size_t>(out_channels));
  std::memcpy(packed.bias.data(), bias.values.data(), sizeof(float) * bias.values.size());
  packed.layer = {in_channels, out_channels, is_3x3, packed.weights.data(),
                  reinterpret_cast<const float*>(packed.bias.data())};
  return packed;
}

// A buffer whose zero cells stay zero as long as its layout does not change.
class StreamBuffer {
 public:
  char* cleared(std::size_t bytes, std::size_t layout) {
    if (layout != layout_) {
      layout_ = 0;  // until there is room for the new one
      buffer_.reserve(bytes);
      std::memset(buffer_.data(), 0, bytes);
      layout_ = layout;
    }
    return buffer_.data();
  }

 private:
  Buffer buffer_;
  std::size_t layout_ = 0;
};

// The last layer of the second head, a row of fp32 weights for each move plane. Only asked places
// are computed: a product of the row and the cell's channels.
struct PackedPlaces {
  std::size_t channels = 0;
  std::vector<float> weights, bias;

  PackedPlaces() = default;
  PackedPlaces(const Net& net, int stored)
      : channels(static_cast<std::size_t>(stored)), bias(net.tensor("prior2.bias").values) {
    const Tensor& weight = net.tensor("prior2.weight");
    const auto in = static_cast<std::size_t>(weight.dims[1]);
    weights.resize(bias.size() * channels);
    for (std::size_t k = 0; k < bias.size(); ++k)
      std::copy_n(weight.values.begin() + static_cast<std::ptrdiff_t>(k * in), in,
                  weights.begin() + static_cast<std::ptrdiff_t>(k * channels));
  }
};

// Of one thread, shared by all engines that it uses.
struct Workspace {
  StreamBuffer input, a, b;
  Buffer scratch;
  std::vector<float> pooled, hidden;
};

Workspace& workspace() {
  thread_local Workspace space;
  return space;
}

// Tells the kernels when a thread begins and ends.
struct Entered {
  explicit Entered(const Kernels& kernels) : kernels_(kernels) { kernels_.enter(); }
  ~Entered() { kernels_.leave(); }
  const Kernels& kernels_;
};

float value_of(float x) {
  return x;
}
float value_of(std::uint16_t bits) {
  return from_bf16(bits);
}

// Sums of kCount neighbouring channels over all cells, kept in registers.
template <std::size_t kCount, class Element>
void sum_some(const Element* first, std::ptrdiff_t cells, std::ptrdiff_t stride, float* sums) {
  std::array<float, kCount> total{};
  for (std::ptrdiff_t cell = 0; cell < cells; ++cell)
    for (std::size_t c = 0; c < kCount; ++c)
      total[c] += value_of(first[cell * stride + static_cast<std::ptrdiff_t>(c)]);
  std::ranges::copy(total, sums);
}

template <class Element>
void sum_columns(const Element* first, std::ptrdiff_t cells, int channels, float* sums) {
  int c = 0;
  for (; c + 64 <= channels; c += 64) sum_some<64>(first + c, cells, channels, sums + c);
  for (; c + 8 <= channels; c += 8) sum_some<8>(first + c, cells, channels, sums + c);
  for (; c < channels; ++c) sum_some<1>(first + c, cells, channels, sums + c);
}

// Stored channels are a multiple of 16. The sum is made in the same order everywhere.
template <class Element>
float product(const float* weights, const Element* cell, std::size_t channels) {
  constexpr std::size_t kTogether = 16;
  std::array<float, kTogether> sums{};
  for (std::size_t c = 0; c < channels; c += kTogether)
    for (std::size_t i = 0; i < kTogether; ++i) sums[i] += weights[c + i] * value_of(cell[c + i]);
  for (std::size_t half = kTogether / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  return sums[0];
}

constexpr std::size_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

// A dense layer for kLanes outputs at once: [block of outputs][in][output], padded with zeros.
struct PackedDense {
  std::size_t in = 0, out = 0;
  Buffer weights, bias;

  PackedDense(const Tensor& weight, const Tensor& offsets)
      : in(static_cast<std::size_t>(weight.dims[1])),
        out(static_cast<std::size_t>(weight.dims[0])) {
    weights.reserve(blocks() * in * sizeof(Lanes));
    bias.reserve(blocks() * sizeof(Lanes));
    std::memcpy(bias.data(), offsets.values.data(), out * sizeof(float));
    auto* to = reinterpret_cast<float*>(weights.data());
    for (std::size_t o = 0; o < out; ++o)
      for (std::size_t i = 0; i < in; ++i)
        to[(o / kLanes * in + i) * kLanes + o % kLanes] = weight.values[o * in + i];
  }
  std::size_t blocks() const { return (out + kLanes - 1) / kLanes; }
};

enum class After { relu, nothing };

// One block of outputs for kBoards positions. Each sum is made in the same order whatever kBoards
// is.
template <std::size_t kBoards>
void dense_block(const PackedDense& layer, std::size_t block, const float* x, float* y,
                 After after) {
  const auto* weights = reinterpret_cast<const Lanes*>(layer.weights.data()) + block * layer.in;
  Lanes sums[kBoards];
  for (auto& sum : sums) sum = reinterpret_cast<const Lanes*>(layer.bias.data())[block];
  for (std::size_t i = 0; i < layer.in; ++i)
    for (std::size_t b = 0; b < kBoards; ++b) sums[b] += weights[i] * x[b * layer.in + i];
  for (std::size_t b = 0; b < kBoards; ++b)
    for (std::size_t o = block * kLanes; o < std::min(layer.out, (block + 1) * kLanes); ++o) {
      const float sum = sums[b][o % kLanes];
      y[b * layer.out + o] = after == After::relu ? std::max(0.0f, sum) : sum;
    }
}

// y = relu(W x + b) or without relu, of all positions: x is [boards][in], y is [boards][out].
void dense(const PackedDense& layer, const float* x, std::size_t boards, float* y, After after) {
  for (std::size_t block = 0; block < layer.blocks(); ++block) {
    std::size_t b = 0;
    for (; b + 8 <= boards; b += 8)
      dense_block<8>(layer, block, x + b * layer.in, y + b * layer.out, after);
    for (; b < boards; ++b)
      dense_block<1>(layer, block, x + b * layer.in, y + b * layer.out, after);
  }
}

}  // namespace

struct CpuEngine::Packed {
  Isa isa;
  const Kernels* kernels;
  NetShape shape;
  float scale;
  int in_channels, channels;      // stored
  PackedConv stem, head, prior1;  // prior1 only with a second head
  std::vector<PackedConv> convs;  // two for each block
  PackedDense dense1, dense2;
  PackedPlaces prior2;
  int boards_per_chunk;
  std::vector<std::size_t> stream_cell;  // of every cell of the planes

  Packed(const Net& net, Isa chosen);
  void run(std::span<const std::uint64_t> planes, std::span<float> out, int boards,
           const MoveQuery* moves, std::size_t first) const;
  template <class Element>
  void read_places(const Element* board, const MoveQuery& moves, std::size_t position) const;
  Stream stream(int boards) const { return {boards, shape.input.height, shape.input.width}; }
  std::size_t bytes(const Stream& s, int width_channels) const {
    const auto cells = static_cast<std::size_t>(s.lead_cells() + s.cells() + s.tail_cells());
    return cells * static_cast<std::size_t>(width_channels * kernels->element_bytes);
  }
  std::size_t layout_key(int boards, int width_channels) const;
  template <class Element>
  void unpack_planes(const std::uint64_t* planes, const Stream& s, Element* first,
                     Element one) const;
  void sum_cells(const char* board, const Stream& s, float* sums) const;
};

CpuEngine::Packed::Packed(const Net& net, Isa chosen)
    : isa(chosen),
      kernels(kernels_of(chosen)),
      shape(net.shape),
      scale(net.scale),
      in_channels(round_up(shape.input.planes, kernels->in_multiple)),
      channels(round_up(shape.channels, kernels->out_multiple)),
      stem(pack_conv(*kernels, net, "stem", in_channels, channels)),
      head(pack_conv(*kernels, net, "head", channels, channels)),
      dense1(net.tensor("dense1.weight"), net.tensor("dense1.bias")),
      dense2(net.tensor("dense2.weight"), net.tensor("dense2.bias")) {
  for (int i = 0; i < shape.blocks; ++i)
    for (const char* part : {".conv1", ".conv2"})
      convs.push_back(
          pack_conv(*kernels, net, "block" + std::to_string(i) + part, channels, channels));
  if (shape.move_planes > 0) {
    prior1 = pack_conv(*kernels, net, "prior1", channels, channels);
    prior2 = PackedPlaces(net, channels);
  }
  for (int cell = 0; cell < shape.input.cells(); ++cell)
    stream_cell.push_back(static_cast<std::size_t>(
        cell / shape.input.width * (shape.input.width + 1) + cell % shape.input.width));
  boards_per_chunk = std::max(1, static_cast<int>(kChunkBytes / (2 * bytes(stream(1), channels))));
}

// Planes are mostly zero: clear the cells, then set the bits that are on.
template <class Element>
void CpuEngine::Packed::unpack_planes(const std::uint64_t* planes, const Stream& s, Element* first,
                                      Element one) const {
  const auto stride = static_cast<std::size_t>(in_channels),
             board = static_cast<std::size_t>(s.board_cells()) * stride;
  std::memset(first, 0, board * static_cast<std::size_t>(s.boards) * sizeof(Element));
  for (int n = 0; n < s.boards; ++n, first += board)
    for (int plane = 0; plane < shape.input.planes; ++plane)
      for (int w = 0; w < shape.input.words_per_plane(); ++w)
        for (std::uint64_t rest = *planes++; rest != 0; rest &= rest - 1) {
          const int cell = 64 * w + std::countr_zero(rest);
          first[stream_cell[static_cast<std::size_t>(cell)] * stride +
                static_cast<std::size_t>(plane)] = one;
        }
}

// Sum pooling of one board; border cells are zero.
void CpuEngine::Packed::sum_cells(const char* board, const Stream& s, float* sums) const {
  if (kernels->element_bytes == 4)
    sum_columns(reinterpret_cast<const float*>(board), s.board_cells(), channels, sums);
  else
    sum_columns(reinterpret_cast<const std::uint16_t*>(board), s.board_cells(), channels, sums);
}

// Logits of one position's places; board: the hidden planes of the second head.
template <class Element>
void CpuEngine::Packed::read_places(const Element* board, const MoveQuery& moves,
                                    std::size_t position) const {
  const auto cells = static_cast<std::size_t>(shape.input.cells());
  for (std::size_t i = moves.begin(position); i < moves.ends[position]; ++i) {
    const std::size_t plane = moves.places[i] / cells, cell = moves.places[i] % cells;
    moves.logits[i] =
        prior2.bias[plane] + product(prior2.weights.data() + plane * prior2.channels,
                                     board + stream_cell[cell] * prior2.channels, prior2.channels);
  }
}

// The whole net for one chunk, which begins with the position `first` of the asked moves.
void CpuEngine::Packed::run(std::span<const std::uint64_t> planes, std::span<float> out, int boards,
                            const MoveQuery* moves, std::size_t first) const {
  const Stream s = stream(boards);
  Workspace& space = workspace();
  const auto element = static_cast<std::size_t>(kernels->element_bytes);
  const auto lead = static_cast<std::size_t>(s.lead_cells()) * element;
  char* input = space.input.cleared(bytes(s, in_channels), layout_key(boards, in_channels)) +
                lead * static_cast<std::size_t>(in_channels);
  char* a = space.a.cleared(bytes(s, channels), layout_key(boards, channels)) +
            lead * static_cast<std::size_t>(channels);
  char* b = space.b.cleared(bytes(s, channels), layout_key(boards, channels)) +
            lead * static_cast<std::size_t>(channels);
  if (element == 4)
    unpack_planes(planes.data(), s, reinterpret_cast<float*>(input), 1.0f);
  else
    unpack_planes(planes.data(), s, reinterpret_cast<std::uint16_t*>(input), to_bf16(1.0f));
  space.scratch.reserve(
      std::max(kernels->scratch_bytes(in_channels, true), kernels->scratch_bytes(channels, true)));
  char* scratch = space.scratch.data();
  kernels->conv(stem.layer, s, input, nullptr, a, scratch);
  for (std::size_t i = 0; i < convs.size(); i += 2) {
    kernels->conv(convs[i].layer, s, a, nullptr, b, scratch);
    kernels->conv(convs[i + 1].layer, s, b, a, a,
                  scratch);  // each cell reads its own skip before it is written
  }
  kernels->conv(head.layer, s, a, nullptr, b, scratch);
  const auto count = static_cast<std::size_t>(boards), stored = static_cast<std::size_t>(channels);
  const std::size_t board = static_cast<std::size_t>(s.board_cells()) * stored * element;
  space.pooled.resize(count * dense1.in + stored - dense1.in);  // the last position's padding
  space.hidden.resize(count * dense1.out);
  for (std::size_t n = 0; n < count; ++n)
    sum_cells(b + n * board, s, space.pooled.data() + n * dense1.in);
  dense(dense1, space.pooled.data(), count, space.hidden.data(), After::relu);
  dense(dense2, space.hidden.data(), count, out.data(), After::nothing);
  for (auto& value : out) value *= scale;
  if (moves == nullptr) return;
  kernels->conv(prior1.layer, s, a, nullptr, b, scratch);
  for (std::size_t n = 0; n < count; ++n) {
    const char* hidden = b + n * board;
    if (element == 4)
      read_places(reinterpret_cast<const float*>(hidden), *moves, first + n);
    else
      read_places(reinterpret_cast<const std::uint16_t*>(hidden), *moves, first + n);
  }
}

// Distinguishes the layouts that a buffer may have held: where the zero cells lie.
std::size_t CpuEngine::Packed::layout_key(int boards, int width_channels) const {
  const std::size_t parts[]{
      static_cast<std::size_t>(boards), static_cast<std::size_t>(width_channels),
      static_cast<std::size_t>(shape.input.height), static_cast<std::size_t>(shape.input.width),
      static_cast<std::size_t>(kernels->element_bytes)};
  std::size_t key = 1;
  for (const std::size_t part : parts) key = key * 4099 + part;
  return key;
}

double peak_flops(Isa isa, double seconds) {
  const Kernels& kernels = *kernels_of(isa);
  const FlushDenormals flush;
  double best = 0;
  for (double spent = 0; spent < seconds;) {
    const double begin = thread_cpu_seconds();
    const double operations = kernels.burn(20'000);
    const double time = thread_cpu_seconds() - begin;
    best = std::max(best, operations / time);
    spent += time;
  }
  return best;
}

void check_isa(Isa isa) {
  const auto available = available_isas();
  if (std::ranges::find(available, isa) != available.end()) return;
  std::string names;
  for (const Isa one : available)
    names += " " + std::string(kIsaNames[static_cast<std::size_t>(one)]);
  throw Error("this machine cannot run isa=" +
              std::string(kIsaNames[static_cast<std::size_t>(isa)]) + "; it can run" + names);
}

CpuEngine::CpuEngine(const Net& net, Isa isa) {
  check_shape(net.shape);
  if (isa == Isa::automatic) isa = fastest_isa(net.shape.channels);
  check_isa(isa);
  packed_ = std::make_unique<const Packed>(net, isa);
}

CpuEngine::~CpuEngine() = default;

Isa CpuEngine::isa() const {
  return packed_->isa;
}

void CpuEngine::evaluate(std::span<const std::uint64_t> planes, std::span<float> out) const {
  evaluate(planes, out, nullptr);
}

void CpuEngine::evaluate(std::span<const std::uint64_t> planes, std::span<float> out,
                         const MoveQuery& moves) const {
  check_query(packed_->shape, planes.size(), moves);
  evaluate(planes, out, &moves);
}

void CpuEngine::evaluate(std::span<const std::uint64_t> planes, std::span<float> out,
                         const MoveQuery* moves) const {
  const auto words = static_cast<std::size_t>(packed_->shape.input.words());
  const auto players = static_cast<std::size_t>(packed_->shape.players);
  const std::size_t count = planes.size() / words;
  if (planes.size() != count * words || out.size() != count * players)
    throw Error("planes and values do not fit the network", Error::Kind::failed);
  const FlushDenormals flush;
  const Entered entered(*packed_->kernels);
  // chunks of one size, so that the buffers need no clearing between them
  const auto most = static_cast<std::size_t>(packed_->boards_per_chunk),
             pieces = (count + most - 1) / most;
  const std::size_t chunk = pieces == 0 ? 1 : (count + pieces - 1) / pieces;
  for (std::size_t at = 0; at < count; at += chunk) {
    const std::size_t boards = std::min(chunk, count - at);
    packed_->run(planes.subspan(at * words, boards * words),
                 out.subspan(at * players, boards * players), static_cast<int>(boards), moves, at);
  }
}

}  // namespace polymax
