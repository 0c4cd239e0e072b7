. ./lib-balance.sh
balance v256 --webcam
finish
