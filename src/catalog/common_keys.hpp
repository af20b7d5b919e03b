// Keys that every spec of a kind understands besides its own settings: points= of a game, eval= and
// aim= of a search. And the errors that name what there is.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"
#include "core/lists.hpp"
#include "core/points.hpp"
#include "core/spec.hpp"

namespace polymax::catalog {

struct PointsSetting {
  Points points{};
  static Fields fields() {
    return {field(
        "points", &PointsSetting::points,
        "what a finished game is worth: its score, the speed of the win, or win and loss alone",
        kPointsNames)};
  }
};

// What a player maximises.
enum class Aim { points, win };
inline constexpr std::array<std::string_view, 2> kAimNames{"points", "win"};

struct AimSetting {
  Aim aim = Aim::points;
  static Fields fields() {
    return {field("aim", &AimSetting::aim,
                  "what it maximises: the points of the game, or its chances to win", kAimNames)};
  }
};

struct EvalSetting {
  Spec eval;
  static Fields fields() {
    return {field("eval", &EvalSetting::eval, "who values unfinished positions", "an evaluator")};
  }
};

// The setting of one key that was taken out of a spec; errors name its place.
template <Described T>
T read_common(const Spec& of, const SpecArgument& given) {
  Spec alone = of;
  alone.arguments = {given};
  return read_settings<T>(alone);
}

// "no game 'xyz'; there are ..." at the place of the name.
[[noreturn]] inline void unknown_name(const Spec& spec, const std::string& what,
                                      const std::vector<std::string>& known) {
  fail_at(spec, spec.at, "no " + what + " '" + spec.name + "'; there are " + joined(known, ", "));
}

}  // namespace polymax::catalog
