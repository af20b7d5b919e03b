#!/usr/bin/env bash
# tests/web/run.sh ROOT PROGRAM: types of web/ (tsc) and the page in Debian's Chromium. Installs its npm packages once.
set -euo pipefail
cd "$1"
export POLYMAX_PROGRAM=$2
for tool in node npm chromium; do
  command -v "$tool" >/dev/null || { echo "no $tool here: skipped (./test installs it)"; exit 77; }
done
if [ ! -e tests/web/node_modules/.installed ] || [ tests/web/package-lock.json -nt tests/web/node_modules/.installed ]; then
  (cd tests/web && npm ci --no-audit --no-fund --silent) || { echo "npm ci failed in tests/web"; exit 1; }
  touch tests/web/node_modules/.installed
fi
for file in web/*; do
  [ "$(wc -l <"$file")" -le 300 ] || { echo "$file has more than 300 lines"; exit 1; }
done
tests/web/node_modules/.bin/tsc -p tests/web/tsconfig.json
node --test --test-reporter=dot tests/web/units_test.mjs
# files side by side, each with a server and a browser of its own: most of the time is waiting
node --test --test-concurrency=3 tests/web/matches_test.mjs tests/web/layout_test.mjs tests/web/page_test.mjs
