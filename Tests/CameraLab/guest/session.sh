# Not a test: prints the session of the guide "The tool at a glance" as it looks on a terminal.
. ./lib.sh
show() {
  echo "\$ $*" | sed "s/ usb-Camera_Lab[^ ]*/ webcam/; s/sh -c //"
  "$@" 2>&1 | tr '\r' '\n' | sed 's/\x1b\[2K//' | grep -v '^probing' | grep -v '^ok$' |
    sed 's/usb-Camera_Lab_Lab_Camera_LAB0001-video-index0,size=320x240/webcam/'
}
name=usb-Camera_Lab_Lab_Camera_LAB0001-video-index0,size=320x240
start_camera --law v512 --lamp A
ln -s /lab/wbcal /bin/wbcal
show wbcal devices --device $name
show wbcal calibrate --device $name --light A --light D65 --change-light 'uvcd ctl lamp "$WBCAL_LIGHT"' -o desk.json
show uvcd ctl lamp D50
show wbcal set --device $name --profile desk.json --temperature 5000 --tint 10 --class daylight
show wbcal verify --device $name
show uvcd ctl lamp FL11
show wbcal watch --device $name --profile desk.json --seconds 3
show wbcal gray --device $name --profile desk.json
show wbcal watch --device $name --profile desk.json --seconds 2
show wbcal set --device $name --profile desk.json --temperature 900 --class thermal
stop_camera >/dev/null
