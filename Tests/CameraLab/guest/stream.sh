# Tests stream with a camera that has only a temperature, under a lamp that leaves a tint. Programs
# read the corrected frames from vivid's camera, to which vivid's output is connected.
. ./lib.sh
# Small frames: the guest computes slowly.
filmed=/dev/video0,size=160x120,format=YUYV
seen=/dev/video2,size=160x120,format=YUYV
output=/dev/video3
start_camera --law kelvin10 --lamp A
load vivid n_devs=1 node_types=0x101 multiplanar=1 num_inputs=1 input_types=3 num_outputs=1 output_types=1
for _ in $(seq 100); do
  [ ! -e $output ] || break
  sleep 0.02
done
# Without text in the picture, and with 640×480 pixels between output and camera.
v4l2-ctl -d /dev/video2 -c loop_video=1,osd_text_mode=2
for node in /dev/video2 $output; do v4l2-ctl -d $node --set-dv-bt-timings index=0 >/dev/null; done

settings() { $camera -C white_balance_automatic,white_balance_temperature | tr '\n' ' '; }
stream() { ./wbcal stream --device $filmed --gray --to $output --json "$@" >/run/told 2>/run/progress; }
# said PATTERN: waits until a stream has printed a match.
said() {
  for _ in $(seq 900); do
    ! grep -q "$1" /run/progress || break
    sleep 0.1
  done
  sleep 0.5
}
told() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" /run/told; }
verify() { ./wbcal verify --device $seen --limit 0.5; }

ok "a camera is not an output" fails "does not accept pictures: it is a camera" \
  ./wbcal stream --device $filmed --gray --to /dev/video2
ok "nor is a file" fails "it is a file" ./wbcal stream --device $filmed --gray --to /lab/lib.sh
ok "an output is not a camera" fails "it displays pictures" ./wbcal gray --device $output

set_control white_balance_automatic=0
set_control white_balance_temperature=5000
before=$(settings)
: >/run/progress
{
  said Locked
  uvcd ctl neutral
  verify >/run/first 2>&1
  uvcd ctl errbit 3
  sleep 1
  uvcd ctl unplug
  sleep 1
  uvcd ctl plug
  said 'is back'
  verify >/run/second 2>&1
  # wbcal runs in the foreground, because a shell's background process would ignore SIGINT.
  killall -INT wbcal
} >/run/left &
helper=$!
stream --wait 20
ok "Ctrl-C ends it" within 0 0 $?
wait $helper
ok "the camera alone leaves a tint" within 1.2 9 "$(head -n 1 /run/left)"
ok "which its frames have not" prints 'CIEDE2000 0.*within' cat /run/first
ok "a camera that comes back" prints 'The camera is back' cat /run/progress
ok "is set anew" prints 'CIEDE2000 0.*within' cat /run/second
ok "frames were sent" within 20 9999 "$(told frames)"
# The driver drops frames that the camera marks as broken.
ok "lost ones were counted" within 3 99 "$(told lost)"
# The camera's node may have another name until it is plugged in again.
uvcd ctl unplug >/dev/null
wait_node absent
uvcd ctl plug >/dev/null
wait_node present
ok "the camera is as it was" prints "^$before\$" settings

: >/run/progress
{
  said Locked
  uvcd ctl unplug
} >/dev/null &
helper=$!
stream
ok "one that is not waited for ends it" within 69 69 $?
wait $helper
ok "which says so" prints 'went away' cat /run/progress
uvcd ctl plug >/dev/null
wait_node present

for lamp in FL11 LED-B3; do
  uvcd ctl lamp $lamp >/dev/null
  : >/run/progress
  {
    said Locked
    uvcd ctl neutral
    verify >/run/first 2>&1
    killall -INT wbcal
  } >/run/left &
  helper=$!
  stream
  wait $helper
  ok "$lamp: in the frames there is no tint" prints 'CIEDE2000 0.*within' cat /run/first
  echo "#   $(head -n 1 /run/left) in the camera's own"
done

header='^YUV4MPEG2 W160 H120 F30:1 Ip A1:1 C422 XYSCSS=422 XCOLORRANGE=LIMITED$'
ok "a stream of Y4M" prints "$header" \
  sh -c "./wbcal stream --device $filmed --gray --to - --frames 2 | head -n 1"
stop_camera
finish
