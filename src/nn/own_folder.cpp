#include "nn/own_folder.hpp"

#include <dlfcn.h>

namespace polymax {

std::filesystem::path own_folder() {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&own_folder), &info);
  std::error_code ignored;
  const std::filesystem::path self(info.dli_fname ? info.dli_fname : "");
  // dladdr may give a relative name.
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return std::filesystem::exists(self, ignored) && self.is_absolute() ? self.parent_path()
                                                                      : program.parent_path();
}

}  // namespace polymax
