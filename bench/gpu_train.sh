#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: builds, then trains one network after the other and packs what travels.
#   bench/gpu_train.sh OUT GAME:NAME:SECONDS[:FROM]...
# A job learns nets/GAME/NAME.safetensors (f_00, f_01, ... or default; the number is the seed) for SECONDS more, with
# both heads, from what is there, or from nets/GAME/begun/NAME.safetensors, or else from nets/GAME/FROM.safetensors;
# without any from nothing: in teamhex and hex3 an eighth of the seconds on the first size that is smaller, then up to a
# fifth of them on the second, the others on the size that ships. A network that was there goes on with a rate that
# falls from 4e-4 to 1e-5. After every job OUT/nets.tar.gz holds the networks so far (bf16, with the paper's bounds of
# MCTS_h), OUT/logs.tar.gz the logs and OUT/table.jsonl a line for each: matches, positions, steps, minutes, recall of
# the second head, and 25 starts of `greedy` from every seat on the GPU against greedy(eval=estimate) and against the
# file before (default where there was none). A run that does not end in time is killed; its last checkpoint counts.
# PLAY=0 leaves the matches out. Two runs beside each other are no gain: processes share a GPU by turns, and each had an
# eighth of its speed and a twentieth of its steps.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
mkdir -p "$out" out/logs out/nets
. bench/gpu_build.sh
polymax=build/gpu/polymax

minutes_of() { $polymax net info "$1" --json | python3 -c 'import json,sys; print(60*float(json.load(sys.stdin)["training.hours"]))'; }
sum() { python3 -c "print(round($1,4))"; }

# settings GAME: how it is learned; smaller: sizes to begin with, where that helps (docs/results, nets/README.md)
settings() {
  share=0.1 width=0 opening=2 weak=0 learn=memory=750,batch=1000,pace=200 parallel=256 smaller=()
  case $1 in
    blokus) share=0.2 width=16 parallel=192 ;;
    teamhex) smaller=("teamhex(n=8)" "teamhex(n=12)") parallel=192 ;;
    threehex) [ "$2" = fresh ] && learn+=,warm_up=0.7,playouts=2 ;;
    hex3) smaller=("hex3(side=4)" "hex3(side=5)") weak=0.2 ;;
  esac
}

# stage SPEC RUN MINUTES SECONDS OPTION...: a run in out/RUN up to so many minutes in all, of which it has SECONDS here
stage() {
  local spec=$1 run=out/$2 minutes=$3 limit pid t
  limit=$(($4 + 60))
  $polymax train "$spec" --device cuda --out "$run" --minutes "$minutes" --parallel $parallel --seed "$seed" \
    --search "descent(share=$share,width=$width,ends=0.5,opening=$opening,weak=$weak)" --journal-every 5 --checkpoint-every 60 "${@:5}" >>"out/logs/$2.log" 2>&1 &
  pid=$!
  for ((t = 0; t < limit; ++t)); do
    kill -0 $pid 2>/dev/null || break
    sleep 1
  done
  kill -9 $pid 2>/dev/null && echo "[$SECONDS s] $2 does not end"
  wait $pid 2>/dev/null
  echo "[$SECONDS s] $spec, to $minutes minutes"
  tail -n 1 "out/logs/$2.log" | cut -c1-300
}

# fresh GAME RUN SECONDS, further GAME RUN SECONDS FILE: leave the run in out/RUN
fresh() {
  local from=() step=0 spec parts=(0.125 0.2) end
  learn+=,rate=5e-5
  for spec in "${smaller[@]}"; do
    rm -rf "out/$2-$step"
    stage "$spec" "$2-$step" "$(sum "$3/60*${parts[step]}")" "$3" "${from[@]}" --learn "$learn"
    from=(--from "out/$2-$step/compact.pmx")
    step=$((step + 1))
  done
  stage "$1" "$2" "$(sum "$3/60")" "$3" "${from[@]}" --learn "$learn"
}
# The rate of a run falls along a cosine over all its minutes, those of the file included: the first rate is chosen so that
# it stands at 4e-4 where the file ends.
further() {
  local had first
  had=$(minutes_of "$4")
  first=$(python3 -c "import math; s = $had / ($had + $3 / 60); print('%.4g' % min(1, 1e-5 + (4e-4 - 1e-5) / ((1 + math.cos(math.pi * s)) / 2)))")
  stage "$1" "$2" "$(sum "$had+$3/60")" "$3" --from "$4" --net moves=on --learn "$learn,first_rate=$first,rate=1e-5"
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
  rm -rf "out/$run"
  if [ -e "$file" ]; then
    before=$file
    settings "$game" further
    further "$game" "$run" "$seconds" "$file"
  else
    before=nets/$game/default.safetensors
    settings "$game" fresh
    fresh "$game" "$run" "$seconds"
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
