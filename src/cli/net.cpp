// polymax net: looks at network files, checks and converts them; net_bounds.cpp measures them.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/training_values.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "learn/checkpoint.hpp"
#include "learn/lesson.hpp"
#include "nn/cpu_engine.hpp"
#include "nn/net_file.hpp"

namespace polymax::cli::net {

namespace {

struct InfoOptions {
  std::string file;
  bool json = false;

  static Arguments fields() {
    return {existing_file(argument(field("FILE", &InfoOptions::file, "a .safetensors file"))),
            field("json", &InfoOptions::json, "one line of JSON")};
  }
};

struct CheckOptions {
  std::string file;

  static Arguments fields() {
    return {existing_file(argument(field("FILE", &CheckOptions::file, "a .safetensors file")))};
  }
};

struct ConvertOptions {
  std::string file, to;
  NetPrecision precision = NetPrecision::bf16;
  bool force = false, values_only = false;

  static Arguments fields() {
    return {existing_file(argument(field("FILE", &ConvertOptions::file,
                                         "a .safetensors file, or a checkpoint (.pmx)"))),
            output_file(argument(field("TARGET", &ConvertOptions::to, "the file to write"))),
            field("to", &ConvertOptions::precision, "precision of the weights", kPrecisionNames),
            field("values-only", &ConvertOptions::values_only,
                  "leave out the second head, which knows the moves"),
            field("force", &ConvertOptions::force, "write over TARGET when it is there")};
  }
};

std::string_view name_of(NetPrecision precision) {
  return kPrecisionNames[static_cast<std::size_t>(precision)];
}

using Rows = std::vector<std::pair<std::string, Json>>;

Rows rows_of(const std::string& file) {
  const std::string bytes = read_net_bytes(file);
  const Net net = net_from_bytes(bytes, file);
  const NetShape& s = net.shape;
  Rows out{{"file", file},
           {"bytes", bytes.size()},
           {"precision", name_of(precision_of(bytes, file))},
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
           {"content_hash", content_hash(bytes, file)}};
  for (const auto& [key, value] : training_values(net)) out.emplace_back("training." + key, value);
  return out;
}

void info(const InfoOptions& options) {
  const Rows rows = rows_of(options.file);
  Json out;
  for (const auto& [key, value] : rows) {
    out[key] = value;
    if (options.json) continue;
    std::string text = value.dump();
    if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
    fmt::print("{:<20} {}\n", key, text);
  }
  if (options.json) fmt::print("{}\n", out.dump());
}

// Loads the net, compares it with the game it names, and computes a position.
void check(const CheckOptions& options) {
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

void convert(const ConvertOptions& options) {
  if (!options.force && std::filesystem::exists(options.to))
    throw Error("'" + options.to + "' exists already: give another name, or --force");
  const bool checkpoint = options.file.ends_with(".pmx");
  Net net = checkpoint ? learn::load_checkpoint(options.file).net : load_net(options.file);
  if (options.values_only) net = values_only(std::move(net));
  const std::string bytes = net_to_bytes(net, options.precision);
  net_from_bytes(bytes, options.to);  // rounding may have made a large weight infinite
  write_file(options.to, bytes);
  fmt::print("{} written in {}\n", options.to, name_of(options.precision));
}

}  // namespace

Command command() {
  return command_of_parts(
      "net", "look at network files, check and convert them",
      "Example: polymax net info nets/quadrothello/default.safetensors",
      {cli::command<InfoOptions>("info", "what a network is and where it comes from",
                                 "Example: polymax net info net.safetensors --json", info),
       net_bounds::command(),
       cli::command<CheckOptions>("check", "load it, compare it with its game, compute a position",
                                  "Example: polymax net check net.safetensors", check),
       cli::command<ConvertOptions>(
           "convert",
           "write it in another precision; also the network of a checkpoint (.pmx) of polymax "
           "train",
           "Example: polymax net convert net.safetensors small.safetensors --to bf16", convert)});
}

}  // namespace polymax::cli::net
