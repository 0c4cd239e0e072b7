# Compares the frame that a lock reports as the first with its setting with the camera's log, which
# states the settings of every frame.
. ./lib.sh

# differences: counts the differences between the reported frames and the first ones in the log.
differences() {
  awk '
    FNR == NR {
      if ($2 == "frame") {
        split($4, red, "="); split($5, blue, "=")
        key = red[2] " " blue[2]
        if (!(key in first)) first[key] = $3
      }
      next
    }
    $1 == "set" {
      key = $2 " " $3
      if ($5 < 0) unnamed++
      else if (!(key in first)) never++
      else {
        miss = $5 - first[key]
        if (miss == 0) same++; else if (miss == -1) earlier++; else if (miss == 1) later++; else more++
        if (miss) print "#   " $0 ", in truth " first[key] >"/run/misses"
      }
    }
    END {
      printf "%d exact, %d one earlier, %d one later, %d farther, %d unnamed, %d never shown\n",
        same, earlier, later, more, unnamed, never
    }' /run/uvcd.log /run/locked
}

sets=0
near=0
for latency in 0 1 2 3 4 5 6; do
  : >/run/uvcd.log
  : >/run/misses
  start_camera --ideal --law v256 --latency $latency
  ok "latency $latency: gains are locked 15 times" prints '^restored' sh -c \
    './wbcal-camera-probe lock /dev/video0 15 >/run/locked; tail -n 2 /run/locked'
  stop_camera
  counts=$(differences)
  echo "# latency $latency: $counts"
  cat /run/misses
  # shellcheck disable=SC2086
  set -- $(echo "$counts" | tr -dc '0-9 ')
  sets=$((sets + $1 + $2 + $3 + $4 + $5 + $6))
  near=$((near + $1 + $2 + $3))
done
ok "of $sets sets, $near are named within a frame" \
  awk "BEGIN { exit !($sets == 105 && $near >= 0.99 * $sets) }"
finish
