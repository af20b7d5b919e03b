#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, then trains one network after the other and packs what travels.
#   bench/gpu_train.sh OUT GAME:NAME:SECONDS[:FROM]...
# A job learns nets/GAME/NAME.safetensors (f_00, f_01, ... or default; the number is the seed) for SECONDS more, with
# both heads, from what is there, or from nets/GAME/begun/NAME.safetensors, or else from nets/GAME/FROM.safetensors;
# without any from nothing, as studies/recipes.sh says. A network that was there goes on with a rate that falls from
# 4e-4 to 1e-5. After every job OUT/nets.tar.gz holds the networks so far (bf16, with the paper's bounds of MCTS_h),
# OUT/logs.tar.gz the logs and OUT/table.jsonl a line for each: matches, positions, steps, minutes, recall of the
# second head, and 25 starts of `greedy` from every seat on the GPU against greedy(eval=estimate) and against the file
# before (default where there was none). A run that does not end in time is killed; its last checkpoint counts. PLAY=0
# leaves the matches out. VALUES=off learns the second head alone: the values stay those of the file. Two runs beside
# each other are no gain: processes share a GPU by turns, and each had an eighth of its speed and a twentieth of its
# steps.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
mkdir -p "$out" out/logs out/nets
. bench/gpu_build.sh
. studies/recipes.sh
polymax=build/gpu/polymax

minutes_of() { $polymax net info "$1" --json | python3 -c 'import json,sys; print(60*float(json.load(sys.stdin)["training.hours"]))'; }

# train_stage SPEC RUN MINUTES OPTION...: a run up to so many minutes in all, of which it may have $seconds and one minute
train_stage() {
  local spec=$1 run=$2 minutes=$3 log=out/logs/${2##*/}.log pid t
  shift 3
  rm -rf "$run"
  $polymax train "$spec" --device cuda --out "$run" --minutes "$minutes" --parallel "$parallel" --seed "$seed" --search "$search" \
    --learn "$learn$rates" --journal-every 5 --checkpoint-every 60 "$@" >>"$log" 2>&1 &
  pid=$!
  for ((t = 0; t < seconds + 60; ++t)); do
    kill -0 $pid 2>/dev/null || break
    sleep 1
  done
  kill -9 $pid 2>/dev/null && echo "[$SECONDS s] $run does not end"
  wait $pid 2>/dev/null
  echo "[$SECONDS s] $spec, to $minutes minutes"
  tail -n 1 "$log" | cut -c1-300
}

# further GAME RUN FILE: goes on from it for $seconds.
# The rate of a run falls along a cosine over all its minutes, those of the file included: the first rate is chosen so that
# it stands at 4e-4 where the file ends.
further() {
  local had first
  had=$(minutes_of "$3")
  first=$(python3 -c "import math; s = $had / ($had + $seconds / 60); print('%.4g' % min(1, 1e-5 + (4e-4 - 1e-5) / ((1 + math.cos(math.pi * s)) / 2)))")
  rates=,first_rate=$first,rate=1e-5${VALUES:+,values=$VALUES}
  train_stage "$1" "$2" "$(calculate "$had+$seconds/60")" --from "$3" --net moves=on
}

# line GAME NAME RUN NEW OLD: the table's line
line() {
  local player="greedy(eval=network(file=$4,engine=torch,device=cuda))" other estimate=null before=null
  if [ "${PLAY:-1}" = 1 ]; then
    other='greedy(eval=estimate)'
    estimate=$(timeout 30 $polymax match "$1" --players "$player;$other" --against --games 25 --opening 4 --seed 1 --json || echo null)
    other="greedy(eval=network(file=$5,engine=torch,device=cuda))"
    [ ! -e "$5" ] || before=$(timeout 30 $polymax match "$1" --players "$player;$other" --against --games 25 --opening 4 --seed 1 --json || echo null)
  fi
  python3 - "$1" "$2" "$seed" "out/$3/log.jsonl" "${estimate:-null}" "${before:-null}" "$($polymax net info "$4" --json)" <<'PY' | tee -a "$out/table.jsonl" | cut -c1-700
import json, sys
game, name, seed, log, estimate, before, info = sys.argv[1:]
lines = [json.loads(x) for x in open(log)]
tail = [x for x in lines if x.get('matches', 0) > 0][-max(1, len(lines) // 5):]
asked = sum(x['recall']['positions'] for x in tail)
row = {'game': game, 'name': name, 'seed': int(seed)}
row.update({k: v for k, v in json.loads(info).items() if k.startswith('training.')})
row['recall'] = {k: round(sum(x['recall'].get(k, 0) for x in tail) / max(1, asked), 4)
                 for k in tail[0]['recall'] if k != 'positions'} if tail else {}
row['recall']['positions'] = asked
def short(match):
    p = (match or {}).get('players', [{}])
    return [{k: x.get(k) for k in ('wins', 'draws', 'losses', 'score', 'interval', 'points')} for x in p[:2]] if match else None
row['estimate'], row['before'] = short(json.loads(estimate)), short(json.loads(before))
print(json.dumps(row))
PY
}

# learn GAME NAME SECONDS [FROM]: a job
learn() {
  local game=$1 name=$2 seconds=$3 from=${4:-} file run=$1-$2 made before
  file=nets/$game/$name.safetensors made=out/nets/$game/$name.safetensors
  [ -e "$file" ] || file=nets/$game/begun/$name.safetensors
  [ -e "$file" ] || [ -z "$from" ] || file=nets/$game/$from.safetensors
  case $name in f_*) seed=$((10#${name#f_} + 1)) ;; *) seed=1 ;; esac
  recipe "$game" cuda
  if [ -e "$file" ]; then
    before=$file
    further "$game" "out/$run" "$file"
  else
    before=nets/$game/default.safetensors
    rates=,rate=5e-5
    stages "$game" "out/$run" "$(calculate "$seconds/60")"
  fi
  cp "out/$run/log.jsonl" "out/logs/$run.jsonl"
  [ -e "out/$run/compact.pmx" ] || return 0 # killed before its first checkpoint
  mkdir -p "out/nets/$game"
  rm -f "$made"
  $polymax net convert "out/$run/compact.pmx" "$made" --to bf16
  timeout 60 $polymax net bounds "$made" --games 100 --settings engine=torch,device=cuda --write
  line "$game" "$name" "$run" "$made" "$before"
  tar czf "$out/nets.tar.gz" -C out nets
  tar czf "$out/logs.tar.gz" -C out logs
}

gpu_build out/logs polymax_cli polymax_torch ${TARGETS:-}
echo "[$SECONDS s] built"
for job in "$@"; do
  IFS=: read -ra parts <<<"$job"
  learn "${parts[@]}"
done
