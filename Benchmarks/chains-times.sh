#!/usr/bin/env bash
# chains-times.sh BENCHMARK FIRST COUNT: measures how long the model of a camera takes to fit, on
# the sound ones of COUNT random cameras with the seeds from FIRST on. Writes the section of
# Benchmarks/CHAINS.md about it.
set -euo pipefail
benchmark=$1 first=$2 count=$3
page=Benchmarks/CHAINS.md
table=$("$benchmark" times "$first" "$count")
{
  sed '/^# Time of the model$/,$d; /^# In the camera lab$/,$d' "$page"
  cat <<END
# Time of the model

Written by \`make bench-chains-times\`: the processor time on one core of $(sed -n 's/^model name\t*: //p' /proc/cpuinfo | head -1), of the sound
cameras among the seeds $first to $((first + count - 1)). The aims are 20 ms for a fit of one family, 200 ms for a round, and 1 s for the
comparison of causes.

$table

END
  sed -n '/^# In the camera lab$/,$p' "$page"
} >"$page.tmp"
mv "$page.tmp" "$page"
sed -n '/^# Time of the model$/,/^# In the camera lab$/p' "$page"
