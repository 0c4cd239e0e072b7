#!/bin/bash
# Counts words that make comments, help and messages hard to read. Fails above the numbers that were
# reached, which only ever go down. It is a hint: the rules are in CONTRIBUTING.md.
#
#     Documentation/words.sh [--show]
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
# count LIMIT NAME PATTERN: the lines of Swift sources that match.
count() {
  local found
  found=$(git ls-files -z 'Sources/*.swift' 'Examples/*.swift' | xargs -0 grep -nE "$3" || true)
  local number=0
  [ -z "$found" ] || number=$(wc -l <<<"$found")
  printf '%4d (at most %d)  %s\n' "$number" "$1" "$2"
  [ "$number" -le "$1" ] || { status=1; echo "$found"; }
  [ "$show" = no ] || echo "$found"
}
show=no
[ "${1-}" != --show ] || show=yes

count 0 'doc comments that open with What, Whether, How, Where or The same' \
  '^ */// (What|Whether|How|Where|The same)\b'
count 0 'comments with tell, tells or told' '^ *//.*\b(tell|tells|told)\b'
count 0 'comments with beside' '^ *//.*\bbeside\b'
count 1 'comments with anew' '^ *//.*\banew\b'
count 0 'strings with goes with' '"[^"]*\bgoes with\b'
count 0 'strings with tell, tells, told, beside or anew' '"[^"]*\b(tell|tells|told|beside|anew)\b[^"]*"'
[ $status = 0 ] || echo "Documentation/words.sh: above a limit" >&2
exit $status
