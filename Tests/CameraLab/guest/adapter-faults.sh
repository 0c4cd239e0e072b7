# Tests wbcal with every fault of a camera: its message, its exit status, how soon it ends, and the
# settings that it leaves behind.
. ./lib-faults.sh

settings() {
  $camera -C white_balance_automatic,red_balance,blue_balance,auto_exposure,exposure_time_absolute,gain
}
set_gains() { timeout 30 ./wbcal set --device $device --profile /run/desk.json --gains 1.3,1,1.5; }
gray() { timeout 30 ./wbcal gray --device $device --profile /run/desk.json; }
probing() { timeout 30 ./wbcal set --device $device --gains 1.3,1,1.5; }

# Starts a camera with settings made by hand, and stores these in /run/before.
start() {
  start_camera --law v256 --lamp A
  prepare
}
prepare() {
  set_control white_balance_automatic=0,auto_exposure=1
  set_control exposure_time_absolute=400,red_balance=300,blue_balance=400
  settings >/run/before
}
start
ok "calibrated" prints '^saved' ./wbcal calibrate --device $device --light A -o /run/desk.json
profile=$(md5sum /run/desk.json)
prepare

# Refusals of red and blue.
uvcd ctl target 2 0x0c 1 >/dev/null
refuses() {
  uvcd ctl stall 1 "$1" >/dev/null
  meets "$2" 3 "$3" set_gains
}
ok "refused without a code" refuses 0 74 "could not be set.*Broken pipe"
ok "not ready" refuses 1 75 "could not be set.*not ready"
ok "wrong state" refuses 2 74 "could not be set.*automatic mode governs"
ok "no power" refuses 3 74 "could not be set.*Object is remote"
ok "out of range" refuses 4 74 "could not be set.*out of range"
ok "no such unit" refuses 5 74 "could not be set.*Input/output"
ok "no such control" refuses 6 74 "could not be set.*Input/output"
ok "no such request" refuses 7 74 "could not be set.*Input/output"
ok "invalid value" refuses 8 74 "could not be set.*does not know"
uvcd ctl mute 1 >/dev/null
ok "no answer" meets 74 11 "could not be set.*did not answer" set_gains
uvcd ctl mute -1 >/dev/null
ok "no answer ever" meets 74 12 "could not be set.*did not answer" set_gains
uvcd ctl mute 0 >/dev/null
uvcd ctl delay 0.2 >/dev/null
ok "slow, but done" succeeds 22 "seen in frame" set_gains
uvcd ctl delay 0 >/dev/null
prepare
uvcd ctl ignore 1 >/dev/null
ok "acknowledged, not done once" succeeds 5 "seen in frame" set_gains
uvcd ctl ignore -1 >/dev/null
ok "acknowledged, never done" meets 75 9 "was set to .*reports" set_gains
uvcd ctl ignore 0 >/dev/null
uvcd ctl target 0 0 >/dev/null

# Pictures.
for fault in "short 5" "drop 5" "errbit 5" "garbage 1" "stallstream 3"; do
  for moment in "$streaming" "$waiting"; do
    # shellcheck disable=SC2086
    at "$moment" uvcd ctl $fault
    ok "$fault at$moment" succeeds 5 "seen in frame" set_gains
  done
done
uvcd ctl stallstream 0 >/dev/null
at "$waiting" uvcd ctl garbage -1
ok "random pictures" meets 65 3 "the card is clipped" set_gains
uvcd ctl garbage 0 >/dev/null
at "$streaming" uvcd ctl freeze 1
ok "a frozen picture" meets 75 7 "does not show it" set_gains
uvcd ctl freeze 0 >/dev/null
for moment in "$streaming" "$waiting"; do
  at "$moment" uvcd ctl hang 1
  ok "no more pictures at$moment" meets 74 3.5 "has sent no picture for 3" set_gains
  uvcd ctl hang 0 >/dev/null
done
at "$streaming" uvcd ctl hang 1
ok "nor for gray" meets 74 3.5 "has sent no picture for 3" gray
uvcd ctl hang 0 >/dev/null
at "$streaming" uvcd ctl stallstream -1
ok "all transfers refused" meets 74 3.5 "has sent no complete picture for 3.0 s, only [0-9]+ damaged ones" set_gains
uvcd ctl stallstream 0 >/dev/null

# Other programs.
$camera --stream-mmap=4 --stream-count=200 >/dev/null 2>&1 &
streamer=$!
sleep 0.3
ok "another program streams" meets 75 1 "process [0-9]+\) is using" set_gains
kill $streamer
wait $streamer 2>/dev/null
at "$waiting" sh -c "while pidof wbcal; do $camera -c red_balance=900; done"
ok "another program sets red" \
  ends 75 9 "red_balance was set to 35[0-9], but the camera reports 900; another program" set_gains
prepare

# Signals.
for signal in INT TERM; do
  case $signal in INT) code=130 ;; TERM) code=143 ;; esac
  said="interrupted; the camera's settings were restored"
  ok "$signal while probing" interrupted $signal - " frame 40 " $code 1 "$said" probing
  ok "$signal while settling" interrupted $signal - "$streaming" $code 1 "$said" set_gains
  ok "$signal while waiting to see" interrupted $signal - "$waiting" $code 1 "$said" set_gains
  ok "$signal while nothing comes" interrupted $signal - "command hang" $code 1 "$said" sh -c "
    (sleep 0.6; uvcd ctl hang 1 >/dev/null) &
    exec ./wbcal gray --device $device --profile /run/desk.json"
  uvcd ctl hang 0 >/dev/null
done
set_control auto_exposure=3
set_control white_balance_automatic=1
automatic() { ends "$@" && [ "$(control white_balance_automatic)$(control auto_exposure)" = 13 ]; }
at " frame 40 " killall -INT wbcal
ok "the automatic modes are on again" automatic 130 1 "$said" probing

# Names and permissions.
ok "no such device" ends 69 1 "no camera '/dev/video9'" ./wbcal set --device /dev/video9 --gains 1,1,1
ok "a node without pictures" ends 69 1 "is not a camera" ./wbcal set --device /dev/video1 --gains 1,1,1
ok "a device of another kind" ends 69 1 "is not a camera" ./wbcal set --device /dev/null --gains 1,1,1
printf 'root:x:0:\nvideo:x:44:\n' >/etc/group
printf 'root:x:0:0::/:/bin/sh\nsomebody:x:1000:1000::/:/bin/sh\n' >/etc/passwd
chown 0:44 /dev/video0
chmod 660 /dev/video0
chmod 755 / /lab
ok "not permitted" ends 77 1 "usermod -aG video" \
  su somebody -s /bin/sh -c './wbcal set --device /dev/video0 --gains 1,1,1'
prepare

# Unplugging.
for moment in "$streaming" "$waiting"; do
  at "$moment" uvcd ctl unplug
  ok "unplugged at$moment" ends 69 1 "went away; plug it in" set_gains
  again
done
at "$streaming" uvcd ctl unplug
ok "unplugged during gray" ends 69 1 "went away; plug it in" gray
again
at " frame 40 " uvcd ctl unplug
ok "unplugged during probing" ends 69 1 "went away; plug it in" probing
again
uvcd ctl target 2 0x0c 1 >/dev/null
uvcd ctl mute 1 >/dev/null
at "fault mute" uvcd ctl unplug
ok "unplugged while a control is set" ends 69 1 "went away; plug it in" set_gains
uvcd ctl target 0 0 >/dev/null
again
ok "and used again" ends 0 5 "seen in frame" set_gains
prepare
at "$streaming" kill -9 "$uvcd_process"
ok "killed" ends 69 1 "went away; plug it in" set_gains
finish
