// Learning: a run with a callback.
#include <string>

#include "catalog/run_game.hpp"
#include "core/error.hpp"
#include "learn/run.hpp"
#include "nn/torch_engine.hpp"
#include "python/common.hpp"

namespace polymax::python {

namespace {

py::dict counters_dict(const learn::Counters& counters) {
  py::dict out;
  out["matches"] = counters.matches;
  out["evaluations"] = counters.evaluations;
  out["samples"] = counters.samples;
  out["steps"] = counters.steps;
  out["seconds"] = counters.seconds;
  return out;
}

py::dict entry_dict(const learn::Entry& entry, double done) {
  py::dict out = counters_dict(entry.counters);
  out["done"] = done;
  out["loss"] = entry.loss.value;
  if (entry.knows_moves) out["prior_loss"] = entry.loss.prior;
  out["rate"] = entry.rate;
  out["length"] = entry.window.mean_length();
  py::list wins;
  for (int p = 0; p < entry.players; ++p) wins.append(entry.window.win_share(p));
  out["wins"] = wins;
  out["positions_per_second"] = entry.positions_per_second;
  out["steps_per_second"] = entry.steps_per_second;
  return out;
}

// Settings by their names: those of run.json, "net" and "learn" also as dicts.
std::string settings_text(const py::object& given) {
  if (!py::isinstance<py::dict>(given)) return py::str(given);
  std::string out;
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(given)) {
    out += (out.empty() ? "" : ",") + std::string(py::str(key)) + "=";
    out += py::isinstance<py::bool_>(value) ? (value.cast<bool>() ? "on" : "off")
                                            : std::string(py::str(value));
  }
  return out;
}

[[noreturn]] void wrong(const std::string& option, const py::object& given,
                        const std::string& right) {
  throw Error("train: " + option + " takes " + right + ", not " + std::string(py::repr(given)));
}

// The ranges are those of the command line.
template <class T>
T number(const std::string& option, const py::object& given, T least, T most) {
  const auto text = [](T bound) { return std::string(py::str(py::cast(bound))); };
  const std::string right = "a number from " + text(least) + " to " + text(most);
  try {
    const T out = given.cast<T>();
    if (out >= least && out <= most) return out;
  } catch (const py::cast_error&) {  // no number, or a very large one
  }
  wrong(option, given, right);
}

bool flag(const std::string& option, const py::object& given) {
  try {
    return given.cast<bool>();
  } catch (const py::cast_error&) {
    wrong(option, given, "True or False");
  }
}

learn::RunSettings settings_of(const std::string& out, const py::kwargs& options) {
  constexpr double kShortest = 0.001, kLongest = 1e7;  // seconds or minutes
  learn::RunSettings settings;
  settings.out = out;
  for (const auto& [key, value] : options) {
    const std::string name = py::str(key);
    if (value.is_none()) continue;
    const auto object = py::reinterpret_borrow<py::object>(value);
    if (name == "net")
      settings.net = settings_text(object);
    else if (name == "learn")
      settings.learn = settings_text(object);
    else if (name == "start_from")
      settings.from = py::str(object);
    else if (name == "workers")
      settings.in = py::str(object);
    else if (name == "search")
      settings.play.search = py::str(object);
    else if (name == "budget")
      settings.play.budget = py::str(object);
    else if (name == "device")
      settings.play.device = py::str(object);
    else if (name == "parallel")
      settings.play.parallel = number(name, object, 1, 16'384);
    else if (name == "batch")
      settings.play.batch = number(name, object, 1, 65'536);
    else if (name == "keep_resolved")
      settings.play.resolved = number(name, object, 0, 1 << 20);
    else if (name == "minutes")
      settings.minutes = number(name, object, kShortest, kLongest);
    else if (name == "matches")
      settings.matches = number<std::uint64_t>(name, object, 1, 1'000'000'000'000);
    else if (name == "checkpoint_every")
      settings.checkpoint_every = number(name, object, kShortest, kLongest);
    else if (name == "report_every")
      settings.journal_every = number(name, object, kShortest, kLongest);
    else if (name == "seed")
      settings.seed = number<std::uint64_t>(name, object, 0, ~std::uint64_t{0});
    else if (name == "threads")
      settings.threads = number(name, object, 1, 1024);
    else if (name == "resume")
      settings.resume = flag(name, object);
    else
      throw Error(
          "train has no option '" + name +
          "'; it has net, learn, start_from, workers, search, budget, device, parallel, "
          "batch, keep_resolved, minutes, matches, checkpoint_every, report_every, seed, threads, "
          "resume and on_progress");
    settings.given.insert(name == "start_from" ? "from" : name == "workers" ? "in" : name);
  }
  return settings;
}

py::dict train(const py::object& given, const std::string& out, const py::object& on_progress,
               const py::kwargs& options) {
  const auto game = py::isinstance<Game>(given) ? given.cast<std::shared_ptr<Game>>()
                                                : game_of(given, py::none());
  const learn::RunSettings settings = settings_of(out, options);
  Callback watcher(on_progress, "on_progress");
  learn::RunEnd end;
  without_gil([&](const std::stop_token& stop) {
    std::stop_source ended;
    const std::stop_callback passed_on(stop, [&] { ended.request_stop(); });
    learn::RunWatch watch;
    watch.note = [](const std::string& text) {
      const Gil gil;
      PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1);
      PyErr_Clear();
    };
    watch.entry = [&](const learn::Entry& entry, double done, const learn::Workers*) {
      if (watcher && !watcher([&] { return entry_dict(entry, done); })) ended.request_stop();
    };
    end = learn::run(catalog::run_game(game->game), settings, watch, ended.get_token());
  });
  watcher.rethrow();
  py::dict result = counters_dict(end.counters);
  result["net"] = end.net;
  return result;
}

}  // namespace

void bind_training(py::module_& module) {
  module.def("can_train", torch_built, "Whether there is a trainer: the torch module was built.");
  module.def(
      "train", train, py::arg("game"), py::arg("out"), py::kw_only(),
      py::arg("on_progress") = py::none(),
      R"doc(Learns a network by self-play, as `polymax train`; the folder `out` holds the run.

Options: minutes, matches (the end), net and learn (texts or dicts of settings), search, budget,
seed, device, parallel, batch, threads, start_from, workers, keep_resolved, checkpoint_every,
report_every, resume. on_progress(entry) is called with a dict every report_every seconds; when it
returns False the run ends with a checkpoint. Returns what was done, with the network's file.)doc");
}

}  // namespace polymax::python
