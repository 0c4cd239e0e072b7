# Tests a camera whose laws wbcal does not know: it is calibrated under two lamps, set to lamps by
# their colors, and made neutral on the card under other lamps.
. ./lib.sh
# Small frames: the guest computes slowly.
device=/dev/video0,size=160x120

# light_of LAMP: prints the options for the color and the class of a lamp.
light_of() {
  case $1 in
    A) echo "--xy 0.44758,0.40745 --class thermal" ;;
    D65) echo "--xy 0.3127,0.3290 --class daylight" ;;
    D50) echo "--temperature 5002 --tint 9.7 --class daylight" ;;
    "ISO 7589 Photoflood") echo "--xy 0.41037,0.39399 --class thermal" ;;
  esac
}

# software: prints the residual gains for software that wbcal stated, if any, as three words.
software() { sed -n 's/.*in software: //p' /run/said | tr , ' '; }

# neutral LIMIT: the true difference of the card from neutral, after those gains, is within LIMIT.
neutral() {
  # shellcheck disable=SC2046
  within 0 "$1" "$(uvcd ctl neutral $(software))"
}

# near_best SLACK: without those gains, no setting brings the card nearer by more than SLACK.
near_best() {
  is=$(uvcd ctl neutral)
  best=$(uvcd ctl best)
  echo "$is; $best is the best"
  awk -v is="$is" -v best="${best%% *}" -v slack="$1" 'BEGIN { exit !(is <= best + slack) }'
}

# The accepted difference from neutral after gray.
gray_limit=0.3

# balance LAW [uvcd option...]: runs all of this with a law of the controls.
balance() {
  law=$1
  shift
  start_camera --law "$law" --lamp A "$@"
  ok "$law: calibrated under A and D65" prints '^saved' ./wbcal calibrate --device "$device" \
    --light A --light D65 --change-light 'uvcd ctl lamp "$WBCAL_LIGHT"' -o /run/desk.json
  sed 's/^/#   /' /run/said
  for lamp in A D65 D50 "ISO 7589 Photoflood"; do
    # For a lamp without a shot, the gains are predicted, not measured.
    case $lamp in A | D65) limit=0.5 slack=0.1 ;; *) limit=1 slack=0.5 ;; esac
    # shellcheck disable=SC2086
    uvcd ctl lamp $lamp >/dev/null
    # shellcheck disable=SC2046
    ok "$law: set to $lamp" prints 'seen in frame|already' ./wbcal set --device "$device" \
      --profile /run/desk.json $(light_of "$lamp")
    ok "$law: the card under $lamp" neutral $limit
    case $law in kelvin*) ok "$law: no step is better under $lamp" near_best $slack ;; esac
  done
  for lamp in A FL11 LED-B3 FL2; do
    uvcd ctl lamp $lamp >/dev/null
    ok "$law: gray under $lamp" prints 'seen in frame|already' ./wbcal gray --device "$device" \
      --profile /run/desk.json
    ok "$law: the card under $lamp" neutral $gray_limit
    case $law in kelvin*) ok "$law: no step is better under $lamp" near_best 0.1 ;; esac
  done
  ok "$law: wbcal verify agrees" prints CIEDE2000 ./wbcal verify --device "$device" --limit 5
  stop_camera
}
