#include "core/part_name.hpp"

#include <string_view>

#include "core/error.hpp"
#include "core/number.hpp"

namespace polymax {

PartName parse_part(const std::string& text, const std::string& what) {
  constexpr int kMost = 1'000'000;
  const std::string_view all = text;
  const auto slash = all.find('/');
  const auto index = number_of<int>(all.substr(0, slash));
  const auto count = slash == all.npos ? std::nullopt : number_of<int>(all.substr(slash + 1));
  if (!index || !count || *index < 0 || *index >= *count || *count > kMost)
    throw Error("'" + text + "' is no " + what + ": I/N with I from 0 to N-1 is wanted, e.g. 0/4");
  return {*index, *count};
}

}  // namespace polymax
