#include "nn/net.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/error.hpp"
#include "core/number.hpp"
#include "core/rng.hpp"

namespace polymax {

namespace {

void check(int value, int min, int max, const char* name) {
  if (value < min || value > max)
    throw Error("network with " + std::to_string(value) + " " + name + ": allowed are " +
                std::to_string(min) + " to " + std::to_string(max));
}

void add(std::vector<Tensor>& out, const std::string& name, std::vector<std::int64_t> weight) {
  const std::int64_t bias = weight[0];
  out.push_back({name + ".weight", std::move(weight), {}});
  out.push_back({name + ".bias", {bias}, {}});
}

// A normal number: one of the two that a Box-Muller step could give.
float normal(Rng& rng) {
  const double u = 1 - rng.uniform(), v = rng.uniform();
  return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
}

// False, and `out` as it was, when the text is no such number.
template <class Number>
bool read_number(const std::string& text, Number& out) {
  const auto value = number_of<Number>(text);
  if (value) out = *value;
  return value.has_value();
}

std::string text_of(const std::string& text) {
  return text;
}
std::string text_of(std::uint64_t number) {
  return std::to_string(number);
}
std::string text_of(double number) {
  return shortest_text(number);
}

}  // namespace

std::string shape_text(const NetShape& shape) {
  return std::to_string(shape.channels) + " channels, " + std::to_string(shape.blocks) + " blocks" +
         (shape.move_planes > 0 ? ", second head" : "");
}

std::map<std::string, std::string> NetTraining::texts() const {
  std::map<std::string, std::string> out;
  each([&](const char* key, const auto& value) { out.emplace(key, text_of(value)); });
  return out;
}

NetTraining NetTraining::of(const std::map<std::string, std::string>& texts) {
  NetTraining out;
  const std::map<std::string, std::uint64_t*> numbers{{"matches", &out.matches},
                                                      {"positions", &out.positions},
                                                      {"evaluations", &out.evaluations},
                                                      {"steps", &out.steps}};
  for (const auto& [key, text] : texts) {
    const auto number = numbers.find(key);
    bool taken = number != numbers.end() && read_number(text, *number->second);
    if (key == "seed") taken = read_number(text, out.seed.emplace());
    if (key == "seed" && !taken) out.seed.reset();
    if (key == "hours") taken = read_number(text, out.hours) && std::isfinite(out.hours);
    if (key == "hours" && !taken) out.hours = 0;
    if (key == "parent") out.parent = text;
    if (key == "commit") out.commit = text;
    if (!taken && key != "parent" && key != "commit") out.more.emplace(key, text);
  }
  return out;
}

const Tensor& Net::tensor(const std::string& name) const {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  if (found == tensors.end())
    throw Error("the network has no tensor '" + name + "'", Error::Kind::failed);
  return *found;
}

void check_shape(const NetShape& shape) {
  check(shape.input.planes, 1, 1024, "planes");
  check(shape.input.height, 1, 32, "rows");
  check(shape.input.width, 1, 32, "columns");
  check(shape.players, 2, kMaxPlayers, "players");
  check(shape.channels, 1, 1024, "channels");
  check(shape.blocks, 0, 100, "blocks");
  check(shape.dense, 1, 65536, "dense units");
  check(shape.move_planes, 0, kMaxMovePlanes, "move planes");
  check(shape.places(), 0, kMaxMovePlaces, "places of moves");
}

void check_query(const NetShape& shape, std::size_t words, const MoveQuery& moves) {
  if (shape.move_planes == 0)
    throw Error("the network knows no moves: it has no second head", Error::Kind::failed);
  std::uint32_t before = 0;
  bool fits = moves.ends.size() == words / static_cast<std::size_t>(shape.input.words()) &&
              moves.places.size() == moves.logits.size();
  for (const std::uint32_t end : moves.ends) fits &= end >= std::exchange(before, end);
  fits &= before == moves.places.size() &&
          std::ranges::all_of(moves.places, [&](int place) { return place < shape.places(); });
  if (!fits) throw Error("places of moves do not fit the network", Error::Kind::failed);
}

std::vector<Tensor> layout(const NetShape& shape) {
  const std::int64_t c = shape.channels;
  std::vector<Tensor> out;
  add(out, "stem", {c, shape.input.planes, 3, 3});
  for (int i = 0; i < shape.blocks; ++i) {
    add(out, "block" + std::to_string(i) + ".conv1", {c, c, 3, 3});
    add(out, "block" + std::to_string(i) + ".conv2", {c, c, 3, 3});
  }
  add(out, "head", {c, c, 1, 1});
  add(out, "dense1", {shape.dense, c});
  add(out, "dense2", {shape.players, shape.dense});
  if (shape.move_planes == 0) return out;
  add(out, "prior1", {c, c, 1, 1});
  add(out, "prior2", {shape.move_planes, c, 1, 1});
  return out;
}

Net untrained_net(const NetShape& shape, std::string game, int rules_version, std::uint64_t seed) {
  check_shape(shape);
  Net net{shape, std::move(game), rules_version, 1, -1, 1, false, {}, layout(shape)};
  Rng rng(seed);
  for (auto& tensor : net.tensors) {
    const std::size_t n = tensor.size();
    tensor.values.assign(n, 0.0f);
    if (tensor.dims.size() == 1) continue;  // biases
    const double fan_in = static_cast<double>(n) / static_cast<double>(tensor.dims[0]);
    double deviation = std::sqrt(2 / fan_in);
    if (tensor.name.ends_with("conv2.weight"))
      deviation *= 0.5;  // keeps the sum over the blocks level
    // sum pooling adds up all cells
    if (tensor.name == "dense1.weight")
      deviation /= std::sqrt(static_cast<double>(shape.input.cells()));
    if (tensor.name == "dense2.weight" || tensor.name == "prior2.weight") deviation *= 0.1;
    for (auto& x : tensor.values) x = static_cast<float>(deviation) * normal(rng);
  }
  return net;
}

Net values_only(Net net) {
  net.shape.move_planes = 0;
  net.tensors.resize(layout(net.shape).size());  // the second head's come last
  return net;
}

double flops_per_position(const NetShape& shape) {
  const double cells = shape.input.cells(), c = shape.channels;
  const double convolutions = 9 * c * shape.input.planes + 2 * shape.blocks * 9 * c * c + c * c;
  return 2 * (cells * convolutions + c * shape.dense +
              static_cast<double>(shape.dense) * shape.players);
}

std::size_t parameter_count(const NetShape& shape) {
  std::size_t n = 0;
  for (const auto& tensor : layout(shape)) n += tensor.size();
  return n;
}

}  // namespace polymax
