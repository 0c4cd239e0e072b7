#!/usr/bin/env bash
# The programs of the page ManyMachines in Apache Spark: test.sh WBCAL SPARK, the latter a virtual environment.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin
ln -s "$1" bin/wbcal
for script in bin/all-rows everywhere.py; do
  sed -n "/^\$ cat >${script##*/} <<'END'\$/,/^END\$/p" "$repository/Documentation/Guides.docc/ManyMachines.md" |
    sed '1d;$d' >"$script"
  test -s "$script"
done
chmod +x bin/all-rows
export PATH="$work/bin:$2/bin:$PATH" PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 SPARK_LOCAL_IP=127.0.0.1

fail() {
  echo "$*"
  exit 1
}

# spark LOG PROGRAM...: two tasks at a time, each tried up to four times.
spark() {
  local started=$SECONDS
  spark-submit --master 'local[2,4]' "${@:2}" >"$1" 2>&1 || return
  echo "  $((SECONDS - started)) s"
}

echo "a million rows, every 250th without an answer:"
rows=1000000
awk -v rows=$rows 'BEGIN {
  print "key,x,y"
  for (i = 0; i < rows; ++i) {
    x = i % 1000 == 7 ? "unknown" : sprintf("%.6f", 0.25 + i * 2.5e-7)
    y = i % 1000 == 257 ? "" : i % 1000 == 507 ? "nan" : sprintf("%.6f", 0.25 + i * 7 % rows * 2e-7)
    # Every key once, in no order.
    print i * 7919 % rows "," x (i % 1000 == 757 ? "" : "," y)
  }
}' >lights.csv
started=$SECONDS
code=0
wbcal convert --from xy --to temperature-tint <lights.csv >single.csv 2>messages.txt || code=$?
echo "  $((SECONDS - started)) s, by a single run of the tool"
[ $code -eq 65 ] || fail "it ended with exit code $code"
tail -n +2 single.csv >single.rows
spark log everywhere.py convert lights.csv rows --from xy --to temperature-tint || fail "$(tail -n 40 log)"
[ -e rows/_SUCCESS ] || fail "the results are not complete"
[ "$(find rows -name 'part-*' -size +0 | wc -l)" -ge 4 ] || fail "$(ls rows)"
cat rows/part-* >many.rows
[ "$(wc -l <many.rows)" -eq $rows ] || fail "$(wc -l <many.rows) rows came out"
[ "$(grep -c ',,$' many.rows)" -eq $((rows / 250)) ] || fail "$(grep -c ',,$' many.rows) rows have no answer"
cmp single.rows many.rows

echo "the same, the rows moved, every partition's first run killed halfway:"
mkdir tried killing
cat >killing/wbcal <<END
#!/bin/bash
if mkdir "$work/tried/\$(md5sum /proc/\$\$/fd/0 | cut -c 1-32)" 2>/dev/null; then
  $work/bin/wbcal "\$@" | head -n 1000
  kill -9 \$\$
fi
exec $work/bin/wbcal "\$@"
END
chmod +x killing/wbcal
cat >moved.py <<'END'
import everywhere

lines = everywhere.SparkContext().textFile("lights.csv", 4)
header = lines.first()
rows = lines.filter(lambda line: line != header).repartition(5)
everywhere.answers(rows, header, "convert", "--from", "xy", "--to", "temperature-tint").saveAsTextFile("moved")
END
PATH=$work/killing:$PATH spark log moved.py || fail "$(tail -n 40 log)"
[ "$(find tried -mindepth 1 | wc -l)" -eq 5 ] || fail "not every partition was tried again"
cmp <(sort -t, -k1,1n single.rows) <(sort -t, -k1,1n moved/part-*)

echo "no answers without a profile:"
head -n 1000 lights.csv >few.csv
if spark log everywhere.py convert few.csv none --from xy --to gains --profile no.json; then
  fail "a failed run is taken for a good one"
fi
[ ! -e none/_SUCCESS ] || fail "a failed run left results"
grep -q 'all-rows: 0 answers to' log || fail "$(tail -n 40 log)"

echo "a folder of pictures, of which some are refused, and one is none:"
mkdir -p pictures/more
for index in {1..60}; do
  byte=$(printf '\\x%x' $((index % 20 ? 100 + index : 255)))
  { printf 'P6 64 48 255\n' && printf "$byte\x80\x60%.0s" {1..3072}; } >"pictures/$index.ppm"
done
mv pictures/?.ppm pictures/more
echo none >"pictures/a text.ppm"
find pictures -type f | LC_ALL=C sort | wbcal estimate - --json >single.jsonl 2>messages.txt || code=$?
[ $code -eq 65 ] || fail "it ended with exit code $code"
spark log everywhere.py estimate pictures cards || fail "$(tail -n 40 log)"
cat cards/part-* >many.jsonl
[ "$(wc -l <many.jsonl)" -eq 61 ] || fail "$(wc -l <many.jsonl) pictures are answered"
[ "$(grep -c '"accepted":false' many.jsonl)" -eq 4 ] || fail "$(grep '"accepted":false' many.jsonl)"
cmp single.jsonl many.jsonl

echo "a name that is two lines is refused:"
mkdir odd
cp pictures/10.ppm $'odd/two\nlines.ppm'
if spark log everywhere.py estimate odd none-either; then fail "it was taken"; fi
grep -q 'rename it' log || fail "$(tail -n 40 log)"
echo "all as by a single run"
