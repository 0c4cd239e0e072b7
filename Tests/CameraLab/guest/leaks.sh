# Tests that a process holds hardly more memory, and no more files, after it has opened, streamed
# from and closed a camera many times.
. ./lib.sh
start_camera
./wbcal-camera-probe cycle /dev/video0 50 >/run/said
# grows MOST THING: the number of things grows by at most MOST from the first line to the last.
grows() {
  # shellcheck disable=SC2046
  set -- "$1" $(sed -n "s/.* \([0-9]*\) $2.*/\1/p" /run/said)
  echo "$2 after the first, $3 after the fiftieth"
  [ $# -eq 3 ] && [ $(($3 - $2)) -le "$1" ]
}
ok "descriptors" grows 0 descriptors
ok "kB of memory" grows 256 "kB of memory"
ok "kB mapped" grows 0 "kB mapped"
stop_camera
finish
