#include "learn/container.hpp"

#include <bit>
#include <cstring>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/rng.hpp"

namespace polymax::learn {

namespace {

constexpr std::string_view kMagic = "polymax-container-1\n";
static_assert(std::endian::native == std::endian::little,
              "numbers are written as they lie in memory");

// Of 8 bytes at a time.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = mix64(bytes.size());
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes.data() + i, bytes.size() - i);
  return mix64(hash ^ rest);
}

}  // namespace

const std::string& Container::part(const std::string& name, std::size_t unit) const {
  const auto found = parts.find(name);
  if (found == parts.end() || found->second.size() % unit != 0)
    throw Error("a " + kind + " without a proper part '" + name + "'", Error::Kind::failed);
  return found->second;
}

void Container::save(const std::string& path) const {
  Json index{{"kind", kind}, {"header", header}, {"parts", Json::array()}};
  std::size_t size = 0;
  for (const auto& [name, bytes] : parts) {
    index["parts"].push_back(Json::array({name, bytes.size()}));
    size += bytes.size();
  }
  std::string out(kMagic);
  const std::string line = index.dump() + "\n";
  out.reserve(out.size() + line.size() + size + 8);
  out += line;
  for (const auto& [name, bytes] : parts) out += bytes;
  const std::uint64_t sum = checksum(out);
  out.append(reinterpret_cast<const char*>(&sum), 8);
  write_file(path, out);
}

Container Container::parse(const std::string& text, const std::string& path,
                           const std::string& kind) {
  const auto wrong = [&](const std::string& what) {
    return Error(path + ": " + what, Error::Kind::failed);
  };
  if (!text.starts_with(kMagic)) throw wrong("this is no polymax " + kind);
  std::uint64_t sum = 0;
  if (text.size() < kMagic.size() + 9) throw wrong("cut short");
  std::memcpy(&sum, text.data() + text.size() - 8, 8);
  if (checksum(std::string_view(text).substr(0, text.size() - 8)) != sum)
    throw wrong("damaged or cut short");
  const std::size_t end = text.find('\n', kMagic.size());
  if (end == std::string::npos) throw wrong("no header");
  try {
    const Json index =
        Json::parse(std::string_view(text).substr(kMagic.size(), end - kMagic.size()));
    Container out{index.get<std::string>("kind"), index.get<std::string>("header"), {}};
    if (out.kind != kind) throw wrong("this is a " + out.kind + ", not a " + kind);
    std::size_t at = end + 1;
    for (const auto& part : index.at("parts")) {
      const auto size = part.at(1).get<std::size_t>();
      if (size > text.size() - 8 - at) throw wrong("cut short");
      out.parts[part.at(0).get<std::string>()] = text.substr(at, size);
      at += size;
    }
    return out;
  } catch (const JsonError&) {
    throw wrong("bad header");
  }
}

}  // namespace polymax::learn
