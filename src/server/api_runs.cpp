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
constexpr std::size_t kTail = std::size_t{64} << 10;  // of a log: lines are some hundred bytes

enum class Part { whole, end };

learn::TrainingRun run_in(const std::string& folder, Part part) {
  const std::string log = folder + "/log.jsonl";
  if (!fs::exists(log)) throw Refused(404, "the run has not written a line of its log yet");
  return learn::read_training(
      read_file(folder + "/" + kRunFile, kMostBytes),
      part == Part::whole ? read_file(log, kMostBytes) : read_tail(log, kTail), folder);
}

// Where a run stands: the end of its log says it.
Json run_json(const std::string& path, const std::string& name) {
  const learn::TrainingRun run = run_in(path, Part::end);
  const auto& last = run.entries.back();
  return {{"folder", name},
          {"game", run.game},
          {"net", run.net},
          {"search", run.search},
          {"budget", run.budget},
          {"matches", last.matches},
          {"steps", last.steps},
          {"seconds", last.seconds},
          {"has_net", fs::exists(learn::net_file(path))}};
}

report::TrainingReport report_of(const std::string& folder) {
  report::TrainingReport out{run_in(folder, Part::whole), {}, {}, 0};
  if (const std::string newest = learn::net_file(folder); fs::exists(newest)) {
    out.network = shape_text(load_net_header(newest).net.shape);
    out.nets = learn::earlier_nets(folder).size();
  }
  if (const std::string kept = folder + "/strength.jsonl"; fs::exists(kept))
    out.strength = arena::read_strength(read_file(kept, kMostBytes));
  return out;
}

}  // namespace

Json runs_list(const House& house) {
  Json out = Json::array();
  for (const auto& folder : folders_with(house.root, kRunFile)) try {
      out.push_back(run_json(house.root + "/" + folder, folder));
    } catch (const Error& error) {
      out.push_back({{"folder", folder}, {"error", error.what()}});
    }
  return {{"runs", std::move(out)}};
}

Reply run_part(const Request& request, const House& house) {
  const std::string folder = asked_folder(request, house, kRunFile);
  if (request.path[1] == "progress")
    return {200, "application/json", text_of(run_json(folder, request.query.at("folder"))), ""};
  if (request.path[1] == "report")
    return {200, "text/html; charset=utf-8", report::training_html(report_of(folder)), ""};
  throw Refused(404, "a run knows progress and report");
}

}  // namespace polymax::server
