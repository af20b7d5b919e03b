#include "python/common.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "catalog/catalog.hpp"
#include "core/error.hpp"

namespace polymax::python {

namespace {

// A thread of C++ gets a state for Python when it first needs one.
class ThreadState {
 public:
  ThreadState() : held_(PyGILState_Ensure()), saved_(PyEval_SaveThread()) {}
  ~ThreadState() {
    PyEval_RestoreThread(saved_);
    PyGILState_Release(held_);
  }
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

 private:
  PyGILState_STATE held_;
  PyThreadState* saved_;
};

// The work of all threads but Python's main one. When Python ends it is told to stop and waited
// for: a thread that came back to Python later would end the whole process.
class Works {
 public:
  static Works& all() { return *current; }

  // A process that was forked has none of them.
  static void forget() { current = new Works; }

  void add(std::stop_source& stop) {
    std::unique_lock lock(mutex_);
    if (closed_) sleep_for_ever(lock);
    stops_.push_back(&stop);
  }

  // Does not return when Python is ending.
  void remove(std::stop_source& stop) {
    std::unique_lock lock(mutex_);
    std::erase(stops_, &stop);
    changed_.notify_all();
    if (closed_) sleep_for_ever(lock);
  }

  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    for (auto* stop : stops_) stop->request_stop();
    changed_.wait_for(lock, kPatience, [&] { return stops_.empty(); });
  }

 private:
  static constexpr std::chrono::seconds kPatience{10};
  static Works* current;  // never freed: threads may outlive everything

  [[noreturn]] static void sleep_for_ever(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::stop_source*> stops_;
  bool closed_ = false;
};

Works* Works::current = new Works;

class Underway {
 public:
  Underway() { works_.add(stop_); }
  ~Underway() { works_.remove(stop_); }
  Underway(const Underway&) = delete;
  Underway& operator=(const Underway&) = delete;

  std::stop_token stop() const { return stop_.get_token(); }

 private:
  Works& works_ = Works::all();
  std::stop_source stop_;
};

bool in_main_thread() {
  const auto threading = py::module_::import("threading");
  const py::object main = threading.attr("main_thread")().attr("ident");
  return main.equal(threading.attr("get_ident")());
}

// The work in a thread of its own; the caller looks for signals meanwhile.
class Watched {
 public:
  explicit Watched(const Work& work) : thread_([this, &work] { run(work); }) {}

  // Called with the GIL.
  void wait() {
    std::optional<py::error_already_set> raised;
    {
      py::gil_scoped_release release;
      while (!ended_within(kPatience)) {
        py::gil_scoped_acquire acquire;
        if (raised || PyErr_CheckSignals() == 0) continue;
        raised.emplace();
        stop_.request_stop();
      }
      thread_.join();
    }
    if (raised) throw *raised;
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{20};

  void run(const Work& work) {
    try {
      work(stop_.get_token());
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  bool ended_within(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return ended_; });
  }

  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

Gil::Gil() {
  if (PyGILState_GetThisThreadState() == nullptr) thread_local const ThreadState own;
  state_ = PyGILState_Ensure();
}

Gil::~Gil() {
  PyGILState_Release(state_);
}

void without_gil(const Work& work) {
  if (in_main_thread()) {
    Watched(work).wait();
  } else {
    py::gil_scoped_release release;
    const Underway here;
    work(here.stop());
  }
}

Callback::Callback(py::object function, const char* name) : function_(std::move(function)) {
  if (!function_.is_none() && PyCallable_Check(function_.ptr()) == 0)
    throw Error(std::string(name) + " is to be a function, not " +
                Py_TYPE(function_.ptr())->tp_name);
}

void end_with_python() {
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    py::gil_scoped_release release;
    Works::all().close();
  }));
  py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") =
                                                         py::cpp_function(&Works::forget));
}

bool Callback::operator()(const std::function<py::object()>& argument) {
  const Gil gil;
  if (raised_) return false;
  try {
    return !function_(argument()).is(py::bool_(false));
  } catch (...) {
    raised_ = std::current_exception();
    return false;
  }
}

void Callback::rethrow() const {
  if (raised_) std::rethrow_exception(raised_);
}

void unpack_planes(std::span<const std::uint64_t> bits, const PlaneShape& shape, float* out) {
  const auto cells = static_cast<std::size_t>(shape.cells());
  const auto words = static_cast<std::size_t>(shape.words_per_plane());
  for (std::size_t plane = 0; plane < static_cast<std::size_t>(shape.planes); ++plane)
    for (std::size_t cell = 0; cell < cells; ++cell)
      *out++ = static_cast<float>(bits[plane * words + cell / 64] >> (cell % 64) & 1);
}

bool pack_planes(const float* numbers, const PlaneShape& shape, std::span<std::uint64_t> bits) {
  std::ranges::fill(bits, 0);
  const auto cells = static_cast<std::size_t>(shape.cells());
  const auto words = static_cast<std::size_t>(shape.words_per_plane());
  for (std::size_t plane = 0; plane < static_cast<std::size_t>(shape.planes); ++plane)
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const float number = *numbers++;
      if (number != 0 && number != 1) return false;
      bits[plane * words + cell / 64] |= static_cast<std::uint64_t>(number) << (cell % 64);
    }
  return true;
}

py::object whole(const py::object& given) {
  auto out = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!out) PyErr_Clear();
  return out;
}

void no_natural(const py::object& given) {
  throw Error("a whole number from 0 to 2^64-1 is wanted, not " + std::string(py::str(given)));
}

std::vector<float> seats_of(const Scores& scores, int players) {
  return {scores.seats.begin(), scores.seats.begin() + players};
}

Budget budget_of(const py::kwargs& limits, const std::string& preset) {
  std::string text;
  for (const auto& [key, value] : limits) {
    if (value.is_none() || value.is(py::bool_(false))) continue;
    const std::string name = py::str(key);
    text += (text.empty() ? "" : ",") + name;
    if (!value.is(py::bool_(true))) text += "=" + std::string(py::str(value));
  }
  return catalog::parse_budget(text.empty() ? preset : text);
}

Budget budget_of(const py::object& text, const std::string& preset) {
  return catalog::parse_budget(text.is_none() ? preset : std::string(py::str(text)));
}

}  // namespace polymax::python
