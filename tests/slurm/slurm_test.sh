#!/usr/bin/env bash
# A study on a Slurm of its own: one node, everything in a temporary folder, gone at the end. The array of shards is disturbed in
# every way that a cluster does it (a process killed, USR1 before the time limit, the node lost), and its merged records and
# report must be those of a single process, byte for byte.
#   slurm_test.sh REPOSITORY PROGRAM        skipped (code 77) where not root
set -euo pipefail
root=$1 program=$(readlink -f "$2")
say() { echo "slurm_test: $*"; }
die() { say "FAILED: $*"; show_logs; exit 1; }

[ "$(id -u)" = 0 ] || { say "skipped: a private Slurm needs root"; exit 77; }
for tool in munged slurmctld slurmd sbatch; do
  command -v "$tool" >/dev/null || PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null ||
    { say "FAILED: no $tool (Debian: munge slurmctld slurmd slurm-client; ./test installs them)"; exit 1; }
done
export PATH=$PATH:/usr/sbin

work=$(mktemp -d /tmp/polymax-slurm.XXXXXX)
chmod 755 "$work"
daemons=()

# Processes of jobs of this Slurm: every slurmstepd first, then the batch scripts and what they run.
job_processes() {
  local pid words parent steps="" others=""
  for pid in $(cd /proc && echo [0-9]*); do
    words=$({ tr '\0' '\n' <"/proc/$pid/environ"; } 2>/dev/null) || continue
    grep -q "^SLURM_CONF=$work/" <<<"$words" && grep -q '^SLURM_JOB_ID=' <<<"$words" || continue
    others+=" $pid"
    parent=$(awk '{print $4}' "/proc/$pid/stat" 2>/dev/null) || continue
    case $(readlink "/proc/$parent/exe" 2>/dev/null) in */slurmstepd*) steps+=" $parent" ;; esac
  done
  echo $steps $others
}

finish() {
  local pid
  for pid in $(job_processes) "${daemons[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
trap "exit 1" INT TERM HUP

show_logs() {
  local file
  for file in "$work"/array/logs/*.log "$work"/slurmctld.log "$work"/slurmd.log "$work"/munged.log; do
    [ -f "$file" ] && { echo "--- $file"; tail -n 25 "$file"; } || true
  done
}

# until_true SECONDS WHAT COMMAND...
until_true() {
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $limit ] || die "waited too long for $what"
    sleep 0.2
  done
}

start_slurmd() {
  slurmd -D -N "$node" "$@" >>"$work/slurmd.out" 2>&1 &
  slurmd_pid=$!
  daemons+=($!)
  disown "$!"   # its end is no news
}

start_slurm() {
  local port=$((16384 + $$ % 8000 * 2))
  node=$(uname -n)
  node=${node%%.*}
  mkdir -p "$work/munge" "$work/state" "$work/spool"
  head -c 1024 /dev/urandom >"$work/munge/key"
  chmod 400 "$work/munge/key"
  cat >"$work/slurm.conf" <<CONF
ClusterName=polymax
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=5
MessageTimeout=2
BatchStartTimeout=2
JobRequeue=1
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 RealMemory=100 State=UNKNOWN
PartitionName=test Nodes=$node Default=YES MaxTime=60 State=UP
CONF
  export SLURM_CONF=$work/slurm.conf
  munged --foreground --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munged.log" --seed-file="$work/munge/seed" >"$work/munged.out" 2>&1 &
  daemons+=($!)
  until_true 20 "munged" test -S "$work/munge/socket"
  slurmctld -D -c >"$work/slurmctld.out" 2>&1 &
  daemons+=($!)
  start_slurmd
  until_true 60 "the node" node_is_idle
}

node_is_idle() { timeout 5 sinfo -h -o %T 2>/dev/null | grep -q '^idle'; }
matches_done() { "$program" study status "$work/array" --json 2>/dev/null | sed -n 's/.*"done":\([0-9]*\).*/\1/p'; }
at_least() { local now; now=$(matches_done); [ "${now:-0}" -ge "$1" ]; }
logged() { grep -qs -e "$1" "$work"/array/logs/*.log; }
state_of() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | head -1; }
merge_ended() { case $(state_of "$merge") in COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL) return 0 ;; esac; return 1; }
running_task() { squeue -h -r -t RUNNING -j "$array" -o %i 2>/dev/null | head -1; }
task_runs() { [ -n "$(running_task)" ]; }
players_of_jobs() {
  local pid
  for pid in $(job_processes); do
    [ "$(readlink "/proc/$pid/exe" 2>/dev/null)" = "$program" ] && echo "$pid"
  done || true
}
player_runs() { [ -n "$(players_of_jobs)" ]; }

mkdir "$work/single" "$work/array"
cp "$root/tests/slurm/study.json" "$work/single/"
cp "$root/tests/slurm/study.json" "$work/array/"
start_slurm
say "slurm runs on ${SLURM_CONF}"

submitted=$(POLYMAX=$program "$root/studies/slurm/submit" "$work/array" 4 --cpus-per-task=1 --time=00:20:00)
say "$submitted"
array=$(sed -n 's/^array \([0-9]*\).*/\1/p' <<<"$submitted")
merge=$(sed -n 's/.*merge \([0-9]*\).*/\1/p' <<<"$submitted")

until_true 60 "the first matches" at_least 10
until_true 60 "a player" player_runs
kill -9 "$(players_of_jobs | head -n 1)"
until_true 60 "the killed task to queue itself again" logged "polymax was killed: back into the queue"
say "killed a process at $(matches_done) matches: its task is queued again"

until_true 60 "a running task" task_runs
task=$(running_task)
until_true 60 "a player" player_runs
sleep 1
scancel --batch --signal=USR1 "$task"
until_true 60 "the task that had USR1 to queue itself again" logged "time is up: back into the queue"
say "USR1 to task $task at $(matches_done) matches: queued again"

until_true 90 "a running task" task_runs
until_true 60 "a player" player_runs
before=$(matches_done)
lost=$(job_processes)
kill -9 "$slurmd_pid" $lost 2>/dev/null || true   # the daemons first: nobody is left to tell how the tasks ended
lost_at=$SECONDS

single_begins=$SECONDS
"$program" study run "$work/single" --threads 1 >/dev/null 2>&1
"$program" study merge "$work/single" >/dev/null
"$program" study report "$work/single" >/dev/null 2>&1
say "a single process took $((SECONDS - single_begins)) s"

# Slurm allows MessageTimeout and some seconds for clocks before it believes that a task is older than its node's start.
while [ $((SECONDS - lost_at)) -lt 12 ]; do sleep 0.5; done
start_slurmd -b   # the node comes back as after a restart of the machine
until_true 90 "the lost node's tasks to be queued again" grep -qs -e 'missing from batch node.*Requeuing' "$work/slurmctld.log"
say "lost the node at $before matches: its tasks are queued again"

until_true 400 "the merge job" merge_ended
[ "$(state_of "$merge")" = COMPLETED ] || die "the merge job ended as $(state_of "$merge")"

"$program" study records "$work/single" >"$work/single.records"
"$program" study records "$work/array" >"$work/array.records"
cmp "$work/single.records" "$work/array.records" || die "records differ from the single process"
for file in report.html report.md report.tex report.csv report.json; do
  cmp "$work/single/report/$file" "$work/array/report/$file" || die "$file differs from the single process"
done
[ -s "$work/array/study.sqlite" ] || die "no study.sqlite"
say "passed: $(wc -l <"$work/array.records") matches, records and reports equal to the single process"
