# Compares every law of the controls, as the picture shows it, with values computed by hand.
. ./lib.sh

# Starts a camera with everything manual.
start() {
  start_camera --ideal "$@"
  qvga >/dev/null
  $camera -c white_balance_automatic=0,auto_exposure=1
  $camera -c exposure_time_absolute=250
}
# Sets controls, and prints the gains of the picture that shows them.
gains() {
  $camera -c "$1"
  grab 4
  truth gains
}

# over red|blue FILE FILE: prints the first file's gain divided by the second's.
over() { paste -d , "$2" "$3" | awk -F , -v red="$1" '{ print red == "red" ? $1 / $4 : $3 / $6 }'; }

start --law v512
ok "v512: the neutral value is 1" prints '^1.00000,1,1.00000$' gains red_balance=475,blue_balance=475
ok "v512: an offset, then 512 to a gain" prints '^2.00000,1,0.50000$' gains red_balance=987,blue_balance=219
stop_camera

start --law additive --lamp D50
gains red_balance=0,blue_balance=0 >/run/before
ok "additive: 0 is neutral under daylight" within 0 0.05 "$(uvcd ctl neutral)"
ok "additive: values are signed" set_control red_balance=-128,blue_balance=127
ok "additive: which reading shows" has red_balance -128
gains red_balance=64,blue_balance=-64 >/run/after
ok "additive: 64 is half more" within 1.4999 1.5001 "$(over red /run/after /run/before)"
stop_camera

start --law coupled
ok "coupled: without gain as v256" prints '^1.50000,1,0.75000$' gains red_balance=384,blue_balance=192
ok "coupled: gain draws both to green" prints '^1.37500,1,0.81250$' gains gain=128
stop_camera

for law in kelvin10 kelvin255; do
  start --law $law --lamp D50
  if [ $law = kelvin10 ]; then cold=7500 warm=2000 middle=5000; else cold=255 warm=0 middle=118; fi
  gains white_balance_temperature=$middle >/dev/null
  ok "$law: the middle is neutral under daylight" within 0 0.05 "$(uvcd ctl neutral)"
  gains white_balance_temperature=$warm >/run/warm
  gains white_balance_temperature=$cold >/run/cold
  ok "$law: red rises" within 1.5 4 "$(over red /run/cold /run/warm)"
  ok "$law: blue falls" within 0.2 0.5 "$(over blue /run/cold /run/warm)"
  stop_camera
done

# No temperature makes the card neutral under lamp A: even the nearest one leaves a tint.
start --law kelvin10 --lamp A
least=100
for kelvin in 2600 2700 2800 2900 3000; do
  gains white_balance_temperature=$kelvin >/dev/null
  least=$(printf '%s\n%s\n' "$least" "$(uvcd ctl neutral)" | sort -n | head -n 1)
done
ok "kelvin10: lamp A is off its line" within 0.8 3 "$least"
stop_camera
finish
