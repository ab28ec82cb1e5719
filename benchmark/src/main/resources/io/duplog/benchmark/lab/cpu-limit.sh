# Makes a control group that has a part of the processors' time, and prints the version of control
# groups and its folder. Where there can be none, prints processors that a command may be bound to.
#
#   sh cpu-limit.sh GROUP QUOTA WHOLE [MOUNTS] [OWN]
#
# GROUP: its name, duplog-lab-PID-N; PID is the lab's. QUOTA: microseconds of each tenth of a second.
# WHOLE: how many processors that is, 0 where it is no whole number. MOUNTS and OWN: other files than
# /proc/mounts and /proc/self/cgroup.
set -u
group=$1 quota=$2 whole=$3 mounts=${4:-/proc/mounts} own=${5:-/proc/self/cgroup}
why='no control groups for processors are mounted'

# A lab that was killed leaves its group, without processes. The kernel keeps any other.
remove_orphans() {
  for old in "$1"/duplog-lab-*-*; do
    pid=${old##*/duplog-lab-}
    [ -d "/proc/${pid%-*}" ] || rmdir "$old" 2>/dev/null
  done
}

limit() {
  if [ "$1" = 2 ]; then
    grep -qw cpu "$2/cgroup.subtree_control" || echo +cpu >"$2/cgroup.subtree_control" || return
    mkdir "$2/$group" && echo "$quota 100000" >"$2/$group/cpu.max"
  else
    mkdir "$2/$group" && echo 100000 >"$2/$group/cpu.cfs_period_us" && echo "$quota" >"$2/$group/cpu.cfs_quota_us"
  fi
}

# In the own group of this process, else in those above it: a group of version 2 that holds processes
# can have none with limits below it, but one above it can.
below() {
  path=${3%/}
  while [ -n "$2" ]; do
    if [ -d "$2$path" ]; then
      remove_orphans "$2$path"
      if problem=$({ limit "$1" "$2$path" && sh -c 'echo $$ >"$0"' "$2$path/$group/cgroup.procs"; } 2>&1); then
        printf 'cgroup v%s\n%s\n' "$1" "$2$path/$group"
        exit 0
      fi
      rmdir "$2$path/$group" 2>/dev/null
      why="no control group below $2$path: $problem"
    fi
    [ -n "$path" ] || return
    path=${path%/*}
  done
}

while read -r _ root type options _; do
  case $type,$options, in
    cgroup2,*) below 2 "$root" "$(sed -n 's/^0:://p' "$own")" ;;
    cgroup,*,cpu,*) below 1 "$root" "$(sed -nE 's/^[0-9]+:([^:]*,)?cpu(,[^:]*)?://p' "$own")" ;;
  esac
done <"$mounts"

if [ "$whole" -lt 1 ] || [ "$whole" -gt "$(nproc)" ]; then
  echo "$why" >&2
  exit 1
fi
printf 'affinity\n'
sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , '\n' |
  while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done | head -n "$whole" | paste -sd,
