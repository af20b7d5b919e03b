#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: checks and measures many networks on one GPU. Results go to the folder given
# (default out/gpu). PREBUILT: a folder with polymax and tests_nn of another machine; only the torch module is built then.
# Every part has a limit of its own; the study, a shard of all games with eighty networks played to its end, is the
# longest (SHARD, default 0/150; SECONDS_OF_STUDY at most, default 330); its matches come back in study.tar.xz.
set -uo pipefail
cd "$(dirname "$0")/.."
out=${1:-out/gpu}
mkdir -p "$out"
. bench/gpu_build.sh
if [ -n "${PREBUILT:-}" ]; then
  gpu_build "$out" polymax_torch
  cp "$PREBUILT"/* build/gpu/
  polymax=build/gpu/polymax tests=build/gpu/tests_nn
else
  gpu_build "$out" polymax_cli polymax_torch tests_nn
  polymax=build/gpu/polymax tests=build/gpu/tests/tests_nn
fi
part() { # part NAME LIMIT COMMAND...
  local name=$1 limit=$2
  shift 2
  echo "== $name ($SECONDS s so far)"
  timeout "$limit" "$@" 2>"$out/$name.err" | tee -a "$out/results.txt"
  [ ! -s "$out/$name.err" ] || tail -n 5 "$out/$name.err"
}
nvidia-smi --query-gpu=name,driver_version,memory.used --format=csv,noheader
[ -n "${SKIP_TESTS:-}" ] || part tests 90 $tests --gtest_brief=1 --gtest_filter='torch_engine.*:service.*:trainer.*'
[ -n "${SKIP_NETS:-}" ] || {
  part nets 40 $polymax bench nets --device cuda --channels 64 --batch 2048,4096 --callers 512 --seconds 1 --json
  part nets166 40 $polymax bench nets --device cuda --channels 166 --batch 2048 --callers 512 --seconds 1 --json
  part fixed 30 $polymax bench nets --device cuda --channels 64 --batch 512 --callers 512 --seconds 1 --fixed --json
}
# Values that do not depend on the batch: two processes, one match at a time and 64, must write the same matches.
fixed='network(engine=torch,device=cuda,batch=fixed)'
for threads in 1 64; do
  [ -n "${SKIP_FIXED:-}" ] || part "fixed_$threads" 60 $polymax match quadrothello --players "greedy(eval=$fixed);unbounded_maxn(eval=$fixed)" \
    --against --games 2 --opening 40 --budget evals=60 --threads $threads --seed 1 --records "$out/fixed_$threads.jsonl" >/dev/null
done
[ -n "${SKIP_FIXED:-}" ] || python3 - "$out"/fixed_1.jsonl "$out"/fixed_64.jsonl <<'PY'
import json, sys
def matches(path):
    rows = [json.loads(line) for line in open(path)]
    for row in rows: row.pop('time', None)
    return sorted(json.dumps(row, sort_keys=True) for row in rows)
one, many = map(matches, sys.argv[1:])
print('batch=fixed:', len(one), 'matches,', 'the same' if one == many and one else 'DIFFERENT')
PY
for game in ${SELFPLAY-quadrothello blokus fish triinversion}; do
  part "selfplay_$game" 40 $polymax bench selfplay --game "$game" --device cuda --parallel "${PARALLEL:-512}" --settle 2 --seconds 4 --json
done
study=${SECONDS_OF_STUDY:-330}
rm -rf out/bench-study
nvidia-smi --query-gpu=memory.used,utilization.gpu,power.draw --format=csv,noheader -l 5 >"$out/memory.txt" &
watch=$!
part study $((study + 60)) $polymax bench study --networks 10 --shard "${SHARD:-0/150}" --seconds "$study" --keep out/bench-study --json
kill $watch
echo "most memory used: $(sort -n "$out/memory.txt" | tail -n 1)"
tar c -C out/bench-study/study study.json shards | xz -T0 >"$out/study.tar.xz"
