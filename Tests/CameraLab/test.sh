#!/bin/sh
# test.sh "TEST..." "PROGRAM-TEST...": runs scripts of the guest, by their names, as many at a time
# as there are processors, and fails if one fails. Those of the second kind get the Swift programs.
set -eu
lab=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${LAB_BUILD:-$lab/../../.build/camera-lab}" && pwd)
results=$build/results
rm -rf "$results"
mkdir -p "$results"
cd "$lab"

# The second kind takes longer, so it is started first.
{
  for test in $2; do echo "$test $build/programs.cpio"; done
  for test in $1; do echo "$test"; done
} | xargs -P "$(nproc)" -L 1 sh -c '
  results=$0
  test=$1
  shift
  start=$(date +%s)
  ./run.sh "guest/$test.sh" "$@" >"$results/$test" 2>&1 && touch "$results/$test.passed"
  echo "# $test: $(($(date +%s) - start)) s" >>"$results/$test"' "$results" || true

failed=
for test in $1 $2; do
  cat "$results/$test"
  [ -e "$results/$test.passed" ] || failed="$failed $test"
done
[ -z "$failed" ] || { echo "failed in the camera lab:$failed" >&2; exit 1; }
