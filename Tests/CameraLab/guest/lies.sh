# Cameras whose controls do not tell what they do, laws of any shape, and light that does not keep still: gray
# without a profile ends neutral in truth, or refuses with the true reason.
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

refuses 'chooses its white balance again' --comeback 8
refuses 'chooses its white balance again' --comeback 150
locks 0.5 --latency 20
locks 0.5 --slow 8
locks 0.5 --read-late 6
locks 0.5 --read-step 8
locks 0.5 --last-only
locks 0.5 --falling
locks 0.5 --flat 20
locks 2 --levels 48
locks 0.5 --flicker 3

start_camera --lamp FL11 --comeback-at-start
ok "lost at the start of a stream: gray" prints 'until a program starts' gray
ok "is neutral" left 0.5
stop_camera

start_camera --lamp A --relative
ok "gains on top of the automatic's: not calibrated" fails 'start from where its automatic stopped' \
  ./wbcal calibrate --device "$device" --light A --light D65 --change-light 'uvcd ctl lamp "$WBCAL_LIGHT"' \
  -o /run/relative.json
ok "gray" prints 'seen in frame' gray
ok "is neutral" left 0.5
stop_camera
finish
