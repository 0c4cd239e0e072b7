#!/usr/bin/env bash
# frames.sh WBCAL: counts the frames of simulated cameras that commands use, and measures how
# accurate the resulting calibrations are. Prints Benchmarks/FRAMES.md.
set -euo pipefail
wbcal=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# number KEY: prints the number of a key in the JSON on standard input.
number() { grep -o "\"$1\":[0-9.e-]*" | head -1 | cut -d: -f2; }
# calibrated NAME CAMERA OPTION...: calibrates a camera and sets it to a third light; sets `frames`
# and `card`, the card's difference from neutral.
calibrated() {
  local name=$1 camera=$2
  shift 2
  # Simulated cameras store their settings there.
  export XDG_RUNTIME_DIR=$work/$name
  mkdir -m 700 "$XDG_RUNTIME_DIR"
  "$wbcal" calibrate --device "$camera" --light A --light D65 -o "$name.json" "$@" >said 2>&1
  frames=$(sed -n 's/^used \([0-9]*\) frames$/\1/p' said)
  : "${frames:?$(cat said)}"
  "$wbcal" set --device "$camera,light=D50" --profile "$name.json" --light D50 --json >set.json 2>/dev/null
  # `verify` fails if one control cannot make the card neutral.
  card=$({ "$wbcal" verify --device "$camera,light=D50" --json 2>/dev/null || true; } | number ciede2000)
}

echo "# Frames that are used"
echo
echo "Written by \`make bench-frames\`, on simulated cameras: the frames of \`calibrate\` under A and D65;"
echo "CIEDE2000 of the card from neutral after \`set --light D50\`, which does not correct the color by what it sees;"
echo "and the numbers of the first frames that show the settings of \`set\` and of \`gray\` with that profile, which"
echo "include the camera's latency for each step."
echo
echo "| camera | latency | calibrate | CIEDE2000 | set | gray |"
echo "|---|---|---|---|---|---|"
for kind in shutter=none,lens=none controls=balances controls=offset controls=channels controls=bent controls=temperature pipeline=webcam \
  pipeline=board; do
  for latency in 0 2 4; do
    camera=simulated:$kind,latency=$latency
    name=${kind//[=:,]/-}-$latency
    calibrated "$name" "$camera"
    seen=$(number firstFrame <set.json)
    gray=$("$wbcal" gray --device "$camera,light=A" --profile "$name.json" --limit 20 --json 2>/dev/null | number firstFrame)
    printf '| %s | %d | %d | %.2f | %d | %d |\n' "${kind/shutter=none,lens=none/gains alone}" $latency "$frames" "$card" "$seen" "$gray"
  done
done
