#!/usr/bin/env bash
# peers.sh [--write]: the table of peers in Accuracy.md, from what `make methods` and `make bench` wrote. Without
# --write it says whether the page has it.
set -euo pipefail
cd "$(dirname "$0")/.."
methods=Sources/ColorScience/ColorScience.docc/PublishedMethods.md
results=Benchmarks/RESULTS.md
page=Documentation/Guides.docc/Accuracy.md

# largest METHOD COLUMN: its largest error in kelvin at Duv ±0.02.
largest() {
  awk -F ' *[|] *' -v method="$1" -v column="$2" '
    /^### / { here = /in kelvin/ }
    here && $2 == method && $3 == "±0.02" { sub(/ .*/, "", $column); print $column; found = 1 }
    END { exit !found }' $methods
}
# ratio WORK PEER: how many times as fast.
ratio() {
  awk -F ' *[|] *' -v work="$1" -v peer="$2" '
    $2 == work && $4 == peer { sub(/ .*/, "", $6); print $6; found = 1 }
    END { exit !found }' $results
}
# row NAME METHOD [PEER]
row() {
  local warm cold time=
  warm=$(largest "$2" 5)
  cold=$(largest "$2" 7)
  [ $# -lt 3 ] || time=$(ratio 'xy → temperature, Duv, batch' "$3")
  echo "| $1 | $warm K | $cold K | $time |"
}
# frames NAME WORK PEER
frames() {
  local times
  times=$(ratio "$2" "$3")
  echo "| $1 | $times |"
}

table() {
  echo "| x, y to temperature and Duv | error, 2900–3260 K | error, 4000–10 000 K | time |"
  echo "|---|---|---|---|"
  echo "| this package (\`ReferenceVectorTests\`) | ≤ 1e-7 K | ≤ 1e-7 K | 1 |"
  row "Ohno 2013, triangle and parabola" Ohno
  row "Robertson 1968, 31 isotherms" Robertson "Robertson, straightforward"
  # shellcheck disable=SC2016
  row "the DNG SDK's table, which Little CMS shares (\`cmsTempFromWhitePoint\`)" "DNG SDK" \
    'Little CMS `cmsTempFromWhitePoint`'
  row "Hernández-Andrés 1999" Hernández-Andrés
  row "McCamy 1992, no Duv" McCamy
  echo
  echo "| a frame of 3840×2160 pixels | our speed as a multiple |"
  echo "|---|---|"
  # shellcheck disable=SC2016
  {
    frames "mean of the unclipped pixels, BGRA, compared with OpenCV's \`mean\` of all pixels" \
      'statistics, BGRA, clipped pixels rejected' 'OpenCV `mean`, BGRA, nothing rejected'
    frames "the same, compared with OpenCV's \`inRange\` and masked \`mean\`" \
      'statistics, BGRA, clipped pixels rejected' 'OpenCV `inRange` and masked `mean`, BGRA'
    frames "gray world measured and applied, BGR, compared with OpenCV's \`GrayworldWB\`" \
      'statistics, then gains applied in place, BGR' 'OpenCV `GrayworldWB`, BGR'
  }
}

filled() {
  table >Accuracy.table
  awk '/^<!-- peers -->$/ { print; print ""; while ((getline line < "Accuracy.table") > 0) print line; print ""; skip = 1 }
    /^<!-- end of peers -->$/ { skip = 0 } !skip' "$page"
  rm Accuracy.table
}

trap 'rm -f Accuracy.tmp Accuracy.table' EXIT
filled >Accuracy.tmp
if [ "${1-}" = --write ]; then
  mv Accuracy.tmp "$page"
elif ! cmp -s Accuracy.tmp "$page"; then
  echo "the table of peers in Accuracy.md is not what was measured; run make peers" >&2
  exit 1
fi
