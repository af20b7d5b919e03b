#include "python/evaluator.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "learn/lesson.hpp"
#include "nn/own_nets.hpp"

namespace polymax::python {

class Evaluator::Joined final : public LoadedNet {
 public:
  Joined(Net net, py::object function, int batch)
      : net_(std::move(net)), function_(std::move(function)), batch_(batch) {}
  ~Joined() override {
    const Gil gil;
    function_ = py::object();
  }

  const Net& net() const override { return net_; }

  bool knows_moves() const override { return net_.shape.move_planes > 0; }

  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values) const override {
    join({planes, values, nullptr});
  }

  void evaluate(std::span<const std::uint64_t> planes, std::span<float> values,
                const MoveQuery& moves) const override {
    check_query(net_.shape, planes.size(), moves);
    join({planes, values, &moves});
  }

  std::atomic<std::uint64_t> mutable calls{0}, positions{0};

 private:
  struct Request {
    std::span<const std::uint64_t> planes;
    std::span<float> values;
    const MoveQuery* moves;  // null: values alone
    bool done = false;
    std::exception_ptr failure{};
  };

  // Who finds nobody at work takes all that wait, himself included, and asks for them.
  void join(Request mine) const {
    std::unique_lock lock(mutex_);
    if (busy_ && asking_ == std::this_thread::get_id())
      throw Error("the Python evaluator asks itself for values");
    waiting_.push_back(&mine);
    while (!mine.done) {
      if (busy_) {
        changed_.wait(lock);
        continue;
      }
      busy_ = true;
      asking_ = std::this_thread::get_id();
      const std::vector<Request*> taken = take();
      lock.unlock();
      std::exception_ptr failure;
      try {
        ask(taken);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      for (Request* request : taken) {
        request->failure = failure;
        request->done = true;
      }
      busy_ = false;
      changed_.notify_all();
    }
    if (mine.failure) std::rethrow_exception(mine.failure);
  }

  std::size_t count(const Request& request) const {
    return request.planes.size() / static_cast<std::size_t>(net_.shape.input.words());
  }

  // The first, and more as long as the batch is not too large.
  std::vector<Request*> take() const {
    std::vector<Request*> out;
    std::size_t sum = 0;
    while (!waiting_.empty()) {
      sum += count(*waiting_.front());
      if (!out.empty() && sum > static_cast<std::size_t>(batch_)) break;
      out.push_back(waiting_.front());
      waiting_.pop_front();
    }
    return out;
  }

  void ask(const std::vector<Request*>& requests) const {
    const Gil gil;
    const PlaneShape& shape = net_.shape.input;
    std::size_t all = 0;
    for (const Request* request : requests) all += count(*request);
    py::array_t<float> batch({all, static_cast<std::size_t>(shape.planes),
                              static_cast<std::size_t>(shape.height),
                              static_cast<std::size_t>(shape.width)});
    float* to = batch.mutable_data();
    for (const Request* request : requests)
      for (std::size_t i = 0; i < count(*request); ++i) {
        const auto words = static_cast<std::size_t>(shape.words());
        unpack_planes(request->planes.subspan(i * words, words), shape, to);
        to += shape.planes * shape.cells();
      }
    ++calls;
    positions += all;
    py::object answer = function_(batch);
    Array logits;
    if (knows_moves()) {
      if (!py::isinstance<py::tuple>(answer) || py::len(answer) != 2)
        throw Error("the Python evaluator knows moves: it is to give (values, logits)");
      logits = checked(answer[py::int_(1)], all, net_.shape.places(), "logits",
                       "a number for every action of the game for every position");
      answer = answer[py::int_(0)];
    }
    const Array values = checked(answer, all, net_.shape.players, "values",
                                 "the points of every seat for every position");
    const float* from = values.data();
    const float* known = logits.data();
    for (const Request* request : requests) {
      std::copy_n(from, request->values.size(), request->values.begin());
      from += request->values.size();
      if (request->moves != nullptr) read_logits(*request->moves, known);
      known += count(*request) * static_cast<std::size_t>(net_.shape.places());
    }
  }

  void read_logits(const MoveQuery& moves, const float* from) const {
    const auto places = static_cast<std::size_t>(net_.shape.places());
    for (std::size_t i = 0; i < moves.ends.size(); ++i)
      for (std::size_t k = moves.begin(i); k < moves.ends[i]; ++k)
        moves.logits[k] = from[i * places + moves.places[k]];
  }

  using Array = py::array_t<float, py::array::c_style | py::array::forcecast>;

  static Array checked(const py::object& given, std::size_t rows, int columns, const char* what,
                       const char* meaning) {
    const Array out = Array::ensure(given);
    if (!out)
      throw Error(std::string("the Python evaluator gave ") + what + " that are no numbers");
    if (out.ndim() != 2 || out.shape(0) != static_cast<py::ssize_t>(rows) ||
        out.shape(1) != columns) {
      std::string shape;
      for (py::ssize_t i = 0; i < out.ndim(); ++i)
        shape += (i == 0 ? "" : ", ") + std::to_string(out.shape(i));
      throw Error(std::string("the Python evaluator gave ") + what + " of shape (" + shape +
                  ") instead of (" + std::to_string(rows) + ", " + std::to_string(columns) +
                  "): " + meaning);
    }
    if (!std::all_of(out.data(), out.data() + out.size(), [](float x) { return std::isfinite(x); }))
      throw Error(std::string("the Python evaluator gave ") + what +
                  " with a number that is not finite");
    return out;
  }

  Net net_;
  py::object function_;
  int batch_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::deque<Request*> waiting_;
  mutable bool busy_ = false;
  mutable std::thread::id asking_;  // while busy
};

namespace {

// The lowest and the highest points of a game, as random games end; a little apart.
std::pair<float, float> usual_bounds(const AnyGame& game) {
  if (game.points() == Points::gain) return {-1.0f, 1.0f};
  const learn::Samples ends = game.random_samples(0, {.matches = 100});
  const auto [low, high] = std::ranges::minmax_element(ends.points);
  return {*low, std::max(*high, *low + 1)};
}

std::string fresh_name() {
  static std::atomic<std::uint64_t> made{0};
  return "python:" + std::to_string(++made);
}

}  // namespace

Evaluator::Evaluator(py::object function, std::optional<std::pair<float, float>> bounds, int batch,
                     bool knows_moves)
    : function_(std::move(function)), bounds_(bounds), batch_(batch), knows_moves_(knows_moves) {
  if (!PyCallable_Check(function_.ptr()))
    throw Error("an evaluator is a function of a batch of planes");
  if (bounds_ && !(bounds_->first < bounds_->second))
    throw Error("bounds are (lowest, highest) points of a game, in this order");
  if (batch_ < 1) throw Error("batch is at least 1");
}

Spec Evaluator::spec_for(const Game& game) {
  if (!game.has_planes)
    throw Error("the game '" + game.game->name() +
                "' has no planes: an evaluator has nothing to look at");
  const std::pair key{game.game->spec(), game.object.ptr()};
  auto known = known_.find(key);
  if (known == known_.end()) {
    Net net;
    net.game = game.game->spec();
    net.rules_version = game.game->about().version;
    net.shape.input = *game.game->planes();
    net.shape.players = game.game->players();
    if (knows_moves_) net.shape.move_planes = game.game->move_planes();
    if (knows_moves_ && net.shape.move_planes == 0)
      throw Error("the game '" + game.game->name() + "' does not say where its moves lie");
    std::tie(net.lo, net.hi) = bounds_ ? *bounds_ : usual_bounds(*game.game);
    auto joined = std::make_shared<Joined>(std::move(net), function_, batch_);
    const std::string name = fresh_name();
    offer_net(name, joined);
    known = known_.insert({key, {name, std::move(joined), game.object}}).first;
  }
  Spec out = Spec::parse("network");
  Spec file;
  file.name = known->second.name;
  out.arguments.push_back({"file", 0, file});
  return out;
}

std::uint64_t Evaluator::calls() const {
  std::uint64_t out = 0;
  for (const auto& [game, known] : known_) out += known.joined->calls;
  return out;
}

std::uint64_t Evaluator::positions() const {
  std::uint64_t out = 0;
  for (const auto& [game, known] : known_) out += known.joined->positions;
  return out;
}

Spec spec_with(const std::string& text, const std::shared_ptr<Evaluator>& evaluator,
               const Game& game) {
  Spec out = Spec::parse(text);
  if (!evaluator) return out;
  if (take_argument(out, "eval"))
    throw Error("'" + text + "' names an evaluator with eval=, and another is given");
  out.arguments.push_back({"eval", 0, evaluator->spec_for(game)});
  return out;
}

void bind_evaluators(py::module_& module) {
  py::class_<Evaluator, std::shared_ptr<Evaluator>>(
      module, "Evaluator",
      R"doc(A function that values positions, for any search: f(planes) -> values.

planes: float32 array (positions, planes, height, width) of 0 and 1; values: array-like
(positions, seats), the points that every seat will get. Requests of several threads are joined.
With knows_moves=True it gives (values, logits): logits (positions, game.num_actions), of which
searches that ask for priors take the softmax over the legal moves.

>>> import numpy
>>> even = polymax.Evaluator(lambda planes: numpy.zeros((len(planes), 2)))
>>> player = polymax.Player("greedy", evaluator=even)
>>> player.think(polymax.Game("tictactoe").start()).value
[0.0, 0.0]
)doc")
      .def(py::init<py::object, std::optional<std::pair<float, float>>, int, bool>(),
           py::arg("function"), py::kw_only(), py::arg("bounds") = py::none(),
           py::arg("batch") = 1024, py::arg("knows_moves") = false)
      .def_property_readonly("calls", &Evaluator::calls, "How often the function was called.")
      .def_property_readonly("positions", &Evaluator::positions, "How many positions it valued.")
      .def(py::pickle([](const Evaluator& e) { return e.parts(); },
                      [](const py::tuple& t) {
                        return std::make_shared<Evaluator>(
                            t[0], t[1].cast<std::optional<std::pair<float, float>>>(),
                            t[2].cast<int>(), t[3].cast<bool>());
                      }));
}

}  // namespace polymax::python
