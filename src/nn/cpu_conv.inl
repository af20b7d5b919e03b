// The direct convolution of the vector instruction sets (not AMX), included by each of their files
// inside an anonymous namespace. The including file defines: Element (activation), Vector (fp32
// lanes), kLanes, kPair (input values multiplied at once), kMaxSegment, and load (of floats and of
// Element), load_weights, broadcast, multiply_add, store_relu.
//
// A segment of up to kMaxSegment cells of one row times two vectors of output channels stays in
// registers. The three cells left, centre and right of a row are adjacent in memory, so a 3x3
// window is three runs of 3 * in_channels values.

struct Segment {
  const Element* in;           // first cell of the window's first run, for the first output cell
  std::ptrdiff_t run_stride;   // elements between runs
  int runs, run_length;        // run_length in elements, a multiple of kPair
  std::ptrdiff_t cell_stride;  // in
  const Element* weights;      // [run][run_length / kPair][2 * kLanes][kPair]
  const float* bias;           // 2 * kLanes
  const Element* skip;         // first output cell, or null
  Element* out;
  std::ptrdiff_t out_stride;  // elements between output cells, also of skip
};

// Adds the products of the segment's window and weights.
template <int kCells>
[[gnu::always_inline]] inline void add_products(const Segment& s, Vector (&acc)[kCells][2]) {
  const Element* weights = s.weights;
  for (int run = 0; run < s.runs; ++run) {
    const Element* in = s.in + run * s.run_stride;
    for (int k = 0; k < s.run_length; k += kPair) {
      const auto w0 = load_weights(weights), w1 = load_weights(weights + kLanes * kPair);
      weights += 2 * kLanes * kPair;
#pragma GCC unroll 16
      for (int i = 0; i < kCells; ++i) {
        const auto x = broadcast(in + i * s.cell_stride + k);
        acc[i][0] = multiply_add(acc[i][0], x, w0);
        acc[i][1] = multiply_add(acc[i][1], x, w1);
      }
    }
  }
}

template <int kCells>
void compute(const Segment& s) {
  Vector acc[kCells][2];
#pragma GCC unroll 16
  for (int i = 0; i < kCells; ++i) {
    acc[i][0] = load(s.bias);
    acc[i][1] = load(s.bias + kLanes);
  }
  add_products(s, acc);
#pragma GCC unroll 16
  for (int i = 0; i < kCells; ++i) {
    if (s.skip) {
      acc[i][0] += load(s.skip + i * s.out_stride);
      acc[i][1] += load(s.skip + i * s.out_stride + kLanes);
    }
    store_relu(s.out + i * s.out_stride, acc[i][0]);
    store_relu(s.out + i * s.out_stride + kLanes, acc[i][1]);
  }
}

using Compute = void (*)(const Segment&);

template <std::size_t... kSizes>
Compute compute_for(int cells, std::index_sequence<kSizes...>) {
  static constexpr Compute kAll[]{compute<static_cast<int>(kSizes) + 1>...};
  return kAll[cells - 1];
}

void conv_direct(const ConvLayer& layer, const Stream& stream, const void* in, const void* skip,
                 void* out, void*) {
  const int pieces = (stream.width + kMaxSegment - 1) / kMaxSegment;
  const int block = 2 * kLanes;
  Segment s{};
  s.runs = layer.is_3x3 ? 3 : 1;
  s.run_length = (layer.is_3x3 ? 3 : 1) * layer.in_channels;
  s.cell_stride = layer.in_channels;
  s.run_stride = stream.row_cells() * layer.in_channels;
  s.out_stride = layer.out_channels;
  // Cells back to the window's first.
  const std::ptrdiff_t window = layer.is_3x3 ? stream.row_cells() + 1 : 0;
  for (int first = 0; first < layer.out_channels; first += block) {
    s.weights =
        static_cast<const Element*>(layer.weights) + std::ptrdiff_t{first} * s.runs * s.run_length;
    s.bias = layer.bias + first;
    for (int row = 0; row < stream.boards * stream.height; ++row) {
      const std::ptrdiff_t row_cell =
          row / stream.height * stream.board_cells() + row % stream.height * stream.row_cells();
      for (int piece = 0, x = 0; piece < pieces; ++piece) {  // split evenly
        const int cells = (stream.width - x) / (pieces - piece);
        const std::ptrdiff_t cell = row_cell + x;
        s.in = static_cast<const Element*>(in) + (cell - window) * layer.in_channels;
        s.out = static_cast<Element*>(out) + cell * layer.out_channels + first;
        s.skip =
            skip ? static_cast<const Element*>(skip) + cell * layer.out_channels + first : nullptr;
        compute_for(cells, std::make_index_sequence<kMaxSegment>{})(s);
        x += cells;
      }
    }
  }
}

std::size_t direct_bytes(int in_channels, int out_channels, bool is_3x3) {
  return sizeof(Element) * static_cast<std::size_t>(in_channels) *
         static_cast<std::size_t>(out_channels) * (is_3x3 ? 9 : 1);
}

// [block of 2 * kLanes outputs][window row][window column and input, kPair at a
// time][output][kPair]
void pack_direct(const float* weights, int in, int out, int in_channels, int out_channels,
                 bool is_3x3, void* packed) {
  const int side = is_3x3 ? 3 : 1, block = 2 * kLanes;
  auto* to = static_cast<Element*>(packed);
  for (int first = 0; first < out_channels; first += block)
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column)
        for (int k = 0; k < in_channels; k += kPair)
          for (int o = first; o < first + block; ++o)
            for (int i = k; i < k + kPair; ++i) {
              const bool real = o < out && i < in;
              const std::ptrdiff_t at = ((std::ptrdiff_t{o} * in + i) * side + row) * side + column;
              *to++ = as_element(real ? weights[at] : 0.0f);
            }
}

void enter() {}
void leave() {}

double burn(long rounds) {
  constexpr int kChains = 2 * kMaxSegment < 24 ? 2 * kMaxSegment : 24;
  alignas(64) Element data[2 * kLanes * kPair];
  for (int i = 0; i < 2 * kLanes * kPair; ++i)
    data[i] = as_element(0.5f + 0.01f * static_cast<float>(i % 7));
  alignas(64) float sums[kLanes] = {};
  Vector acc[kChains];
  for (auto& a : acc) a = load(sums);
  const auto x = broadcast(data);
  const auto w = load_weights(data);
  for (long i = 0; i < rounds; ++i) {
#pragma GCC unroll 24
    for (int j = 0; j < kChains; ++j) acc[j] = multiply_add(acc[j], x, w);
  }
  alignas(64) Element out[kLanes];
  volatile Element keep = as_element(0);
  for (const auto& a : acc) {
    store_relu(out, a);
    keep = out[0];
  }
  (void)keep;
  return 2.0 * kLanes * kPair * kChains * static_cast<double>(rounds);
}
