// What a request gets that cannot be answered: an HTTP status and one line. Other exceptions become
// 400 (polymax::Error: the request was wrong) or 500.
#pragma once

#include <string>

#include "core/error.hpp"

namespace polymax::server {

class Refused : public Error {
 public:
  Refused(int status, const std::string& message) : Error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace polymax::server
