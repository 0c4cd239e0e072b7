# Tests the kernel's own virtual camera: formats that uvcd does not have, events, and misuse.
. ./lib.sh
load vivid n_devs=1 node_types=0x1 multiplanar=1
wait_node present
probe=./wbcal-camera-probe

# check_colors COUNT: reads a red, a green and a blue picture in every format, and checks which
# channel is the largest. At least COUNT formats must be known to both vivid and wbcal.
check_colors() {
  # Without text in the picture; darker, so that nothing clips.
  set_control osd_text_mode=2
  set_control brightness=100
  $camera --list-formats | sed -n "s/.*\]: '\(.*\)' (.*/\1/p" >/run/formats
  for color in 7 8 9; do
    set_control test_pattern=$color
    $probe means /dev/video0 320x180 </run/formats |
      awk -F ': ' '{ gsub(" ", "_", $1); print $1, $2 }' >/run/color.$color
    # After the first picture, only formats that could be read are left.
    awk '$2 ~ /^-?[0-9.]+$/ { gsub("_", " ", $1); print $1 }' /run/color.$color >/run/formats
  done
  readable=$(wc -l </run/formats)
  ok "formats that both know" within "$1" 100 "$readable"
  # In gray formats all channels are equal; in others the picture's channel is the largest by far.
  grep -E '^[^ ]+ [0-9.]+ ' /run/color.7 | paste -d ' ' - /run/color.8 /run/color.9 | awk '
    NF != 12 { print "bad", $0; next }
    { own = ($2 > 4 * $3 && $2 > 4 * $4) + ($7 > 4 * $6 && $7 > 4 * $8) + ($12 > 4 * $10 && $12 > 4 * $11)
      flat = ($2 == $3 && $3 == $4) + ($6 == $7 && $7 == $8) + ($10 == $11 && $11 == $12) }
    flat == 3 { print "gray", $1; next }
    own == 3 { print "right", $1; next }
    { print "bad", $0 }' >/run/verdicts
  ok "red, green and blue are where they belong" within "$readable" "$readable" \
    "$(grep -cv '^bad' /run/verdicts)"
  for verdict in right gray bad; do
    echo "# $verdict: $(sed -n "s/^$verdict //p" /run/verdicts | tr '\n' ' ')"
  done
  echo "# not read: $(awk '$2 !~ /^[0-9.]+$/ { printf "%s ", $1 }' /run/color.7)"
}
check_colors 25
set_control test_pattern=0

(sleep 0.7; $camera -c brightness=77) &
ok "another program's change is told" prints '^change brightness 77$' $probe changes vivid 1.5
wait $!
ok "what the camera moves by itself is told, too" prints '^change gain [0-9]' $probe changes vivid 2.2

ok "a value out of range" fails "brightness 100000 is not one of 0…255" $probe set vivid brightness=100000
ok "and one below" fails "brightness -1 is not one of" $probe set vivid brightness=-1
ok "an unknown control" fails "has no control nonsense" $probe set vivid nonsense=1
ok "an unknown number" fails "has no control 0x0098ffff" $probe set vivid 0x0098ffff=1
ok "one that is only read" fails "does not allow it" $probe set vivid 0x0098f90c=1
$camera --stream-mmap=4 --stream-count=30 >/dev/null 2>&1 &
sleep 0.3
# 0x00f0f01f is vivid's control for cropping.
ok "one that is held while another streams" fails "not ready, or another program" \
  $probe set vivid 0x00f0f01f=0
ok "another format while another streams" fails "is using" \
  $probe stream vivid 1 NV12 320x180
wait $!
$probe misuse vivid >/run/misused
ok "two openings, closed twice, come to an end" [ $? -eq 0 ]
told() { prints "$1: $2" cat /run/misused; }
ok "the second may not stream" told "the second streams too" "refused, .* is using"
ok "but set" told "the second sets a control" "true"
ok "what is closed is not used" told "the first, closed twice, tells" "refused, .* was closed"
ok "nor streamed" told "the first, closed, streams" "refused, .* was closed"
ok "the second changes the format" told "the second streams now, its own size" "320 wide"
ok "and starts again" told "and again, after stopping twice" "320 wide"

# Errors that the driver simulates.
inject() {
  (sleep 0.4; set_control "inject_$1=1") &
  $probe stream vivid 30 YUYV 320x180 >/run/said 2>&1
  wait $!
  tail -n 1 /run/said
}
ok "frames marked as broken are passed over" prints '^frame' inject v4l2_buf_flag_error
ok "a driver's fatal error" prints 'error|poll|DQBUF|stalled|no picture' inject fatal_streaming_error
for call in reqbufs qbuf streamon; do
  set_control inject_vidioc_${call}_error=1
  ok "a refused $call" fails "VIDIOC_.* failed" $probe stream vivid 1 YUYV 320x180
  ok "passes" prints '^frame' $probe stream vivid 1 YUYV 320x180
done

# The same camera with luma and chroma in separate buffers, and nodes that are not cameras.
rmmod vivid
load vivid n_devs=1 node_types=0x20101 multiplanar=2
wait_node present
check_colors 35
for format in NM12 NM21 YM12 YM16 YM24 NV12 YUYV; do
  ok "$format through several planes" prints "^right $format\$" cat /run/verdicts
done
set_control test_pattern=0
ok "frames keep coming" prints '^frame' $probe stream /dev/video0 30 NM12 320x180
for node in 1 2; do $probe stream /dev/video$node 1 >/run/node.$node 2>&1; done
cat /run/node.? >/run/nodes
ok "a node that shows pictures says so" prints 'it displays pictures, but delivers none' cat /run/nodes
ok "one of data, too" prints 'it delivers metadata, but no pictures' cat /run/nodes
ok "and where the pictures are" within 2 2 "$(grep -c '^error.*come from /dev/video0' /run/nodes)"

dmesg | grep -E 'Oops|BUG|WARNING|segfault|general protection' >/run/crashes
ok "nothing crashed" within 0 0 "$(wc -l </run/crashes)"
finish
