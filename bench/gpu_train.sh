#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, then trains one game after the other and packs what travels.
#   bench/gpu_train.sh OUT SECONDS GAME...        SECONDS: of each game, on top of what its shipped network has had
# Begins with nets/GAME/default.safetensors where there is one, unless FRESH=1. After every game OUT/nets.tar.gz holds
# the networks so far (bf16) and OUT/logs.tar.gz the logs, and `greedy` plays with the new network, for 20 seconds at
# most, against greedy(eval=estimate). A run that does not end in time is told of, with the state of its threads, and
# killed; its last checkpoint counts.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1 seconds=$2
shift 2
mkdir -p "$out" out/logs out/nets
prefix=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)') || exit 1
cmake --preset gpu -DPOLYMAX_WERROR=OFF -DCMAKE_PREFIX_PATH="$prefix" >out/logs/configure.log 2>&1 || { tail -n 40 out/logs/configure.log; exit 1; }
timeout 200 ninja -C build/gpu polymax_cli polymax_torch >out/logs/build.log 2>&1 || { grep -E -A8 'error|FAILED' out/logs/build.log | head -n 60; exit 1; }
polymax=build/gpu/polymax
echo "[$SECONDS s] built"
for game in "$@"; do
  share=0.1 learn=memory=750,batch=1000,pace=200 parallel=256
  case $game in
    blokus) parallel=64 learn=memory=4000,duplication=12,batch=1000,pace=200,warm_up=0.3 ;;
    teamhex) parallel=96 share=0.03 ;;
    hex3 | threehex) parallel=192 ;;
  esac
  net=nets/$game/default.safetensors
  from=() had=0
  if [ -e "$net" ] && [ "${FRESH:-0}" != 1 ]; then
    from=(--from "$net")
    had=$($polymax net info "$net" --json | python3 -c 'import json,sys; print(60*float(json.load(sys.stdin)["training.hours"]))')
  fi
  total=$(python3 -c "print($had+$seconds/60)")
  echo "[$SECONDS s] $game to $total minutes"
  $polymax train "$game" --device cuda --out "out/$game" "${from[@]}" --minutes "$total" --parallel $parallel --search "descent(share=$share,ends=0.5,opening=2)" \
    --learn "$learn" --journal-every 10 --checkpoint-every 30 >"out/logs/$game.log" 2>&1 &
  run=$!
  for ((t = 0; t < seconds + 40; ++t)); do
    kill -0 $run 2>/dev/null || break
    sleep 1
  done
  if kill -0 $run 2>/dev/null; then
    echo "[$SECONDS s] $game does not end"
    for thread in /proc/$run/task/*; do
      echo "$(cat $thread/comm) $(cut -d' ' -f3,14,15 $thread/stat) $(cat $thread/wchan) $(cat $thread/syscall | cut -d' ' -f1,2)"
    done 2>/dev/null | sort | uniq -c | sort -rn | head -n 40
    kill -9 $run
  fi
  tail -n 3 "out/logs/$game.log"
  $polymax net convert "out/$game/compact.pmx" "out/nets/$game.safetensors" --to bf16
  timeout 20 $polymax match "$game" --players "greedy(eval=network(file=out/nets/$game.safetensors));greedy(eval=estimate)" --against --games 25 --opening 4 --seed 1 | tee "out/logs/$game.match"
  cp "out/$game/log.jsonl" "out/logs/$game.jsonl"
  tar czf "$out/nets.tar.gz" -C out nets
  tar czf "$out/logs.tar.gz" -C out logs
done
