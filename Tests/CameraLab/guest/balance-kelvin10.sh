. ./lib-balance.sh
balance kelvin10
finish
