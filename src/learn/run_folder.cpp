#include "learn/run_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "learn/checkpoint.hpp"
#include "learn/exchange.hpp"
#include "learn/settings.hpp"

namespace polymax::learn {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "polymax-run-1";
constexpr const char* kLock = "lock";

std::string description_file(const std::string& folder) {
  return folder + "/run.json";
}

// Nothing but what one that was killed before it described its run leaves.
bool is_unused(const std::string& folder) {
  std::error_code problem;
  return fs::is_directory(folder, problem) &&
         std::ranges::all_of(files_in(folder), [](const FolderEntry& entry) {
           return entry.name == kLock || entry.name.ends_with(".part");
         });
}

// Settings of learning: those kept, but for the ones given.
std::string with_changes(const std::string& kept, const std::string& given) {
  const Spec changes = settings_spec("learn", given);
  read_settings<Settings>(changes);  // complains of what was given, not of what comes of it
  Spec out = settings_spec("learn", kept);
  for (const SpecArgument& change : changes.arguments) {
    const auto known = std::ranges::find(out.arguments, change.key, &SpecArgument::key);
    if (known == out.arguments.end())
      out.arguments.push_back(change);
    else
      *known = change;
  }
  return settings_text(out);
}

RunSettings settings_of(const Json& run, const std::string& folder) {
  RunSettings out;
  out.out = folder;
  out.net = run.value("net", "");
  out.learn = run.value("learn", "");
  out.from = run.value("from", "");
  out.in = run.value("in", "");
  out.play.search = run.value("search", out.play.search);
  out.play.budget = run.value("budget", out.play.budget);
  out.play.resolved = run.value("keep_resolved", out.play.resolved);
  out.minutes = run.value("minutes", out.minutes);
  out.matches = run.value("matches", out.matches);
  if (run.contains("seed")) out.seed = read_exact(run["seed"], "seed");
  return out;
}

}  // namespace

Spec settings_spec(const std::string& name, const std::string& settings) {
  return Spec::parse(name + "(" + settings + ")");
}

std::string settings_text(const Spec& spec) {
  std::string out;
  for (const auto& argument : spec.arguments)
    out += (out.empty() ? "" : ",") + argument.key + "=" + argument.value.text();
  return out;
}

bool is_run(const std::string& folder) {
  return exists(description_file(folder));
}

RunSettings read_run(const std::string& folder, const std::string& game) {
  const std::string file = description_file(folder);
  const auto fail = [&](const std::string& why) {
    throw Error(file + " is not the description of a run" + why, Error::Kind::failed);
  };
  const auto run = Json::parse_or_null(read_file(file));
  try {
    if (!run.is_object() || run.value("format", "") != kFormat) fail("");
    if (const std::string kept = run.value("game", ""); kept != game)
      throw Error(folder + " is a run of " + kept + ", not of " + game);
    return settings_of(run, folder);
  } catch (const JsonError& error) {
    fail(std::string(": ") + error.what());
  }
  return {};
}

void write_run(const RunSettings& settings, const std::string& game) {
  const Json run{{"format", kFormat},
                 {"game", game},
                 {"net", settings.net},
                 {"learn", settings.learn},
                 {"search", settings.play.search},
                 {"budget", settings.play.budget},
                 {"seed", exact_number(settings.seed)},
                 {"from", settings.from},
                 {"in", settings.in},
                 {"keep_resolved", settings.play.resolved},
                 {"minutes", settings.minutes},
                 {"matches", settings.matches}};
  write_file(description_file(settings.out), run.dump(2) + "\n");
}

void check_new_folder(const std::string& folder) {
  if (is_run(folder))
    throw Error(folder +
                " holds a run already; --resume goes on with it, another --out begins a new one");
  if (exists(folder) && !is_unused(folder))
    throw Error(folder + " is there and is not an empty folder; choose another --out");
}

void make_run_folder(const std::string& folder) {
  check_new_folder(folder);
  make_folder(folder);
}

std::unique_ptr<Held> hold_run_folder(const std::string& folder) {
  constexpr double kPatience = 2;  // seconds: one that was just killed may take a while to go
  auto out = std::make_unique<Held>(folder + "/" + kLock,
                                    folder + ": another process is learning there", kPatience);
  remove_parts(folder);
  return out;
}

void keep_settings(RunSettings& settings, const std::string& game) {
  if (!is_run(settings.out))
    throw Error(settings.out + ": there is no run to resume (no run.json)");
  const RunSettings kept = read_run(settings.out, game);
  const auto given = [&](const char* key) { return settings.given.contains(key); };
  settings.learn = with_changes(kept.learn, settings.learn);
  if (!given("search")) settings.play.search = kept.play.search;
  if (!given("budget")) settings.play.budget = kept.play.budget;
  // a run that was killed before its first checkpoint begins again
  if (given("from") && kept.from != settings.from && CheckpointFolder(settings.out).has_any())
    throw Error("a run goes on from its checkpoint: --from cannot change with --resume");
  if (!given("from")) settings.from = kept.from;
  if (!given("in")) settings.in = kept.in;  // an empty one plays here again
  if (given("net") && kept.net != settings.net)
    throw Error("a run keeps its network: --net cannot change with --resume");
  settings.net = kept.net;
  if (given("seed") && kept.seed != settings.seed)
    throw Error("a run keeps its seed: --seed cannot change with --resume");
  settings.seed = kept.seed;
  if (!given("keep_resolved")) settings.play.resolved = kept.play.resolved;
  if (!given("minutes") && !given("matches")) {
    settings.minutes = kept.minutes;
    settings.matches = kept.matches;
  }
}

}  // namespace polymax::learn
