#!/usr/bin/env bash
# Learning as an array on a private Slurm (private_slurm.sh): studies/slurm/train.sbatch with a trainer and two workers. It
# is cancelled and submitted again; then a worker is killed, and the trainer gets USR1 as before its time limit: both queue
# themselves again. The trainer comes back after the worker, so that the worker plays again whatever the machine does
# meanwhile. In the end the trainer has all its matches, the workers have been told, and the network is whole.
#   train_slurm_test.sh REPOSITORY PROGRAM        skipped (code 77) where not root or without the torch module
set -euo pipefail
root=$1 program=$(readlink -f "$2") me=train_slurm_test
[ -f "$(dirname "$program")/libpolymax_torch.so" ] || { echo "$me: skipped: no torch module, no learning"; exit 77; }
. "$root/tests/slurm/private_slurm.sh"

# Batches of two samples make some dozens of steps for a match: the trainer, not the workers, sets the pace.
goal=150
folder=$work/x run=$work/x/run

log_of() { echo "$work/logs/${array}_$1.log"; }
task_logged() { grep -qs -e "$2" "$(log_of "$1")"; }
matches_of_trainer() { sed -n 's/.*net.safetensors: \([0-9]*\) matches.*/\1/p' "$(log_of 0)" | tail -n 1; }
array_ended() { local left; left=$(timeout 5 squeue -h -j "$array" -o %T 2>/dev/null) && [ -z "$left" ]; }
wants() { task_logged "$1" "$2" || die "the log of task $1 has no '$2'"; }

# The array with its number in $array, when all three have begun their work; the trainer is held.
submit() {
  array=$(POLYMAX=$program POLYMAX_SELFPLAY="--device cpu --unread 8" sbatch --parsable --array=0-2 --cpus-per-task=1 \
    --time=00:20:00 --output="$work/logs/%A_%a.log" "$root/studies/slurm/train.sbatch" "$folder" tictactoe --device cpu \
    --net channels=4,blocks=0 --budget evals=20 --learn batch=2 --journal-every 0.2 --matches $goal)
  say "array $array: a trainer and two workers"
  until_true 60 "the trainer's steps" task_logged 0 "^matches .* loss [0-9]"
  until_true 10 "the trainer" hold "train tictactoe"
  until_true 60 "the first worker" task_logged 1 "worker 0/2, start .*, plays tictactoe"
  until_true 60 "the second worker" task_logged 2 "worker 1/2, start .*, plays tictactoe"
}

start_slurm 3
submit
scancel "$array"
let_go
until_true 60 "the end of the cancelled array" array_ended
for task in 0 1 2; do
  [ "$(state_of "${array}_$task")" = CANCELLED ] || die "cancelled task $task ended as $(state_of "${array}_$task")"
  wants $task ": ended with code 75"
done
ls "$run"/checkpoint-*.pmx >/dev/null 2>&1 || die "the cancelled trainer wrote no checkpoint"
cancelled=$(matches_of_trainer)
say "cancelled at $cancelled of $goal matches: a checkpoint is there"

submit
wants 0 "trainer: on .*, start 1: .* --resume"
kill -9 "$(players_of_jobs "--worker 1/2" | head -n 1)"
until_true 60 "the killed worker to queue itself again" task_logged 2 "worker 1/2: polymax was killed: back into the queue"
scancel --batch --signal=USR1 "${array}_0"
until_true 60 "USR1 to reach the trainer" usr1_waits
let_go
until_true 60 "the trainer that had USR1 to queue itself again" task_logged 0 "trainer: time is up: back into the queue"
[ ! -e "$folder/over" ] || die "the trainer goes on, but tells the workers that all is over"
before=$(matches_of_trainer)
[ "$before" -ge "$cancelled" ] || die "the trainer went back from $cancelled to $before matches"
[ "$before" -lt "$goal" ] || die "the trainer had all its matches before it was disturbed"
say "killed a worker, stopped the trainer at $before of $goal matches: both are queued again"

until_true 200 "the array's end" array_ended
for task in 0 1 2; do
  [ "$(state_of "${array}_$task")" = COMPLETED ] || die "task $task ended as $(state_of "${array}_$task")"
done
wants 0 "trainer: on .*, start 2: .* --resume"
wants 0 "run/net.safetensors: $goal matches"
wants 0 "trainer: done"
wants 1 "worker 0/2: [0-9]* matches, .*; the training is over"
wants 2 "worker 1/2, start 3, plays tictactoe"
wants 2 "worker 1/2: [0-9]* matches, .*; the training is over"
grep -qs "the trainer has all the lessons it wanted" "$folder/over" || die "the trainer did not write 'over'"
for worker in 0 1; do
  grep -q '"alive":false' "$folder/lessons/$worker-of-2/worker.json" || die "worker $worker did not take its leave"
done
[ -z "$(players_of_jobs)" ] || die "a process of the array still runs"
"$program" net check "$run/net.safetensors" >"$work/check" 2>&1 || die "net check: $(cat "$work/check")"
say "passed: the trainer has $goal matches, the workers have ended, the network is whole"
