#include "catalog/computed.hpp"

#include "eval/network.hpp"

namespace polymax::catalog {

std::string computed_by(const Spec& evaluator, int channels) {
  if (evaluator.name != "network") return "";
  const auto params = read_settings<network::Params>(evaluator);
  return polymax::computed_by({params.engine, params.device, params.isa, params.batch}, channels);
}

}  // namespace polymax::catalog
