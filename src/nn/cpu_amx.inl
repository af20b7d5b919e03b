// The convolution of AMX over a class of tile operations: the instructions themselves (cpu_amx.cpp)
// or an emulation of them (tests/nn), so that it can be tested on machines without AMX. Included
// inside an anonymous namespace.
//
// Blocks of 32 cells of the stream x 32 output channels (2 x 2 tiles) run across rows and boards;
// border cells are computed and then cleared, which wastes less than a tail in every row. A 3x3
// window is three runs of 3 * in_channels contiguous values, taken 32 at a time. The tile unit and
// the vector unit work at the same time: while a block is multiplied, the rows of the block before
// it get their skip connection, ReLU and rounding, some after every step.

using Element = std::uint16_t;  // bf16 bits
constexpr int kCells = 32, kChannels = 32,
              kStep = 32;               // of a block; kStep values are multiplied at once
constexpr std::size_t kTile = 16 * 32;  // elements of a weight tile

// Values of a run, rounded up to whole steps; what is read beyond meets zero weights.
int run_steps(int in_channels, bool is_3x3) {
  return ((is_3x3 ? 3 : 1) * in_channels + kStep - 1) / kStep;
}

std::size_t packed_bytes(int in_channels, int out_channels, bool is_3x3) {
  const auto steps = static_cast<std::size_t>((is_3x3 ? 3 : 1) * run_steps(in_channels, is_3x3));
  return sizeof(Element) * steps * 2 * kTile * static_cast<std::size_t>(out_channels / kChannels);
}

std::size_t no_scratch(int, bool) {
  return 0;
}

Element as_element(float x) {
  return to_bf16(x);
}

// [block of 32 outputs][run][step][2 tiles]; a tile holds 16 rows of 16 outputs x 2 neighbouring
// inputs.
void pack(const float* weights, int in, int out, int in_channels, int out_channels, bool is_3x3,
          void* packed) {
  const int side = is_3x3 ? 3 : 1, steps = run_steps(in_channels, is_3x3);
  auto* to = static_cast<Element*>(packed);
  for (int first = 0; first < out_channels; first += kChannels)
    for (int row = 0; row < side; ++row)
      for (int step = 0; step < steps; ++step)
        for (int tile = 0; tile < 2; ++tile)
          for (int pair = 0; pair < 16; ++pair)
            for (int lane = 0; lane < 16; ++lane)
              for (int half = 0; half < 2; ++half) {
                const int k = step * kStep + 2 * pair + half, o = first + 16 * tile + lane;
                const int column = k / in_channels, i = k % in_channels;
                const bool real = column < side && i < in && o < out;
                const std::ptrdiff_t at =
                    ((std::ptrdiff_t{o} * in + i) * side + row) * side + column;
                *to++ = as_element(real ? weights[at] : 0.0f);
              }
}

// The compiler must not move ordinary reads and writes of memory across this: it knows nothing of
// what tiles do.
inline void memory_barrier() {
  asm volatile("" ::: "memory");
}

inline __m512 widen(const Element* from) {
  const __m512i wide =
      _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

// Sums of one block, in two halves of 16 channels.
struct alignas(64) Sums {
  float values[2][kCells][16];
};

// What is left to do for a block whose sums are known.
struct Unfinished {
  // Of the next cell: its first half; the second lies kCells * 16 further.
  const float* sums = nullptr;
  const Element* skip = nullptr;  // of the next cell
  Element* out = nullptr;
  std::ptrdiff_t stride = 0;  // elements between the cells of skip and out
  std::uint32_t real = 0;     // a bit for each cell to come; border cells become zero
};

// Skip connection, rounding, ReLU of one cell. ReLU comes last: a negative bf16 is a negative
// 16-bit number.
template <bool kSkip>
inline void finish_cell(Unfinished& u) {
  __m512 low = _mm512_load_ps(u.sums), high = _mm512_load_ps(u.sums + kCells * 16);
  if constexpr (kSkip) {
    low = _mm512_add_ps(low, widen(u.skip));
    high = _mm512_add_ps(high, widen(u.skip + 16));
    u.skip += u.stride;
  }
  const auto rounded = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
  const __mmask32 keep = 0u - (u.real & 1);
  _mm512_storeu_si512(u.out, _mm512_maskz_max_epi16(keep, rounded, _mm512_setzero_si512()));
  u.sums += 16;
  u.out += u.stride;
  u.real >>= 1;
}

// The cells and weights of a block.
struct Window {
  const Element* in;           // first cell of the first run
  std::ptrdiff_t run_stride;   // elements
  std::ptrdiff_t cell_stride;  // elements
  int runs, steps;
  const Element* weights;
  const float* bias;  // 32
};

// Leaves the sums of the block in tiles 0 to 3. Meanwhile finishes the block before, kAtOnce cells
// a step, in the last steps: its sums are on their way to memory during the first ones. No block
// before: `before.sums` is null.
template <class Tiles, bool kSkip, int kAtOnce>
inline void multiply(const Window& w, Unfinished before) {
  // all rows of a tile begin with the bias: stride 0
  Tiles::template load<0>(w.bias, 0);
  Tiles::template load<1>(w.bias + 16, 0);
  Tiles::template load<2>(w.bias, 0);
  Tiles::template load<3>(w.bias + 16, 0);
  const std::ptrdiff_t stride = w.cell_stride * static_cast<std::ptrdiff_t>(sizeof(Element));
  const Element* weights = w.weights;
  int steps_before = before.sums ? w.runs * w.steps - kCells / kAtOnce : w.runs * w.steps;
  for (int run = 0; run < w.runs; ++run) {
    const Element* cells = w.in + run * w.run_stride;
    for (int step = 0; step < w.steps; ++step, cells += kStep, weights += 2 * kTile) {
      Tiles::template load<4>(cells, stride);
      Tiles::template load<6>(weights, 64);
      Tiles::template multiply_add<0, 4, 6>();
      Tiles::template load<7>(weights + kTile, 64);
      Tiles::template multiply_add<1, 4, 7>();
      Tiles::template load<5>(cells + 16 * w.cell_stride, stride);
      Tiles::template multiply_add<2, 5, 6>();
      Tiles::template multiply_add<3, 5, 7>();
      if (--steps_before >= 0) continue;
      for (int i = 0; i < kAtOnce; ++i) finish_cell<kSkip>(before);
      memory_barrier();  // keeps these cells at this step
    }
  }
}

// For each block of 32 cells of a stream, which of them are real ones. A type of this file alone,
// so that no other file shares the code of its vector.
struct RealCells {
  std::uint32_t bits;
};

const std::vector<RealCells>& real_cells(const Stream& stream) {
  thread_local std::vector<RealCells> masks;
  thread_local Stream known{0, 0, 0};
  if (known.boards == stream.boards && known.height == stream.height && known.width == stream.width)
    return masks;
  known = stream;
  masks.assign(static_cast<std::size_t>((stream.cells() + kCells - 1) / kCells), {0});
  for (int board = 0; board < stream.boards; ++board)
    for (int row = 0; row < stream.height; ++row)
      for (int column = 0; column < stream.width; ++column) {
        const auto cell = static_cast<std::size_t>(board * stream.board_cells() +
                                                   row * stream.row_cells() + column);
        masks[cell / kCells].bits |= 1u << (cell % kCells);
      }
  return masks;
}

// One convolution; pointers are those of Kernels::conv.
struct Call {
  const ConvLayer& layer;
  const Stream& stream;
  const Element *in, *skip;
  Element* out;
};

template <class Tiles, bool kSkip, int kAtOnce>
void conv_blocks(const Call& call) {
  const ConvLayer& layer = call.layer;
  const std::ptrdiff_t row = call.stream.row_cells() * layer.in_channels,
                       cells = call.stream.cells();
  const auto& real = real_cells(call.stream);
  Window w{nullptr,
           row,
           layer.in_channels,
           layer.is_3x3 ? 3 : 1,
           run_steps(layer.in_channels, layer.is_3x3),
           static_cast<const Element*>(layer.weights),
           layer.bias};
  const Element* first_window = call.in - (layer.is_3x3 ? row + layer.in_channels : 0);
  Sums sums;
  Unfinished last;
  memory_barrier();  // what ordinary code wrote is there before tiles read it
  for (int first = 0; first < layer.out_channels; first += kChannels, w.bias += kChannels) {
    for (std::ptrdiff_t cell = 0; cell < cells; cell += kCells) {
      w.in = first_window + cell * layer.in_channels;
      multiply<Tiles, kSkip, kAtOnce>(w, last);
      Tiles::template store<0>(sums.values[0][0]);
      Tiles::template store<1>(sums.values[1][0]);
      Tiles::template store<2>(sums.values[0][16]);
      Tiles::template store<3>(sums.values[1][16]);
      memory_barrier();
      const std::ptrdiff_t at = cell * layer.out_channels + first;
      last = {sums.values[0][0], kSkip ? call.skip + at : nullptr, call.out + at,
              layer.out_channels, real[static_cast<std::size_t>(cell / kCells)].bits};
    }
    w.weights += static_cast<std::size_t>(w.runs * w.steps) * 2 * kTile;
  }
  for (int i = 0; i < kCells; ++i) finish_cell<kSkip>(last);
}

// As few cells at once as a block's steps allow.
template <class Tiles, bool kSkip>
void conv_paced(const Call& call) {
  const int steps =
      (call.layer.is_3x3 ? 3 : 1) * run_steps(call.layer.in_channels, call.layer.is_3x3);
  if (steps >= 32) return conv_blocks<Tiles, kSkip, 1>(call);
  if (steps >= 16) return conv_blocks<Tiles, kSkip, 2>(call);
  if (steps >= 8) return conv_blocks<Tiles, kSkip, 4>(call);
  if (steps >= 4) return conv_blocks<Tiles, kSkip, 8>(call);
  if (steps >= 2) return conv_blocks<Tiles, kSkip, 16>(call);
  conv_blocks<Tiles, kSkip, 32>(call);
}

template <class Tiles>
void conv(const ConvLayer& layer, const Stream& stream, const void* in, const void* skip, void* out,
          void*) {
  const Call call{layer, stream, static_cast<const Element*>(in), static_cast<const Element*>(skip),
                  static_cast<Element*>(out)};
  skip ? conv_paced<Tiles, true>(call) : conv_paced<Tiles, false>(call);
}
