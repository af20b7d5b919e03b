// polymax net: looks at network files, checks and converts them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "catalog/catalog.hpp"
#include "cli/command.hpp"
#include "core/file.hpp"
#include "learn/checkpoint.hpp"
#include "nn/cpu_engine.hpp"
#include "nn/net_file.hpp"

namespace polymax::cli {

namespace {

struct Options {
  std::string file, to, precision = "bf16";
  bool json = false, values_only = false;
};

const char* name_of(NetPrecision precision) {
  return precision == NetPrecision::bf16 ? "bf16" : "fp32";
}

void info(const Options& options) {
  const std::string bytes = read_file(options.file);
  const Net net = net_from_bytes(bytes, options.file);
  const NetShape& s = net.shape;
  nlohmann::ordered_json out{{"file", options.file},
                             {"bytes", bytes.size()},
                             {"precision", name_of(precision_of(bytes, options.file))},
                             {"game", net.game},
                             {"rules_version", net.rules_version},
                             {"planes", s.input.planes},
                             {"height", s.input.height},
                             {"width", s.input.width},
                             {"players", s.players},
                             {"channels", s.channels},
                             {"blocks", s.blocks},
                             {"dense", s.dense},
                             {"move_planes", s.move_planes},
                             {"parameters", parameter_count(s)},
                             {"mflop_per_position", flops_per_position(s) / 1e6},
                             {"scale", net.scale},
                             {"lo", net.lo},
                             {"hi", net.hi},
                             {"turned", net.turned},
                             {"content_hash", content_hash(bytes, options.file)}};
  for (const auto& [key, value] : net.training) out["training." + key] = value;
  if (options.json) return fmt::print("{}\n", out.dump());
  for (const auto& [key, value] : out.items())
    fmt::print("{:<20} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
}

// Loads the net, compares it with the game it names, and computes a position.
void check(const Options& options) {
  const Net net = load_net(options.file);
  const auto game = catalog::open_game(net.game);
  if (!game->planes()) throw Error("the game '" + game->spec() + "' has no network planes");
  check_net_for(net, game->subject().purpose(), options.file);
  const CpuEngine engine(net);
  std::vector<float> out(static_cast<std::size_t>(net.shape.players));
  const std::vector<std::uint64_t> empty(static_cast<std::size_t>(net.shape.input.words()));
  engine.evaluate(empty, out);
  if (net.shape.move_planes > 0) {  // a logit of every move plane
    std::vector<std::uint16_t> places;
    for (int k = 0; k < net.shape.move_planes; ++k)
      places.push_back(static_cast<std::uint16_t>(k * net.shape.input.cells()));
    const std::vector<std::uint32_t> ends{static_cast<std::uint32_t>(places.size())};
    std::vector<float> values(out.size()), logits(places.size());
    engine.evaluate(empty, values, {ends, places, logits});
    out.insert(out.end(), logits.begin(), logits.end());
  }
  if (!std::ranges::all_of(out, [](float x) { return std::isfinite(x); }))
    throw Error("'" + options.file + "' is no usable network: its values are not finite numbers",
                Error::Kind::failed);
  fmt::print("{}: a usable network for {}\n", options.file, net.game);
}

void convert(const Options& options) {
  const bool checkpoint = options.file.ends_with(".pmx");
  Net net = checkpoint ? learn::load_checkpoint(options.file).net : load_net(options.file);
  if (options.values_only) net = values_only(std::move(net));
  const std::string bytes =
      net_to_bytes(net, options.precision == "bf16" ? NetPrecision::bf16 : NetPrecision::fp32);
  net_from_bytes(bytes, options.to);  // rounding may have made a large weight infinite
  write_file(options.to, bytes);
  fmt::print("{} written in {}\n", options.to, options.precision);
}

}  // namespace

void add_net(CLI::App& app) {
  auto* net = app.add_subcommand("net", "look at network files, check and convert them");
  net->require_subcommand(1);
  net->footer("Example: polymax net info nets/quadrothello/default.safetensors");
  const auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* help, const char* example, auto action) {
    auto* command = net->add_subcommand(name, help);
    command->add_option("FILE", options->file, "a .safetensors file")->required();
    command->footer(std::string("Example: polymax net ") + example);
    command->callback([options, action] { action(*options); });
    return command;
  };
  add("info", "what a network is and where it comes from", "info net.safetensors --json", info)
      ->add_flag("--json", options->json, "one line of JSON");
  add("check", "load it, compare it with its game, compute a position", "check net.safetensors",
      check);
  auto* command =
      add("convert",
          "write it in another precision; also the network of a checkpoint (.pmx) of polymax train",
          "convert net.safetensors small.safetensors --to bf16", convert);
  command->add_option("TARGET", options->to, "the file to write")->required();
  command->add_option("--to", options->precision, "precision of the weights")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->capture_default_str();
  command->add_flag("--values-only", options->values_only,
                    "leave out the second head, which knows the moves");
}

}  // namespace polymax::cli
