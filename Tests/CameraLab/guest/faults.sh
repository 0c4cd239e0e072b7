# Tests the driver with faults of the camera: refusals, broken frames, no answers, unplugging.
. ./lib.sh

# Aims the next faults at requests that set red and blue.
aim() { uvcd ctl target 2 0x0c 1 >/dev/null; }
start_camera --ideal
qvga
set_control white_balance_automatic=0,auto_exposure=1
set_control exposure_time_absolute=200,red_balance=200,blue_balance=400
ok "what is out of range becomes the largest value, in silence" set_control red_balance=5000
ok "as it reads" has red_balance 1023
set_control red_balance=200

aim
refused() { uvcd ctl stall 1 "$1" >/dev/null; fails "$2" set_control red_balance=210; }
ok "refused as not ready" refused 1 "Device or resource busy"
ok "refused for the state it is in" refused 2 "Invalid or incomplete multibyte|Permission denied"
ok "refused for want of power" refused 3 "Object is remote"
ok "refused as out of range" refused 4 "out of range"
ok "refused as no such control" refused 6 "Input/output error"
ok "refused as an invalid value" refused 8 "Invalid argument"
ok "refused without a code" refused 0 "Broken pipe"
ok "nothing of it is set" has red_balance 200
uvcd ctl ignore 1 >/dev/null
ok "acknowledged and ignored" set_control red_balance=220
ok "which reading tells" has red_balance 200
uvcd ctl delay 0.7 >/dev/null
ok "a slow control takes its time" within 1.3 1.6 "$(seconds set_control red_balance=230)"
uvcd ctl delay 0 >/dev/null
uvcd ctl mute 1 >/dev/null
ok "silence times out" fails "timed out" set_control red_balance=240
ok "after 5 s" within 5 5.5 "$(uvcd ctl mute 1 >/dev/null; seconds set_control red_balance=240)"
ok "and the next request is heard" set_control red_balance=250
uvcd ctl target 0 0 >/dev/null

# captured SECONDS FAULT...: captures a stream in /run/captured, with a fault after half a second.
captured() {
  duration=$1
  shift
  (sleep 0.5; uvcd ctl "$@" >/dev/null) &
  fault=$!
  capture /dev/video0 "$duration" >/run/captured
  wait $fault
}
gaps() {
  awk '$1 == "frame" { if (n++) gap += $2 - last - 1; last = $2 } END { print gap + 0 }' /run/captured
}
captured 2 drop 3
ok "frames that the camera leaves out leave no gap" within 0 0 "$(gaps)"
captured 2 short 2
ok "half frames are a gap" within 2 2 "$(gaps)"
captured 2 errbit 2
ok "frames marked as broken are a gap" within 2 2 "$(gaps)"
captured 2 garbage 1
ok "random bytes are a frame like others" within 0 0 "$(gaps)"

(sleep 0.4; uvcd ctl poke wbc 0x01200130 >/dev/null) &
ok "the camera's own change is an event" \
  prints "value: 304" timeout 2 $camera --wait-for-event=ctrl=blue_balance
wait $!
$camera --stream-mmap=4 --stream-count=30 >/dev/null 2>&1 &
streamer=$!
sleep 0.3
ok "a second streamer is refused" prints "stream on: Device or resource busy" capture /dev/video0 1
wait $streamer
uvcd ctl freeze 1 >/dev/null
grab 5
frozen=$(mean R)
set_control red_balance=600
grab 5
ok "a frozen picture knows no change" within "$frozen" "$frozen" "$(mean R)"
uvcd ctl freeze 0 >/dev/null
grab 5
ok "and shows it when it goes on" within 1.35 1.45 "$(awk "BEGIN { print $(mean R) / $frozen }")"
captured 5 hang 1
uvcd ctl hang 0 >/dev/null
ok "a stream that hangs" prints "nothing for 1 s" cat /run/captured
ok "leaves the controls alive" prints "read control: ok" cat /run/captured
captured 2 stallstream 3
ok "a stalled stream gives empty buffers" prints "frame 0 bytes=0 error" cat /run/captured

captured 5 unplug
ok "unplugging ends the stream" prints "dequeue: No such device, poll 0x1a" cat /run/captured
ok "and the node" wait_node absent
ok "plugged in again" sh -c '. ./lib.sh; uvcd ctl plug; wait_node present'
qvga
ok "the camera streams" grab 5
set_control white_balance_automatic=0
uvcd ctl target 2 0x0c >/dev/null
uvcd ctl mute 1 >/dev/null
(sleep 0.5; uvcd ctl unplug >/dev/null) &
ok "unplugged while a request waits" fails "." set_control red_balance=240
wait $!
uvcd ctl target 0 0 >/dev/null
uvcd ctl plug >/dev/null
wait_node present
(sleep 0.7; kill -9 "$uvcd_process") &
ok "a camera that dies ends the stream" prints "No such device" capture /dev/video0 5
wait $!
finish
