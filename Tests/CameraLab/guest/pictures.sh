# Light that does not keep still, and settings that start from what the automatic did.
. ./lib-lies.sh

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
