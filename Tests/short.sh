#!/usr/bin/env bash
# short.sh FOLDER: measures how long the short test commands take after a line was changed, and
# writes the table in CONTRIBUTING.md. In a clone in FOLDER, which may exist from an earlier run,
# each command is run once, one line of code is changed, and the command is run again.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
[ -e "$folder/.git" ] || git clone -q . "$folder"
git -C "$folder" fetch -q "$PWD" HEAD
git -C "$folder" reset -q --hard FETCH_HEAD
table=$PWD/$folder.table
export TIMEFORMAT='%R %U %S'

# row FILE OLD NEW COMMAND...: adds a row for COMMAND after OLD in FILE was replaced by NEW, which
# computes the same value in another way.
row() {
  local file=$1 old=$2 new=$3 said seconds
  shift 3
  (
    cd "$folder"
    "$@" >short.log 2>&1 || { tail -n 50 short.log >&2; exit 1; }
    grep -qF -- "$old" "$file" || { echo "$file has no '$old'" >&2; exit 1; }
    OLD=$old NEW=$new perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$file"
    said=$( { time "$@" >short.log 2>&1; } 2>&1) || { tail -n 50 short.log >&2; exit 1; }
    git checkout -q "$file"
    read -r wall user system <<<"$said"
    printf '| `%s` | `%s` | %.0f s | %.0f s |\n' "${file##*/}" "$*" "$wall" \
      "$(awk "BEGIN { print $user + $system }")"
  ) | tee -a "$table"
}

mkdir -p "$(dirname "$table")"
: >"$table"
row Sources/ColorScience/PlanckianLocus/PlanckianLocus.swift '/ (sum * sum)' '/ (sum * sum + 0)' make test-color
row Sources/WhiteBalance/GrayCards/GrayCardEstimator.swift 'noise / (response.vector * response.vector)' \
  'noise / (response.vector * response.vector + SIMD3(repeating: 0))' make test-balance
row Sources/CameraProfiles/Laws/ControlLaw.swift 'slope / $0 - 1 })' 'slope / $0 - 1 + 0 })' make test-camera-control
row Sources/wbcal/Commands/Convert.swift 'given == .light {' 'given == .light || light.count < 0 {' \
  make test-tool FILTER=Convert

awk -v table="$table" '
  /^<!-- short commands end -->/ { inside = 0 }
  !inside
  /^<!-- short commands -->/ {
    inside = 1
    print "| a line changed in | command | time until its end | processor time |"
    print "|---|---|---|---|"
    while ((getline line <table) > 0) print line
  }' CONTRIBUTING.md >CONTRIBUTING.tmp
mv CONTRIBUTING.tmp CONTRIBUTING.md
