#include "catalog/computed.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "catalog/any.hpp"
#include "core/error.hpp"
#include "eval/network.hpp"
#include "nn/net_file.hpp"

namespace polymax::catalog {

std::string computed_by(const Spec& evaluator, int channels) {
  if (evaluator.name != "network") return "";
  const auto params = read_settings<network::Params>(evaluator);
  return polymax::computed_by({params.engine, params.device, params.isa, params.batch}, channels);
}

bool asks_gpu(const Spec& spec) {
  if (spec.name == "network")
    return read_settings<network::Params>(spec).device == TorchDevice::cuda;
  return std::ranges::any_of(spec.arguments, [](const SpecArgument& argument) {
    return catalog::asks_gpu(argument.value);
  });
}

NetworkFacts network_facts(const std::string& file) {
  NetFacts known;
  try {
    known = facts_of(file);
  } catch (const Error&) {
    return {};
  }
  const NetTraining& training = known.training;
  std::string out = known.hash;
  if (training.matches > 0) out += "; " + std::to_string(training.matches) + " matches";
  if (training.hours > 0)
    out += ", " + std::to_string(std::lround(60 * training.hours)) + " minutes";
  if (!training.commit.empty()) out += ", commit " + training.commit;
  return {known.channels, out};
}

bool network_ships(const AnyGame& game) {
  const auto wanted = game.networks();
  const std::string file = shipped_net_file(game.spec());
  if (!wanted || !std::filesystem::exists(file)) return false;
  const NetHeader header = load_net_header(file);
  try {
    check_net_for(header.net, *wanted, file);
    return true;
  } catch (const Error&) {  // it is of other rules
    return false;
  }
}

std::string shipped_networks() {
  return std::filesystem::path(shipped_net_file("any")).parent_path().parent_path().string();
}

}  // namespace polymax::catalog
