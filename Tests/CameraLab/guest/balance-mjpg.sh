. ./lib-balance.sh
device=$device,format=MJPG
balance v256 --webcam
finish
