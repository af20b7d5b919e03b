#include "learn/checkpoint.hpp"

#include <algorithm>
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

void put_random(const std::string& name, const Rng& rng, Container& out) {
  out.put(name, std::vector<std::uint64_t>(rng.state().begin(), rng.state().end()));
}

Rng get_random(const std::string& name, const Container& from) {
  Rng::State state{};
  const auto words = from.get<std::uint64_t>(name);
  if (words.size() != state.size()) throw Error("a bad random state", Error::Kind::failed);
  std::ranges::copy(words, state.begin());
  return Rng(state);
}

Json json_of(const Counters& counters) {
  Json out = Json::object();
  Counters::each([&](const char* name, auto member) { out[name] = counters.*member; });
  return out;
}

Counters counters_of(const Json& json) {
  Counters out;
  Counters::each([&](const char* name, auto member) { json.get_to(name, out.*member); });
  return out;
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
                        matches[i].get<std::size_t>("next"),
                        matches[i].get<double>("owed")};
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
  put_random("random", checkpoint.random, out);
  put_random("replay_random", checkpoint.replay_random, out);
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
    out.optimiser = {header.get<std::uint64_t>("optimiser_steps"), from.get<float>("first"),
                     from.get<float>("second")};
    out.counters = counters_of(header.at("counters"));
    header.get_to("seed", out.seed);
    out.random = get_random("random", from);
    out.replay_random = get_random("replay_random", from);
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
  std::error_code left;  // it is tried again with the next
  for (std::size_t i = 0; i + kKept < before.size() + 1; ++i)
    std::filesystem::remove(before[i].path, left);
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
  for (const auto& entry : files_in(folder_))
    if (const auto number = checkpoint_number(entry.name)) out.push_back({*number, entry.path});
  std::ranges::sort(out, {}, &File::number);
  return out;
}

}  // namespace polymax::learn
