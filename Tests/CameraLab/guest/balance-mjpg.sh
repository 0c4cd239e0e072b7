. ./lib-balance.sh
# Compression adds to the difference from neutral.
gray_limit=0.5
device=$device,format=MJPG
balance v256
finish
