#!/usr/bin/env bash
# The recipes of docs/ for real: takes the file from the page, drops it into a scratch copy of the tree, builds, and looks for
# the new thing in list, perft, play, bench and tests. To be quick the copy keeps few other games.
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

cp -r "$source"/{CMakeLists.txt,cmake,src,tests} "$scratch"
cd "$scratch"
keep='tictactoe|hex3'
for file in src/games/*.hpp tests/games/*_test.cpp; do
  [[ $(basename "$file") =~ ^($keep)(_test)?\.(hpp|cpp)$ ]] || rm "$file"
done
rm -f tests/games/hex3_test.cpp

# block PAGE: the first C++ block of a page
block() { sed -n '/^```cpp$/,/^```$/p' "$source/docs/$1" | sed '1d;$d'; }
block add-a-game.md >src/games/pile.hpp
[ ! -e "$source/docs/add-a-search.md" ] || block add-a-search.md >src/search/cautious.hpp

export CCACHE_BASEDIR=$scratch
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug >configure.log 2>&1 || { cat configure.log; fail "configure"; }
ninja -C build polymax_cli tests_games >build.log 2>&1 || { cat build.log; fail "build"; }
polymax=build/polymax

$polymax list games | grep -q '^  pile ' || fail "pile is not in the list"
[ "$($polymax perft pile 3 | tr '\n' ' ')" = "1 3 2 9 3 27 " ] || fail "perft pile"
$polymax play pile --players random | grep -q 'game over after' || fail "play pile"
$polymax bench games pile --seconds 0.01 --json | grep -q '"game":"pile"' || fail "bench pile"
refused=$($polymax perft 'pile(counters=27)' 1 2>&1 || true)
[[ $refused == *'counters takes a whole number from 1 to 26'* ]] || fail "options of pile"
build/tests/tests_games --gtest_filter='pile.*' | grep -q 'PASSED  \] [1-9]' || fail "uniform tests of pile"

if [ -e src/search/cautious.hpp ]; then
  $polymax list searches | grep -q '^  cautious ' || fail "cautious is not in the list"
  $polymax play hex3 --players cautious --budget evals=50 | grep -q 'game over after' || fail "play with cautious"
  $polymax bench signature --verbose | grep -q '^pile *cautious ' || fail "signature of pile and cautious"
fi
echo "one new file is enough"
