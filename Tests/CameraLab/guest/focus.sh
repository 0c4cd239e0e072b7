# Tests a lens with a motor and backlash, and a scene that is sharp at one position.
. ./lib.sh
device=/dev/video0,size=160x120
export WBCAL_STATE=/run/state
focused() { ./wbcal focus --device $device --json "$@" >/run/focus 2>/run/said; }
# near PLACE: the lens is within two steps of this position; a step is 5.
near() { within $(($1 - 10)) $(($1 + 10)) "$(control focus_absolute)"; }

for place in 40 140 215; do
  start_camera --ideal --lamp D65 --texture 40 --sharp-at $place --backlash 8 --latency 3
  set_control focus_automatic_continuous=0
  ok "sharp at $place: swept" focused --sweep
  ok "and found" near $place
  ok "put at 0.25 of the range" focused --position 0.25
  ok "where it is" within 185 190 "$(control focus_absolute)"
  ok "the camera focuses itself" focused --mode continuousAutomatic
  grab 60
  ok "it does" near $place
  stop_camera
done

start_camera --ideal --lamp D65
set_control focus_automatic_continuous=0
set_control focus_absolute=60
ok "nothing to focus on is said" fails "lens was not focused" focused --sweep
ok "and the lens is where it was" has focus_absolute 60
ok "out of range" fails "0 to 1" ./wbcal focus --device $device --position 1.5
stop_camera
start_camera --ideal --lamp D65 --ct 0xe
ok "a camera without a lens to move" fails "no control focus" ./wbcal focus --device $device --sweep
stop_camera
finish
