#!/usr/bin/env bash
# On a machine with a CUDA GPU and torch: plays studies one after the other, each for so many seconds at most.
#   bench/gpu_studies.sh OUT NAME:SECONDS...      NAME: a folder of studies/
# OUT/NAME.csv are the results so far (studies/NAME/results.csv: with it the study goes on elsewhere), OUT/NAME.md the report.
# What is in studies/NAME already is not played again.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
mkdir -p "$out" out/logs
. bench/gpu_build.sh
polymax=build/gpu/polymax
gpu_build out/logs polymax_cli polymax_torch
echo "[$SECONDS s] built"
for job in "$@"; do
  name=${job%:*} folder=studies/${job%:*}
  timeout -s TERM "${job#*:}" $polymax study run "$folder" >"out/logs/$name.log" 2>&1
  tail -n 2 "out/logs/$name.log" | tr '\r' '\n' | tail -n 2
  $polymax study publish "$folder" && cp "$folder/results.csv" "$out/$name.csv"
  $polymax study report "$folder" >/dev/null 2>"out/logs/$name.err" || tail -n 2 "out/logs/$name.err"
  cp "$folder/report/report.md" "$out/$name.md"
  echo "[$SECONDS s] $name"
done
