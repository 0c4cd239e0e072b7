. ./lib-balance.sh
balance v256
finish
