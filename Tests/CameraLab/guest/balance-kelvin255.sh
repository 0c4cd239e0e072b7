. ./lib-balance.sh
balance kelvin255
finish
