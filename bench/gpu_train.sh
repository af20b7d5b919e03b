#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, then trains one game after the other and packs what travels.
#   bench/gpu_train.sh OUT MINUTES GAME...        MINUTES: of each game, on top of what its shipped network has had
# Begins with nets/GAME/default.safetensors where there is one. OUT gets GAME.net (bf16), logs in one archive.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1 minutes=$2
shift 2
mkdir -p "$out" out
prefix=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)') || exit 1
cmake --preset gpu -DPOLYMAX_WERROR=OFF -DCMAKE_PREFIX_PATH="$prefix" >"out/configure.log" 2>&1 || { tail -n 40 "out/configure.log"; exit 1; }
ninja -C build/gpu polymax_cli polymax_torch >"out/build.log" 2>&1 || { grep -E -A8 'error|FAILED' "out/build.log" | head -n 60; exit 1; }
polymax=build/gpu/polymax
for game in "$@"; do
  share=0.1 pace=60 parallel=384
  case $game in
    blokus) pace=25 parallel=64 ;;
    teamhex) pace=25 share=0.03 parallel=96 ;;
    hex3 | threehex) parallel=192 ;;
    fish) pace=110 parallel=512 ;;
    triinversion) pace=90 parallel=512 ;;
  esac
  net=nets/$game/default.safetensors
  from=() total=$minutes
  if [ -e "$net" ]; then
    from=(--from "$net")
    total=$($polymax net info "$net" --json | python3 -c "import json,sys; print(60*float(json.load(sys.stdin)['training.hours'])+$minutes)")
  fi
  $polymax train "$game" --device cuda --out "out/$game" "${from[@]}" --minutes "$total" --parallel $parallel --search "descent(share=$share)" \
    --learn "rate=1e-3,schedule=cosine,last_rate=5e-5,warm_up=100000,pace=$pace" --journal-every 10 --checkpoint-every 100000 2>&1 | tail -n 8
  $polymax net convert "out/$game/net.safetensors" "$out/$game.net" --to bf16
done
for game in "$@"; do cp "out/$game/log.jsonl" "out/$game.log.jsonl"; done
tar czf "$out/logs.tar.gz" -C out $(for game in "$@"; do echo "$game.log.jsonl"; done)
