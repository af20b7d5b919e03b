// The lines of UGI with seats that both sides speak: limits of `go`, what `info` says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"

namespace polymax::protocol {

struct GoLimits {
  Budget budget;
  bool any = false;  // a limit, or `infinite`, was named
  bool infinite = false;
};

// go [evals N] [nodes N] [movetime MS] [depth N] [infinite]. Throws Error.
GoLimits read_go(const std::vector<std::string>& words);
std::string write_go(const Budget& budget);

// info depth D evals N nodes N time MS eps N values V... visits N proven none|gain|exact pv M...
std::string ugi_info(const AnyVerdict& verdict, int players);

// What an info line adds to a verdict. False when the line is not well formed: then nothing was
// taken. Words that are not known are passed over.
bool read_info(const std::vector<std::string>& words, int players, AnyVerdict& verdict);

}  // namespace polymax::protocol
