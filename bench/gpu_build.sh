# Sourced by the scripts beside it: gpu_build FOLDER TARGET... builds with the torch of this machine's Python (build/gpu); logs
# go to FOLDER.
gpu_build() {
  local logs=$1 prefix
  shift
  prefix=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)') || exit 1
  [ -e build/gpu/build.ninja ] || cmake --preset gpu -DPOLYMAX_TESTS=ON -DPOLYMAX_WERROR=OFF -DCMAKE_PREFIX_PATH="$prefix" >"$logs/configure.log" 2>&1 ||
    { tail -n 40 "$logs/configure.log"; exit 1; }
  ninja -C build/gpu "$@" >"$logs/build.log" 2>&1 || { grep -E -A8 'error|FAILED' "$logs/build.log" | head -n 60; exit 1; }
}
