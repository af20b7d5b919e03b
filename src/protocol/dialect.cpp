#include "protocol/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "arena/pentobi.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "core/seats_text.hpp"
#include "core/spec.hpp"
#include "protocol/words.hpp"

namespace polymax::protocol {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string cell_of(std::string_view text) {
  const std::string out = lower(text);
  const auto digits = std::string_view(out).substr(out.empty() ? 0 : 1);
  if (out.size() < 2 || out[0] < 'a' || out[0] > 'z' || !number_of<int>(digits))
    throw Error("'" + shown(text) + "' is no cell");
  return out;
}

class Pentobi final : public Dialect {
 public:
  int seat_of(std::string_view colour) const override {
    constexpr std::array<std::string_view, 4> kNames{"blue", "yellow", "red", "green"};
    const auto at = std::ranges::find(kNames, lower(colour));
    return at != kNames.end() ? static_cast<int>(at - kNames.begin()) : Dialect::seat_of(colour);
  }
  std::string to_gtp(std::span<const std::string> turn) const override {
    return arena::to_pentobi_move(turn[0]);
  }
  std::vector<std::string> from_gtp(std::string_view text) const override {
    return {arena::from_pentobi_move(text)};
  }
  std::string game_name() const override { return std::string(arena::kPentobisName); }
};

constexpr const char* kSide = "n";  // the setting

// Two seats that are called black and white.
class BlackAndWhite : public Dialect {
 public:
  enum class First { black, white };
  explicit BlackAndWhite(First first = First::black) : black_(first == First::black ? 0 : 1) {}
  std::string colour(int seat) const override { return seat == black_ ? "b" : "w"; }
  int seat_of(std::string_view colour) const override {
    const std::string name = lower(colour);
    if (name == "b" || name == "black") return black_;
    if (name == "w" || name == "white") return 1 - black_;
    return -1;
  }
  std::string score_text(const AnyMatch& over, int) const override {
    const Scores gain = over.gain();
    if (gain[0] == 0) return "0";
    const int winner = gain[0] > 0 ? 0 : 1;
    return std::string(1, static_cast<char>(std::toupper(colour(winner)[0]))) + "+" + lead(over);
  }
  std::vector<std::string> from_gtp(std::string_view text) const override {
    return {cell_of(text)};
  }
  std::string size_key() const override { return kSide; }

 protected:
  virtual std::string lead(const AnyMatch&) const { return ""; }

 private:
  int black_;
};

class Hex final : public BlackAndWhite {};

class Othello final : public BlackAndWhite {
 public:
  explicit Othello(int side) : side_(side) {}
  std::string to_gtp(std::span<const std::string> turn) const override { return turned(turn[0]); }
  std::vector<std::string> from_gtp(std::string_view text) const override {
    return {turned(cell_of(text))};
  }
  bool passes() const override { return true; }

 private:
  std::string lead(const AnyMatch& over) const override {
    return fmt::format("{:.0f}", std::abs(over.score()[0]));
  }
  // Rows count from the top there, from the bottom here.
  std::string turned(const std::string& cell) const {
    return cell[0] + std::to_string(side_ + 1 - number_of<int>(cell.substr(1)).value_or(0));
  }
  int side_;
};

class Amazons final : public BlackAndWhite {
 public:
  Amazons() : BlackAndWhite(First::white) {}
  int moves_in_turn() const override { return 2; }
  std::string to_gtp(std::span<const std::string> turn) const override {
    return turn.size() == 2 ? turn[0] + "/" + turn[1] : turn[0];
  }
  std::vector<std::string> from_gtp(std::string_view text) const override {
    std::string blanks(text);
    std::ranges::replace_if(
        blanks, [](unsigned char c) { return !std::isalnum(c); }, ' ');
    const auto cells = words_of(blanks);
    if (cells.size() != 3)
      throw Error(
          "'" + shown(text) +
          "' is no turn: an amazon's cell, where it goes, the arrow's cell, as in d1-d7/g7");
    return {cell_of(cells[0]) + "-" + cell_of(cells[1]), cell_of(cells[2])};
  }
};

}  // namespace

std::string Dialect::colour(int seat) const {
  return std::to_string(seat + 1);
}

int Dialect::seat_of(std::string_view colour) const {
  const auto number = number_of<int>(colour);
  return number && *number >= 1 && *number <= kMaxPlayers ? *number - 1 : -1;
}

std::string Dialect::to_gtp(std::span<const std::string> turn) const {
  return turn[0];
}

std::vector<std::string> Dialect::from_gtp(std::string_view text) const {
  return {std::string(text)};
}

std::string Dialect::score_text(const AnyMatch& over, int players) const {
  return seats_text(over.score(), static_cast<std::size_t>(players));
}

std::unique_ptr<const Dialect> dialect_of(const AnyGame& game) {
  if (game.name() == "blokus") return std::make_unique<Pentobi>();
  if (game.name() == "hex") return std::make_unique<Hex>();
  if (game.name() == "amazons") return std::make_unique<Amazons>();
  if (game.name() == "othello") return std::make_unique<Othello>(setting_of(game, kSide));
  return std::make_unique<Dialect>();
}

int setting_of(const AnyGame& game, const std::string& key) {
  const Spec spec = Spec::parse(game.spec());
  const auto given = std::ranges::find(spec.arguments, key, &SpecArgument::key);
  if (given != spec.arguments.end()) return number_of<int>(given->value.name).value();
  const auto named = [&](const GameEntry& one) { return one.entry.name == game.name(); };
  const auto& entry = *std::ranges::find_if(catalog::games(), named);
  return number_of<int>(std::ranges::find(entry.entry.settings, key, &SettingInfo::key)->preset)
      .value();
}

}  // namespace polymax::protocol
