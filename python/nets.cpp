// Networks as arrays: read, changed, written, asked.
#include <pybind11/numpy.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/lists.hpp"
#include "learn/lesson.hpp"
#include "nn/engines.hpp"
#include "nn/net_file.hpp"
#include "python/common.hpp"

namespace polymax::python {

namespace {

py::dict tensors(const Net& net) {
  py::dict out;
  for (const Tensor& tensor : net.tensors) {
    py::array_t<float> array(std::vector<py::ssize_t>(tensor.dims.begin(), tensor.dims.end()));
    std::ranges::copy(tensor.values, array.mutable_data());
    out[py::str(tensor.name)] = array;
  }
  return out;
}

std::string dims_text(const auto& dims) {
  std::string out;
  for (const auto d : dims) out += (out.empty() ? "" : ", ") + std::to_string(d);
  return "(" + out + ")";
}

void fill(Tensor& tensor, const py::object& given) {
  const auto array = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array) throw Error("the tensor '" + tensor.name + "' is no array of numbers");
  const std::vector<std::int64_t> dims(array.shape(), array.shape() + array.ndim());
  if (dims != tensor.dims)
    throw Error("the tensor '" + tensor.name + "' has the shape " + dims_text(dims) +
                ", its network wants " + dims_text(tensor.dims));
  tensor.values.assign(array.data(), array.data() + array.size());
  if (!std::ranges::all_of(tensor.values, [](float x) { return std::isfinite(x); }))
    throw Error("the tensor '" + tensor.name + "' holds a number that is not finite");
}

// The same network with other weights, all of them.
Net with_tensors(const Net& net, const py::dict& given) {
  Net out = net;
  out.tensors = layout(net.shape);
  for (Tensor& tensor : out.tensors) {
    if (!given.contains(tensor.name.c_str()))
      throw Error("the tensor '" + tensor.name + "' is missing");
    fill(tensor, given[tensor.name.c_str()]);
  }
  for (const auto& [name, value] : given)
    if (std::ranges::find(out.tensors, std::string(py::str(name)), &Tensor::name) ==
        out.tensors.end())
      throw Error("the network has no tensor '" + std::string(py::str(name)) + "'");
  return out;
}

int count(const py::dict& about, const char* key) {
  if (!about.contains(key)) throw Error(std::string("a network needs '") + key + "'");
  const py::object given = about[key];
  try {
    if (const py::object number = whole(given)) return number.cast<int>();
  } catch (const py::cast_error&) {  // a very large one
  }
  throw Error(std::string("'") + key + "' of a network is a whole number, not " +
              std::string(py::repr(given)));
}

// A network for a game: channels, blocks and dense are its size, the rest follows from the game.
Net made(const Game& game, const py::dict& about, const py::dict& weights) {
  if (!game.has_planes)
    throw Error("the game '" + game.game->name() + "' has no planes for networks");
  Net net;
  net.game = game.game->spec();
  net.rules_version = game.game->about().version;
  net.shape = {
      *game.game->planes(),     game.game->players(),
      count(about, "channels"), count(about, "blocks"),
      count(about, "dense"),    about.contains("move_planes") ? count(about, "move_planes") : 0};
  check_shape(net.shape);
  const auto real = [&](const char* key, float preset) {
    return about.contains(key) ? py::float_(py::object(about[key])).cast<float>() : preset;
  };
  net.scale = real("scale", 1);
  net.lo = real("lo", -1);
  net.hi = real("hi", 1);
  if (!(net.scale > 0) || !(net.lo < net.hi))
    throw Error("a network's scale is positive and lo is below hi");
  net.turned = about.contains("turned") && py::object(about["turned"]).cast<bool>();
  if (about.contains("training"))
    net.training =
        NetTraining::of(py::object(about["training"]).cast<std::map<std::string, std::string>>());
  check_net_for(net, game.game->subject().purpose(), "the network");
  return with_tensors(net, weights);
}

std::shared_ptr<Net> made_for(const py::object& game, const py::dict& about,
                              const py::dict& weights) {
  const auto of =
      py::isinstance<Game>(game) ? game.cast<std::shared_ptr<Game>>() : game_of(game, py::none());
  return std::make_shared<Net>(made(*of, about, weights));
}

py::dict about(const Net& net) {
  py::dict out;
  out["game"] = net.game;
  out["rules_version"] = net.rules_version;
  out["planes"] =
      py::make_tuple(net.shape.input.planes, net.shape.input.height, net.shape.input.width);
  out["players"] = net.shape.players;
  out["channels"] = net.shape.channels;
  out["blocks"] = net.shape.blocks;
  out["dense"] = net.shape.dense;
  out["move_planes"] = net.shape.move_planes;
  out["scale"] = net.scale;
  out["lo"] = net.lo;
  out["hi"] = net.hi;
  out["turned"] = net.turned;
  out["training"] = net.training.texts();
  return out;
}

NetPrecision precision_named(const std::string& name) {
  const auto found = std::ranges::find(kPrecisionNames, name);
  if (found == kPrecisionNames.end())
    throw Error("precision is " + joined(kPrecisionNames, " or ") + ", not '" + name + "'");
  return static_cast<NetPrecision>(found - kPrecisionNames.begin());
}

py::array_t<float> evaluate(
    const Net& net, const py::array_t<float, py::array::c_style | py::array::forcecast>& batch) {
  const PlaneShape& shape = net.shape.input;
  if (batch.ndim() != 4 || batch.shape(1) != shape.planes || batch.shape(2) != shape.height ||
      batch.shape(3) != shape.width)
    throw Error("planes have the shape (positions, " + std::to_string(shape.planes) + ", " +
                std::to_string(shape.height) + ", " + std::to_string(shape.width) + ")");
  const auto count = static_cast<std::size_t>(batch.shape(0));
  const auto words = static_cast<std::size_t>(shape.words());
  const auto numbers =
      static_cast<std::size_t>(shape.planes) * static_cast<std::size_t>(shape.cells());
  std::vector<std::uint64_t> bits(count * words);
  for (std::size_t i = 0; i < count; ++i)
    if (!pack_planes(batch.data() + i * numbers, shape, {bits.data() + i * words, words}))
      throw Error("planes are zeros and ones");
  py::array_t<float> out({count, static_cast<std::size_t>(net.shape.players)});
  float* to = out.mutable_data();
  without_gil([&](const std::stop_token&) {
    make_live_net(net, {}, 1)
        ->evaluate(bits, {to, count * static_cast<std::size_t>(net.shape.players)});
  });
  return out;
}

}  // namespace

void bind_nets(py::module_& module) {
  py::class_<Net, std::shared_ptr<Net>>(module, "Net", R"doc(A value network: its weights as arrays.

>>> game = polymax.Game("quadrothello")
>>> net = polymax.Net.load(polymax.shipped_net(game))
>>> values = net.evaluate(game.start().planes()[None])
>>> values.shape
(1, 4)
)doc")
      .def_static(
          "load",
          [](const std::filesystem::path& file) {
            return std::make_shared<Net>(load_net(file.string()));
          },
          py::arg("file"), "Reads a file that polymax wrote; its hashes must agree.")
      .def_static(
          "make", made_for, py::arg("game"), py::arg("about"), py::arg("tensors"),
          "A network of arrays. about: channels, blocks, dense; scale, lo, hi, turned, training.")
      .def_property_readonly("about", about, "What the file says besides the weights.")
      .def_property_readonly("tensors", tensors, "Name -> float32 array (copies).")
      .def(
          "with_tensors",
          [](const Net& net, const py::dict& weights) {
            return std::make_shared<Net>(with_tensors(net, weights));
          },
          py::arg("tensors"), "The same network with these weights.")
      .def("evaluate", evaluate, py::arg("planes"),
           "Points of every seat (positions, players) for planes (positions, planes, height, "
           "width), by the CPU engine.")
      .def(
          "save",
          [](const Net& net, const std::filesystem::path& file, const std::string& precision) {
            save_net(net, file.string(), precision_named(precision));
          },
          py::arg("file"), py::arg("precision") = "fp32",
          "Writes a file that every command of polymax takes.")
      .def("__repr__",
           [](const Net& net) {
             return "<polymax.Net " + net.game + ", " + std::to_string(net.shape.channels) +
                    " channels, " + std::to_string(net.shape.blocks) + " blocks>";
           })
      .def(py::pickle(
          [](const Net& net) { return py::bytes(net_to_bytes(net, NetPrecision::fp32)); },
          [](const py::bytes& bytes) {
            const std::string text = bytes;
            return std::make_shared<Net>(net_from_bytes(text, "a pickled network"));
          }));
  module.def(
      "shipped_net",
      [](const Game& game) -> py::object {
        const std::string file = shipped_net_file(game.game->spec());
        if (!game.object.is_none() || !std::filesystem::exists(file)) return py::none();
        return py::str(file);
      },
      py::arg("game"), "The file of the network that ships for a game; None without.");
}

}  // namespace polymax::python
