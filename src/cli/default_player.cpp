#include "cli/default_player.hpp"

#include <charconv>
#include <filesystem>

#include "nn/engines.hpp"
#include "nn/net_file.hpp"

namespace polymax::cli {

std::optional<Net> shipped_net(const AnyGame& game) {
  const std::string file = default_net_file(game.spec());
  if (!game.planes() || !std::filesystem::exists(file)) return std::nullopt;
  Net net = load_net(file);
  if ((net.game != game.spec() && net.game != game.game_of_networks()) ||
      net.shape.input != *game.planes())
    return std::nullopt;
  return net;
}

std::vector<std::pair<std::string, JsonValue>> training_values(const Net& net) {
  std::vector<std::pair<std::string, JsonValue>> out;
  for (const auto& [key, text] : net.training) {
    const char* end = text.data() + text.size();
    std::uint64_t whole = 0;
    double real = 0;
    const auto is = [&](const std::from_chars_result& read) {
      return !text.empty() && read.ec == std::errc() && read.ptr == end;
    };
    if (is(std::from_chars(text.data(), end, whole)))
      out.emplace_back(key, whole);
    else if (is(std::from_chars(text.data(), end, real)))
      out.emplace_back(key, real);
    else
      out.emplace_back(key, text);
  }
  return out;
}

std::string default_player(const AnyGame& game) {
  return shipped_net(game) ? "unbounded_maxn(eval=network)" : "unbounded_maxn";
}

}  // namespace polymax::cli
