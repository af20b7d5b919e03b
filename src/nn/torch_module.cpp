// The program's side of the torch module: finds it beside the file that holds this code, or one
// or two folders up, or in lib/polymax of an installed program.
#include "nn/torch_module.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "nn/own_folder.hpp"

namespace polymax {

namespace {

struct Loaded {
  const TorchModule* module = nullptr;
  std::string problem;
};

Loaded load() {
  namespace fs = std::filesystem;
  const fs::path here = own_folder();
  std::error_code ignored;
  for (const fs::path& folder : {here, here.parent_path(), here.parent_path().parent_path(),
                                 here.parent_path() / "lib/polymax"}) {
    const fs::path file = folder / TorchModule::kFile;
    if (!fs::exists(file, ignored)) continue;
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
      return {nullptr, std::string("the torch module does not load: ") + dlerror()};
    auto* const function =
        reinterpret_cast<const TorchModule* (*)()>(dlsym(handle, TorchModule::kFunction));
    const TorchModule* module = function ? function() : nullptr;
    if (module == nullptr || module->version != TorchModule::kVersion)
      return {nullptr, file.string() + " is of another version; build it again"};
    return {module, ""};
  }
  return {nullptr, std::string("there is no torch module (") + TorchModule::kFile +
                       "): `./polymax train` installs libtorch and builds it, as does the target "
                       "polymax_torch where libtorch is; networks play without it (engine=cpu)"};
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

const TorchModule& need() {
  if (loaded().module == nullptr) throw Error(loaded().problem, Error::Kind::failed);
  return *loaded().module;
}

}  // namespace

bool torch_built() {
  return loaded().module != nullptr;
}

bool cuda_available() {
  return torch_built() && need().cuda_available();
}

std::unique_ptr<Device> make_torch_device(const TorchSettings& settings) {
  return need().make_device(settings);
}

std::unique_ptr<Trainer> make_trainer(const Net& net, const OptimiserState& state,
                                      std::vector<Symmetry> symmetries,
                                      const TrainerSettings& settings) {
  return need().make_trainer(net, state, std::move(symmetries), settings);
}

}  // namespace polymax
