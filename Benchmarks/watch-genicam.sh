#!/bin/bash
# watch-genicam.sh WBCAL PEER [RATE]: prints the share of a core that watching a machine-vision
# camera of 1280×1024 pixels takes, Bayer of 8 and 12 bits, and the rate at which frames arrived: if
# RATE, the one that the camera is asked for, is 66, at least 60 frames a second. The camera is a
# peer on the loopback interface, in a process of its own, with jumbo frames. Fails above 15 %.
set -euo pipefail
wbcal=$1
peer=$2
rate=${3:-66}
seconds=20
folder=$(mktemp -d)
mkfifo "$folder/end"
"$peer" --size 1280x1024 --fps "$rate" --packet-size 8164 <"$folder/end" >"$folder/ready" &
exec 3>"$folder/end"
trap 'exec 3>&-; wait; rm -rf "$folder"' EXIT
for _ in $(seq 100); do
  ! grep -q ready "$folder/ready" || break
  sleep 0.1
done
# measure FORMAT: watches for some seconds.
measure() {
  TIMEFORMAT='%U %S %R'
  { time "$wbcal" watch --json --every 1 --seconds $seconds --device "genicam:127.0.0.1,format=$1" \
    >"$folder/lines"; } 2>"$folder/time"
  tail -n 1 "$folder/time" | awk -v format="$1" -v frames="$(frames)" '{
    share = 100 * ($1 + $2) / $3
    printf "%s, %.1f frames a second: watching takes %.1f %% of a core\n", format, frames, share
    exit share > 15
  }'
}
# frames: the rate at which frames arrived, from the first and last line.
frames() {
  awk -F'[:,]' '{ for (i = 1; i < NF; i++) {
      if ($i ~ /"frame"/) frame = $(i + 1)
      if ($i ~ /"timestamp"/) time = $(i + 1)
    }
    if (NR == 1) { first = frame; start = time } }
    END { if (time > start) print (frame - first) / (time - start); else print 0 }' "$folder/lines"
}
status=0
for format in BayerRG8 BayerRG12 BayerRG12p; do measure $format || status=1; done
exit $status
