#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, checks the network engines, measures them. Results go to the folder given
# (default out/gpu).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-out/gpu}
mkdir -p "$out"
. bench/gpu_build.sh
gpu_build "$out" polymax_cli polymax_torch tests_nn
build/gpu/tests/tests_nn --gtest_brief=1 2>&1 | tee "$out/tests.log"
build/gpu/polymax bench nets --batch 1,16,64 --json | tee "$out/cpu.jsonl"
build/gpu/polymax bench nets --device cuda --channels 64 --batch 256,1024,2048,4096 --callers 256 --seconds 2 --json | tee "$out/cuda.jsonl"
build/gpu/polymax bench nets --device cuda --channels 64 --batch 4096 --callers 512 --seconds 2 --json | tee -a "$out/cuda.jsonl"
build/gpu/polymax bench nets --device cuda --channels 128,166,192 --batch 4096 --callers 512 --seconds 2 --json | tee -a "$out/cuda.jsonl"
build/gpu/polymax bench selfplay --device cuda --batch 2048 --parallel 256,512 --seconds 6 --json | tee "$out/selfplay.jsonl"
for game in fish triinversion hex3; do
  build/gpu/polymax bench selfplay --game $game --device cuda --batch 2048 --parallel 512 --seconds 5 --json | tee -a "$out/selfplay.jsonl"
done
