# Sets sixty random gains after a calibration under two lamps: each must agree with the camera's law
# within twice the standard error that wbcal states.
. ./lib.sh
device=/dev/video0,size=160x120
count=60

# json OBJECT.NAME: prints a number from the last JSON that wbcal wrote.
json() {
  tr -d ' \n' </run/set.json | sed -n "s/.*\"${1%.*}\":{[^}]*\"${1#*.}\":\([-0-9.e]*\).*/\1/p"
}
set_gains() {
  ./wbcal set --device $device --profile /run/desk.json --no-store --json --gains "$1,1,$2" \
    >/run/set.json 2>/run/said
}

start_camera --lamp A
ok "calibrated under A and D65" prints '^saved' ./wbcal calibrate --device "$device" \
  --light A --light D65 --change-light 'uvcd ctl lamp "$WBCAL_LIGHT"' -o /run/desk.json
sed 's/^/#   /' /run/said
uvcd ctl lamp D50 >/dev/null
ok "gains of 1" set_gains 1 1
reference=$(truth gains)
# Park and Miller's minimal standard generator: the same gains in every run.
seed=20
random() {
  seed=$((seed * 48271 % 2147483647))
  awk -v low="$1" -v high="$2" -v share="$seed" '
    BEGIN { printf "%.3f", low + (high - low) * share / 2147483647 }'
}
right=0
all=0
for i in $(seq $count); do
  random 0.7 1.8 >/run/red
  random 0.6 1.6 >/run/blue
  red=$(cat /run/red) blue=$(cat /run/blue)
  if ! set_gains "$red" "$blue"; then
    echo "# $red 1 $blue: $(tail -n 1 /run/said)"
    continue
  fi
  line=$(echo "$reference,$(truth gains),$(json gainsGreenOne.red),$(json gainsGreenOne.blue),$(
    json standardError.red),$(json standardError.blue)" | awk -F , '{
    red = $4 / $5 / ($1 / $2); blue = $6 / $5 / ($3 / $2)
    red_off = $7 / red - 1; blue_off = $8 / blue - 1
    is_red = red_off <= 2 * $9 && -red_off <= 2 * $9; is_blue = blue_off <= 2 * $10 && -blue_off <= 2 * $10
    printf "%d said %.3f %.3f, is %.3f %.3f, within %.1f %.1f %%, off %.1f %.1f %%", is_red + is_blue, $7, $8,
      red, blue, 200 * $9, 200 * $10, 100 * red_off, 100 * blue_off }')
  echo "# $line"
  right=$((right + ${line%% *}))
  all=$((all + 2))
done
ok "of $all gains, $right are within what is said of them" \
  awk "BEGIN { exit !($all >= $count && $right >= 0.93 * $all) }"
stop_camera
finish
