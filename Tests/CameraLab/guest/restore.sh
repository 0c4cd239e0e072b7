# Tests that a camera that lost its settings, because it was switched off or unplugged, gets them
# back.
. ./lib-balance.sh
state=/var/lib/wbcal

# start_again: starts the same camera with its initial settings.
start_again() {
  stop_camera
  start_camera --law v512 --lamp A
}
# look: lets the camera send frames, so that its picture has true values.
look() {
  qvga
  grab 20
}
restore() { ./wbcal restore --device "$device" "$@"; }
has_gains() { prints "^$gains\$" truth gains; }
lacks_gains() { [ "$(truth gains)" != "$gains" ]; }

start_camera --law v512 --lamp A
ok "to look at a camera" ./wbcal watch --device "$device" --seconds 1
ok "keeps nothing" [ ! -e $state ]
set_control auto_exposure=1
set_control exposure_time_absolute=200,contrast=126
ok "gray under A" prints 'seen in frame|already' ./wbcal gray --device "$device"
ok "is kept, root's for the whole system" prints '"wbcal-setting"' cat $state/*.json
look
ok "the card is neutral" neutral 0.5
gains=$(truth gains)
card=$(truth card)
echo "# gains=$gains card=$card"

start_again
ok "a camera that starts anew knows nothing of it" has white_balance_automatic 1
look
ok "nor does its picture" lacks_gains
ok "restored" prints "is as set .*red_balance" restore
look
ok "it has its gains" has_gains
ok "and the card its color" prints "^$card\$" truth card
ok "with an exposure" has exposure_time_absolute 200
ok "and a contrast as before" has contrast 126

start_again
uvcd ctl unplug >/dev/null
wait_node absent
ok "unplugged it is no device" fails "no camera" restore
(sleep 2; uvcd ctl plug >/dev/null) &
plugging=$!
ok "restored when it comes back" prints "is as set" restore --wait 10 --verify
wait $plugging
look
ok "with its gains" has_gains
uvcd ctl unplug >/dev/null
wait_node absent
ok "one that does not come back is given up" fails "no camera" restore --wait 1
uvcd ctl plug >/dev/null
wait_node present

# After another program has set the camera, and for all cameras at once.
set_control red_balance=100,blue_balance=100
ok "without a name too" prints "is as set" ./wbcal restore
look
ok "which has its gains" has_gains
ok "as JSON" prints '"controls":{.*"red_balance":' ./wbcal restore --all --json

set_control red_balance=100
set_control white_balance_automatic=1
for file in $state/*.json; do
  head -c 200 "$file" >/run/cut
  mv /run/cut "$file"
done
restore >/run/said 2>&1
ok "a damaged file is bad data" within 65 65 $?
ok "and sets nothing" has white_balance_automatic 1
rm $state/*.json
restore >/run/said 2>&1
ok "a camera that was never set has no setting" within 66 66 $?
ok "and is left alone" prints "no connected camera" ./wbcal restore
ok "--no-store keeps none" prints locked ./wbcal gray --device "$device" --no-store
ok "of what was set" [ -z "$(ls $state)" ]
export WBCAL_STATE=/proc/none
./wbcal gray --device "$device" >/run/remark 2>&1
ok "what cannot be kept is set all the same" within 0 0 $?
ok "with a remark" prints "This setting cannot be restored later.*/proc/none" cat /run/remark
stop_camera
finish
