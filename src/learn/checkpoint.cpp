#include "learn/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "learn/container.hpp"
#include "nn/net_file.hpp"

namespace polymax::learn {

namespace {

constexpr const char* kKind = "checkpoint";
constexpr std::size_t kKept = 2, kDigits = 12;
constexpr std::string_view kName = "checkpoint-", kEnd = ".pmx";

std::vector<std::uint64_t> words_of(const Rng& rng) {
  std::vector<std::uint64_t> out(sizeof(Rng) / sizeof(std::uint64_t));
  static_assert(std::is_trivially_copyable_v<Rng>);
  std::memcpy(out.data(), &rng, sizeof(Rng));
  return out;
}

Rng rng_of(const std::vector<std::uint64_t>& words) {
  Rng out(0);
  if (words.size() * sizeof(std::uint64_t) != sizeof(Rng))
    throw Error("a bad random state", Error::Kind::failed);
  std::memcpy(static_cast<void*>(&out), words.data(), sizeof(Rng));
  return out;
}

Json json_of(const Counters& c) {
  return {{"matches", c.matches}, {"moves", c.moves},
          {"samples", c.samples}, {"evaluations", c.evaluations},
          {"learned", c.learned}, {"steps", c.steps},
          {"seeds", c.seeds},     {"seconds", c.seconds},
          {"lowest", c.lowest},   {"highest", c.highest}};
}

Counters counters_of(const Json& j) {
  Counters c;
  j.at("matches").get_to(c.matches);
  j.at("moves").get_to(c.moves);
  j.at("samples").get_to(c.samples);
  j.at("evaluations").get_to(c.evaluations);
  j.at("learned").get_to(c.learned);
  j.at("steps").get_to(c.steps);
  j.at("seeds").get_to(c.seeds);
  j.at("seconds").get_to(c.seconds);
  j.at("lowest").get_to(c.lowest);
  j.at("highest").get_to(c.highest);
  return c;
}

void put_replay(const std::deque<Replay::Match>& replay, Json& header, Container& out) {
  header["replay"] = Json::array();
  for (std::size_t i = 0; i < replay.size(); ++i) {
    const auto& match = replay[i];
    header["replay"].push_back({{"next", match.next}, {"owed", match.owed}});
    out.put("planes" + std::to_string(i), match.samples.planes);
    out.put("points" + std::to_string(i), match.samples.points);
    out.put("order" + std::to_string(i), match.order);
    put_priors(match.samples.priors, std::to_string(i), out);
  }
}

std::deque<Replay::Match> replay_of(const Json& header, const Container& from,
                                    const NetShape& shape) {
  std::deque<Replay::Match> out;
  const auto& matches = header.at("replay");
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const std::string number = std::to_string(i);
    Replay::Match match{{from.get<std::uint64_t>("planes" + number),
                         from.get<float>("points" + number), get_priors(number, from)},
                        from.get<std::uint32_t>("order" + number),
                        matches[i].at("next").get<std::size_t>(),
                        matches[i].at("owed").get<double>()};
    const std::size_t samples = match.order.size();
    const bool order_fits =
        std::ranges::all_of(match.order, [&](std::uint32_t at) { return at < samples; });
    if (match.next > samples || !order_fits ||
        match.samples.points.size() != samples * static_cast<std::size_t>(shape.players) ||
        match.samples.planes.size() != samples * static_cast<std::size_t>(shape.input.words()))
      throw Error("a bad replay memory", Error::Kind::failed);
    match.samples.priors.check(match.order.size());
    out.push_back(std::move(match));
  }
  return out;
}

// Of a file named checkpoint-<number>.pmx; nothing when it has another name.
std::optional<std::uint64_t> checkpoint_number(std::string_view name) {
  if (!name.starts_with(kName) || !name.ends_with(kEnd)) return std::nullopt;
  name.remove_prefix(kName.size());
  name.remove_suffix(kEnd.size());
  return number_of<std::uint64_t>(name);
}

}  // namespace

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path, Extent extent) {
  const bool compact = extent == Extent::without_replay;
  Container out{kKind, "", {}};
  Json header{{"counters", json_of(checkpoint.counters)},
              {"seed", checkpoint.seed},
              {"optimiser_steps", checkpoint.optimiser.steps}};
  out.parts["net"] = net_to_bytes(checkpoint.net, NetPrecision::fp32);
  out.put("first", checkpoint.optimiser.first);
  out.put("second", checkpoint.optimiser.second);
  out.put("random", words_of(checkpoint.random));
  out.put("replay_random", words_of(checkpoint.replay_random));
  out.put("phase", compact ? std::vector<SampleRef>() : checkpoint.phase);
  put_replay(compact ? std::deque<Replay::Match>() : checkpoint.replay, header, out);
  out.header = header.dump();
  out.save(path);
}

Checkpoint load_checkpoint(const std::string& path) {
  return parse_checkpoint(read_file(path), path);
}

Checkpoint parse_checkpoint(const std::string& bytes, const std::string& path) {
  const Container from = Container::parse(bytes, path, kKind);
  try {
    const Json header = Json::parse(from.header);
    Checkpoint out;
    out.net = net_from_bytes(from.parts.at("net"), path);
    out.optimiser = {header.at("optimiser_steps").get<std::uint64_t>(), from.get<float>("first"),
                     from.get<float>("second")};
    out.counters = counters_of(header.at("counters"));
    header.at("seed").get_to(out.seed);
    out.random = rng_of(from.get<std::uint64_t>("random"));
    out.replay_random = rng_of(from.get<std::uint64_t>("replay_random"));
    out.replay = replay_of(header, from, out.net.shape);
    out.phase = from.get<SampleRef>("phase");
    for (const SampleRef& ref : out.phase)
      if (ref.match >= out.replay.size() || ref.sample >= out.replay[ref.match].order.size())
        throw Error("a bad learning phase", Error::Kind::failed);
    return out;
  } catch (const Error& error) {
    throw Error(path + ": " + error.what(), Error::Kind::failed);
  } catch (const std::out_of_range&) {
    throw Error(path + ": a part is missing", Error::Kind::failed);
  }
}

void CheckpointFolder::write(const Checkpoint& checkpoint) const {
  const auto before = files();
  const std::uint64_t number = before.empty() ? 1 : before.back().number + 1;
  std::string digits = std::to_string(number);
  digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
  save_checkpoint(checkpoint, folder_ + "/" + std::string(kName) + digits + std::string(kEnd));
  save_checkpoint(checkpoint, folder_ + "/compact.pmx", Extent::without_replay);
  auto all = files();
  for (std::size_t i = 0; i + kKept < all.size(); ++i) std::filesystem::remove(all[i].path);
}

std::optional<Checkpoint> CheckpointFolder::newest(std::vector<std::string>* damaged) const {
  std::vector<std::pair<std::string, std::string>> bad;  // path, what is wrong
  auto all = files();
  for (auto file = all.rbegin(); file != all.rend(); ++file) {
    const std::string bytes = read_file(file->path);
    try {
      Checkpoint out = parse_checkpoint(bytes, file->path);
      for (const auto& [path, problem] : bad) {
        std::error_code unmoved;
        std::filesystem::rename(path, path + ".bad", unmoved);
        if (damaged) damaged->push_back(problem);
      }
      return out;
    } catch (const Error& error) {
      bad.emplace_back(file->path, error.what());
    }
  }
  if (!bad.empty()) throw Error("no checkpoint can be read: " + bad[0].second, Error::Kind::failed);
  return std::nullopt;
}

std::vector<CheckpointFolder::File> CheckpointFolder::files() const {
  std::vector<File> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    if (const auto number = checkpoint_number(entry.path().filename().string()))
      out.push_back({*number, entry.path()});
  std::ranges::sort(out, {}, &File::number);
  return out;
}

}  // namespace polymax::learn
