# Shared by the launchers ./polymax and ./test: installs what is missing (Debian packages), configures and builds.
# Expects $root (the repository) and $me (the name for messages).

# Clones in different folders share what was compiled.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$*"; exit 1; }

# need CHECK PACKAGE: CHECK is a command, or a header below an include folder. Missing packages are collected.
missing=()
need() {
  case $1 in
    */*|*.h|*.hpp) [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] || missing+=("$2") ;;
    *) command -v "$1" >/dev/null 2>&1 || missing+=("$2") ;;
  esac
}

need_build_tools() {
  need g++ g++
  need cmake cmake
  need ninja ninja-build
  need ccache ccache
  need flock util-linux
  need nlohmann/json.hpp nlohmann-json3-dev
  need fmt/core.h libfmt-dev
  need sqlite3.h libsqlite3-dev
  need httplib.h libcpp-httplib-dev
}

# For learning and GPUs: libtorch, in a module of its own.
torch_header=torch/csrc/api/include/torch/torch.h
need_torch() {
  need "$torch_header" libtorch-dev
}
# Whether it is there, or will be as soon as what is missing is installed.
has_torch() {
  [[ " ${missing[*]} " = *" libtorch-dev "* ]] || [ -e "/usr/include/$torch_header" ] || [ -e "/usr/local/include/$torch_header" ]
}

# For `polymax python`: the system's Python, with what its module is built with and needs.
need_python() {
  [ -x /usr/bin/python3 ] || missing+=(python3)
  compgen -G '/usr/include/python3*/Python.h' >/dev/null || missing+=(python3-dev)
  need pybind11/pybind11.h pybind11-dev
  /usr/bin/python3 -c 'import numpy' 2>/dev/null || missing+=(python3-numpy)
}

install_missing() {
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  command -v apt-get >/dev/null 2>&1 || die "missing: ${missing[*]}, and there is no apt-get here to install them; please install them"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || die "missing: ${missing[*]}; run as root or install sudo, or: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing with apt: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    die "could not install ${missing[*]}: $(grep -m1 '^E:' "$log" || tail -n 1 "$log") (log: $log)"
  fi
  rm -f "$log"
}

# progress LOG: how far ninja is, as its log tells; nothing for two seconds, then one line, rewritten on a terminal and said
# again every ten seconds elsewhere. Goes on until it is killed.
progress() {
  local began=$SECONDS next=3 now step
  while sleep 0.3 && kill -0 $$ 2>/dev/null; do
    now=$((SECONDS - began))
    [ "$now" -ge "$next" ] || continue
    step=$(grep -ao '^\[[0-9]*/[0-9]*\]' "$1" | tail -n 1) || true
    if [ -t 2 ]; then
      printf '\r%s: building %s %s s\033[K' "$me" "$step" "$now" >&2
      next=$((now + 1))
    else
      say "building $step $now s"
      next=$((now + 10))
    fi
  done
}

# with_progress LOG COMMAND...: runs it with its output in the log. In the foreground, so that an interrupt reaches it.
with_progress() {
  local log=$1 teller status=0
  shift
  : >"$log"
  progress "$log" >/dev/null 9>&- &
  teller=$!
  "$@" >"$log" 2>&1 9>&- || status=$?
  kill "$teller" 2>/dev/null || true
  wait "$teller" 2>/dev/null || true
  [ ! -t 2 ] || printf '\r\033[K' >&2
  return "$status"
}

# may_write FOLDER: the folder, and what a build writes again in it.
may_write() {
  local file
  [ -w "$1" ] || return 1
  for file in .lock .ninja_log .ninja_deps CMakeCache.txt build.ninja build.log configure.log; do
    [ ! -e "$1/$file" ] || [ -w "$1/$file" ] || return 1
  done
}

# home_of FOLDER: the clone that it was configured for.
home_of() {
  sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2>/dev/null || true
}

# current FOLDER TARGET...: they were built there for this clone, and no source has changed since.
current() {
  local folder=$1 target sources=()
  shift
  [ "$(home_of "$folder")" = "$root" ] || return 1
  for target in CMakeLists.txt CMakePresets.json cmake src web docs/rules python; do
    [ ! -e "$root/$target" ] || sources+=("$root/$target")
  done
  for target; do
    [ -e "$folder/.built-$target" ] || return 1
    [ -z "$(find "${sources[@]}" -type f ! -name '*.pyc' -newer "$folder/.built-$target" -print -quit 2>&1)" ] || return 1
  done
}

# build_folder PRESET TARGET...: where a preset is built. build/PRESET. Where that belongs to somebody else and may not
# be written it is used when all is built there; otherwise a folder of one's own cache.
build_folder() {
  local preset=$1 folder=$root/build/$1
  shift
  if mkdir -p "$folder" 2>/dev/null && may_write "$folder" || current "$folder" "$@"; then
    printf '%s' "$folder"
    return
  fi
  folder=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/polymax/$(printf '%s' "$root" | cksum | tr ' ' -)/$preset
  mkdir -p "$folder" 2>/dev/null || die "cannot write to $root/build nor to $folder: set XDG_CACHE_HOME to a folder of yours"
  printf '%s' "$folder"
}

# A folder that was configured for another place: the clone was moved or copied. Its build begins anew.
forget_other_place() {
  local folder=$1 home
  home=$(home_of "$folder")
  if [ -z "$home" ] || [ "$(realpath -m "$home")" = "$(realpath -m "$root")" ]; then return; fi
  say "this clone was moved or copied from $home: building it anew"
  find "$folder" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +
}

# hand_over FOLDER: what root has built in somebody's clone belongs to that clone's owner.
hand_over() {
  if [ "$(id -u)" -ne 0 ] || [ "$(stat -c %u "$root")" -eq 0 ]; then return; fi
  case $1 in "$root"/*) chown -Rh --reference="$root" "$root/build" 2>/dev/null || true ;; esac
}

# build PRESET TARGET...: quiet when there is nothing to do; one process at a time. Leaves the folder in $built.
build() {
  local preset=$1 target first=0 whole=0 stale=0
  built=$(build_folder "$@") || exit 1
  shift
  may_write "$built" || return 0  # somebody else's, and current
  exec 9>"$built/.lock"
  flock -w 2 9 || { say "somebody else builds $preset; waiting"; flock 9; }
  forget_other_place "$built"
  for target; do
    [ -e "$built/.built-$target" ] || [ -e "$built/.built-all" ] || first=1
    compgen -G "$built/.built-*" >/dev/null || whole=1
    # configured before libtorch or pybind11 was there: look again
    case $target in
      polymax_torch | polymax_python) grep -qs "$target" "$built/build.ninja" || stale=1 ;;
    esac
  done
  if [ ! -e "$built/build.ninja" ] || [ "$stale" = 1 ]; then
    say "configuring $preset"
    (cd "$root" && cmake --preset "$preset" -B "$built") >"$built/configure.log" 2>&1 ||
      die "configuring failed: $(grep -m1 -A2 'CMake Error' "$built/configure.log" | tr '\n' ' ') (log: $built/configure.log)"
  fi
  [ "$whole" = 0 ] || say "building $preset for the first time, this takes some minutes"
  NINJA_STATUS="[%f/%t] " with_progress "$built/build.log" ninja -C "$built" "$@" ||
    { hand_over "$built"; cat "$built/build.log" >&2; die "the build failed"; }
  for target; do touch "$built/.built-$target"; done
  [ "$first" = 0 ] && grep -qs 'no work to do' "$built/build.log" || hand_over "$built"
  exec 9>&-
}
