#!/usr/bin/env bash
# The recipes of docs/ for real: takes the file from the page, drops it into a scratch copy of the tree, builds, and looks for
# the new thing in list, perft, play, bench and tests. To be quick the copy keeps few other games, and is built as ./test
# builds, in a folder of the same name: ccache then has whatever does not see games and searches.
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

cp -r "$source"/{CMakeLists.txt,CMakePresets.json,LICENSE,README.md,cmake,python,src,tests,web} "$scratch"
cd "$scratch"
keep='hex3'
for file in src/games/*.hpp tests/games/*_test.cpp; do
  [[ $(basename "$file") =~ ^($keep)(_test)?\.(hpp|cpp)$ ]] || rm "$file"
done
rm -f tests/games/hex3_test.cpp

# block PAGE: the first C++ block of a page
block() { awk '/^```cpp$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$source/docs/$1"; }
block add-a-game.md >src/games/pile.hpp
block add-a-search.md >src/search/cautious.hpp

export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
cmake --preset release >configure.log 2>&1 || { cat configure.log; fail "configure"; }
ninja -C build/release polymax_cli tests_games >build.log 2>&1 || { cat build.log; fail "build"; }
polymax=build/release/polymax

# shows PATTERN COMMAND...: the command ends well and its output has a line that matches
shows() {
  local pattern=$1 output
  shift
  output=$("$@" 2>&1) || fail "'$*' ends with code $?: $output"
  grep -q -- "$pattern" <<<"$output" || fail "'$*' does not show '$pattern': $output"
}
refuses() { ! "${@:2}" >/dev/null 2>&1 && grep -q -- "$1" <<<"$("${@:2}" 2>&1)" || fail "'${*:2}' does not refuse by '$1'"; }

shows '^  pile ' $polymax list games
[ "$($polymax perft pile 3 | tr '\n' ' ')" = "1 3 2 9 3 27 " ] || fail "perft pile"
counts=$(sed -n "s|^echo '\(.*\)' >tests/golden/perft/pile.txt$|\1|p" "$source/docs/add-a-game.md")
read -r game depth count <<<"$counts"
[ "$($polymax perft "$game" "$depth" | tail -n 1)" = "$depth $count" ] || fail "the page's move counts: $counts"
shows 'game over after' $polymax play pile --players random
shows '"game":"pile"' $polymax bench games pile --seconds 0.01 --json
refuses 'counters takes a whole number from 1 to 26' $polymax perft 'pile(counters=27)' 1
shows 'PASSED  \] [1-9]' build/release/tests/tests_games --gtest_filter='pile.*'
shows '^  cautious ' $polymax list searches
shows 'game over after' $polymax play pile --players 'cautious(weight=0.5)'
shows '^best ' $polymax think hex3 --player cautious --budget evals=50
shows '^pile *cautious ' $polymax bench signature --verbose
echo "one new file is enough"
