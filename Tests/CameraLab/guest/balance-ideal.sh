. ./lib-balance.sh
balance v256 --ideal
finish
