#!/usr/bin/env bash
# peers.sh [--write]: the README's table of peers, from what `make methods` and `make bench` wrote. Without
# --write it says whether the README has it.
set -euo pipefail
cd "$(dirname "$0")/.."
methods=Sources/ColorScience/ColorScience.docc/PublishedMethods.md
results=Benchmarks/RESULTS.md

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
    frames "mean of the unclipped pixels, BGRA, beside OpenCV's \`mean\` of all pixels" \
      'statistics, BGRA, clipped pixels rejected' 'OpenCV `mean`, BGRA, nothing rejected'
    frames "the same, beside OpenCV's \`inRange\` and masked \`mean\`" \
      'statistics, BGRA, clipped pixels rejected' 'OpenCV `inRange` and masked `mean`, BGRA'
    frames "gray world measured and applied, BGR, beside OpenCV's \`GrayworldWB\`" \
      'statistics, then gains applied in place, BGR' 'OpenCV `GrayworldWB`, BGR'
  }
}

filled() {
  table >README.table
  awk '/^<!-- peers -->$/ { print; print ""; while ((getline line < "README.table") > 0) print line; print ""; skip = 1 }
    /^<!-- end of peers -->$/ { skip = 0 } !skip' README.md
  rm README.table
}

trap 'rm -f README.tmp README.table' EXIT
filled >README.tmp
if [ "${1-}" = --write ]; then
  mv README.tmp README.md
elif ! cmp -s README.tmp README.md; then
  echo "the README's table of peers is not what was measured; run make peers" >&2
  exit 1
fi
