# Tests a camera with all processing of a webcam, MJPG, and hidden behavior of controls: the driver,
# the picture and the reported true values agree.
. ./lib.sh

# shows_truth [full]: the card in the picture has the true codes, within 1.
shows_truth() {
  mean=$(uvcd mean /run/frames 320 240 "$@" | tail -n 1)
  set -- $(truth codes | tr , ' ')
  echo "$*; $mean"
  near "$1" "$(channel R)" && near "$2" "$(channel G)" && near "$3" "$(channel B)"
}
channel() { echo "$mean" | tr ' ' '\n' | sed -n "s/^$1=//p"; }
near() { within "$(awk "BEGIN { print $1 - 1 }")" "$(awk "BEGIN { print $1 + 1 }")" "$2" >/dev/null; }
# by_hand CONTROLS: turns automatic modes off, and sets controls.
by_hand() {
  $camera -c white_balance_automatic=0,auto_exposure=1
  $camera -c exposure_time_absolute=250,"$1"
}
grows() { awk -v before="$1" -v after="$2" 'BEGIN { print after - before }'; }

start_camera --lamp A
qvga
ok "two formats" prints '^YUYV MJPG $' sh -c "$camera --list-formats | sed -n \"s/.*\\]: '\\(.*\\)' (.*/\\1/p\" | tr '\\n' ' '"
ok "the automatic makes the card neutral" within 0 0.2 "$(grab 60; uvcd ctl neutral)"
ok "and the picture gray" within -1 1 "$(awk "BEGIN { print $(mean R) - $(mean B) }")"
by_hand red_balance=320,blue_balance=560
grab 8
ok "the picture shows the truth" shows_truth
green=$(mean G)
by_hand red_balance=360,blue_balance=560
grab 8
ok "as it does with more red" shows_truth
ok "of which green has less" within -20 -2 "$(grows "$green" "$(mean G)")"

# sizes, bytes_at OFFSET: print the sizes of the frames as the driver reports them, and two bytes of
# the file.
sizes() { sed -n 's/.*bytesused: \([0-9]*\).*/\1/p' /run/grabbed; }
bytes_at() { od -A n -t x1 -j "$1" -N 2 /run/frames | tr -d ' '; }
whole_frames() {
  begin=0
  for size in $(sizes); do
    [ "$(bytes_at $begin)" = ffd8 ] && [ "$(bytes_at $((begin + size - 2)))" = ffd9 ] || return 1
    begin=$((begin + size))
  done
  echo "$begin bytes"
  [ $begin -eq "$(wc -c </run/frames)" ] && [ $begin -gt 1000 ]
}
for size in 160x120 640x480 1280x720; do
  $camera --set-fmt-video=width=${size%x*},height=${size#*x},pixelformat=MJPG >/dev/null
  grab 5
  ok "MJPG $size: JPEG files" whole_frames
done
uvcd ctl noise 0 0 >/dev/null
$camera --set-fmt-video=width=160,height=120,pixelformat=MJPG >/dev/null
grab 3
last=$(sizes | tail -n 1)
ok "much smaller than uncompressed" within 1000 8000 "$last"
stop_camera

: >/run/uvcd.log
start_camera --jpeg-quality 30 --jpeg-sampling 420 --jpeg-without-tables --damage-every 4 --iso
$camera --set-fmt-video=width=320,height=240,pixelformat=MJPG >/dev/null
grab 9
ok "4:2:0 without tables, isochronous" within 5 9 "$(sizes | wc -l)"
ok "has the marker of AVI1" prints AVI1 dd if=/run/frames bs=1 skip=6 count=4
frames=$(grep -c ' frame ' /run/uvcd.log)
ok "every fourth is damaged" within $((frames / 4)) $((frames / 4)) "$(grep -c 'fault damage' /run/uvcd.log)"
stop_camera

start_camera --ideal --range full --lift -10 --sharpen 50 --denoise 40 --matrix-for-each-light --matrix 1.5 --lamp A
qvga
by_hand red_balance=340,blue_balance=600
grab 12
ok "another chain in full range shows the truth" shows_truth full
stop_camera

start_camera --ideal --comeback 20 --lamp A
qvga
grab 60
by_hand red_balance=200,blue_balance=300
grab 5
ok "the automatic is off" within 0 0 "$(truth balancing)"
grab 60
ok "20 frames later it is on" within 1 1 "$(truth balancing)"
ok "which its control denies" has white_balance_automatic 0
ok "and the card is neutral" within 0 0.3 "$(uvcd ctl neutral)"
stop_camera

start_camera --ideal --read-late 15 --falling
qvga
by_hand red_balance=831,blue_balance=831
sleep 1
set_control red_balance=575
ok "read late: the value of before" has red_balance 831
sleep 1
ok "and later what it is" has red_balance 575
grab 4
ok "on a falling law" within 2 2 "$(truth gains | cut -d , -f 1)"
stop_camera

start_camera --ideal --last-only --relative --lamp D65
qvga
grab 60
by_hand red_balance=256
sleep 1
set_control red_balance=300,blue_balance=400
ok "of two set together the first is not taken" has red_balance 256
ok "but the last" has blue_balance 400
stop_camera

for option in --nonsense "--law none" "--shading 90" "--matrix x" "--formats yuyv,xyz" "--latency 31"; do
  # shellcheck disable=SC2086
  ok "$option is refused" fails . uvcd $option
done
finish
