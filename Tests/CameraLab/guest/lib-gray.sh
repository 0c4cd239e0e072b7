# Tests gray without a profile: the card becomes truly neutral, or gray is refused with the true
# reason. Each camera is a webcam with one more property.
. ./lib.sh
device=/dev/video0,size=160x120
lamp=FL11
gray() { ./wbcal gray --device "$device" --no-store; }
left() { within 0 "$1" "$(uvcd ctl neutral)"; }

# locks LIMIT OPTION...: after gray the card is within LIMIT of neutral, and stays so.
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

# refuses PATTERN OPTION...: gray is refused with a reason that matches.
refuses() {
  pattern=$1
  shift
  start_camera --lamp "$lamp" "$@"
  ok "$*: refused" fails "$pattern" gray
  ok "$*: automatic as before" has white_balance_automatic 1
  stop_camera
}
