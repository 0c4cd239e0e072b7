# Tests controls on a sub-device: those of the sensor of the kernel's virtual camera vimc, to which
# sensor.h adds an exposure in lines, an analogue gain and a test pattern.
. ./lib.sh
[ -e /modules/vimc.ko ] || { echo "skipped: sub-devices, for want of the driver vimc"; exit 0; }
load vimc
wait_node present
probe=./wbcal-camera-probe
device=/dev/video0,format=RGGB,size=640x480
sensor="v4l2-ctl -d /dev/v4l-subdev0"
# The pipeline is the user's: raw pictures, without the text that the driver writes in them.
$sensor --set-subdev-fmt pad=0,width=640,height=480,code=0x3014 >/dev/null
$sensor -c show_information=2

ok "the sensor's exposure is the camera's" prints 'exposure_time_absolute 1000 \(4…1996' \
  ./wbcal devices --device $device
ok "and its gain" prints '^  gain 0 \(0…232' ./wbcal devices --device $device
./wbcal devices --device $device --json >/run/listed
ok "in lines of 20 us" grep -q '"secondsPerUnit":2e-05' /run/listed
$sensor -c exposure=500
ok "its present value is read" prints '^  exposure_time_absolute 500 ' ./wbcal devices --device $device
$sensor -c vertical_blanking=2000
ok "longer frames allow longer exposures" prints 'exposure_time_absolute 500 \(4…2476' \
  ./wbcal devices --device $device
mv /dev/media0 /dev/media9
ok "without the media device the reason is stated" prints 'missing: there is no camera .*/dev/media0' \
  ./wbcal devices --device $device
mv /dev/media9 /dev/media0

# of NAME: prints the value of a control of the sensor.
of() { $sensor -C "$1" | awk '{ print $2 }'; }
ok "a control is set" prints 'exposure_time_absolute 1500' \
  $probe set /dev/video0 exposure_time_absolute=1500
ok "on the sensor" within 1500 1500 "$(of exposure)"
ok "a value out of range" fails "exposure_time_absolute 2477 is not one of 4…2476" \
  $probe set /dev/video0 exposure_time_absolute=2477
(sleep 0.7; $sensor -c exposure=333) &
ok "another program's change is reported" prints '^change exposure_time_absolute 333$' \
  $probe changes /dev/video0 1.5
wait $!
$probe set /dev/video0 test_pattern=1 >/dev/null
ok "a test pattern is refused" fails "delivers the test pattern 'Color Bars' .*; test_pattern 0" \
  $probe stream /dev/video0 1 RGGB 640x480
ok "by the tool too" fails "test pattern 'Color Bars'" ./wbcal verify --device $device
$probe set /dev/video0 test_pattern=0 >/dev/null

# light: prints the green of raw pictures.
light() { $probe stream /dev/video0 3 RGGB 640x480 | awk '/^frame/ { green = $(NF - 1) } END { print green }'; }
$sensor -c exposure=1000
before=$(light)
$sensor -c exposure=500
ok "an exposure shows in raw pictures" within 0.48 0.52 "$(awk "BEGIN { print $(light) / $before }")"
$sensor -c exposure=900
# wbcal runs in the foreground, because a shell's background process would ignore SIGINT.
(until [ "$(of exposure)" -ne 900 ]; do sleep 0.05; done; killall -INT wbcal) &
timeout 60 ./wbcal bracket --device $device --durations 1/100,1/50,1/30 >/run/told 2>&1
ok "Ctrl-C ends a bracket" within 130 130 $?
ok "which says what it did" prints "interrupted; the camera's settings were restored" cat /run/told
ok "and the exposure is as before" within 900 900 "$(of exposure)"
dmesg | grep -E 'Oops|BUG|WARNING|segfault|general protection' >/run/crashes
ok "nothing crashed" within 0 0 "$(wc -l </run/crashes)"
finish
