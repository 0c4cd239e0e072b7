# Not a test by itself: runs a camera and a studio for a browser outside the guest (StudioLabTests).
# The studio is at 10.0.2.15:8080, and its address with the token is in /run/where; a shell listens
# on port 2000. The script ends when the file /run/over exists.
. ./lib.sh
load e1000
ip link set lo up
ip link set eth0 up
ip address add 10.0.2.15/24 dev eth0
start_camera --law v256 --lamp FL11
set_control white_balance_automatic=0
set_control red_balance=300,blue_balance=500
ln -s /lab/wbcal /bin/wbcal
cd /run || exit 1
nc -ll -p 2000 -e /bin/sh &
wbcal studio --device /dev/video0,size=160x120 --listen 10.0.2.15:8080 --allow-remote >where 2>studio-says &
studio=$!
until [ -e over ]; do sleep 0.1; done
kill "$studio"
wait "$studio"
ok "the studio ends by the signal" within 143 143 $?
# The studio had the camera open when it was unplugged, so it came back under another name.
for device in /dev/video*; do break; done
camera="v4l2-ctl -d $device"
ok "and leaves the camera as it was" has red_balance 300
# The file contains the equivalent command of the studio's log, which must have the same effect.
sed -i "s|/dev/video0|$device|" over
. ./over
cat studio-says
finish
