# Sourced by the scripts that make networks: how a network of each game is learned, as far as is known what helps
# (nets/README.md, docs/results).

# recipe GAME cpu|cuda: sets search, learn and parallel, the last two empty where `polymax train` knows better, and smaller:
# sizes of the game to begin with.
recipe() {
  local share=0.1 more=
  smaller=() learn= parallel=
  case $1 in
    blokus) share=0.2 more=,width=16 ;;
    teamhex) smaller=("teamhex(n=8)" "teamhex(n=12)") ;;
    threehex) learn=warm_up=0.7,playouts=2 ;;
    hex3) smaller=("hex3(side=4)" "hex3(side=5)") more=,weak=0.2 ;;
  esac
  search="descent(share=$share,ends=0.5,opening=2$more)"
  [ "$2" = cuda ] || return 0
  learn=memory=750,batch=1000,pace=200${learn:+,$learn}
  case $1 in blokus | teamhex) parallel=192 ;; *) parallel=256 ;; esac
}

calculate() { LC_ALL=C awk "BEGIN { printf \"%.6g\", $1 }"; }

# stages GAME RUN MINUTES: calls train_stage SPEC RUN MINUTES OPTION... of the script for the smaller sizes of the recipe and
# for the game itself; minutes count from the beginning of the first: an eighth of them for the first smaller size, up to
# a fifth for the second. The last run is RUN.
stages() {
  local game=$1 run=$2 minutes=$3 from=() step spec parts=(0.125 0.2)
  for step in "${!smaller[@]}"; do
    train_stage "${smaller[step]}" "$run-$step" "$(calculate "$minutes*${parts[step]}")" "${from[@]}"
    from=(--from "$run-$step/compact.pmx")
  done
  train_stage "$game" "$run" "$minutes" "${from[@]}"
}
