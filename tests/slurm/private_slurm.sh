# A Slurm of one's own for a test: one node, everything in a temporary folder, nothing left at the end. Sourced by the
# tests beside it, after they have set
#   me        the test's name, for messages
#   program   the polymax of the jobs, as an absolute path
# It makes the folder $work (logs of jobs belong into $work/logs) and takes it away when the test ends, with every process
# of this Slurm. start_slurm CPUS starts it; slurmd_pid is the node, start_slurmd brings it back after it was killed.
# Skips the test (code 77) where not root.

say() { echo "$me: $*"; }
die() { say "FAILED: $*"; show_logs; exit 1; }

[ "$(id -u)" = 0 ] || { say "skipped: a private Slurm needs root"; exit 77; }
export PATH=$PATH:/usr/sbin
for tool in munged slurmctld slurmd sbatch; do
  command -v "$tool" >/dev/null ||
    { say "FAILED: no $tool (Debian: munge slurmctld slurmd slurm-client; ./test installs them)"; exit 1; }
done

work=$(mktemp -d /tmp/polymax-slurm.XXXXXX)
chmod 755 "$work"
mkdir "$work/logs"

# Everything that was started with this Slurm's settings: daemons, jobs, and what the jobs run. As /proc/PID/environ.
environments() { (unset SLURM_CONF; grep -lzs -e "^SLURM_CONF=$work/" /proc/[0-9]*/environ || true); }

# Processes of jobs: every slurmstepd first, then the batch scripts and what they run.
job_processes() {
  local file pid parent steps="" others=""
  for file in $(environments); do
    grep -qzs -e '^SLURM_JOB_ID=' "$file" || continue
    pid=${file//[!0-9]/}
    others+=" $pid"
    parent=$(awk '{print $4}' "/proc/$pid/stat" 2>/dev/null) || continue
    case $(readlink "/proc/$parent/exe" 2>/dev/null) in */slurmstepd*) steps+=" $parent" ;; esac
  done
  echo $steps $others
}

# The polymax processes of jobs; with a text, those that have it in their command line.
players_of_jobs() {
  local pid
  for pid in $(job_processes); do
    [ "$(readlink "/proc/$pid/exe" 2>/dev/null)" = "$program" ] || continue
    { tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null | grep -q -F -e "${1:-}" && echo "$pid"
  done || true
}

# hold [TEXT]: stops a polymax process of a job, as above, with its number in $held: what is done next finds it alive,
# however quick the machine is. let_go lets it go on.
hold() {
  held=$(players_of_jobs "${1:-}" | head -n 1) || true
  [ -n "$held" ] && stop "$held"
}
stop() { # PROCESS; fails when it has ended
  local state
  kill -STOP "$1" 2>/dev/null || return 1
  for _ in $(seq 50); do
    state=$(awk '{print $3}' "/proc/$1/stat" 2>/dev/null) || return 1
    case $state in T) return 0 ;; Z) return 1 ;; esac
    sleep 0.02
  done
  return 1
}
let_go() { kill -CONT "$held" 2>/dev/null || true; }
usr1_waits() { # for the held process
  local waiting
  waiting=$(sed -n 's/^ShdPnd:\t//p' "/proc/$held/status") && [ $((16#$waiting & 0x200)) != 0 ]
}
task_of_held() { # JOB_TASK of its array
  local job task
  job=$(sed -zn 's/^SLURM_ARRAY_JOB_ID=//p' "/proc/$held/environ" | tr -d '\0')
  task=$(sed -zn 's/^SLURM_ARRAY_TASK_ID=//p' "/proc/$held/environ" | tr -d '\0')
  echo "${job}_$task"
}

finish() {
  local file left
  for _ in $(seq 100); do   # a daemon may start a process while another is killed
    left=$(environments)
    [ -n "$left" ] || break
    for file in $left; do kill -9 "${file//[!0-9]/}" 2>/dev/null || true; done
    sleep 0.1
  done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
trap "exit 1" INT TERM HUP

show_logs() {
  local file
  for file in "$work"/logs/*.log "$work"/slurmctld.log "$work"/slurmd.log "$work"/munged.log; do
    [ -f "$file" ] && { echo "--- $file"; tail -n 25 "$file"; } || true
  done
}

# until_true SECONDS WHAT COMMAND...: the seconds are those of a machine of today; a slower one has POLYMAX_PATIENCE times as
# many.
until_true() {
  local limit=$((SECONDS + $1 * ${POLYMAX_PATIENCE:-10})) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $limit ] || die "waited too long for $what"
    sleep 0.2
  done
}

logged() { grep -qs -e "$1" "$work"/logs/*.log; }
node_is_idle() { timeout 5 sinfo -h -o %T 2>/dev/null | grep -q '^idle'; }
state_of() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | head -1; }

# in_background OUTPUT COMMAND...: its end is no news.
in_background() {
  local output=$1
  shift
  "$@" >>"$output" 2>&1 &
  disown "$!"
}

start_slurmd() {
  in_background "$work/slurmd.out" slurmd -D -N "$node" "$@"
  slurmd_pid=$!
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
KillWait=20
MessageTimeout=2
BatchStartTimeout=2
JobRequeue=1
SchedulerParameters=sched_interval=2,bf_interval=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$1 RealMemory=100 State=UNKNOWN
PartitionName=test Nodes=$node Default=YES MaxTime=60 State=UP
CONF
  export SLURM_CONF=$work/slurm.conf
  in_background "$work/munged.out" munged --foreground --key-file="$work/munge/key" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --log-file="$work/munged.log" --seed-file="$work/munge/seed"
  until_true 20 "munged" test -S "$work/munge/socket"
  in_background "$work/slurmctld.out" slurmctld -D -c
  start_slurmd
  until_true 60 "the node" node_is_idle
  say "slurm runs on $SLURM_CONF"
}
