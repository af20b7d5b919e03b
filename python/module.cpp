// polymax for Python: the module polymax._core. The package around it is python/polymax.
#include <pybind11/eval.h>

#include "core/commit.hpp"
#include "core/error.hpp"
#include "core/notice.hpp"
#include "protocol/engine_player.hpp"
#include "python/common.hpp"

namespace polymax::python {

namespace {

// polymax.Error with two kinds: what was asked for is wrong (also a ValueError), or it could not be
// done (also a RuntimeError).
void bind_errors(py::module_& module) {
  py::exec(R"doc(
class Error(Exception):
    """What polymax complains of: one line that says what was wrong and what would be right."""

class UsageError(Error, ValueError):
    """What was asked for cannot be."""

class FailedError(Error, RuntimeError):
    """What was asked for could not be done."""

for kind in (Error, UsageError, FailedError):
    kind.__module__ = "polymax"
)doc",
           module.attr("__dict__"));
  static PyObject* usage = py::object(module.attr("UsageError")).release().ptr();
  static PyObject* failed = py::object(module.attr("FailedError")).release().ptr();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyErr_SetString(error.kind() == Error::Kind::usage ? usage : failed, error.what());
    }
  });
}

// What people should know although nothing failed is a warning of Python.
void hear_as_warnings() {
  hear_notices([](const std::string& text) {
    const py::gil_scoped_acquire gil;
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  });
}

// Game.__new__(Game) makes an object that no constructor has filled. pybind11 would hand out raw
// memory for it when it is first used.
void refuse_unmade_objects(const py::module_& module) {
  for (const auto& [name, value] : py::dict(module.attr("__dict__"))) {
    if (!PyType_Check(value.ptr())) continue;
    auto* type = reinterpret_cast<PyTypeObject*>(value.ptr());
    if (auto* info = py::detail::get_type_info(type))
      info->operator_new = [](std::size_t) -> void* {
        throw py::type_error("the object was never made: call its class, not __new__ alone");
      };
  }
}

}  // namespace

}  // namespace polymax::python

PYBIND11_MODULE(_core, module) {
  using namespace polymax::python;
  module.attr("__name__") = "polymax._core";  // also inside the program, where it is built in
  module.doc() = "Games, searches, matches, studies and learning of polymax.";
  module.attr("__version__") = POLYMAX_VERSION;
  module.attr("commit") = polymax::commit();
  bind_errors(module);
  hear_as_warnings();
  end_with_python();
  polymax::protocol::offer_engines();
  bind_games(module);
  bind_evaluators(module);
  bind_players(module);
  bind_matches(module);
  bind_studies(module);
  bind_training(module);
  bind_nets(module);
  refuse_unmade_objects(module);
}
