#!/usr/bin/env bash
# run.sh COMMAND...: runs tests, and repeats at the end the failures, which may be thousands of
# lines above.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if ((status)); then
  echo
  echo "What failed:"
  grep -A 3 -E '^✘ Test .* recorded an issue|error:|[Ff]atal error' "$log" |
    grep -vE '^(◇|✔|--)' | head -n 100
fi
exit "$status"
