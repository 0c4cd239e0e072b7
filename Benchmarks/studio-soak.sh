#!/usr/bin/env bash
# studio-soak.sh WBCAL [FRAMES]: checks that the memory of wbcal studio does not grow while a camera
# of 1000 frames a second delivers FRAMES frames, by default as many as a camera of 30 frames a
# second in 4.6 hours. One page is open throughout; others come and go, and the camera's
# mode is set each time. Fails if memory grows by more than 4 MiB after the first tenth, or if
# files or threads are left over.
set -euo pipefail
wbcal=$(realpath "$1")
frames=${2:-500000}
work=$(mktemp -d)
cd "$work"
"$wbcal" studio --device simulated:replay=8,size=64x48,fps=1000 >where 2>said &
studio=$!
trap 'kill $studio 2>/dev/null || true; wait; rm -rf "$work"' EXIT
until grep -q token where; do sleep 0.1; done
at=$(grep -o 'http[^?]*' where)api/1
token=$(grep -o '[^=]*$' where)
ask() { curl -s -N -H "Authorization: Bearer $token" "$@"; }
# now: prints the number of the newest frame, once a frame was read.
now() {
  until { ask "$at/news?page=counter" || true; } | grep -m 1 -oE '"frame":[0-9]+,"(gains|histogram)'; do sleep 0.1; done |
    grep -oE '[0-9]+'
}
size() { awk '/^VmRSS/ { print $2 }' "/proc/$studio/status"; }
# held: prints the numbers of open files and of threads.
held() { echo "$(find "/proc/$studio/fd" -mindepth 1 | wc -l) $(awk '/^Threads/ { print $2 }' "/proc/$studio/status")"; }

follow() { while ask -o /dev/null "$at/$1"; do :; done; }
follow 'news?page=main' &
follow 'snapshot?width=64' &
mode=locked round=0 small='' few=''
frame=$(now)
while ((frame < frames)); do
  for _ in {1..9}; do
    ask -o /dev/null "$at/news?page=visitor$((round % 9))"
    ask -o /dev/null "$at/snapshot?width=$((32 + round % 3 * 16))"
  done
  if [ $mode = locked ]; then mode=continuousAutomatic; else mode=locked; fi
  ask -o /dev/null -H 'Content-Type: application/json' -H 'X-Wbcal-Page: main' -d "{\"mode\":\"$mode\"}" "$at/set"
  round=$((round + 1))
  frame=$(now)
  if [ -z "$small" ] && ((frame > frames / 10)); then
    sleep 1
    small=$(size) few=$(held)
  fi
  if [ -t 2 ]; then printf '\rframe %d of %d, %d KiB ' "$frame" "$frames" "$(size)" >&2; fi
done
sleep 1
large=$(size) many=$(held)
echo "after $frame frames and $round visits the studio has $large KiB, $((large - small)) more than after a tenth;" \
  "files and threads: $many, before $few"
((large - small <= 4096))
read -r files threads <<<"$many"
read -r fewer less <<<"$few"
((files <= fewer + 1 && threads <= less + 2))
