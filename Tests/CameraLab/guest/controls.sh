# Tests gray with the laws, latencies and faults of controls: each kind with three values.
. ./lib-gray.sh

for law in v256 v512 additive; do locks 0.5 --law $law --falling; done
for percent in 10 20 30; do locks 0.5 --flat $percent; done
# A control with few levels cannot come closer than its steps allow.
for levels in 48 96 192; do locks 2 --levels $levels; done
for values in 2 6 20; do locks 0.5 --hysteresis $values; done
for frames in 12 20 30; do locks 0.5 --latency $frames; done
for frames in 1 2 5; do locks 0.5 --jitter $frames; done
for percent in 4 8 30; do locks 0.5 --slow $percent; done
for frames in 2 6 15; do locks 0.5 --read-late $frames; done
for step in 2 4 8; do locks 0.5 --read-step $step; done
for law in v256 v512 additive; do locks 0.5 --law $law --last-only; done
for frames in 8 40 150; do refuses 'chooses its white balance again' --comeback $frames; done
finish
