# Tests wbcal with faults of a camera while it sets the exposure, takes brackets and moves the lens.
. ./lib-faults.sh
export WBCAL_STATE=/run/state

settings() { $camera -C auto_exposure,exposure_time_absolute,gain,focus_automatic_continuous,focus_absolute; }
prepare() {
  set_control auto_exposure=1,focus_automatic_continuous=0
  set_control exposure_time_absolute=400,gain=0,focus_absolute=60
  settings >/run/before
}
duration() { timeout 30 ./wbcal exposure --device $device --duration 1/50; }
gain() { timeout 60 ./wbcal exposure --device $device --gain 2; }
bracket() { timeout 60 ./wbcal bracket --device $device --durations 1/100,1/50,1/25; }
focus() { timeout 30 ./wbcal focus --device $device --position 0.5; }
sweep() { timeout 60 ./wbcal focus --device $device --sweep; }

start_camera --ideal --curve bt709 --lamp D65 --texture 40 --sharp-at 140
prepare

# Commands that set a control once; `address` is that control's unit and selector.
for command in duration bracket focus; do
  case $command in
  focus) address="1 0x06" ;;
  *) address="1 0x04" ;;
  esac
  # shellcheck disable=SC2086
  uvcd ctl target $address 1 >/dev/null
  refuses() {
    uvcd ctl stall 1 "$1" >/dev/null
    meets "$2" 3 "$3" $command
  }
  ok "$command: refused without a code" refuses 0 74 "could not be set.*Broken pipe"
  ok "$command: not ready" refuses 1 75 "could not be set.*not ready"
  ok "$command: wrong state" refuses 2 74 "could not be set.*automatic mode governs"
  ok "$command: out of range" refuses 4 74 "could not be set.*out of range"
  ok "$command: no such control" refuses 6 74 "could not be set.*Input/output"
  uvcd ctl mute 1 >/dev/null
  ok "$command: no answer" meets 74 11 "could not be set.*did not answer" $command
  uvcd ctl mute 0 >/dev/null
  uvcd ctl ignore -1 >/dev/null
  ok "$command: acknowledged, never done" meets 75 9 "was set to .*reports" $command
  uvcd ctl ignore 0 >/dev/null
  uvcd ctl target 0 0 >/dev/null
  prepare
done

for command in duration bracket focus; do
  case $command in
  focus) setting="SET focus" ;;
  *) setting="SET exposure" ;;
  esac
  for fault in "short 5" "drop 5" "errbit 5"; do
    # shellcheck disable=SC2086
    at "$setting" uvcd ctl $fault
    ok "$command: $fault as it is set" succeeds 9 . $command
  done
  at "$setting" uvcd ctl hang 1
  ok "$command: no more pictures" meets 74 3.5 "has sent no picture for 3" $command
  uvcd ctl hang 0 >/dev/null
  for signal in INT TERM; do
    case $signal in INT) code=130 ;; TERM) code=143 ;; esac
    ok "$command: $signal as it is set" \
      interrupted $signal - "$setting" $code 1 "interrupted; the camera's settings were restored" $command
  done
  at "$setting" uvcd ctl unplug
  ok "$command: unplugged as it is set" ends 69 1 "went away; plug it in" $command
  again
done
for command in duration bracket; do
  at "SET exposure" uvcd ctl freeze 1
  ok "$command: a frozen picture" meets 75 7 "does not show it: .* are frozen" $command
  uvcd ctl freeze 0 >/dev/null
done

# Commands that measure before they set anything.
for command in gain sweep; do
  at " frame 40 " uvcd ctl hang 1
  ok "$command: no more pictures while it looks" meets 74 3.5 "has sent no picture for 3" $command
  uvcd ctl hang 0 >/dev/null
  ok "$command: INT while it looks" \
    interrupted INT - " frame 40 " 130 1 "interrupted; the camera's settings were restored" $command
  at " frame 40 " uvcd ctl unplug
  ok "$command: unplugged while it looks" ends 69 1 "went away; plug it in" $command
  again
done

# Other programs.
$camera --stream-mmap=4 --stream-count=300 >/dev/null 2>&1 &
streamer=$!
sleep 0.3
for command in duration bracket focus sweep; do
  ok "$command: another program streams" meets 75 1 "process [0-9]+\) is using" $command
done
kill $streamer
wait $streamer 2>/dev/null
at "SET exposure" sh -c "while pidof wbcal; do $camera -c exposure_time_absolute=900; done"
ok "another program sets the exposure" \
  ends 75 9 "exposure_time_absolute was set to 200, but the camera reports 900; another program" duration
prepare
ok "and used again" succeeds 5 "seen in frame" duration
stop_camera
finish
