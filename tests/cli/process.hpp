// Runs the program as a user would and catches what it prints.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/temporary_folder.hpp"

namespace polymax {

struct Ran {
  int code = -1;
  std::string out, err;
};

inline std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

// `command` is a shell command; `input` becomes its standard input.
inline Ran run_shell(const std::string& command, const std::string& input = "") {
  const TemporaryFolder folder;
  std::ofstream(folder / "in") << input;
  const int status = std::system(("( " + command + " ) <'" + (folder / "in") + "' >'" +
                                  (folder / "out") + "' 2>'" + (folder / "err") + "'")
                                     .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(folder / "out"),
          file_text(folder / "err")};
}

inline Ran run_polymax(const std::string& arguments, const std::string& input = "") {
  return run_shell("'" POLYMAX_BINARY "' " + arguments, input);
}

// Whether the program was built with the torch module; that it loads is for tests/nn to see.
inline bool has_torch() {
  return std::filesystem::exists(std::filesystem::path(POLYMAX_BINARY).parent_path() /
                                 "libpolymax_torch.so");
}

}  // namespace polymax
