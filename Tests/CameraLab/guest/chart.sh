# Calibrates a camera with a color chart, and compares the gains that are predicted for other lamps
# with those of its sensor.
. ./lib.sh
device=/dev/video0,size=640x480

# within_percent PERCENT LAMP: both gains for a lamp are the sensor's, within this.
within_percent() {
  ./wbcal convert --light "$2" --to gains --profile /run/camera.json >/run/gains || return 1
  awk -F '[,\t]' -v limit="$1" -v lamp="$2" '
    FILENAME == "/etc/lamps" { if ($1 == lamp) { red = $3 / $2; blue = $3 / $4 }; next }
    { gains = $0 }
    END {
      split(gains, g)
      r = 100 * (g[1] / g[2] / red - 1); b = 100 * (g[3] / g[2] / blue - 1)
      print r " % red, " b " % blue"
      exit !(r * r <= limit * limit && b * b <= limit * limit)
    }' /etc/lamps /run/gains
}

learns() {
  ok "$1: a picture" ./wbcal bracket --device "$device" --count 1 -o /run/chart.tiff
  ok "$1: found" prints '24 of 24 patches are readable' ./wbcal find chart /run/chart.tiff
  rm -f /run/camera.json
  ok "$1: calibrated" prints '24 of 24 patches used' ./wbcal calibrate --chart /run/chart.tiff@D65 -o /run/camera.json
  ok "$1: under D65" within_percent "$2" D65
  ok "$1: under A" within_percent "$2" A
  ok "$1: under LED-B3" within_percent "$2" LED-B3
  ok "$1: under FL11" within_percent "$3" FL11
}

# The pictures are taken with the gains of the controls, which are 1.
start_camera --ideal --curve bt709 --law v512 --lamp D65 --chart
learns "gains alone" 1 1.5
# The driver reports BT.709 for samples that are linear.
device=$device,format=RGGB
ok "a curve that is not there: a picture" ./wbcal bracket --device "$device" --count 1 -o /run/wrong.tiff
ok "a curve that is not there: refused" fails 'agree with no camera' \
  ./wbcal calibrate --chart /run/wrong.tiff@D65 -o /run/wrong.json
stop_camera
finish
