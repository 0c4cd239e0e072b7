#!/usr/bin/env bash
# recordings.sh WBCAL FIRST COUNT: records the calibrations of random simulated cameras, with the
# seeds from FIRST on, and uses each camera and its recording in the same way. Prints
# Benchmarks/RECORDINGS.md.
set -euo pipefail
wbcal=$(realpath "$1")
first=$2 count=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# remainder: prints the card's CIEDE2000 from neutral in the JSON on standard input.
remainder() { grep -o '"ciede2000":[0-9.e-]*' | head -1 | cut -d: -f2; }
# used CAMERA LIGHT PROFILE: prints the card's difference from neutral after `set`, and after `gray`.
used() {
  local seen
  "$wbcal" set --device "$1" --profile "$3" --light "$2" >/dev/null 2>&1 || { echo "- -"; return; }
  # `verify` fails if no setting makes the card neutral.
  seen=$({ "$wbcal" verify --device "$1" --profile "$3" --json 2>/dev/null || true; } | remainder) || true
  "$wbcal" gray --device "$1" --profile "$3" --limit 20 >/dev/null 2>&1 || { echo "${seen:--} -"; return; }
  echo "${seen:--}" "$({ "$wbcal" verify --device "$1" --profile "$3" --json 2>/dev/null || true; } | remainder || echo -)"
}

echo "# Recorded cameras"
echo
echo "Written by \`make bench-recordings\`: random simulated cameras (\`--device simulated:chain=SEED\`) are calibrated under"
echo "A and D65 with \`--record\`. Then \`set\`, \`verify\`, \`gray\` and \`verify\` are run on each camera and on its recording."
echo "The table has the card's CIEDE2000 from neutral that \`verify\` measures after \`set\` and after \`gray\`; a recording"
echo "agrees if both differ from the camera's by at most 0.5. Cameras that cannot be calibrated are left out, and cameras that"
echo "lose their settings when a stream starts, which \`verify\` does not restore."
echo
echo "| seed | light | set: camera | recording | gray: camera | recording | |"
echo "|---|---|---|---|---|---|---|"
rows=0 agreeing=0 cameras=0
for ((seed = first; seed < first + count; seed++)); do
  rm -rf state
  mkdir -m 700 state
  # Simulated cameras store their settings there.
  export XDG_RUNTIME_DIR=$work/state
  timeout 120 "$wbcal" calibrate --device "simulated:chain=$seed" --light A --light D65 -o "$seed.json" \
    --record "$seed.jsonl" >/dev/null 2>&1 || continue
  if grep -q '"isLostAtStart" *: *true' "$seed.json"; then continue; fi
  cameras=$((cameras + 1))
  for light in A D65; do
    read -r set gray < <(used "simulated:chain=$seed,past=1,light=$light" "$light" "$seed.json")
    read -r recorded_set recorded_gray < <(used "recorded:$seed.jsonl,light=$light" "$light" "$seed.json")
    remark=$(awk -v a="$set" -v b="$recorded_set" -v c="$gray" -v d="$recorded_gray" '
      function differ(x, y) { return x == "-" || y == "-" ? x != y : x - y > 0.5 || y - x > 0.5 }
      BEGIN { print differ(a, b) || differ(c, d) ? "differs" : "agrees" }')
    rows=$((rows + 1))
    if [ "$remark" = agrees ]; then agreeing=$((agreeing + 1)); fi
    awk -v seed="$seed" -v light="$light" -v remark="$remark" \
      -v a="$set" -v b="$recorded_set" -v c="$gray" -v d="$recorded_gray" '
      function short(x) { return x == "-" ? "refused" : sprintf("%.2f", x) }
      BEGIN { print "| " seed " | " light " | " short(a) " | " short(b) " | " short(c) " | " short(d) " | " remark " |" }'
  done
done
echo
echo "$agreeing of $rows rows agree, of $cameras cameras."
