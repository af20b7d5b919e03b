// A hexagon of cells written plainly from the rules page: sets of (x, y), flood fill. For the naive
// second implementations of games; uses nothing of src/.
#pragma once

#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace polymax::naive {

using Place = std::pair<int, int>;  // x, y; y counted from the bottom row

struct Hexagon {
  int side;

  bool real(Place c) const {
    const auto [x, y] = c;
    return x >= 0 && y >= 0 && x <= 2 * side - 2 && y <= 2 * side - 2 &&
           std::abs(x - y) <= side - 1;
  }

  std::set<Place> cells() const {
    std::set<Place> out;
    for (int x = 0; x < 2 * side; ++x)
      for (int y = 0; y < 2 * side; ++y)
        if (real({x, y})) out.insert({x, y});
    return out;
  }

  // 0..5 clockwise: top, upper right, lower right, bottom, lower left, upper left.
  bool on_side(Place c, int i) const {
    const auto [x, y] = c;
    switch (i) {
      case 0:
        return y == 2 * side - 2;
      case 1:
        return x == 2 * side - 2;
      case 2:
        return x - y == side - 1;
      case 3:
        return y == 0;
      case 4:
        return x == 0;
      default:
        return y - x == side - 1;
    }
  }

  // Does a path of these cells join sides p and p+3?
  bool joined(const std::set<Place>& usable, int p) const {
    std::set<Place> seen;
    std::vector<Place> open;
    for (const auto& c : usable)
      if (on_side(c, p)) open.push_back(c);
    while (!open.empty()) {
      const auto [x, y] = open.back();
      open.pop_back();
      if (!seen.insert({x, y}).second) continue;
      if (on_side({x, y}, p + 3)) return true;
      for (const auto& [dx, dy] :
           std::vector<Place>{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}})
        if (usable.contains({x + dx, y + dy})) open.push_back({x + dx, y + dy});
    }
    return false;
  }
};

inline std::string name(Place c) {
  return std::string(1, static_cast<char>('a' + c.first)) + std::to_string(c.second + 1);
}
inline Place place(const std::string& name) {
  return {name[0] - 'a', std::stoi(name.substr(1)) - 1};
}

}  // namespace polymax::naive
