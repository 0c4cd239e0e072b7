. ./lib-balance.sh
balance additive
finish
