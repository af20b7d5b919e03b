// Runs of learning below the served folder: where they stand, their curves, their network. Only
// reads.
#include <filesystem>

#include "core/file.hpp"
#include "nn/net_file.hpp"
#include "report/training_report.hpp"
#include "server/error.hpp"
#include "server/folders.hpp"

namespace polymax::server {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRunFile = "run.json";
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::size_t kPoints = 400;

constexpr std::size_t kTail = std::size_t{64} << 10;  // of a log: lines are some hundred bytes

enum class Part { whole, end };

learn::TrainingRun run_in(const std::string& folder, Part part) {
  const std::string log = folder + "/log.jsonl";
  if (!fs::exists(log)) throw Refused(404, "the run has not written a line of its log yet");
  return learn::read_training(
      read_file(folder + "/run.json", kMostBytes),
      part == Part::whole ? read_file(log, kMostBytes) : read_tail(log, kTail), folder);
}

Json run_json(const learn::TrainingRun& run, const std::string& path, const std::string& name) {
  const auto& last = run.entries.back();
  Json points = Json::array();
  const std::size_t step = run.entries.size() / kPoints + 1;
  for (std::size_t i = 0; i < run.entries.size(); i += step) {
    const auto& entry = run.entries[i];
    points.push_back({{"seconds", entry.seconds},
                      {"matches", entry.matches},
                      {"steps", entry.steps},
                      {"loss", entry.loss},
                      {"length", entry.length},
                      {"draws", entry.draws},
                      {"wins", entry.wins}});
  }
  return {{"folder", name},
          {"game", run.game},
          {"net", run.net},
          {"search", run.search},
          {"budget", run.budget},
          {"matches", last.matches},
          {"steps", last.steps},
          {"seconds", last.seconds},
          {"has_net", fs::exists(path + "/net.safetensors")},
          {"points", std::move(points)}};
}

}  // namespace

Json runs_list(const House& house) {
  Json out = Json::array();
  for (const auto& folder : folders_with(house.root, kRunFile)) try {
      Json run =
          run_json(run_in(house.root + "/" + folder, Part::end), house.root + "/" + folder, folder);
      run.erase("points");
      out.push_back(std::move(run));
    } catch (const Error& error) {
      out.push_back({{"folder", folder}, {"error", error.what()}});
    }
  return {{"runs", std::move(out)}};
}

Reply run_part(const Request& request, const House& house) {
  const std::string folder = asked_folder(request, house, kRunFile);
  const auto run = run_in(folder, Part::whole);
  if (request.path[1] == "progress")
    return {200, "application/json", text_of(run_json(run, folder, request.query.at("folder"))),
            ""};
  if (request.path[1] == "report") {
    report::TrainingReport report{run, {}, {}, 0};
    if (const std::string net = folder + "/net.safetensors"; fs::exists(net))
      report.network = shape_text(load_net_header(net).net.shape);
    if (const std::string kept = folder + "/strength.jsonl"; fs::exists(kept))
      report.strength = arena::read_strength(read_file(kept, kMostBytes));
    return {200, "text/html; charset=utf-8", report::training_html(report), ""};
  }
  throw Refused(404, "a run knows progress and report");
}

}  // namespace polymax::server
