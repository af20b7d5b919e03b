#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, then measures self-play against the GPU alone, for every game, and
# learning beside it. Results go to the folder given (default out/gpu).
set -uo pipefail
cd "$(dirname "$0")/.."
out=${1:-out/gpu}
mkdir -p "$out"
prefix=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)') || exit 1
cmake --preset gpu -DPOLYMAX_TESTS=ON -DPOLYMAX_WERROR=OFF -DCMAKE_PREFIX_PATH="$prefix" >"$out/configure.log" 2>&1 || { tail -n 40 "$out/configure.log"; exit 1; }
ninja -C build/gpu polymax_cli polymax_torch tests_nn >"$out/build.log" 2>&1 || { grep -E -A8 'error|FAILED' "$out/build.log" | head -n 60; exit 1; }
polymax=build/gpu/polymax
timeout 60 build/gpu/tests/tests_nn --gtest_brief=1 2>&1 | tail -n 15
$polymax bench nets --batch 16,64 --seconds 0.5 --json | tee "$out/cpu.jsonl"
$polymax bench nets --device cuda --channels 64 --batch 2048,4096 --callers 256 --seconds 2 --json | tee "$out/cuda.jsonl"
$polymax bench selfplay --device cuda --batch 2048 --parallel 256,512 --seconds 6 --json | tee "$out/selfplay.jsonl"
for game in fish triinversion; do
  $polymax bench selfplay --game $game --device cuda --batch 2048 --parallel 512 --seconds 5 --json | tee -a "$out/selfplay.jsonl"
done
for game in quadrothello hex3; do
  $polymax train $game --device cuda --out "out/$game" --minutes 1 --search 'descent(share=0.1)' --learn rate=1e-3,schedule=cosine,last_rate=1e-4,warm_up=100000,pace=40 --journal-every 5 2>&1 | tee -a "$out/train.log"
  mkdir -p "$out/$game"
  cp "out/$game/compact.pmx" "out/$game/log.jsonl" "$out/$game"
done
