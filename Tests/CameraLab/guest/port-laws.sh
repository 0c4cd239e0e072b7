# Tests the laws of camera ports (CameraTestSupport) on the adapter for the kernel's interface.
. ./lib.sh

start_camera
ok "the laws are kept" ./wbcal-camera-probe laws /dev/video0 \
  "uvcd ctl unplug >/dev/null" "uvcd ctl plug >/dev/null"
sed 's/^/# /' /run/evidence
stop_camera
finish
