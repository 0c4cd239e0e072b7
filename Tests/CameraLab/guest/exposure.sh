# Tests the exposure with nine combinations of laws that wbcal does not know: brackets, compared
# with the camera's log of each frame; the meter; and the settings that are left behind.
. ./lib.sh
device=/dev/video0,size=160x120
export WBCAL_STATE=/run/state

settings() { $camera -C auto_exposure,exposure_time_absolute,gain; }
# field NAME LINE: prints a number in a line of JSON.
field() { echo "$2" | sed -n "s/.*\"$1\":\([-0-9.e]*\).*/\1/p"; }
# shown FRAME NAME: prints a value of a frame of the last stream, from the camera's log.
shown() {
  awk -v frame="$1" -v name="$2" '
    / stream on / { line = "" }
    $2 == "frame" && $3 == frame { line = $0 }
    END { count = split(line, words); for (i = 1; i <= count; i++) if (sub("^" name "=", "", words[i])) print words[i] }' \
    /run/uvcd.log
}

# right_pictures STOPS: every picture of /run/bracket has the settings that the camera's log states
# for that frame, and the exposure that wbcal states, within this number of stops.
right_pictures() {
  count=0
  worst=0
  base=
  while read -r line; do
    frame=$(field frame "$line")
    is="$(shown "$frame" exposure) $(shown "$frame" gain)"
    said="$(field exposure_time_absolute "$line") $(field gain "$line")"
    [ "${said#* }" ] || said="$said$(shown "$frame" gain)"
    [ "$is" = "$said" ] || { echo "frame $frame is $is, and not $said"; return 1; }
    : "${base:=$(field stops "$line") $(shown "$frame" stops)}"
    worst=$(echo "$worst $base $(field stops "$line") $(shown "$frame" stops)" | awk '{
      off = ($4 - $2) - ($5 - $3); if (off < 0) off = -off
      print (off > $1 ? off : $1) }')
    count=$((count + 1))
  done </run/bracket
  echo "$count pictures, off by $worst"
  [ $count -gt 1 ] && awk "BEGIN { exit !($worst <= $1) }"
}
bracket() {
  ./wbcal bracket --device $device --json "$@" >/run/bracket 2>/run/said
  status=$?
  tr '\r' '\n' </run/said | grep -v 'of at most\|the tone curve: exposure' | tail -n 1
  return $status
}

# laws TIME GAIN LATENCY: tests brackets with two laws of the exposure and a latency.
laws() {
  start_camera --ideal --curve bt709 --time-law "$1" --gain-law "$2" --latency "$3" --lamp D65
  settings >/run/before
  ok "$1, $2: a bracket" bracket --ev=-4,-3,-2,-1,0,1,2,3,3.5
  # Each of the two laws is within 1 %, which is 0.0144 stops.
  ok "$1, $2: each picture has its settings and its light" right_pictures 0.029
  ok "$1, $2: and the camera its own" diff /run/before - <<S
$(settings)
S
  # Starts near the longest time that fits into a frame, with the smallest gain: from one picture to
  # the next, one of the two changes.
  case $1 in logarithmic) longest=2047 light=0.004 ;; *) longest=310 light=0.8 ;; esac
  uvcd ctl level $light >/dev/null
  set_control auto_exposure=1
  set_control exposure_time_absolute=$longest,gain=0
  ok "$1, $2: a bracket of times, and of gains" bracket --ev=0,-4,-3,-2,-1,1,2,3
  ok "$1, $2: each is within a percent" right_pictures 0.0144
  # Exposure times in seconds, since V4L2 defines the unit of this control.
  case $1 in logarithmic) ;; *)
    ok "$1, $2: a bracket of seconds" bracket --durations 1/200,1/100,1/50
    ok "$1, $2: each has the light that is said" right_pictures 0.0144
    ;;
  esac
  stop_camera
}
latency=0
for time in absolute lines logarithmic; do
  for gain in decibels additive coarse; do
    laws $time $gain $latency
    latency=$(((latency + 4) % 11))
  done
done

# A typical consumer camera, whose pictures follow another curve than the driver reports.
start_camera --lamp D65
settings >/run/before
ok "a curve of its own is found first" bracket --ev=-2,0,2
ok "each picture has its settings and its light" right_pictures 0.029
./wbcal exposure --device $device --mode locked >/dev/null 2>&1
ok "five durations" bracket --durations 1/500,1/200,1/100,1/50,1/30
ok "each has its own" right_pictures 0.02
ok "more than there is" fails "stops" bracket --ev=0,9
ok "no such duration" fails "out of the camera's current range: 0.*to 204" \
  ./wbcal bracket --device $device --durations 1/100,3

# meter: compares the reported exposure of the card with the true one.
meter() {
  said=$(field offset "$(./wbcal exposure --device $device --region center:0.3 --json 2>/dev/null)")
  grab 1
  echo "$said $(truth meter)" | awk '{ print; exit !($1 - $2 < 0.1 && $2 - $1 < 0.1) }'
}
stop_camera
start_camera --ideal --curve bt709 --lamp D65
for level in 0.02 0.1 0.5 2 4; do
  set_control auto_exposure=1
  set_control exposure_time_absolute=250
  uvcd ctl level $level >/dev/null
  ok "the meter at $level of the light" meter
done
uvcd ctl level 1 >/dev/null

# After a run was killed, its settings are restored.
set_control exposure_time_absolute=321,gain=7
settings >/run/before
: >/run/uvcd.log
./wbcal bracket --device $device --ev=-2,0,2 --json >/dev/null 2>&1 &
victim=$!
for _ in $(seq 300); do
  grep -q " frame 60 " /run/uvcd.log && break
  sleep 0.03
done
ok "another run is told who has the camera" fails "wbcal \(process $victim\) is using" \
  timeout 20 ./wbcal focus --device $device --position 0.5
kill -9 $victim
wait $victim 2>/dev/null
ok "killed, it leaves the camera otherwise" fails . diff /run/before - <<S
$(settings)
S
ok "restored" prints "as before the killed command of" ./wbcal restore --device $device
ok "to what it was" diff /run/before - <<S
$(settings)
S
# A run whose camera is unplugged.
: >/run/uvcd.log
(
  for _ in $(seq 300); do
    grep -q " frame 60 " /run/uvcd.log && break
    sleep 0.03
  done
  uvcd ctl unplug >/dev/null
) &
./wbcal bracket --device $device --ev=-2,0,2 --json >/run/bracket 2>/run/said
ok "unplugged it fails" within 69 69 $?
wait_node absent
uvcd ctl plug >/dev/null
wait_node present
ok "plugged in again, restored" prints "as before the killed command of" ./wbcal restore --device $device --wait 5
ok "it is as it was" diff /run/before - <<S
$(settings)
S
stop_camera
finish
