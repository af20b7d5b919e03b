// What the files of the binding share: games and states as Python sees them, work without the GIL
// that Ctrl-C can stop, and numbers of seats as lists. The binding is one over the catalog, the
// arena and learning, whatever the number of games.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "catalog/any.hpp"

namespace polymax::python {

namespace py = pybind11;

// An argument that counts or seeds: a number that does not fit is a ValueError of one line.
struct Natural {
  std::uint64_t value = 0;
  operator std::uint64_t() const { return value; }  // NOLINT: it is one
};

// A game: of the catalog, or written in Python (then `object` is what the user gave).
struct Game {
  std::shared_ptr<const AnyGame> game;
  py::object object;
  bool has_planes = false;
};

// A position and how it came about. Never changed after it was made.
struct State {
  std::shared_ptr<const Game> game;
  std::shared_ptr<const AnyMatch> match;
  std::uint64_t seed = 0;  // of its start
};

// The GIL in any thread, those of C++ too: such a thread keeps its state for Python until it ends.
class Gil {
 public:
  Gil();
  ~Gil();
  Gil(const Gil&) = delete;
  Gil& operator=(const Gil&) = delete;

 private:
  PyGILState_STATE state_;
};

using Work = std::function<void(const std::stop_token& stop)>;

// Does the work without the GIL. In Python's main thread signals are looked for meanwhile: when a
// handler raises (Ctrl-C), the work is asked to stop and the exception goes on when it has ended.
void without_gil(const Work& work);

// From now on the work of other threads is asked to stop when Python ends, and waited for.
void end_with_python();

// Calls from C++ back into Python during such work: what the function raises ends the work and
// reaches the caller of without_gil.
class Callback {
 public:
  // None: nobody is to be called. Throws Error for what cannot be called.
  Callback(py::object function, const char* name);

  explicit operator bool() const { return !function_.is_none(); }

  // Calls the function with what `argument` makes, under the GIL. False: it returned False or
  // raised, and somebody wants the work to end.
  bool operator()(const std::function<py::object()>& argument);

  // After the work, with the GIL: throws what the function raised.
  void rethrow() const;

 private:
  py::object function_;
  std::exception_ptr raised_;
};

// One position's bit planes as numbers: planes * height * width of them.
void unpack_planes(std::span<const std::uint64_t> bits, const PlaneShape& shape, float* out);

// The other way. False: they are not all 0 or 1.
bool pack_planes(const float* numbers, const PlaneShape& shape, std::span<std::uint64_t> bits);

// As an int of Python, where it is a whole number of any kind (numpy's too); null where not.
py::object whole(const py::object& given);

// Throws the Error for a whole number that is no Natural.
[[noreturn]] void no_natural(const py::object& given);

std::vector<float> seats_of(const Scores& scores, int players);

// evals=..., nodes=... and so on, or a budget as text; `preset` when nothing is said.
Budget budget_of(const py::kwargs& limits, const std::string& preset);
Budget budget_of(const py::object& text, const std::string& preset);

void bind_games(py::module_& module);
void bind_players(py::module_& module);
void bind_evaluators(py::module_& module);
void bind_matches(py::module_& module);
void bind_studies(py::module_& module);
void bind_training(py::module_& module);
void bind_nets(py::module_& module);

// A spec of the catalog or an object that is a game (rules.hpp).
std::shared_ptr<Game> game_of(const py::object& given, const py::object& points);

}  // namespace polymax::python

template <>
struct pybind11::detail::type_caster<polymax::python::Natural> {
  PYBIND11_TYPE_CASTER(polymax::python::Natural, const_name("int"));

  bool load(handle from, bool convert) {
    make_caster<std::uint64_t> number;
    if (number.load(from, convert)) {
      value.value = cast_op<std::uint64_t>(number);
      return true;
    }
    const auto given = reinterpret_borrow<object>(from);
    if (polymax::python::whole(given)) polymax::python::no_natural(given);
    return false;  // no number: a TypeError
  }
};
