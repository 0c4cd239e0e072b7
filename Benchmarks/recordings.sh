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
export wbcal work

# remainder: prints the card's CIEDE2000 from neutral in the JSON on standard input.
remainder() { grep -o '"ciede2000":[0-9.e-]*' | head -1 | cut -d: -f2; }
# verified CAMERA PROFILE: prints the card's difference from neutral; `verify` fails if no setting
# makes the card neutral.
verified() { { "$wbcal" verify --device "$1" --profile "$2" --json 2>/dev/null || true; } | remainder || echo -; }
# used CAMERA LIGHT PROFILE: prints the card's difference from neutral after `set`, and after `gray`.
used() {
  local seen
  "$wbcal" set --device "$1" --profile "$3" --light "$2" >/dev/null 2>&1 || { echo "- -"; return; }
  seen=$(verified "$1" "$3")
  "$wbcal" gray --device "$1" --profile "$3" --limit 20 >/dev/null 2>&1 || { echo "${seen:--} -"; return; }
  echo "${seen:--} $(verified "$1" "$3")"
}
# rows SEED: prints the camera's rows of the table; nothing if it cannot be calibrated.
rows() {
  local seed=$1 light set gray recorded_set recorded_gray reason
  mkdir -p "$work/$seed/state"
  cd "$work/$seed"
  chmod 700 state
  # Simulated cameras store their settings there.
  export XDG_RUNTIME_DIR=$PWD/state
  timeout 240 "$wbcal" calibrate --device "simulated:chain=$seed" --light A --light D65 -o profile.json \
    --record recording.jsonl >/dev/null 2>&1 || return 0
  if grep -q '"isLostAtStart" *: *true' profile.json; then return 0; fi
  reason=$("$wbcal" verify --device recorded:recording.jsonl --limit 100 2>&1 >/dev/null |
    sed -n 's/.*: its recording/its recording/p' | head -1) || true
  for light in A D65; do
    read -r set gray < <(used "simulated:chain=$seed,past=1,light=$light" "$light" profile.json)
    read -r recorded_set recorded_gray < <(used "recorded:recording.jsonl,light=$light" "$light" profile.json)
    awk -v seed="$seed" -v light="$light" -v reason="$reason" \
      -v a="$set" -v b="$recorded_set" -v c="$gray" -v d="$recorded_gray" '
      function differ(x, y) { return x == "-" || y == "-" ? x != y : x - y > 0.5 || y - x > 0.5 }
      function short(x) { return x == "-" ? "refused" : sprintf("%.2f", x) }
      BEGIN {
        remark = reason != "" ? reason : differ(a, b) || differ(c, d) ? "differs" : "agrees"
        print "| " seed " | " light " | " short(a) " | " short(b) " | " short(c) " | " short(d) " | " remark " |"
      }'
  done
}
export -f remainder verified used rows

seq "$first" $((first + count - 1)) |
  xargs -P "$(nproc)" -I SEED bash -c 'set -euo pipefail; rows SEED >"$work/SEED.rows"'
cat $(seq -f "%.0f.rows" "$first" $((first + count - 1))) >all
agreeing=$(grep -c 'agrees |$' all || true)
refused=$(grep -c 'its recording .* |$' all || true)

cat <<END
# Recorded cameras

Written by \`make bench-recordings\`: random simulated cameras (\`--device simulated:chain=SEED\`) are calibrated under
A and D65 with \`--record\`. Then \`set\`, \`verify\`, \`gray\` and \`verify\` are run on each camera and on its recording.
The table has the card's CIEDE2000 from neutral that \`verify\` measures after \`set\` and after \`gray\`; a recording
agrees if both differ from the camera's by at most 0.5. A recording that does not describe its camera well enough is
refused with the reason. Cameras that cannot be calibrated are left out, and cameras that lose their settings when a
stream starts, which \`verify\` does not restore.

| seed | light | set: camera | recording | gray: camera | recording | |
|---|---|---|---|---|---|---|
$(cat all)

$agreeing of $(wc -l <all) rows agree and $refused are refused, of $(cut -d'|' -f2 all | sort -u | wc -l) cameras.
END
