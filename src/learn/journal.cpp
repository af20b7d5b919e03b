#include "learn/journal.hpp"

#include <chrono>
#include <sstream>

#include "core/clock.hpp"
#include "core/json.hpp"
#include "learn/tensorboard.hpp"

namespace polymax::learn {

namespace {

constexpr const char* kBusy = "two may not learn in one folder";

Json number_or_null(double number, bool there) {
  return there ? Json(number) : Json(nullptr);
}

Json json_of(const Entry& e) {
  const auto& c = e.counters;
  std::vector<double> wins;
  for (int p = 0; p < e.players; ++p) wins.push_back(e.window.win_share(p));
  Json calibration = Json::array();
  for (std::size_t t = 0; t < Window::kTenths; ++t)
    calibration.push_back(number_or_null(e.window.calibration(t), e.window.compared[t] > 0));
  Json out{{"matches", c.matches},
           {"evaluations", c.evaluations},
           {"samples", c.samples},
           {"steps", c.steps},
           {"learned", c.learned},
           {"seconds", c.seconds},
           {"loss", number_or_null(e.loss.value, e.steps_per_second > 0)},
           {"rate", e.rate},
           {"length", e.window.mean_length()},
           {"wins", wins},
           {"draws", e.window.draw_share()},
           {"solved", e.window.solved_share()},
           {"different", number_or_null(e.different.value_or(0), e.different.has_value())},
           {"calibration", calibration},
           {"positions_per_second", e.positions_per_second},
           {"steps_per_second", e.steps_per_second},
           {"device_share", e.device_share}};
  if (!e.knows_moves) return out;
  const Recall& r = e.window.recall;
  out["prior_loss"] = number_or_null(e.loss.prior, e.loss.prior > 0);
  Recall::each([&](const char* name, auto member) { out["recall"][name] = r.*member; });
  return out;
}

}  // namespace

Journal::Journal(const std::string& folder, const Counters& reached) {
  const std::string log = folder + "/log.jsonl", events = folder + "/events.out.tfevents.polymax";
  log_ = std::make_unique<GrowingFile>(log, kBusy);
  std::istringstream lines(read_file(log));
  std::size_t kept = 0;
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    const auto entry = Json::parse_or_null(line);
    if (!entry.is_object() || entry.value("matches", reached.matches + 1) > reached.matches ||
        entry.value("steps", reached.steps + 1) > reached.steps)
      break;
    kept += line.size() + 1;
  }
  if (kept < log_->size()) log_->cut(kept);
  events_ = std::make_unique<GrowingFile>(events, kBusy);
  const std::size_t whole = whole_records(read_file(events));
  if (whole < events_->size()) events_->cut(whole);  // readers stop at a record that is not
  if (whole == 0) events_->append(tensorboard_header(unix_seconds()));
}

void Journal::write(const Entry& entry) {
  log_->append(json_of(entry).dump() + "\n");
  std::vector<std::pair<std::string, double>> values{
      {"length", entry.window.mean_length()},
      {"solved", entry.window.solved_share()},
      {"draws", entry.window.draw_share()},
      {"positions_per_second", entry.positions_per_second},
      {"steps_per_second", entry.steps_per_second},
      {"device_share", entry.device_share},
      {"learning_rate", entry.rate}};
  if (entry.different) values.emplace_back("different", *entry.different);
  if (entry.steps_per_second > 0) values.emplace_back("loss", entry.loss.value);
  if (entry.loss.prior > 0) values.emplace_back("prior_loss", entry.loss.prior);
  if (const Recall& recall = entry.window.recall; recall.positions > 0) {
    values.emplace_back("recall/first", recall.share(&Recall::first));
    values.emplace_back("recall/first4", recall.share(&Recall::first4));
    values.emplace_back("recall/first8", recall.share(&Recall::first8));
  }
  for (int p = 0; p < entry.players; ++p)
    values.emplace_back("wins/seat" + std::to_string(p + 1), entry.window.win_share(p));
  for (std::size_t t = 0; t < Window::kTenths; ++t)
    if (entry.window.compared[t] > 0)
      values.emplace_back("calibration/tenth" + std::to_string(t + 1), entry.window.calibration(t));
  events_->append(
      tensorboard_event(unix_seconds(), static_cast<std::int64_t>(entry.counters.matches), values));
}

}  // namespace polymax::learn
