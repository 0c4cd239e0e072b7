# Functions for tests in the guest, to be included with `. ./lib.sh`. A test ends with `finish`.
set -u
camera="v4l2-ctl -d /dev/video0"
checks=0
failures=0

# ok DESCRIPTION COMMAND...: checks that a command succeeds, and prints the first line of its
# output.
ok() {
  checks=$((checks + 1))
  description=$1
  shift
  if "$@" >/run/evidence 2>&1; then
    echo "ok $checks - $description$(sed -n '1s/.*/ (&)/p' /run/evidence)"
  else
    failures=$((failures + 1))
    echo "not ok $checks - $description"
    sed 's/^/#   /' /run/evidence
  fi
}

# finish: ends a test, which fails if any check failed.
finish() {
  echo "1..$checks"
  [ "$failures" -eq 0 ]
  exit
}

# fails PATTERN COMMAND...: the command fails, and its output matches.
fails() {
  pattern=$1
  shift
  "$@" >/run/said 2>&1 && return 1
  cat /run/said
  grep -qE "$pattern" /run/said
}

# prints PATTERN COMMAND...: the output of the command matches.
prints() {
  pattern=$1
  shift
  "$@" >/run/said 2>&1
  grep -E "$pattern" /run/said || {
    cat /run/said
    return 1
  }
}

# within LOW HIGH NUMBER: the number is in this range.
within() {
  echo "$3"
  awk -v low="$1" -v high="$2" -v x="$3" 'BEGIN { exit !(x != "" && x + 0 >= low && x + 0 <= high) }'
}

# seconds COMMAND...: prints the time that a command takes, in the guest's seconds.
seconds() {
  read -r before _ </proc/uptime
  "$@" >/dev/null 2>&1
  read -r after _ </proc/uptime
  awk "BEGIN { print $after - $before }"
}

# wait_node present|absent: waits until /dev/video0 exists, or does not; at most 6 s.
wait_node() {
  for _ in $(seq 300); do
    if [ -e /dev/video0 ]; then [ "$1" = absent ] || return 0; else [ "$1" = present ] || return 0; fi
    sleep 0.02
  done
  return 1
}

# start_camera [uvcd option...]: plugs a camera in and waits for its node.
start_camera() {
  load uvcvideo && load vhci-hcd
  # shellcheck disable=SC2046
  uvcd $(cat camera-options) "$@" &
  uvcd_process=$!
  wait_node present || { echo "no camera"; dmesg | tail -n 20; exit 1; }
}

stop_camera() {
  uvcd ctl quit
  wait "$uvcd_process"
  wait_node absent
}

# set_control NAME=VALUE, control NAME, has NAME VALUE: set, print and check a control by V4L2's
# name.
set_control() { $camera -c "$1"; }
control() { $camera -C "$1" 2>/dev/null | awk '{ print $2 }'; }
has() { prints "^$2\$" control "$1"; }

qvga() { $camera --set-fmt-video=width=320,height=240,pixelformat=YUYV; }

# grab COUNT: captures this number of frames in /run/frames.
grab() {
  timeout 20 $camera --verbose --stream-mmap=4 --stream-count="$1" --stream-to=/run/frames \
    >/run/grabbed 2>&1
}

# mean CHANNEL: prints the mean of the card in the last captured frame.
mean() {
  uvcd mean /run/frames 320 240 | tail -n 1 | tr ' ' '\n' | sed -n "s/^$1=//p"
}

# truth NAME: prints a true value of the last frame that was sent.
truth() { uvcd ctl truth | tr ' ' '\n' | sed -n "s/^$1=//p"; }
