#include "nn/net_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "core/columns.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "core/rng.hpp"
#include "nn/bf16.hpp"

static_assert(std::endian::native == std::endian::little, "tensors are stored little-endian");

namespace polymax {

namespace {

constexpr const char* kFormat = "polymax-net-1";
constexpr const char* kMetadataHash = "metadata_hash";
constexpr std::size_t kMaxHeader = 1 << 20, kMaxFile = std::size_t{1} << 31;

// `what` may quote the file: made one line and short.
[[noreturn]] void bad(const std::string& where, std::string what) {
  constexpr std::size_t kLongest = 400;
  if (what.size() > kLongest) {
    std::size_t end = kLongest;
    while (!begins_character(what[end])) --end;
    what = what.substr(0, end) + "...";
  }
  throw Error("'" + where + "' is no usable network: " + one_line(what), Error::Kind::failed);
}

std::uint64_t hash_of(std::span<const char> bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    hash = mix64(hash ^ word);
  }
  return hash;
}

void append_tensor(std::string& data, const Tensor& tensor, NetPrecision precision) {
  if (precision == NetPrecision::fp32) {
    data.append(reinterpret_cast<const char*>(tensor.values.data()),
                tensor.values.size() * sizeof(float));
    return;
  }
  for (const float x : tensor.values) {
    const std::uint16_t bits = to_bf16(x);
    data.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
}

std::size_t width_of(NetPrecision precision) {
  return precision == NetPrecision::fp32 ? 4 : 2;
}

// What the header says of a tensor.
Json tensor_entry(const Tensor& tensor, NetPrecision precision, std::size_t begin,
                  std::size_t end) {
  return {{"dtype", precision == NetPrecision::fp32 ? "F32" : "BF16"},
          {"shape", tensor.dims},
          {"data_offsets", Json::array({begin, end})}};
}

std::string number_text(float x) {
  return Json(static_cast<double>(x)).dump();
}

// Of all metadata but itself, in the order of their names.
std::string metadata_hash(const std::map<std::string, std::string>& metadata) {
  std::string all;
  for (const auto& [key, value] : metadata)
    if (key != kMetadataHash) all += key + '\0' + value + '\0';
  return hex_text(hash_of(all));
}

std::map<std::string, std::string> metadata_of(const Net& net, const std::string& data) {
  const NetShape& s = net.shape;
  std::map<std::string, std::string> out{{"format", kFormat},
                                         {"game", net.game},
                                         {"rules_version", std::to_string(net.rules_version)},
                                         {"planes", std::to_string(s.input.planes)},
                                         {"height", std::to_string(s.input.height)},
                                         {"width", std::to_string(s.input.width)},
                                         {"players", std::to_string(s.players)},
                                         {"channels", std::to_string(s.channels)},
                                         {"blocks", std::to_string(s.blocks)},
                                         {"dense", std::to_string(s.dense)},
                                         {"scale", number_text(net.scale)},
                                         {"lo", number_text(net.lo)},
                                         {"hi", number_text(net.hi)},
                                         {"content_hash", hex_text(hash_of(data))}};
  if (net.turned) out["turned"] = "on";
  if (s.move_planes > 0) out["move_planes"] = std::to_string(s.move_planes);
  for (const auto& [key, value] : net.training.texts()) out["training." + key] = value;
  out[kMetadataHash] = metadata_hash(out);
  return out;
}

Json parse_header(std::span<const char> header, const std::string& where) {
  constexpr const char* kWrong = "its header is no JSON object with __metadata__";
  Json json;
  try {
    json = Json::parse({header.data(), header.size()});
  } catch (const JsonError& error) {
    bad(where, std::string(kWrong) + ": " + error.what());
  }
  if (!json.contains("__metadata__") || !json["__metadata__"].is_object()) bad(where, kWrong);
  return json;
}

// The parts of a file, checked for sizes only.
struct Parts {
  Json header;
  std::span<const char> data;
};

Parts split(std::span<const char> bytes, const std::string& where) {
  if (bytes.size() > kMaxFile) bad(where, "it is larger than 2 GiB");
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) bad(where, "it ends within the header length");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaxHeader)
    bad(where, "its header length is " + std::to_string(length) + ", over 1 MiB");
  if (length > bytes.size() - sizeof length) bad(where, "it ends within the header");
  return {parse_header(bytes.subspan(sizeof length, length), where),
          bytes.subspan(sizeof length + length)};
}

class MetadataReader {
 public:
  MetadataReader(const Json& metadata, const std::string& where)
      : metadata_(metadata), where_(where) {}

  std::string text(const std::string& key) const {
    if (!metadata_.contains(key) || !metadata_[key].is_string())
      bad(where_, "its metadata lacks '" + key + "'");
    return metadata_[key].get<std::string>();
  }

  int whole(const std::string& key) const {
    const auto value = number_of<int>(text(key));
    if (!value || *value < 0 || *value > 1'000'000)
      bad(where_, "metadata '" + key + "' is '" + text(key) + "', not a whole number");
    return *value;
  }

  float real(const std::string& key) const {
    const auto value = number_of<float>(text(key));
    if (!value || !std::isfinite(*value))
      bad(where_, "metadata '" + key + "' is '" + text(key) + "', not a number");
    return *value;
  }

  // 0 when it is not there.
  int whole_or_none(const std::string& key) const {
    return metadata_.contains(key) ? whole(key) : 0;
  }

  // Off when it is not there.
  bool flag(const std::string& key) const {
    if (!metadata_.contains(key)) return false;
    const std::string value = text(key);
    if (value != "on" && value != "off")
      bad(where_, "metadata '" + key + "' is '" + value + "', not on or off");
    return value == "on";
  }

  // Files of before this hash have none.
  void check_hash() const {
    if (!metadata_.contains(kMetadataHash)) return;
    std::map<std::string, std::string> all;
    for (const auto& [key, value] : metadata_.items()) {
      if (!value.is_string()) bad(where_, "metadata '" + key + "' is not text");
      all[key] = value.get<std::string>();
    }
    if (text(kMetadataHash) != metadata_hash(all))
      bad(where_, "its metadata do not have the hash that they name");
  }

  NetTraining training() const {
    std::map<std::string, std::string> out;
    for (const auto& [key, value] : metadata_.items())
      if (key.starts_with("training.") && value.is_string())
        out[key.substr(9)] = value.get<std::string>();
    return NetTraining::of(out);
  }

 private:
  const Json& metadata_;
  const std::string& where_;
};

NetPrecision precision_in(const Json& header, const std::string& where) {
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const std::string dtype =
        entry.is_object() && entry.contains("dtype") ? entry["dtype"].dump() : "";
    if (dtype == "\"F32\"") return NetPrecision::fp32;
    if (dtype == "\"BF16\"") return NetPrecision::bf16;
    bad(where, "tensor '" + name + "' has the type " + dtype + ", not F32 or BF16");
  }
  bad(where, "it has no tensors");
}

// Checks what the header says of a tensor, whose name and dims are what the shape demands, and
// gives where it ends. The tensors lie one after the other.
std::size_t end_of_tensor(const Json& header, NetPrecision precision, std::size_t offset,
                          const Tensor& tensor, const std::string& where) {
  if (!header.contains(tensor.name)) bad(where, "tensor '" + tensor.name + "' is missing");
  const Json& entry = header[tensor.name];
  std::size_t end = offset + tensor.size() * width_of(precision);
  const Json wanted = tensor_entry(tensor, precision, offset, end);
  for (const auto& [key, value] : wanted.items()) {
    const Json* found = entry.find(key);
    if (!found || *found != value)
      bad(where, "tensor '" + tensor.name + "' has " + key + " " +
                     (found ? found->dump() : "none") + ", expected " + value.dump());
  }
  return end;
}

// Checks that the tensors of the header are those of the architecture and fill `bytes` bytes.
void check_tensors(const Json& header, const NetShape& shape, std::size_t bytes,
                   const std::string& where) {
  const NetPrecision precision = precision_in(header, where);
  const auto tensors = layout(shape);
  if (header.size() != tensors.size() + 1)
    bad(where, "it holds other tensors than its architecture has");
  std::size_t end = 0;
  for (const auto& tensor : tensors) {
    end = end_of_tensor(header, precision, end, tensor, where);
    if (end > bytes) bad(where, "it ends within tensor '" + tensor.name + "'");
  }
  if (end != bytes) bad(where, std::to_string(bytes - end) + " bytes follow the last tensor");
}

void read_tensor(const char* from, NetPrecision precision, Tensor& tensor,
                 const std::string& where) {
  tensor.values.resize(tensor.size());
  if (precision == NetPrecision::fp32) {
    std::memcpy(tensor.values.data(), from, tensor.values.size() * sizeof(float));
  } else {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, from + 2 * i, 2);
      tensor.values[i] = from_bf16(bits);
    }
  }
  if (!std::ranges::all_of(tensor.values, [](float x) { return std::isfinite(x); }))
    bad(where, "tensor '" + tensor.name + "' holds a number that is not finite");
}

Net read_metadata(const Json& metadata, const std::string& where) {
  const MetadataReader in(metadata, where);
  if (in.text("format") != kFormat)
    bad(where, "its format is '" + in.text("format") + "', this program reads " + kFormat);
  in.check_hash();
  Net net;
  net.shape = {{in.whole("planes"), in.whole("height"), in.whole("width")},
               in.whole("players"),
               in.whole("channels"),
               in.whole("blocks"),
               in.whole("dense"),
               in.whole_or_none("move_planes")};
  try {
    check_shape(net.shape);
  } catch (const Error& error) {
    bad(where, error.what());
  }
  net.game = in.text("game");
  net.rules_version = in.whole("rules_version");
  net.scale = in.real("scale");
  net.lo = in.real("lo");
  net.hi = in.real("hi");
  if (!(net.scale > 0)) bad(where, "its scale is not positive");
  if (!(net.lo < net.hi)) bad(where, "its bounds lo and hi are not in order");
  net.turned = in.flag("turned");
  net.training = in.training();
  return net;
}

}  // namespace

std::string net_to_bytes(const Net& net, NetPrecision precision) {
  std::string data;
  Json header{{"__metadata__", Json::object()}};
  for (const auto& tensor : net.tensors) {
    const std::size_t begin = data.size();
    append_tensor(data, tensor, precision);
    header[tensor.name] = tensor_entry(tensor, precision, begin, data.size());
  }
  for (const auto& [key, value] : metadata_of(net, data)) header["__metadata__"][key] = value;
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // tensors begin at a multiple of 8
  const std::uint64_t length = text.size();
  std::string out(reinterpret_cast<const char*>(&length), sizeof length);
  return out + text + data;
}

NetPrecision precision_of(std::span<const char> bytes, const std::string& where) {
  return precision_in(split(bytes, where).header, where);
}

Net net_from_bytes(std::span<const char> bytes, const std::string& where) {
  const Parts parts = split(bytes, where);
  Net net = read_metadata(parts.header["__metadata__"], where);
  check_tensors(parts.header, net.shape, parts.data.size(), where);
  const NetPrecision precision = precision_in(parts.header, where);
  net.tensors = layout(net.shape);
  const char* from = parts.data.data();
  for (auto& tensor : net.tensors) {
    read_tensor(from, precision, tensor, where);
    from += tensor.values.size() * width_of(precision);
  }
  const std::string expected =
      MetadataReader(parts.header["__metadata__"], where).text("content_hash");
  if (expected != hex_text(hash_of(parts.data)))
    bad(where, "its content does not have the hash that it names");
  return net;
}

std::string content_hash(std::span<const char> bytes, const std::string& where) {
  return MetadataReader(split(bytes, where).header["__metadata__"], where).text("content_hash");
}

void save_net(const Net& net, const std::string& path, NetPrecision precision) {
  write_file(path, net_to_bytes(net, precision));
}

std::string read_net_bytes(const std::string& path) {
  return read_file(path, kMaxFile);
}

Net load_net(const std::string& path) {
  return net_from_bytes(read_net_bytes(path), path);
}

Net load_net(const std::string& path, const std::string& hash) {
  const std::string bytes = read_net_bytes(path);
  if (content_hash(bytes, path) != hash)
    throw Error("'" + path + "' is another network than it was when this program began with it",
                Error::Kind::failed);
  return net_from_bytes(bytes, path);
}

NetHeader load_net_header(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) read_net_bytes(path);  // says what is wrong with it
  std::uint64_t length = 0;
  std::string start(sizeof length, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (start.size() == sizeof length) {
    std::memcpy(&length, start.data(), sizeof length);
    const std::size_t rest = std::min<std::uint64_t>(length, kMaxHeader);
    start.resize(sizeof length + rest);
    file.read(start.data() + sizeof length, static_cast<std::streamsize>(rest));
    start.resize(sizeof length + static_cast<std::size_t>(file.gcount()));
  }
  const Json header = split(start, path).header;
  NetHeader out{read_metadata(header["__metadata__"], path),
                MetadataReader(header["__metadata__"], path).text("content_hash")};
  check_tensors(header, out.net.shape, size - start.size(), path);
  return out;
}

void check_net_for(const Net& net, const NetPurpose& wanted, const std::string& where) {
  if (match_of(net.game, wanted).fit == NetFit::other)
    bad(where, "it was made for '" + net.game + "', not for '" + wanted.game + "'");
  if (net.rules_version != wanted.rules_version)
    bad(where, "it knows version " + std::to_string(net.rules_version) +
                   " of the rules, this is version " + std::to_string(wanted.rules_version));
  if (!(net.shape.input == wanted.planes))
    bad(where, "its input planes are not those of '" + wanted.game + "'");
  if (net.shape.players != wanted.players)
    bad(where, "it has " + std::to_string(net.shape.players) + " outputs");
  if (net.shape.move_planes > 0 && net.shape.move_planes != wanted.move_planes)
    bad(where, "it knows moves of " + std::to_string(net.shape.move_planes) + " planes, and '" +
                   wanted.game + "' has " + std::to_string(wanted.move_planes));
  if (net.turned && !wanted.turns)
    bad(where, "it wants boards turned so that the mover is seat 1, and '" + wanted.game +
                   "' has no symmetry for that");
}

}  // namespace polymax
