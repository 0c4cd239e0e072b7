#!/bin/bash
# Prints how large and how plain the camera engine is: lines, the longest functions, the stored
# properties of `Camera`, and, of a directory with a release build, the machine code of it and of
# the tool with its reports. Fails above the limits, which only ever go down.
#
#     Documentation/engine.sh [.build/release]
set -euo pipefail
cd "$(dirname "$0")/.."

engine=Sources/CameraControl
most_lines=7500
most_in_a_function=60
most_properties=2
most_code=1160
most_code_of_tool=2500

# Functions by their length: name, lines, file; what ends at the indentation where it began.
functions() {
  find "$engine" Sources/CameraProfiles -name '*.swift' -print0 | xargs -0 awk '
    FNR == 1 { depth = 0 }
    match($0, /^ *((public|package|private|fileprivate|internal|static|mutating|dynamic|@[a-z()]+) )*(func |init[?(<])/) {
      match($0, /^ */); begin[++depth] = FNR; indent[depth] = RLENGTH
      name[depth] = $0; sub(/^.*func /, "", name[depth]); sub(/[(<].*/, "", name[depth])
      gsub(/^ +/, "", name[depth])
      if ($0 ~ /\{.*\}$/) depth--
    }
    # A signature of several lines whose body is on the last.
    depth > 0 && /^ *\).*{.*}$/ { match($0, /^ */); if (RLENGTH == indent[depth]) depth-- }
    depth > 0 && /^ *}/ {
      match($0, /^ */)
      if (RLENGTH == indent[depth]) {
        print FNR - begin[depth] + 1, name[depth], FILENAME; depth--
      }
    }' | sort -rn
}

lines=$(find "$engine" -name '*.swift' -print0 | xargs -0 cat | wc -l)
all=$(functions)
longest=$(sed -n 1p <<<"$all")
properties=$(sed -n '/^public struct Camera:/,/^}/p' "$engine/Camera/Camera.swift" |
  grep -cE '^  (public |package |private )?(let|var) [a-zA-Z]+(:| =)[^{]*$')
echo "lines of CameraControl          $lines (at most $most_lines)"
echo "the longest functions of it and CameraProfiles (at most $most_in_a_function lines)"
sed -n '1,5s/^/    /p' <<<"$all"
echo "functions above 60 lines        $(awk '$1 > 60' <<<"$all" | wc -l)"
echo "stored properties of Camera     $properties (at most $most_properties)"

status=0
[ "$lines" -le $most_lines ] || status=1
[ "${longest%% *}" -le $most_in_a_function ] || status=1
[ "$properties" -le $most_properties ] || status=1
if [ $# -gt 0 ]; then
  # machine_code MODULE...: the kB of the objects of modules. Objects of files that are gone stay in
  # a build directory.
  machine_code() {
    for module in "$@"; do
      find "Sources/$module" -name '*.swift' -printf "$build/$module.build/%f.o\0"
    done | xargs -0 size -A | awk '/^\.text/ { sum += $2 } END { print int(sum / 1024) }'
  }
  build=$1
  code=$(machine_code CameraControl)
  code_of_tool=$(machine_code wbcal WbcalReports)
  echo "machine code of CameraControl   $code kB (at most $most_code)"
  echo "of wbcal and WbcalReports       $code_of_tool kB (at most $most_code_of_tool)"
  [ "$code" -le $most_code ] && [ "$code_of_tool" -le $most_code_of_tool ] || status=1
fi
[ $status = 0 ] || echo "Documentation/engine.sh: above a limit" >&2
exit $status
