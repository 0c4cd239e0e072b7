#!/usr/bin/env bash
# convert.sh WBCAL: measures how many rows a second `wbcal convert` converts with one processor and
# with all, as the median of five runs each, in turn. Fails if the two outputs differ, or if it
# takes more than 64 MiB of memory.
set -euo pipefail
wbcal=$(realpath "$1")
rows=1500000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk -v rows=$rows 'BEGIN {
  print "x,y"
  for (i = 0; i < rows; i++) printf "%.5f,%.5f\n", 0.25 + 0.25 * rand(), 0.28 + 0.14 * rand()
}' >rows.csv
for turn in 1 2 3 4 5; do
  for processors in one all; do
    run=("$wbcal" convert --from xy --to temperature-tint)
    test $processors = all || run=(taskset -c 0 "${run[@]}")
    bash -c 'TIMEFORMAT=%R; time "$@" <rows.csv >"$0.csv"' "$processors" "${run[@]}" 2>>$processors.times
  done
done
cmp one.csv all.csv
# Standard output is read late, so that waiting results take as much memory as they may.
"$wbcal" convert --from xy --to temperature-tint <rows.csv > >(sleep 3; cat >/dev/null) &
sleep 2
memory=$(awk '$1 == "VmHWM:" { print $2 }' /proc/$!/status)
wait $!
median() { sort -n "$1.times" | sed -n 3p; }
awk -v rows=$rows -v one="$(median one)" -v all="$(median all)" -v memory="$memory" -v processors="$(nproc)" 'BEGIN {
  printf "%.2f million rows a second with one processor, %.2f with %d (%.2f times), in %.0f MiB\n", rows / one / 1e6,
    rows / all / 1e6, processors, one / all, memory / 1024
  exit memory > 65536
}'
