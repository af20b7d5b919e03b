#!/usr/bin/env bash
# A study on a private Slurm (private_slurm.sh). The array of shards is disturbed in every way that a cluster does it (a
# process killed, USR1 before the time limit, the node lost), and its merged records and report must be those of a single
# process, byte for byte.
# The short form plays a study of its own (study.json beside, 504 matches). The long one (POLYMAX_LONG_TESTS, ./test --long)
# plays the quick study, whose 6,372 matches take 200 to 250 s on two busy cores: they are played twice.
#   slurm_test.sh REPOSITORY PROGRAM        skipped (code 77) where not root
set -euo pipefail
root=$1 program=$(readlink -f "$2") me=slurm_test
. "$root/tests/slurm/private_slurm.sh"

matches_done() { "$program" study status "$work/array" --json 2>/dev/null | sed -n 's/.*"done":\([0-9]*\).*/\1/p'; }
at_least() { local now; now=$(matches_done); [ "${now:-0}" -ge "$1" ]; }
two_players() {
  mapfile -t players < <(players_of_jobs)
  [ ${#players[@]} -ge 2 ] && stop "${players[0]}" && stop "${players[1]}"
}
hold_another() { held=$(players_of_jobs | grep -vx -m1 "${players[1]}") && stop "$held"; }
merge_ended() { case $(state_of "$merge") in COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL) return 0 ;; esac; return 1; }

# Which shard a task plays: arrays begin anywhere; with POLYMAX_SHARDS they are parts of one whole.
shard_of() {
  SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_MIN=$2 SLURM_ARRAY_TASK_COUNT=$3 POLYMAX_SHARDS=${4:-} POLYMAX=echo \
    bash "$root/studies/slurm/study.sbatch" a_study | sed -n 's/.*study run a_study --shard \([^ ]*\).*/\1/p'
}
[ "$(shard_of 3 1 4)" = 2/4 ] || die "task 3 of --array=1-4 plays $(shard_of 3 1 4)"
[ "$(shard_of 501 500 500 1000)" = 501/1000 ] || die "task 501 of 1000 shards plays $(shard_of 501 500 500 1000)"

mkdir -p "$work/single/array" "$work/array"   # one name: reports tell the name of the folder
study=$root/tests/slurm/study.json
[ -z "${POLYMAX_LONG_TESTS:-}" ] || study=$root/studies/quick/study.json
cp "$study" "$work/single/array/"
cp "$study" "$work/array/"
ln -s "$work/logs" "$work/array/logs"   # where submit wants them
start_slurm 2

submitted=$(POLYMAX=$program "$root/studies/slurm/submit" "$work/array" 4 --cpus-per-task=1 --time=00:20:00)
say "$submitted"
array=$(sed -n 's/^array \([0-9]*\).*/\1/p' <<<"$submitted")
merge=$(sed -n 's/.*merge \([0-9]*\).*/\1/p' <<<"$submitted")

# Two shards run at once. Both are stopped and go on for moments until there are some matches, so that each has most of its
# own still to play when it is disturbed: the first is killed now, the second stays stopped until the node is lost.
until_true 60 "two players" two_players
until at_least 10; do
  kill -CONT "${players[@]}"
  sleep 0.2
  stop "${players[0]}" && stop "${players[1]}" || die "a shard ended at $(matches_done) matches"
done
kill -9 "${players[0]}"
until_true 60 "the killed task to queue itself again" logged "polymax was killed: back into the queue"
say "killed a process at $(matches_done) matches: its task is queued again"

until_true 60 "another player" hold_another
task=$(task_of_held)
scancel --batch --signal=USR1 "$task"
until_true 60 "USR1 to reach the player" usr1_waits
let_go
until_true 60 "the task that had USR1 to queue itself again" logged "time is up: back into the queue"
say "USR1 to task $task at $(matches_done) matches: queued again"

before=$(matches_done)
lost=$(job_processes)
kill -9 "$slurmd_pid" $lost 2>/dev/null || true   # the daemons first: nobody is left to tell how the tasks ended
lost_at=$SECONDS

single_begins=$SECONDS
"$program" study run "$work/single/array" --threads 1 >/dev/null 2>&1
"$program" study merge "$work/single/array" >/dev/null
"$program" study report "$work/single/array" >/dev/null 2>&1
say "a single process took $((SECONDS - single_begins)) s"

# Slurm allows MessageTimeout and some seconds for clocks before it believes that a task is older than its node's start.
while [ $((SECONDS - lost_at)) -lt 12 ]; do sleep 0.5; done
start_slurmd -b   # the node comes back as after a restart of the machine
until_true 90 "the lost node's tasks to be queued again" grep -qs -e 'missing from batch node.*Requeuing' "$work/slurmctld.log"
say "lost the node at $before matches: its tasks are queued again"

until_true 400 "the merge job" merge_ended
[ "$(state_of "$merge")" = COMPLETED ] || die "the merge job ended as $(state_of "$merge")"

"$program" study records "$work/single/array" >"$work/single.records"
"$program" study records "$work/array" >"$work/array.records"
cmp "$work/single.records" "$work/array.records" || die "records differ from the single process"
for file in report.html report.md report.tex report.csv report.json; do
  cmp "$work/single/array/report/$file" "$work/array/report/$file" || die "$file differs from the single process"
done
[ -s "$work/array/study.sqlite" ] || die "no study.sqlite"
say "passed: $(wc -l <"$work/array.records") matches, records and reports equal to the single process"
