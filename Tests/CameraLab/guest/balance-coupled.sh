. ./lib-balance.sh
balance coupled
finish
