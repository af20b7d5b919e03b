#include "core/mover_turns.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace polymax {

namespace {

constexpr std::size_t kPartBits = 4, kPartValues = 1 << kPartBits;
constexpr std::size_t kMaxWords = 16;  // of a plane: 32x32 cells, what networks can hold

}  // namespace

std::vector<Symmetry> turns_to_first(std::span<const Symmetry> all, int players) {
  std::vector<Symmetry> out;
  for (std::size_t seat = 0; seat < static_cast<std::size_t>(players); ++seat) {
    const auto found =
        std::ranges::find_if(all, [&](const Symmetry& by) { return by.seats[seat] == 0; });
    if (found == all.end()) return {};
    out.push_back(*found);
  }
  return out;
}

std::shared_ptr<const MoverTurns> mover_turns(const PlaneShape& shape,
                                              std::span<const Symmetry> all, int players) {
  auto by_seat = turns_to_first(all, players);
  return by_seat.empty() ? nullptr : std::make_shared<const MoverTurns>(shape, std::move(by_seat));
}

MoverTurns::MoverTurns(const PlaneShape& shape, std::vector<Symmetry> by_seat)
    : shape_(shape),
      parts_((static_cast<std::size_t>(shape.cells()) + kPartBits - 1) / kPartBits),
      by_seat_(std::move(by_seat)),
      turn_planes_(turn_planes_of(static_cast<std::size_t>(shape.words_per_plane()),
                                  std::make_index_sequence<kMaxWords>())) {
  assert(!by_seat_.empty() && turn_planes_ != nullptr);
  tables_.resize(1);
  for (std::size_t seat = 1; seat < by_seat_.size(); ++seat)
    tables_.push_back(make_table(by_seat_[seat]));
}

// Each value of a part is its lowest bit and a value before.
MoverTurns::Table MoverTurns::make_table(const Symmetry& by) const {
  const auto cells = static_cast<std::size_t>(shape_.cells()),
             words = static_cast<std::size_t>(shape_.words_per_plane());
  Table out{std::vector<std::uint64_t>(parts_ * kPartValues * words), by.planes};
  for (std::size_t part = 0; part < parts_; ++part) {
    std::uint64_t* const entries = out.words.data() + part * kPartValues * words;
    for (std::size_t value = 1; value < kPartValues; ++value) {
      const std::size_t rest = value & (value - 1);
      const std::size_t cell = part * kPartBits + static_cast<std::size_t>(std::countr_zero(value));
      std::copy_n(entries + rest * words, words, entries + value * words);
      if (cell >= cells) continue;
      entries[value * words + by.cells[cell] / 64] |= std::uint64_t{1} << (by.cells[cell] % 64);
    }
  }
  return out;
}

// Many planes are empty, and flags are the same plane again and again: those need no table.
template <std::size_t kWords>
void MoverTurns::turn_planes(const Table& table, std::size_t parts, const std::uint64_t* from,
                             std::uint64_t* to) {
  const std::uint64_t *like = nullptr, *turned = nullptr;
  for (const std::size_t plane : table.planes) {
    const std::uint64_t* const in = std::exchange(from, from + kWords);
    std::uint64_t* const out = to + plane * kWords;
    std::array<std::uint64_t, kWords> sum{};
    if (like != nullptr && std::equal(in, in + kWords, like)) {
      std::copy_n(turned, kWords, out);
      continue;
    }
    bool any = false;
    for (std::size_t w = 0; w < kWords; ++w) {
      std::uint64_t rest = in[w];
      any |= rest != 0;
      const std::uint64_t* entries =
          table.words.data() + w * (64 / kPartBits) * kPartValues * kWords;
      const std::size_t count = std::min(64 / kPartBits, parts - w * (64 / kPartBits));
      for (std::size_t i = 0; i < count && rest != 0;
           ++i, rest >>= kPartBits, entries += kPartValues * kWords) {
        const std::uint64_t* const entry = entries + rest % kPartValues * kWords;
        for (std::size_t v = 0; v < kWords; ++v) sum[v] |= entry[v];
      }
    }
    std::copy_n(sum.data(), kWords, out);
    if (!any) continue;
    like = in;
    turned = out;
  }
}

template <std::size_t... kBelow>
MoverTurns::TurnPlanes MoverTurns::turn_planes_of(std::size_t words,
                                                  std::index_sequence<kBelow...>) {
  TurnPlanes out = nullptr;
  ((words == kBelow + 1 ? void(out = turn_planes<kBelow + 1>) : void()), ...);
  return out;
}

void MoverTurns::turn(int mover, std::span<const std::uint64_t> planes,
                      std::span<std::uint64_t> out) const {
  assert(planes.size() == static_cast<std::size_t>(shape_.words()) && out.size() == planes.size());
  if (mover == 0)
    std::ranges::copy(planes, out.begin());
  else
    turn_planes_(tables_[static_cast<std::size_t>(mover)], parts_, planes.data(), out.data());
}

}  // namespace polymax
