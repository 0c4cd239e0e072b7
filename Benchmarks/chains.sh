#!/usr/bin/env bash
# chains.sh WBCAL BENCHMARK FIRST COUNT FILE.csv [BEFORE.csv]: calibrates COUNT random simulated
# cameras, with the seeds from FIRST on. Writes a line for each camera to FILE.csv, and the tables
# to Benchmarks/CHAINS.md, compared with BEFORE.csv if it is given. The section of that page about
# the camera lab is kept.
set -euo pipefail
wbcal=$(realpath "$1") benchmark=$2 first=$3 count=$4 csv=$5
before=${6:-}
page=Benchmarks/CHAINS.md
lab=$(sed -n '/^# In the camera lab$/,$p' "$page" 2>/dev/null || true)
"$benchmark" run "$wbcal" "$first" "$count" "$csv"
{
  cat <<END
# Cameras drawn at random

Written by \`make bench-chains\`: \`wbcal calibrate\` under A and D65 and \`wbcal set\` under A, D65 and D50 on simulated
cameras that are drawn at random, \`--device simulated:chain=SEED\`. Seeds 1 to 200 are those to work with; the tables are
of $first to $((first + count - 1)). \`wbcal-chain-benchmark describe SEED\` says what was drawn.

Judged is by the truth, which the simulator knows: CIEDE2000 of the card from neutral, in linear light behind the color
matrix, in the 300 frames after \`set\`. A camera is *right* with at most 0.5 under A and D65 and 1 under D50, or within
0.15 of the best that its controls allow. It is *truly refused* where the message names what is wrong with it and keeps
it from being calibrated, *falsely refused* where a camera with a fault is refused for another reason, or for a fault
that keeps nobody from it (settings that read late, come late, or are taken one by one); *refused in vain* where it is
sound, and *confidently wrong* where a command succeeded and is neither; that is *wrong as it said* where the
difference is within 1.96 times the standard error that \`set\` stated. A command that takes more than 120 s hangs.

END
  # shellcheck disable=SC2086
  "$benchmark" table "$csv" $before
  if [ -n "$lab" ]; then printf '\n%s\n' "$lab"; fi
} >"$page.tmp"
mv "$page.tmp" "$page"
sed -n '/^## Totals/,/^## False/p' "$page"
