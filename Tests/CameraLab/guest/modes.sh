# Tests formats, sizes, bulk and isochronous transfer, and several cameras.
. ./lib.sh

# streams WIDTH HEIGHT FORMAT BYTES: five frames of that size arrive.
streams() {
  $camera --set-fmt-video=width="$1",height="$2",pixelformat="$3" >/dev/null
  grab 5
  within $((5 * $4)) $((5 * $4)) "$(wc -c </run/frames)"
}
# card_red: prints a red sample of the card in Bayer frames of 320x240.
card_red() { od -A n -t u1 -j $((120 * 320 + 160)) -N 1 /run/frames | tr -d ' '; }

start_camera --ideal
ok "YUYV 320x240" streams 320 240 YUYV 153600
ok "YUYV 640x480" streams 640 480 YUYV 614400
ok "YUYV 1280x720" streams 1280 720 YUYV 1843200
ok "NV12 640x480" streams 640 480 NV12 460800
ok "Bayer RGGB 640x480" streams 640 480 RGGB 307200
uvcd ctl noise 0 0 >/dev/null
set_control white_balance_automatic=0,auto_exposure=1
set_control exposure_time_absolute=250,red_balance=256,blue_balance=256
streams 320 240 RGGB 76800 >/dev/null
before=$(card_red)
set_control red_balance=1023
streams 320 240 RGGB 76800 >/dev/null
ok "Bayer samples know no gains" within "$before" "$before" "$(card_red)"
ok "black is 16, the card above it" within 30 40 "$before"
stop_camera

start_camera --iso
ok "isochronous, YUYV 320x240" streams 320 240 YUYV 153600
ok "isochronous, YUYV 640x480" streams 640 480 YUYV 614400
stop_camera

start_camera --ideal --curve srgb --latency 0 --lamp D50
qvga
uvcd ctl noise 0 0 >/dev/null
set_control white_balance_automatic=0,auto_exposure=1
set_control exposure_time_absolute=250
grab 4
ok "the card of 18 % is 118 in sRGB" within 117 119 "$(mean G)"
uvcd --port 1 --serial LAB0002 --sock /run/second.sock --log /run/second.log --lamp A &
for _ in $(seq 100); do [ -e /dev/video2 ] && break; sleep 0.02; done
ok "a second camera" prints uvcvideo v4l2-ctl -d /dev/video2 -D
ok "with a serial number of its own" prints LAB0002 cat /sys/class/video4linux/video2/device/../serial
ok "and a light of its own" sh -c '
  v4l2-ctl -d /dev/video2 --stream-mmap=4 --stream-count=4 >/dev/null 2>&1
  UVCD_SOCKET=/run/second.sock uvcd ctl truth | grep -v "$(uvcd ctl truth | tr " " "\n" | grep card=)"'
UVCD_SOCKET=/run/second.sock uvcd ctl quit
stop_camera

# names MASK: prints the white-balance controls of a camera whose processing unit has this mask.
names() {
  start_camera --pu "$1"
  echo "$($camera -l | awk '/white|red|blue/ { printf " %s", $1 }')."
  stop_camera >/dev/null
}
automatic=white_balance_automatic
temperature=white_balance_temperature
ok "red and blue" prints "^ $automatic red_balance blue_balance\.\$" names 0x269f
ok "temperature" prints "^ $automatic $temperature\.\$" names 0x125f
ok "both" prints "^ $automatic red_balance blue_balance $temperature\.\$" names 0x32df
ok "neither" prints "^\.\$" names 0x001f
finish
