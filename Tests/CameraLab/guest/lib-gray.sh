# Cameras whose controls do not tell what they do: gray without a profile ends neutral in truth, or refuses
# with the true reason.
. ./lib.sh
device=/dev/video0,size=160x120
gray() { ./wbcal gray --device "$device" --no-store; }
left() { within 0 "$1" "$(uvcd ctl neutral)"; }

# locks LIMIT OPTION...: gray ends so near to neutral, and stays there.
locks() {
  limit=$1
  shift
  start_camera --lamp FL11 "$@"
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
  start_camera --lamp FL11 "$@"
  ok "$*: refused" fails "$pattern" gray
  ok "$*: automatic as before" has white_balance_automatic 1
  stop_camera
}
