// A small symmetric positive matrix: what Newton's method in rating.cpp needs. Chosen: our own,
// since these lines are the only ones that would use Eigen, a package more and seconds of every
// build.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

namespace polymax::arena {

class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), cells_(size * size, 0.0) {}

  double& at(std::size_t row, std::size_t column) { return cells_[row * size_ + column]; }
  double at(std::size_t row, std::size_t column) const { return cells_[row * size_ + column]; }

  std::vector<double> times(const std::vector<double>& v) const {
    std::vector<double> out(size_, 0.0);
    for (std::size_t r = 0; r < size_; ++r)
      for (std::size_t c = 0; c < size_; ++c) out[r] += at(r, c) * v[c];
    return out;
  }

  // Gauss-Jordan; a positive matrix needs no pivoting.
  Matrix inverse() const {
    Matrix left = *this, right(size_);
    for (std::size_t k = 0; k < size_; ++k) right.at(k, k) = 1;
    for (std::size_t k = 0; k < size_; ++k) {
      const double pivot = left.at(k, k);
      assert(pivot > 0);
      for (std::size_t c = 0; c < size_; ++c) left.at(k, c) /= pivot, right.at(k, c) /= pivot;
      for (std::size_t r = 0; r < size_; ++r) {
        const double factor = left.at(r, k);
        if (r == k || factor == 0) continue;
        for (std::size_t c = 0; c < size_; ++c) {
          left.at(r, c) -= factor * left.at(k, c);
          right.at(r, c) -= factor * right.at(k, c);
        }
      }
    }
    return right;
  }

 private:
  std::size_t size_;
  std::vector<double> cells_;
};

}  // namespace polymax::arena
