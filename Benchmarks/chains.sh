#!/usr/bin/env bash
# chains.sh WBCAL BENCHMARK FIRST COUNT FILE.csv [BEFORE.csv]: calibrates COUNT random simulated
# cameras, with the seeds from FIRST on. Writes a line for each camera to FILE.csv, and the tables
# to Benchmarks/CHAINS.md, compared with BEFORE.csv if it is given. The sections of that page
# about times and the camera lab are kept.
set -euo pipefail
wbcal=$(realpath "$1") benchmark=$2 first=$3 count=$4 csv=$5
before=${6:-}
page=Benchmarks/CHAINS.md
kept=$(sed -n '/^# \(Time of the model\|In the camera lab\)$/,$p' "$page" 2>/dev/null || true)
"$benchmark" run "$wbcal" "$first" "$count" "$csv"
{
  cat <<END
# Cameras drawn at random

Written by \`make bench-chains\`: \`wbcal calibrate\` under A and D65 and \`wbcal set\` under A, D65 and D50 on simulated
cameras that are drawn at random, \`--device simulated:chain=SEED\`. Seeds 1 to 200 are for development; the tables are
of seeds $first to $((first + count - 1)). \`wbcal-chain-benchmark describe SEED\` prints the camera of a seed.
Nobody looked at these cameras before the engine had its present form; seeds 1001 to 1200, 5001 to 5200 and 6001 to
6200 helped to form it.

The measure is the true difference of the card from neutral, which the simulator knows: CIEDE2000, in linear values after
the color matrix, in the 300 frames after \`set\`. A camera is

- *right* if this is at most 0.5 under A and D65 and at most 1 under D50, or within 0.15 of the best that its controls
  allow;
- *truly refused* if the message names the fault that prevents its calibration;
- *falsely refused* if it has a fault, but is refused for another reason, or for a fault that does not prevent a
  calibration (settings that read late, show late, or are accepted one by one only);
- *refused in vain* if it has no fault;
- *wrong as it said* if a command succeeded, the camera is not right, and the difference is within 1.96 times the
  standard error that \`set\` stated; *confidently wrong* if it is larger.

A command that takes more than 120 s hangs.

Before the engine had one model for all cameras, of seeds 1001 to 1200 it was right with 49, refused 41 truly, 46
falsely and 48 in vain, and was wrong as it said with 10 and confidently with 6.

END
  # shellcheck disable=SC2086
  "$benchmark" table "$csv" $before
  if [ -n "$kept" ]; then printf '\n%s\n' "$kept"; fi
} >"$page.tmp"
mv "$page.tmp" "$page"
sed -n '/^## Totals/,/^## False/p' "$page"
