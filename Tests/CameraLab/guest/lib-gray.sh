# Cameras about which nothing is known: gray without a profile ends neutral in truth, or refuses with the
# true reason. Each is a webcam, with one thing more.
. ./lib.sh
device=/dev/video0,size=160x120
lamp=FL11
gray() { ./wbcal gray --device "$device" --no-store; }
left() { within 0 "$1" "$(uvcd ctl neutral)"; }

# locks LIMIT OPTION...: gray ends so near to neutral, and stays there.
locks() {
  limit=$1
  shift
  start_camera --lamp "$lamp" "$@"
  ok "$*: gray" prints 'seen in frame' gray
  ok "$*: is neutral" left "$limit"
  grab 30
  ok "$*: stays so" left "$limit"
  stop_camera
}

# refuses PATTERN OPTION...
refuses() {
  pattern=$1
  shift
  start_camera --lamp "$lamp" "$@"
  ok "$*: refused" fails "$pattern" gray
  ok "$*: automatic as before" has white_balance_automatic 1
  stop_camera
}
