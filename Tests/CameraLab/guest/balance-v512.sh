. ./lib-balance.sh
balance v512
finish
