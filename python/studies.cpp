// Studies: run them, read what was played.
#include <pybind11/stl/filesystem.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "arena/paper.hpp"
#include "arena/store.hpp"
#include "arena/study.hpp"
#include "arena/study_run.hpp"
#include "python/common.hpp"
#include "report/report.hpp"

namespace polymax::python {

namespace {

using StudyPtr = std::shared_ptr<arena::Study>;

py::dict progress_dict(const arena::StudyProgress& progress) {
  py::dict out;
  out["planned"] = progress.planned;
  out["done"] = progress.done();
  out["played"] = progress.played;
  out["failed"] = progress.failed;
  out["first_error"] =
      progress.failed > 0 ? py::object(py::str(progress.first_error)) : py::object(py::none());
  out["forfeits"] = progress.forfeits;
  out["seconds"] = progress.seconds;
  return out;
}

py::dict run(const arena::Study& study, const std::string& shard, int threads, bool repair,
             bool retry_failed, bool mix_engines, bool share_cores, const py::object& on_progress) {
  arena::StudyRunSettings settings;
  settings.shard = parse_part(shard, "shard");
  settings.threads = threads > 0 ? threads : arena::default_matches(arena::load_of(study));
  settings.repair = repair;
  settings.retry_failed = retry_failed;
  settings.mix_engines = mix_engines;
  settings.share_cores = share_cores;
  Callback watcher(on_progress, "on_progress");
  arena::StudyProgress progress;
  without_gil([&](const std::stop_token& stop) {
    std::stop_source end;
    const std::stop_callback passed_on(stop, [&] { end.request_stop(); });
    progress = arena::run_study(
        study, settings,
        [&](const arena::StudyProgress& now) {
          if (watcher && !watcher([&] { return progress_dict(now); })) end.request_stop();
        },
        end.get_token());
  });
  watcher.rethrow();
  return progress_dict(progress);
}

py::dict row_dict(const arena::StudyTable& table, const arena::StudyRow& row) {
  const auto& game = table.games[static_cast<std::size_t>(row.game)];
  const auto seat = static_cast<std::size_t>(row.seat);
  py::dict out;
  out["match"] = row.match;
  out["game"] = game.name;
  out["player"] = table.players[static_cast<std::size_t>(row.player)].name;
  out["i"] = row.i;
  out["j"] = row.j;
  out["repetition"] = row.repetition;
  out["seat"] = row.seat;
  out["failed"] = row.failed();
  out["error"] = row.failed() ? py::object(py::str(row.error)) : py::object(py::none());
  out["gain"] = row.failed() ? py::object(py::none()) : py::cast(row.gain.seats[seat]);
  const bool scored = !row.failed() && !row.forfeited() && !std::isnan(row.points.seats[seat]);
  out["points"] = scored ? py::cast(row.points.seats[seat]) : py::object(py::none());
  out["forfeit"] = row.forfeited() ? py::cast(row.forfeit) : py::object(py::none());
  out["reason"] = row.forfeited() ? py::object(py::str(row.reason)) : py::object(py::none());
  out["gains"] = seats_of(row.gain, game.players);
  out["length"] = row.length;
  out["moves"] = row.use[seat].moves;
  out["evaluations"] = row.use[seat].evaluations;
  out["seconds"] = row.use[seat].seconds;
  return out;
}

arena::StudyTable table_of(const arena::Study& study) {
  arena::StudyTable table;
  without_gil([&](const std::stop_token&) { table = arena::load_table(study); });
  return table;
}

py::list rows(const arena::Study& study) {
  const arena::StudyTable table = table_of(study);
  py::list out;
  for (const auto& row : table.rows) out.append(row_dict(table, row));
  return out;
}

py::dict report(const arena::Study& study, const std::string& paper) {
  const arena::StudyTable table = table_of(study);
  using Text = std::string (report::Report::*)() const;
  constexpr std::array<std::pair<const char*, Text>, 6> kTexts{
      {{"text", &report::Report::text},
       {"markdown", &report::Report::markdown},
       {"html", &report::Report::html},
       {"csv", &report::Report::csv},
       {"json", &report::Report::json},
       {"latex", &report::Report::latex}}};
  std::array<std::string, kTexts.size()> texts;
  without_gil([&](const std::stop_token&) {
    const report::Report made(table,
                              {.paper_file = paper.empty() ? arena::paper_file(study) : paper});
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = (made.*kTexts[i].second)();
  });
  py::dict out;
  for (std::size_t i = 0; i < texts.size(); ++i) out[kTexts[i].first] = texts[i];
  return out;
}

}  // namespace

void bind_studies(py::module_& module) {
  py::class_<arena::Study, StudyPtr>(module, "Study",
                                     "A folder with a study.json: many matches by a file.")
      .def(py::init([](const std::filesystem::path& folder) {
             return std::make_shared<arena::Study>(arena::Study::open(folder.string()));
           }),
           py::arg("folder"))
      .def_property_readonly("folder", [](const arena::Study& s) { return s.folder(); })
      .def_property_readonly("title", [](const arena::Study& s) { return s.file().title; })
      .def_property_readonly(
          "planned", [](const arena::Study& s) { return s.schedule().size(); },
          "Matches of the whole study.")
      .def("run", run, py::kw_only(), py::arg("shard") = "0/1", py::arg("threads") = 0,
           py::arg("repair") = false, py::arg("retry_failed") = false,
           py::arg("mix_engines") = false, py::arg("share_cores") = false,
           py::arg("on_progress") = py::none(),
           "Plays what is missing; Ctrl-C ends it cleanly. Returns what was done. The options are "
           "those of `polymax study run`. on_progress(dict) is called at the beginning and after "
           "every match; False ends the run.")
      .def("rows", rows,
           "One dict for every match, by its number; gain and points are those of the evaluated "
           "player, who sits in `seat` (counted from 0). `forfeit` is the seat that broke the "
           "rules of "
           "the match, or None; then, and where points are not known, points is None.")
      .def("report", report, py::kw_only(), py::arg("paper") = "",
           "The report as texts: text, markdown, html, csv, json, latex. paper: the paper's "
           "numbers; "
           "by default paper.json beside the folder, or the one that ships.")
      .def("__repr__", [](const arena::Study& s) { return "polymax.Study('" + s.folder() + "')"; });
}

}  // namespace polymax::python
