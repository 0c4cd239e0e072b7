. ./lib-balance.sh
# What compression adds.
gray_limit=0.5
device=$device,format=MJPG
balance v256
finish
