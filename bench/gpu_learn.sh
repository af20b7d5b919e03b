#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, then measures self-play against the GPU alone, for every game, and
# learning beside it. Results go to the folder given (default out/gpu).
set -uo pipefail
cd "$(dirname "$0")/.."
out=${1:-out/gpu}
mkdir -p "$out"
prefix=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)') || exit 1
cmake --preset gpu -DPOLYMAX_TESTS=OFF -DCMAKE_PREFIX_PATH="$prefix" >"$out/configure.log" 2>&1 || { tail -n 40 "$out/configure.log"; exit 1; }
ninja -C build/gpu polymax_cli polymax_torch >"$out/build.log" 2>&1 || { grep -E -A8 'error|FAILED' "$out/build.log" | head -n 60; exit 1; }
polymax=build/gpu/polymax
$polymax bench selfplay --device cuda --batch 2048 --parallel 128,256,512,1024 --seconds 6 --json | tee "$out/selfplay.jsonl"
for game in blokus fish hex3 quadamazons teamhex threehex triinversion; do
  $polymax bench selfplay --game $game --device cuda --batch 2048 --parallel 256 --seconds 5 --json | tee -a "$out/selfplay.jsonl"
done
for pace in 20 60 0; do
  rm -rf out/pace
  $polymax train quadrothello --device cuda --out out/pace --minutes 0.5 --learn rate=1e-3,pace=$pace --journal-every 10 2>&1 | tee -a "$out/train.log"
done
