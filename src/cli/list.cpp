// polymax list: what there is, with all settings.
#include <fmt/core.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/computed.hpp"
#include "cli/commands.hpp"
#include "cli/training_values.hpp"
#include "core/json.hpp"
#include "nn/engines.hpp"
#include "nn/net_file.hpp"

namespace polymax::cli::list {

namespace {

enum class What { games, searches, evaluators, nets, all };

struct Options {
  What what = What::all;
  bool json = false;

  static Arguments fields() {
    constexpr std::array<std::string_view, 5> kNames{"games", "searches", "evaluators", "nets",
                                                     "all"};
    return {maybe_argument(field("WHAT", &Options::what, "what to list", kNames)),
            field("json", &Options::json, "one line of JSON an entry")};
  }
};

std::vector<Entry> game_entries() {
  std::vector<Entry> out;
  for (const auto& game : catalog::games()) out.push_back(game.entry);
  return out;
}

Json as_json(const std::string& kind, const Entry& entry) {
  std::vector<Json> settings;
  for (const auto& s : entry.settings)
    settings.push_back(
        Json{{"key", s.key}, {"default", s.preset}, {"allowed", s.allowed}, {"help", s.help}});
  return {{"kind", kind},
          {"name", entry.name},
          {"title", entry.about.title},
          {"version", entry.about.version},
          {"source", entry.about.source},
          {"settings", settings}};
}

void print(const std::string& kind, const std::vector<Entry>& entries, bool json) {
  if (!json) fmt::print("{}:\n", kind == "search" ? "searches" : kind + "s");
  for (const auto& entry : entries) {
    if (json) {
      fmt::print("{}\n", as_json(kind, entry).dump());
      continue;
    }
    fmt::print("  {:<18} {}\n", entry.name, entry.about.title);
    for (const auto& s : entry.settings)
      fmt::print("    {:<16} {} [{}]\n", s.key + '=' + s.preset, s.help, s.allowed);
  }
}

Json net_json(const Net& net) {
  Json training;
  for (const auto& [key, value] : training_values(net)) training[key] = value;
  return {{"kind", "net"},
          {"game", net.game},
          {"file", shipped_net_file(net.game)},
          {"channels", net.shape.channels},
          {"blocks", net.shape.blocks},
          {"training", training}};
}

// The networks that ship with the program: what `network` without file= uses.
void print_nets(bool json) {
  if (!json)
    fmt::print("nets:\n  {:<16} {:>8} {:>6} {:>9} {:>14} {:>9}\n", "game", "channels", "blocks",
               "matches", "positions", "minutes");
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    if (!catalog::network_ships(*game)) continue;
    const Net net = load_net_header(shipped_net_file(game->spec())).net;
    if (json)
      fmt::print("{}\n", net_json(net).dump());
    else
      fmt::print("  {:<16} {:>8} {:>6} {:>9} {:>14} {:>9.1f}\n", net.game, net.shape.channels,
                 net.shape.blocks, net.training.matches, net.training.evaluations,
                 60 * net.training.hours);
  }
}

void run(const Options& options) {
  const auto wanted = [&](What what) { return options.what == What::all || options.what == what; };
  if (wanted(What::games)) print("game", game_entries(), options.json);
  if (wanted(What::searches)) print("search", catalog::searches(), options.json);
  if (wanted(What::searches))
    if (const auto outside = catalog::outside_players(); !outside.empty())
      print("player", outside, options.json);
  if (wanted(What::evaluators)) print("evaluator", catalog::evaluators(), options.json);
  if (wanted(What::nets)) print_nets(options.json);
}

}  // namespace

Command command() {
  return cli::command<Options>(
      "list", "games, searches and evaluators with their settings, and the networks at hand",
      "Example: polymax list games", run);
}

}  // namespace polymax::cli::list
