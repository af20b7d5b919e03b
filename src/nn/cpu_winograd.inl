// 3x3 convolutions with fewer multiplications (Winograd's F(2x2, 3x3)), included behind
// cpu_conv.inl. The including file defines, besides what that one asks for: store of Element and of
// floats.
//
// The outputs of a board are cut into patches of 2x2. A patch needs 4x4 inputs; these are
// transformed into 16 components (sums and differences), each component is multiplied with its own
// matrix of transformed weights, and sums of the 16 products are the four outputs: 16
// multiplications instead of 36. Where height or width is odd, the last patches reach beyond the
// board: what they read there enters none of the outputs that are kept.

constexpr int kComponents = 16;
// Transformed at a time; 14 to 98 are about as fast.
constexpr int kPatches = kMaxSegment * (28 / kMaxSegment);

std::size_t transformed_bytes(int in_channels) {
  return sizeof(Element) * kComponents * kPatches * static_cast<std::size_t>(in_channels);
}

std::size_t scratch_bytes(int in_channels, bool is_3x3) {
  return is_3x3
             ? transformed_bytes(in_channels) + sizeof(float) * kComponents * kPatches * 2 * kLanes
             : 0;
}

std::size_t packed_bytes(int in_channels, int out_channels, bool is_3x3) {
  if (!is_3x3) return direct_bytes(in_channels, out_channels, is_3x3);
  return sizeof(Element) * kComponents * static_cast<std::size_t>(in_channels) *
         static_cast<std::size_t>(out_channels);
}

// [block of 2 * kLanes outputs][component][input, kPair at a time][output][kPair]
void pack(const float* weights, int in, int out, int in_channels, int out_channels, bool is_3x3,
          void* packed) {
  if (!is_3x3) return pack_direct(weights, in, out, in_channels, out_channels, is_3x3, packed);
  constexpr double kTransform[4][3]{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  auto* to = static_cast<Element*>(packed);
  for (int first = 0; first < out_channels; first += 2 * kLanes)
    for (int component = 0; component < kComponents; ++component)
      for (int k = 0; k < in_channels; k += kPair)
        for (int o = first; o < first + 2 * kLanes; ++o)
          for (int i = k; i < k + kPair; ++i) {
            double sum = 0;
            for (int row = 0; row < 3 && o < out && i < in; ++row)
              for (int column = 0; column < 3; ++column)
                sum += kTransform[component / 4][row] * kTransform[component % 4][column] *
                       static_cast<double>(
                           weights[((std::ptrdiff_t{o} * in + i) * 3 + row) * 3 + column]);
            *to++ = as_element(static_cast<float>(sum));
          }
}

// Neighbouring patches of one row of patches.
struct Run {
  std::ptrdiff_t cell;  // of the stream: the first output of the first patch
  int patches;
  int at;             // number of the first patch in its block
  int rows, columns;  // of the outputs that are on the board
};

// Calls `f` with the runs of the patches from `first` to `first + count`.
template <class F>
void for_runs(const Stream& stream, int first, int count, F f) {
  const int across = (stream.width + 1) / 2, down = (stream.height + 1) / 2;
  for (int done = 0; done < count;) {
    const int row = (first + done) / across, column = (first + done) % across;
    const int patches = count - done < across - column ? count - done : across - column;
    const int y = 2 * (row % down), x = 2 * column;
    f(Run{row / down * stream.board_cells() + y * stream.row_cells() + x, patches, done,
          stream.height - y, stream.width - x});
    done += patches;
  }
}

struct Four {
  Vector v[4];
};

[[gnu::always_inline]] inline Four differences(const Vector& a, const Vector& b, const Vector& c,
                                               const Vector& d) {
  return {{a - c, b + c, c - b, b - d}};
}

// One column of a 4x4 patch of inputs, transformed.
[[gnu::always_inline]] inline Four column_of(const Element* from, std::ptrdiff_t row) {
  return differences(load(from), load(from + row), load(from + 2 * row), load(from + 3 * row));
}

// to: [component][count patches][channels]. Two of the four columns are those of the patch before.
void transform_inputs(const Run& run, const Element* in, std::ptrdiff_t row, int channels,
                      int count, Element* to) {
  const std::ptrdiff_t component = std::ptrdiff_t{count} * channels;
  for (int c = 0; c < channels; c += kLanes) {
    const Element* from = in + (run.cell - 1) * channels - row + c;
    Element* out = to + std::ptrdiff_t{run.at} * channels + c;
    Four a = column_of(from, row), b = column_of(from + channels, row);
    for (int i = 0; i < run.patches; ++i, out += channels) {
      from += 2 * channels;
      const Four x = column_of(from, row), y = column_of(from + channels, row);
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) {
        const Four parts = differences(a.v[r], b.v[r], x.v[r], y.v[r]);
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) store(out + (4 * r + j) * component, parts.v[j]);
      }
      a = x;
      b = y;
    }
  }
}

template <int kCells>
void multiply_patches(const Segment& s, float* to) {
  Vector acc[kCells][2]{};
  add_products(s, acc);
#pragma GCC unroll 16
  for (int i = 0; i < kCells; ++i) {
    store(to + i * 2 * kLanes, acc[i][0]);
    store(to + i * 2 * kLanes + kLanes, acc[i][1]);
  }
}

using MultiplyPatches = void (*)(const Segment&, float*);

template <std::size_t... kSizes>
MultiplyPatches multiply_for(int patches, std::index_sequence<kSizes...>) {
  static constexpr MultiplyPatches kAll[]{multiply_patches<static_cast<int>(kSizes) + 1>...};
  return kAll[patches - 1];
}

// sums: [component][count patches][2 * kLanes]; out and skip: the first cell of the stream, first
// of these channels.
void finish_patches(const Run& run, const float* sums, int count, const ConvLayer& layer,
                    const float* bias, std::ptrdiff_t row, const Element* skip, Element* out) {
  const std::ptrdiff_t component = std::ptrdiff_t{count} * 2 * kLanes;
  for (int i = 0; i < run.patches; ++i)
    for (int c = 0; c < 2 * kLanes; c += kLanes) {
      const float* m = sums + (run.at + i) * 2 * kLanes + c;
      Vector halves[2][4];
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) {
        const Vector b = load(m + (4 + j) * component), x = load(m + (8 + j) * component);
        halves[0][j] = load(m + j * component) + b + x;
        halves[1][j] = b - x - load(m + (12 + j) * component);
      }
      const Vector offset = load(bias + c);
#pragma GCC unroll 2
      for (int r = 0; r < 2; ++r) {
        const Vector* h = halves[r];
        Vector both[2]{h[0] + h[1] + h[2] + offset, h[1] - h[2] - h[3] + offset};
#pragma GCC unroll 2
        for (int q = 0; q < 2; ++q) {
          if (r >= run.rows || 2 * i + q >= run.columns) continue;
          const std::ptrdiff_t at = (run.cell + 2 * i + q) * layer.out_channels + r * row + c;
          if (skip) both[q] += load(skip + at);
          store_relu(out + at, both[q]);
        }
      }
    }
}

void conv_by_patches(const ConvLayer& layer, const Stream& stream, const Element* in,
                     const Element* skip, Element* out, void* scratch) {
  auto* transformed = static_cast<Element*>(scratch);
  auto* sums =
      reinterpret_cast<float*>(static_cast<char*>(scratch) + transformed_bytes(layer.in_channels));
  const std::ptrdiff_t in_row = stream.row_cells() * layer.in_channels,
                       out_row = stream.row_cells() * layer.out_channels;
  const int all = stream.boards * ((stream.height + 1) / 2) * ((stream.width + 1) / 2);
  const int blocks = (all + kPatches - 1) / kPatches;
  Segment s{};
  s.runs = 1;
  s.run_length = layer.in_channels;
  s.cell_stride = layer.in_channels;
  for (int block = 0, first = 0; block < blocks; ++block) {  // split evenly
    const int count = (all - first) / (blocks - block),
              pieces = (count + kMaxSegment - 1) / kMaxSegment;
    for_runs(stream, first, count, [&](const Run& run) {
      transform_inputs(run, in, in_row, layer.in_channels, count, transformed);
    });
    s.weights = static_cast<const Element*>(layer.weights);
    for (int channel = 0; channel < layer.out_channels; channel += 2 * kLanes) {
      for (int component = 0; component < kComponents; ++component) {
        for (int piece = 0, patch = 0; piece < pieces; ++piece) {
          const int patches = (count - patch) / (pieces - piece);
          s.in = transformed + std::ptrdiff_t{component * count + patch} * layer.in_channels;
          multiply_for(patches, std::make_index_sequence<kMaxSegment>{})(
              s, sums + (component * count + patch) * 2 * kLanes);
          patch += patches;
        }
        s.weights += std::ptrdiff_t{layer.in_channels} * 2 * kLanes;
      }
      for_runs(stream, first, count, [&](const Run& run) {
        finish_patches(run, sums, count, layer, layer.bias + channel, out_row,
                       skip ? skip + channel : nullptr, out + channel);
      });
    }
    first += count;
  }
}

void conv(const ConvLayer& layer, const Stream& stream, const void* in, const void* skip, void* out,
          void* scratch) {
  if (!layer.is_3x3) return conv_direct(layer, stream, in, skip, out, scratch);
  conv_by_patches(layer, stream, static_cast<const Element*>(in), static_cast<const Element*>(skip),
                  static_cast<Element*>(out), scratch);
}
