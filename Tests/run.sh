#!/usr/bin/env bash
# Runs a command of tests, and shows at the end what failed, which thousands of lines may follow.
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
