#include "python/rulebook.hpp"

#include <marshal.h>
#include <pybind11/numpy.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/lists.hpp"
#include "core/rng.hpp"
#include "nn/net.hpp"

namespace polymax::python {

namespace {

constexpr int kMarshalVersion = 2;  // without references: equal values give equal bytes
constexpr int kMaxLength = 10000;   // moves of a game that does not say its own
constexpr int kDeepest = 100;       // nesting of plain values

// Values that marshal gives back as they were: of exactly these types, all the way down.
bool is_plain(PyObject* value, int depth = 0) {
  if (depth > kDeepest) return false;
  if (value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) ||
      PyUnicode_CheckExact(value) || PyBytes_CheckExact(value) || PyFloat_CheckExact(value))
    return true;
  if (PyTuple_CheckExact(value)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i)
      if (!is_plain(PyTuple_GET_ITEM(value, i), depth + 1)) return false;
    return true;
  }
  if (PyList_CheckExact(value)) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value); ++i)
      if (!is_plain(PyList_GET_ITEM(value, i), depth + 1)) return false;
    return true;
  }
  return false;
}

std::uint64_t hash_of(const char* bytes, std::size_t size) {
  std::uint64_t out = mix64(size);
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min<std::size_t>(8, size - at));
    out = mix64(out ^ word);
  }
  return out;
}

std::string type_name(const py::handle& object) {
  return Py_TYPE(object.ptr())->tp_name;
}

// -1: it is no whole number from 0, or a very large one.
long count_of(const py::object& given) {
  const py::object number = whole(given);
  int overflow = 0;
  const long out = number ? PyLong_AsLongAndOverflow(number.ptr(), &overflow) : -1;
  return overflow != 0 || out < 0 ? -1 : out;
}

}  // namespace

bool operator==(const Rules::State& a, const Rules::State& b) {
  return a.hash == b.hash && a.size == b.size && a.played == b.played &&
         std::memcmp(a.bytes.data(), b.bytes.data(), a.size) == 0;
}

Rulebook::Rulebook(const py::object& rules) : rules_(rules) {
  name_ = py::hasattr(rules, "name") ? std::string(py::str(rules.attr("name"))) : type_name(rules);
  if (const auto dot = name_.rfind('.'); dot != std::string::npos) name_ = name_.substr(dot + 1);
  if (PyType_Check(rules.ptr()))
    throw Error("a game is an object, not the class: give " +
                std::string(py::str(rules.attr("__name__"))) + "(...)");
  for (const char* needed : {"players", "start", "to_move", "moves", "play", "over"})
    if (!py::hasattr(rules, needed))
      fail(std::string("has no '") + needed +
           "'; a game has players, start, to_move, moves, play, over and score or gain");
  if (!has("score") && !has("gain")) fail("has neither 'score' nor 'gain'");
  players_ = number("players", 2, kMaxPlayers);
  max_length_ = has("max_length") ? number("max_length", 1, 65000) : kMaxLength;
  const auto pickle = py::module_::import("pickle");
  dumps_ = pickle.attr("dumps");
  loads_ = pickle.attr("loads");
  kept_.resize(kKept);
  if (has("planes")) look_at_planes();
}

// A number, or a function that gives it.
int Rulebook::number(const char* attribute, int low, int high) const {
  py::object value = rules_.attr(attribute);
  if (PyCallable_Check(value.ptr())) value = value();
  if (!whole(value))
    fail(std::string("'") + attribute + "' is to be a whole number, not " + type_name(value));
  const long out = count_of(value);
  if (out < low || out > high)
    fail(std::string("'") + attribute + "' is to be " + std::to_string(low) + ".." +
         std::to_string(high) + ", not " + std::string(py::str(value)));
  return static_cast<int>(out);
}

void Rulebook::look_at_planes() {
  const py::object planes = rules_.attr("planes")(object_of(start(0)));
  const auto array = py::array::ensure(planes);
  constexpr py::ssize_t kMost = 512;  // of each
  if (!array || array.ndim() != 3 || array.size() == 0 || array.shape(0) > kMost ||
      array.shape(1) > kMost || array.shape(2) > kMost)
    fail("planes() is to give an array of shape (planes, height, width), 512 of each at most");
  shape_ = {static_cast<int>(array.shape(0)), static_cast<int>(array.shape(1)),
            static_cast<int>(array.shape(2))};
  if (!has("move_cell")) return;
  move_planes_ = has("move_planes") ? number("move_planes", 1, kMaxMovePlanes) : 1;
  if (move_planes_ * shape_.cells() > kMaxMovePlaces)
    fail("move_planes times the cells of planes() is " +
         std::to_string(move_planes_ * shape_.cells()) + "; with move_cell() " +
         std::to_string(kMaxMovePlaces) + " are the most");
}

Rulebook::~Rulebook() {
  const Gil gil;
  for (Kept& kept : kept_) Py_CLEAR(kept.object);
  moves_.clear();
  for (py::object* object : {&rules_, &dumps_, &loads_}) *object = py::object();
  numbers_ = py::reinterpret_steal<py::dict>(nullptr);
}

bool Rulebook::has(const char* function) const {
  return py::hasattr(rules_, function) && !rules_.attr(function).is_none();
}

void Rulebook::fail(const std::string& what) const {
  throw Error("the Python game '" + name_ + "': " + what);
}

void Rulebook::keep(const State& state, const py::object& object) {
  Kept& kept = place(state);
  PyObject* old = kept.object;
  kept = {state, object.inc_ref().ptr()};
  Py_XDECREF(old);  // may run code of Python, and that may come back here
}

py::object Rulebook::object_of(const State& state) {
  const Kept& kept = place(state);
  if (kept.object != nullptr && kept.state == state)
    return py::reinterpret_borrow<py::object>(kept.object);
  py::object out;
  if (state.pickled)
    out = loads_(py::bytes(state.bytes.data(), state.size));
  else
    out = py::reinterpret_steal<py::object>(
        PyMarshal_ReadObjectFromString(state.bytes.data(), state.size));
  if (!out) throw py::error_already_set();
  keep(state, out);
  return out;
}

void Rulebook::pack(const py::object& object, State& into) {
  into.pickled = !is_plain(object.ptr());
  const auto packed = into.pickled
                          ? py::object(dumps_(object, 5))
                          : py::reinterpret_steal<py::object>(
                                PyMarshal_WriteObjectToString(object.ptr(), kMarshalVersion));
  if (!packed) throw py::error_already_set();
  const auto size = static_cast<std::size_t>(PyBytes_GET_SIZE(packed.ptr()));
  if (size > State::kBytes)
    fail("a state takes " + std::to_string(size) + " bytes, " + std::to_string(State::kBytes) +
         " are the most: keep what the rules need alone, as tuples, numbers, str or bytes");
  into.size = static_cast<std::uint16_t>(size);
  std::memcpy(into.bytes.data(), PyBytes_AS_STRING(packed.ptr()), size);
}

std::uint64_t Rulebook::content_hash(const py::object& object, const State& state) {
  if (!has("hash")) return hash_of(state.bytes.data(), state.size);
  const py::object given = rules_.attr("hash")(object), number = whole(given);
  if (!number) fail("hash() is to give a whole number, not " + type_name(given));
  const auto out = PyLong_AsUnsignedLongLongMask(number.ptr());
  if (PyErr_Occurred()) throw py::error_already_set();
  return mix64(out);
}

Rules::State Rulebook::state_of(const py::object& object, int played) {
  if (object.is_none())
    fail(played == 0 ? "start() gave None instead of a state"
                     : "play() gave None: it is to return the next state, not to change the old");
  if (played > max_length_)
    fail("is not over after " + std::to_string(max_length_) +
         " moves; games that may be longer say so with max_length");
  State out;
  pack(object, out);
  out.played = static_cast<std::uint16_t>(played);
  // the moves played are part of a position, so that a game that comes back to where it was ends
  out.hash = mix64(content_hash(object, out) + static_cast<std::uint64_t>(played));
  const int over = PyObject_IsTrue(rules_.attr("over")(object).ptr());
  if (over < 0) throw py::error_already_set();
  out.over = over == 1;
  if (!out.over) {
    const py::object seat = rules_.attr("to_move")(object);
    const long number = count_of(seat);
    if (number < 0 || number >= players_)
      fail("to_move() gave " + std::string(py::repr(seat)) + "; seats are 0.." +
           std::to_string(players_ - 1));
    out.to_move = static_cast<std::int16_t>(number);
  }
  keep(out, object);
  return out;
}

Rules::State Rulebook::start(std::uint64_t seed) {
  return state_of(rules_.attr("start")(seed), 0);
}

void Rulebook::moves(const State& state, MoveList<Rules>& out) {
  if (state.over) return;
  const py::object given = rules_.attr("moves")(object_of(state));
  if (Py_TYPE(given.ptr())->tp_iter == nullptr && PySequence_Check(given.ptr()) == 0)
    fail("moves() is to give a list of moves, not " + type_name(given));
  const std::size_t before = out.size();
  for (const py::handle move : given) {
    PyObject* known = PyDict_GetItemWithError(numbers_.ptr(), move.ptr());
    if (known == nullptr) {
      if (PyErr_Occurred()) {
        py::error_already_set unhashable;
        fail("a move is to be hashable (a number, a text, a tuple), not " + type_name(move));
      }
      if (moves_.size() == kMaxMoves) fail("has more than 16 million different moves");
      moves_.push_back(py::reinterpret_borrow<py::object>(move));
      const py::int_ number(moves_.size() - 1);
      // another thread may have met it while its __hash__ ran
      known = PyDict_SetDefault(numbers_.ptr(), move.ptr(), number.ptr());
      if (known == nullptr) throw py::error_already_set();
    }
    out.push_back({static_cast<std::uint32_t>(PyLong_AsUnsignedLong(known))});
    if (out.size() - before > kMostHere) fail("moves() gave more than a million moves");
  }
  must_differ(out.span().subspan(before));
  if (out.size() == before) fail("moves() gave none though over() says that the game goes on");
}

// A move is found by what it is: there cannot be two of them.
void Rulebook::must_differ(std::span<const Move> moves) {
  met_.resize(moves_.size());
  ++meeting_;
  for (const Move move : moves)
    if (std::exchange(met_[move.number], meeting_) == meeting_)
      fail("moves() gave the move " + std::string(py::repr(moves_[move.number])) + " twice");
}

Rules::State Rulebook::play(const State& state, Move move) {
  const py::object chosen = moves_.at(move.number);  // the list may grow meanwhile
  return state_of(rules_.attr("play")(object_of(state), chosen), state.played + 1);
}

std::string Rulebook::move_text(const State& state, Move move) {
  const py::object object = moves_.at(move.number);
  const std::string out =
      py::str(has("move_text") ? rules_.attr("move_text")(object_of(state), object) : object);
  if (out.empty()) fail("a move has an empty text");
  return out;
}

Scores Rulebook::scores(const char* function, const State& state) {
  const py::object given = rules_.attr(function)(object_of(state));
  const auto size = PyObject_Length(given.ptr());
  if (size < 0) PyErr_Clear();
  if (size != players_)
    fail(std::string(function) + "() is to give " + std::to_string(players_) +
         " numbers, one for each seat, not " + std::string(py::repr(given)));
  Scores out;
  int seat = 0;
  for (const py::handle number : given) {
    const auto value = static_cast<float>(PyFloat_AsDouble(number.ptr()));
    if (PyErr_Occurred() || !std::isfinite(value)) {
      PyErr_Clear();
      fail(std::string(function) + "() is to give finite numbers, not " +
           std::string(py::repr(given)));
    }
    if (seat < players_) out[seat++] = value;
  }
  return out;
}

void Rulebook::write_planes(const State& state, std::span<std::uint64_t> bits) {
  const py::object given = rules_.attr("planes")(object_of(state));
  const auto array = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array) fail("planes() is to give an array of numbers");
  if (array.ndim() != 3 || array.shape(0) != shape_.planes || array.shape(1) != shape_.height ||
      array.shape(2) != shape_.width)
    fail("planes() is to give an array of the same shape for every state");
  if (!pack_planes(array.data(), shape_, bits)) fail("planes() is to give zeros and ones");
}

MovePlace Rulebook::move_place(const State& state, Move move) {
  const py::object chosen = moves_.at(move.number);
  py::object given = rules_.attr("move_cell")(object_of(state), chosen);
  if (whole(given)) given = py::make_tuple(0, given);
  long plane = -1, cell = -1;
  if (py::isinstance<py::tuple>(given) && py::len(given) == 2) {
    plane = count_of(given[py::int_(0)]);
    cell = count_of(given[py::int_(1)]);
  }
  if (plane < 0 || plane >= move_planes_ || cell < 0 || cell >= shape_.cells())
    fail("move_cell() is to give a cell 0.." + std::to_string(shape_.cells() - 1) +
         ", or (move plane, cell), not " + std::string(py::repr(given)));
  return {static_cast<std::uint16_t>(plane), static_cast<std::uint16_t>(cell)};
}

std::optional<Rules::State> Rulebook::give_turn(const State& state, int seat) {
  if (!has("give_turn"))
    fail("has no give_turn(state, seat), which Best-Reply Search needs; other searches do not");
  const py::object given = rules_.attr("give_turn")(object_of(state), seat);
  if (given.is_none()) return std::nullopt;
  const State out = state_of(given, state.played);
  if (out.over || out.to_move != seat)
    fail("give_turn() is to give a state where it is the turn of that seat, or None");
  return out;
}

std::vector<std::string> Rulebook::lines(const State& state) {
  const py::object object = object_of(state);
  const std::string text =
      py::str(has("text") ? rules_.attr("text")(object) : py::object(py::str(object)));
  return split(text, '\n');
}

}  // namespace polymax::python
