#!/usr/bin/env bash
# studio.sh WBCAL [SECONDS]: what wbcal studio takes of a core while one page looks at a camera of 1920x1080 and
# 30 frames a second. Fails above 30 %.
set -euo pipefail
wbcal=$(realpath "$1")
seconds=${2:-30}
work=$(mktemp -d)
cd "$work"
"$wbcal" studio --device simulated:replay=4,size=1920x1080,fps=30 >where 2>said &
studio=$!
trap 'kill $studio 2>/dev/null || true; wait; rm -rf "$work"' EXIT
until grep -q token where; do sleep 0.1; done
at=$(grep -o 'http[^?]*' where)api/1
token=$(grep -o '[^=]*$' where)
get() { exec curl -s -N -H "Authorization: Bearer $token" "$at/$1"; }
spent() { awk '{ print $14 + $15 }' "/proc/$studio/stat"; }

get 'events?page=bench' >events &
get 'picture?width=960' >pictures &
sleep 5
before=$(spent) frames=$(grep -c '^event: reading' events) parts=$(grep -ac '^Content-Type: image/jpeg' pictures)
sleep "$seconds"
after=$(spent) frames=$(($(grep -c '^event: reading' events) - frames))
parts=$(($(grep -ac '^Content-Type: image/jpeg' pictures) - parts))
kill %2 %3
wait %2 %3 || true
sleep 8
idle=$(spent)
sleep 5
awk -v spent=$((after - before)) -v idle=$(($(spent) - idle)) -v seconds="$seconds" -v tick="$(getconf CLK_TCK)" \
  -v pictures="$parts" -v readings="$frames" 'BEGIN {
    share = 100 * spent / tick / seconds
    printf "the studio takes %.1f %% of a core for %.1f pictures and %.1f readings a second", share, pictures / seconds,
      readings / seconds
    printf ", and %.1f %% for no page\n", 100 * idle / tick / 5
    exit share > 30
  }'
