# Tests cameras with processing after the gains, light that varies, and settings that are relative
# to where automatic white balance stopped: most kinds with three values.
. ./lib-gray.sh

for strength in 0.1 0.5 1.6; do locks 0.3 --matrix $strength; done
for factor in 0.7 1.05 1.5; do locks 0.3 --saturation $factor; done
for strength in 0.1 0.6 1; do locks 0.3 --s-curve $strength; done
for codes in -6 2 20; do locks 0.3 --lift $codes; done
for percent in 0 20 40; do locks 0.5 --shading $percent; done
for percent in 1 3; do locks 0.5 --flicker $percent; done
# The color of the light itself varies by more.
locks 1 --flicker 8
for percent in 0.2 0.5 1; do locks 0.5 --drift $percent; done
device=$device,format=MJPG
locks 0.5 --jpeg-quality 95
refuses 'compressed so strongly' --jpeg-quality 50
device=${device%,*}

calibrate() {
  ./wbcal calibrate --device "$device" --light A --light D65 --change-light 'uvcd ctl lamp "$WBCAL_LIGHT"' \
    -o /run/camera.json
}
for lamp in FL11 A LED-B3; do
  start_camera --lamp $lamp --comeback-at-start
  ok "$lamp, lost at the start of a stream: gray" prints 'until a program starts' gray
  ok "$lamp, lost at the start of a stream: is neutral" left 0.5
  stop_camera

  start_camera --lamp $lamp --comeback-at-plug
  ok "$lamp, lost where it is plugged in: gray" prints 'seen in frame' ./wbcal gray --device "$device"
  ok "$lamp, lost where it is plugged in: is neutral" left 0.5
  uvcd ctl unplug >/dev/null
  wait_node absent
  uvcd ctl plug >/dev/null
  wait_node present
  ok "$lamp, plugged in again: restored" ./wbcal restore --device "$device"
  grab 60
  ok "$lamp, plugged in again: is neutral" left 0.5
  stop_camera

  start_camera --lamp $lamp --relative
  ok "$lamp, gains on top of the automatic's: not calibrated" \
    fails 'start from where its automatic mode stopped' calibrate
  uvcd ctl lamp $lamp >/dev/null
  ok "$lamp, gains on top of the automatic's: gray" prints 'seen in frame' gray
  ok "$lamp, gains on top of the automatic's: is neutral" left 0.5
  stop_camera

  start_camera --lamp $lamp --exposure-stays
  ok "$lamp, exposure goes on: not calibrated" fails 'keeps choosing its exposure' calibrate
  uvcd ctl lamp $lamp >/dev/null
  ok "$lamp, exposure goes on: gray" prints 'seen in frame' gray
  ok "$lamp, exposure goes on: is neutral" left 0.5
  stop_camera
done
finish
