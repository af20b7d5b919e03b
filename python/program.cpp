// The system's Python with polymax inside: takes the arguments of python3. So `import polymax`
// needs no second build of our libraries as position-independent code.
#include <pybind11/pybind11.h>

extern "C" PyObject* PyInit__core();

int main(int argc, char** argv) {
  if (PyImport_AppendInittab("_polymax", &PyInit__core) != 0) return 1;
  return Py_BytesMain(argc, argv);
}
