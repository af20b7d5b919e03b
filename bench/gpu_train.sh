#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, then trains one game after the other and packs what travels.
#   bench/gpu_train.sh OUT SECONDS GAME...        SECONDS: of each game, on top of what its shipped network has had
# Goes on from nets/GAME/default.safetensors where there is one. With FRESH=1 it begins from nothing: an eighth of the
# seconds on the first and a fifth on the second smaller size of the game, the others on the size that ships. After every
# game OUT/nets.tar.gz holds the networks
# so far (bf16) and OUT/logs.tar.gz the logs, and the new network plays 25 starts from every seat on the GPU against
# greedy(eval=estimate), with `greedy` and with `unbounded_maxn` at 1,000 evaluations, for 40 seconds each at most. A run
# that does not end in time is told of and killed; its last checkpoint counts.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1 seconds=$2
shift 2
mkdir -p "$out" out/logs out/nets
. bench/gpu_build.sh
polymax=build/gpu/polymax

minutes_of() { $polymax net info "$1" --json | python3 -c 'import json,sys; print(60*float(json.load(sys.stdin)["training.hours"]))'; }

# settings GAME: how it is learned; smaller: sizes to begin with, where that helps (docs/results, nets/README.md)
settings() {
  share=0.1 width=0 learn=memory=750,batch=1000,pace=200,rate=5e-5 parallel=256 smaller=()
  case $1 in
    blokus) share=0.2 width=32 parallel=192 ;;
    hex3) smaller=("hex3(side=4)" "hex3(side=5)") ;;
    teamhex) smaller=("teamhex(n=8)" "teamhex(n=12)") parallel=192 ;;
    threehex) learn+=,warm_up=0.7,playouts=2 ;;
  esac
}

# stage SPEC NAME MINUTES HAD [FROM]: a run in out/NAME up to so many minutes in all, of which FROM has had some
stage() {
  local from=() run t limit
  [ -n "${5:-}" ] && from=(--from "$5")
  rm -rf "out/$2"
  limit=$(python3 -c "print(int(60*($3-$4))+60)")
  $polymax train "$1" --device cuda --out "out/$2" "${from[@]}" --minutes "$3" --parallel $parallel --search "descent(share=$share,width=$width,ends=0.5,opening=2)" \
    --learn "$learn" --journal-every 10 --checkpoint-every 60 >"out/logs/$2.log" 2>&1 &
  run=$!
  for ((t = 0; t < limit; ++t)); do
    kill -0 $run 2>/dev/null || break
    sleep 1
  done
  kill -9 $run 2>/dev/null && echo "[$SECONDS s] $2 does not end"
  echo "[$SECONDS s] $1, to $3 minutes"
  tail -n 2 "out/logs/$2.log" | cut -c1-400
  cp "out/$2/log.jsonl" "out/logs/$2.jsonl"
}

plays() { # GAME: two pairings against the estimate
  local net="network(file=out/nets/$1.safetensors,engine=torch,device=cuda)" player
  for player in "greedy(eval=$net)" "unbounded_maxn(eval=$net)"; do
    timeout 40 $polymax match "$1" --players "$player;greedy(eval=estimate)" --against --games 25 --opening 4 --budget evals=1000 --threads 100 --seed 1 | tee "out/logs/$1-${player%%(*}.match"
  done
}

gpu_build out/logs polymax_cli polymax_torch
echo "[$SECONDS s] built"
for game in "$@"; do
  settings "$game"
  from='' had=0
  net=nets/$game/default.safetensors
  if [ -e "$net" ] && [ "${FRESH:-0}" != 1 ]; then
    from=$net had=$(minutes_of "$net") smaller=()
  fi
  total=$(python3 -c "print($had+$seconds/60)")
  step=0
  parts=(0.125 0.2) # for two smaller sizes at most
  for spec in "${smaller[@]}"; do
    to=$(python3 -c "print(round($had+$seconds/60*${parts[step]},3))")
    stage "$spec" "$game-$((++step))" "$to" "$had" "$from"
    from=out/$game-$step/compact.pmx had=$to
    [ -e "$from" ] || continue 2 # the run was killed before its first checkpoint
  done
  stage "$game" "$game" "$total" "$had" "$from"
  [ -e "out/$game/compact.pmx" ] || continue
  $polymax net convert "out/$game/compact.pmx" "out/nets/$game.safetensors" --to bf16
  plays "$game"
  tar czf "$out/nets.tar.gz" -C out nets
  tar czf "$out/logs.tar.gz" -C out logs
done
