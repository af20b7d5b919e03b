// polymax list: what there is, with all settings.
#include <fmt/core.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/command.hpp"
#include "cli/default_player.hpp"
#include "nn/engines.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string what = "all";
  bool json = false;
};

std::vector<Entry> game_entries() {
  std::vector<Entry> out;
  for (const auto& game : catalog::games()) out.push_back(game.entry);
  return out;
}

nlohmann::ordered_json as_json(const std::string& kind, const Entry& entry) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::array();
  for (const auto& s : entry.settings)
    settings.push_back(
        {{"key", s.key}, {"default", s.preset}, {"allowed", s.allowed}, {"help", s.help}});
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
      fmt::print("    {:<16} {} [{}; {}]\n", s.key + '=' + s.preset, s.help, "default " + s.preset,
                 s.allowed);
  }
}

// The networks that ship with the program: what `network` without file= uses.
void print_nets(bool json) {
  if (!json)
    fmt::print("nets:\n  {:<16} {:>8} {:>6} {:>9} {:>14} {:>9}\n", "game", "channels", "blocks",
               "matches", "positions", "minutes");
  for (const auto& entry : catalog::games()) {
    const auto game = catalog::open_game(entry.entry.name);
    const auto net = shipped_net(*game);
    if (!net) continue;
    const auto trained = [&](const char* key) {
      const auto found = net->training.find(key);
      return found == net->training.end() ? std::string("0") : found->second;
    };
    const double minutes = 60 * std::strtod(trained("hours").c_str(), nullptr);
    if (json)
      fmt::print("{}\n", nlohmann::ordered_json{{"kind", "net"},
                                                {"game", net->game},
                                                {"file", default_net_file(net->game)},
                                                {"channels", net->shape.channels},
                                                {"blocks", net->shape.blocks},
                                                {"training", net->training}}
                             .dump());
    else
      fmt::print("  {:<16} {:>8} {:>6} {:>9} {:>14} {:>9.1f}\n", net->game, net->shape.channels,
                 net->shape.blocks, trained("matches"), trained("evaluations"), minutes);
  }
}

void run(const Options& options) {
  const auto wanted = [&](const char* what) {
    return options.what == "all" || options.what == what;
  };
  if (wanted("games")) print("game", game_entries(), options.json);
  if (wanted("searches")) print("search", catalog::searches(), options.json);
  if (wanted("evaluators")) print("evaluator", catalog::evaluators(), options.json);
  if (wanted("nets")) print_nets(options.json);
}

}  // namespace

void add_list(CLI::App& app) {
  auto* command = app.add_subcommand(
      "list", "games, searches and evaluators with their settings, and the networks at hand");
  auto options = std::make_shared<Options>();
  command->add_option("WHAT", options->what, "games | searches | evaluators | nets | all")
      ->check(CLI::IsMember({"games", "searches", "evaluators", "nets", "all"}));
  command->add_flag("--json", options->json, "one line of JSON an entry");
  command->footer("Example: polymax list games");
  command->callback([options] { run(*options); });
}

}  // namespace polymax::cli
