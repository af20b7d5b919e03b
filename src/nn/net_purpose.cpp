#include "nn/net_purpose.hpp"

#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/spec.hpp"

namespace polymax {

namespace {

Spec without(Spec spec, const std::vector<std::string>& options) {
  for (const auto& key : options) take_argument(spec, key);
  return spec;
}

// A file may say anything of its game.
std::optional<Spec> parsed(const std::string& text) {
  try {
    return Spec::parse(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

NetFit fit_of(const std::string& net_game, const std::string& game, const NetPurpose& wanted) {
  if (net_game == game) return NetFit::same;
  const auto of_net = parsed(net_game);
  if (!of_net) return NetFit::other;
  Spec a = without(*of_net, wanted.start_options);
  Spec b = without(Spec::parse(game), wanted.start_options);
  if (a == b) return NetFit::start;
  a = without(std::move(a), wanted.variant_options);
  b = without(std::move(b), wanted.variant_options);
  return a == b ? NetFit::variant : NetFit::other;
}

}  // namespace

NetMatch match_of(const std::string& net_game, const NetPurpose& wanted) {
  const NetFit own = fit_of(net_game, wanted.game, wanted);
  if (own != NetFit::other || wanted.substitute.empty()) return {own, false};
  return {fit_of(net_game, wanted.substitute, wanted), true};
}

std::string net_warning(const Net& net, const NetPurpose& wanted) {
  if (match_of(net.game, wanted).fit != NetFit::variant) return "";
  return "the network was trained for " + net.game + "; for " + wanted.game +
         ", a variant, its values are a guess";
}

}  // namespace polymax
