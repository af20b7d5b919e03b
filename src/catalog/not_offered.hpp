// A search or an evaluator that is known, and not offered for the game it was asked for.
#pragma once

#include "core/error.hpp"

namespace polymax::catalog {

class NotOffered : public Error {
 public:
  using Error::Error;
};

}  // namespace polymax::catalog
