#include "cli/default_player.hpp"

#include <filesystem>

#include "nn/engines.hpp"
#include "nn/net_file.hpp"
#include "nn/net_purpose.hpp"

namespace polymax::cli {

std::optional<Net> shipped_net(const AnyGame& game) {
  const std::string file = default_net_file(game.spec());
  const auto wanted = game.networks();
  if (!wanted || !std::filesystem::exists(file)) return std::nullopt;
  Net net = load_net(file);
  if (match_of(net.game, *wanted).fit == NetFit::other || net.shape.input != wanted->planes)
    return std::nullopt;
  return net;
}

std::vector<std::pair<std::string, Json>> training_values(const Net& net) {
  std::vector<std::pair<std::string, Json>> out;
  net.training.each([&](const char* key, const auto& value) { out.emplace_back(key, value); });
  return out;
}

std::string default_player(const AnyGame& game) {
  return shipped_net(game) ? "unbounded_maxn(eval=network)" : "unbounded_maxn";
}

}  // namespace polymax::cli
