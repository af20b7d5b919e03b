#!/usr/bin/env bash
# How strong a network is: unbounded_maxn with it at 1,000 evaluations a move, in one seat, against a player in all others; every
# start once from every seat, after four random moves.
#   bench/strength.sh OUT MATCHES GAME[=NETWORK]...       MATCHES: of a pairing, at least; NETWORK: default the shipped one
# Against greedy(eval=estimate), and against mcts at equal time: the seconds of the network's 1,000 evaluations are measured
# first, in one match a seat, with as many matches at once as later, and are the budget of mcts. The machine must be quiet.
# A line of JSON each in OUT (a file), added to what is there. POLYMAX: the program; ENGINE: more settings of `network`, e.g. engine=torch,device=cuda.
set -euo pipefail
cd "$(dirname "$0")/.."
polymax=${POLYMAX:-./polymax}
out=$1 matches=$2
shift 2
for word in "$@"; do
  game=${word%%=*}
  settings=${ENGINE:-}
  case $word in *=*) settings="file=${word#*=}${settings:+,$settings}" ;; esac
  player="unbounded_maxn(eval=network${settings:+($settings)})"
  read -r seats equal < <($polymax match "$game" --players "$player;greedy(eval=estimate)" --against --games 1 --opening 4 --budget evals=1000 --json |
    python3 -c 'import json,sys; r=json.load(sys.stdin); p=r["players"][0]; print(r["planned"], round(1000*p["seconds_per_move"]/p["evaluations_per_move"],4))')
  starts=$(((matches + seats - 1) / seats))
  for other in 'greedy(eval=estimate)|evals=1000' "mcts|seconds=$equal"; do
    echo "$game against ${other%|*}, ${other#*|}" >&2
    $polymax match "$game" --players "$player;${other%|*}" --against --games $starts --opening 4 --budgets "evals=1000;${other#*|}" --seed 1 --json >>"$out"
    tail -n 1 "$out" | python3 -c 'import json,sys; r=json.load(sys.stdin); p=r["players"][0]; print("  {} wins, {} draws, {} losses; score {:.2f} [{:.2f}, {:.2f}]".format(p["wins"],p["draws"],p["losses"],p["score"],*p["interval"]))' >&2
  done
done
