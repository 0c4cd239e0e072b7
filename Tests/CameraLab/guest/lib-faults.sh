# Functions for tests of a camera's faults. A test defines `settings`, which prints the settings
# that must be the same afterwards, and `prepare`, which makes them and stores them in /run/before.
. ./lib.sh
device=/dev/video0,size=160x120
profile=

again() {
  uvcd ctl plug >/dev/null
  wait_node present
  prepare
}

# at PATTERN COMMAND...: runs a command in the background as soon as the camera's log matches.
at() {
  : >/run/uvcd.log
  rm -f /run/triggered
  (
    pattern=$1
    shift
    for _ in $(seq 300); do
      grep -qE "$pattern" /run/uvcd.log && break
      sleep 0.03
    done
    "$@" >/dev/null 2>&1
    cat /proc/uptime >/run/triggered
  ) &
  trigger=$!
}
streaming=" frame 5 "
waiting="SET wbc"

# ends STATUS SECONDS PATTERN COMMAND...: the command ends with this status and a message that
# matches, within so many seconds after the command of `at`, or else after its own start, and the
# profile is unchanged.
# meets STATUS SECONDS PATTERN COMMAND...: the same, and the camera's settings are unchanged.
ends() {
  status=$1 most=$2 pattern=$3
  shift 3
  read -r begin _ </proc/uptime
  "$@" >/run/said 2>&1
  is=$?
  read -r end _ </proc/uptime
  if [ -n "${trigger-}" ]; then
    wait "$trigger"
    trigger=
    read -r begin _ </run/triggered
  fi
  took=$(awk "BEGIN { print $end - $begin }")
  echo "$is after $took s: $(tr -d '\033' </run/said | sed 's/.*\[2K//' | tr '\n' ' ')"
  [ $is -eq "$status" ] && grep -qE "$pattern" /run/said &&
    awk "BEGIN { exit !($took <= $most) }" && [ "$(md5sum /run/desk.json 2>/dev/null)" = "$profile" ]
}
meets() {
  ends "$@" || return 1
  settings | diff /run/before -
}
# succeeds SECONDS PATTERN COMMAND...: the command succeeds; the settings are then restored for the
# next test.
succeeds() {
  ends 0 "$@"
  result=$?
  prepare
  return $result
}

interrupted() {
  at "$3" killall "-$1" wbcal
  shift 3
  meets "$@"
}
