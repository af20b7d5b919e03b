#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: plays studies/priors, then as many repetitions of studies/priors-2000 as fit.
#   bench/gpu_priors.sh OUT SECONDS      SECONDS: of all, the build included
# OUT/NAME.jsonl.xz are the shards, OUT/NAME.md the reports.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1 end=$2
mkdir -p "$out" out/logs
. bench/gpu_build.sh
polymax=build/gpu/polymax
gpu_build out/logs polymax_cli polymax_torch
echo "[$SECONDS s] built"
play() { # play NAME SECONDS
  timeout -s TERM "$2" $polymax study run "studies/$1" >"out/logs/$1.log" 2>&1
  tail -n 2 "out/logs/$1.log" | tr '\r' '\n' | tail -n 2
  echo "[$SECONDS s] $1"
  xz -T0 -c "studies/$1"/shards/*.jsonl >"$out/$1.jsonl.xz"
}
begin=$SECONDS
play priors $(((end - SECONDS) * 6 / 10))
repetitions=$(((end - SECONDS) * 8 * 17 / 20 / 4 / (SECONDS - begin + 1)))
[ $repetitions -lt 8 ] || repetitions=8
[ $repetitions -gt 1 ] || repetitions=1
sed -i "s/\"repetitions\": [0-9]*/\"repetitions\": $repetitions/" studies/priors-2000/study.json
echo "$repetitions repetitions of priors-2000"
play priors-2000 $((end - SECONDS - 12))
for name in priors priors-2000; do
  $polymax study report "studies/$name" >/dev/null 2>"out/logs/$name.err" || tail -n 2 "out/logs/$name.err"
  cp "studies/$name/report/report.md" "$out/$name.md"
done
