#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: what the second head learns in a while, and what it costs.
#   bench/gpu_moves.sh OUT [GAME:FROM:MOVES:SECONDS]...
# Builds (build/gpu, kept for the next call), runs the tests of networks on the GPU and the bench lines of the second head, then learns
# each GAME for SECONDS: FROM fresh or shipped (nets/GAME, constant rate), MOVES on or off
# (off is refused where the shipped network has a second head). OUT/logs.tar.gz holds the logs;
# printed: the prior's recall, the loss and the values' error of each run. TESTS=0 leaves tests and bench lines out.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
mkdir -p "$out" out/logs
. bench/gpu_build.sh
polymax=build/gpu/polymax

gpu_build out/logs polymax_cli polymax_torch tests_nn
echo "[$SECONDS s] built"
if [ "${TESTS:-1}" = 1 ]; then
  build/gpu/tests/tests_nn --gtest_filter='torch_engine*:trainer*' >out/logs/tests.log 2>&1 ||
    { tail -n 40 out/logs/tests.log; exit 1; }
  echo "[$SECONDS s] tests of networks passed"
  grep -E 'PASSED|SKIPPED' out/logs/tests.log | tail -n 12
  for game in blokus quadrothello; do
    for moves in 0 200 0 200; do
      timeout 40 $polymax bench nets --game $game --device cuda --batch 2048 --seconds 2 --json $([ $moves -gt 0 ] && echo "--moves $moves") | tee -a out/logs/bench.jsonl |
        python3 -c 'import json,sys; r=json.load(sys.stdin); print(r["game"], "moves", r["moves"], "batched", round(r["positions_per_second"]))'
    done
  done
  echo "[$SECONDS s] benches"
fi

# learn NAME GAME FROM MOVES SECONDS
learn() {
  local share=0.1 width=0 parallel=256 settings=memory=750,batch=1000,pace=200,rate=5e-5 from=() minutes
  case $2 in
    blokus) share=0.2 width=16 parallel=192 ;;
    teamhex | quadamazons) width=16 parallel=192 ;;
  esac
  minutes=$(python3 -c "print($5/60)")
  if [ "$3" = shipped ]; then
    from=(--from "nets/$2/default.safetensors")
    minutes=$(python3 -c "print($(python3 - "nets/$2/default.safetensors" <<'PY'
import json, struct, sys
data = open(sys.argv[1], 'rb').read()
size = struct.unpack('<Q', data[:8])[0]
print(60 * float(json.loads(data[8:8 + size])['__metadata__']['training.hours']))
PY
)+$5/60)")
    settings=memory=750,batch=1000,pace=200,schedule=constant,rate=3e-4
  fi
  rm -rf "out/$1"
  timeout $(($5 + 60)) $polymax train "$2" --device cuda --out "out/$1" "${from[@]}" --net "moves=$4" --minutes "$minutes" --parallel $parallel --seed 1 \
    --search "descent(share=$share,width=$width,ends=0.5,opening=2)" --learn "$settings" --journal-every 5 --checkpoint-every 600 >"out/logs/$1.log" 2>&1
  echo "[$SECONDS s] $1: exit $?"
  tail -n 2 "out/logs/$1.log" | cut -c1-300
  cp "out/$1/log.jsonl" "out/logs/$1.jsonl"
  $polymax train report "out/$1" --no-matches | head -n 3
  python3 - "out/$1/log.jsonl" <<'PY'
import json, sys
lines = [json.loads(x) for x in open(sys.argv[1])]
tail = [x for x in lines if x['matches'] > 0][-max(1, len(lines) // 5):]
mean = lambda xs: sum(xs) / max(1, len(xs))
losses = [x['loss'] for x in tail if x['loss'] is not None]
print('  last fifth: loss %.4f, values off by %s points by tenths of the match, %.0f positions/s, %.0f steps/s' % (
    mean(losses), ' '.join('%.2f' % mean([x['calibration'][t] for x in tail if x['calibration'][t] is not None]) for t in range(10)),
    mean([x['positions_per_second'] for x in tail]), mean([x['steps_per_second'] for x in tail])))
PY
}

for stage in "$@"; do
  IFS=: read -r game from moves seconds <<<"$stage"
  learn "$game-$from-$moves" "$game" "$from" "$moves" "$seconds"
  tar czf "$out/logs.tar.gz" -C out logs
done
