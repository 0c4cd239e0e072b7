# Tests the lab itself: the driver, the picture and the reported true values agree.
. ./lib.sh

# shows_truth: the card in the picture has the true codes, within 1.
shows_truth() {
  set -- $(truth codes | tr , ' ')
  near "$1" "$(mean R)" && near "$2" "$(mean G)" && near "$3" "$(mean B)"
}
near() { within "$(awk "BEGIN { print $1 - 1 }")" "$(awk "BEGIN { print $1 + 1 }")" "$2"; }

# first_with RED, last_before_set: print numbers of frames in the camera's log: of the first with a
# red balance, and of the last before the last setting.
first_with() { sed -n "s/.* frame \([0-9]*\) red=$1 .*/\1/p" /run/uvcd.log | head -n 1; }
last_before_set() {
  awk '/ frame / { last = $3 } /SET wbc/ { before = last } END { print before }' /run/uvcd.log
}
# change_red VALUE: sets red in the middle of a stream.
# lateness VALUE: prints the number of frames after the setting that do not show it yet.
change_red() {
  (sleep 0.6; set_control "red_balance=$1") &
  grab 40
  wait $!
}
lateness() { echo $(($(first_with "$1") - $(last_before_set) - 1)); }
# jump, sequence INDEX: print the index of the captured frame in which red jumps, and the driver's
# number of a frame.
jump() {
  uvcd mean /run/frames 320 240 |
    awk '{ split($6, red, "="); if (NR > 1 && red[2] - last > 3) { print $2; exit } last = red[2] }'
}
sequence() {
  grep dqbuf /run/grabbed | sed -n "$(($1 + 1))s/.* seq: *\([0-9]*\).*/\1/p"
}

ok "CIEDE2000 of a blue pair as published" \
  prints '^2\.0425$' uvcd ciede2000 50 2.6772 -79.7751 50 0 -82.7485
ok "CIEDE2000 of a yellow pair as published" \
  prints '^1\.2644$' uvcd ciede2000 60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387

start_camera --ideal
qvga
ok "the driver is the kernel's own" prints uvcvideo $camera -D
ok "red is refused while the automatic is on" fails "Permission denied" set_control red_balance=300
ok "the automatic makes the card neutral" within 0 0.2 "$(grab 60; uvcd ctl neutral)"
ok "the automatic goes off" set_control white_balance_automatic=0,auto_exposure=1
ok "its values stay in red" has red_balance 608
ok "its values stay in blue" has blue_balance 335
set_control exposure_time_absolute=250,red_balance=256,blue_balance=256
grab 8
ok "the bare sensor is green, as it is" shows_truth
ok "which is far from neutral" within 10 60 "$(uvcd ctl neutral)"

uvcd ctl lamp A >/dev/null
set_control red_balance=353,blue_balance=613
grab 8
ok "gains for lamp A make the card neutral" within 0 0.3 "$(uvcd ctl neutral)"
ok "and the picture gray" within -1 1 "$(awk "BEGIN { print $(mean R) - $(mean B) }")"
ok "the picture shows the truth" shows_truth
ok "an unknown lamp is refused" fails refused uvcd ctl lamp Lantern
ok "lamps have names with spaces" uvcd ctl lamp Philips TL-84
uvcd ctl illum 0.725 1 0.418 >/dev/null
change_red 700
ok "the log numbers frames as the driver does" \
  prints "^$(first_with 700)\$" sequence "$(jump)"
ok "a change shows two frames late" within 2 2 "$(lateness 700)"
stop_camera
for latency in 0 6; do
  start_camera --ideal --latency $latency
  qvga
  set_control white_balance_automatic=0
  change_red $((500 + latency))
  ok "or $latency, as asked" within $latency $latency "$(lateness $((500 + latency)))"
  stop_camera
done
finish
