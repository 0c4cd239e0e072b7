# Tests that the programs of this package run in the guest.
. ./lib.sh
ok "wbcal runs" prints '^[0-9]' ./wbcal --version
ok "and computes" prints '^650' ./wbcal convert --from xy --to temperature-tint 0.3127 0.3290
finish
