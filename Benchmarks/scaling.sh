#!/usr/bin/env bash
# scaling.sh WBCAL: measures the time and memory of commands for work of different size, up to a
# thousand times as much, and for up to 50 cameras. Prints Benchmarks/SCALING.md. Files are in
# memory.
set -euo pipefail
wbcal=$(realpath "$1")
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Simulated cameras store their settings there.
mkdir -m 700 state
export XDG_RUNTIME_DIR=$work/state

# timed COMMAND...: prints the seconds of the fastest of three runs, and the memory of the last, in
# KiB.
timed() {
  local best='' seconds kib
  for _ in 1 2 3; do
    /usr/bin/time -f '%e %M' -o times "$@" >/dev/null 2>said || { cat said >&2 && return 1; }
    read -r seconds kib <times
    best=$(awk -v a="${best:-1e9}" -v b="$seconds" 'BEGIN { print a < b ? a : b }')
  done
  echo "$best $kib"
}
# row SIZE UNITS COMMAND...: prints a row of a table, with the time for each of UNITS.
row() {
  local size=$1 units=$2 seconds kib
  shift 2
  read -r seconds kib <<<"$(timed "$@")"
  awk -v size="$size" -v units="$units" -v seconds="$seconds" -v kib="$kib" 'BEGIN {
    printf "| %s | %.2f | %.3g | %.0f |\n", size, seconds, 1e6 * seconds / units, kib / 1024 }'
}
table() {
  printf '\n## %s\n\n| %s | seconds | µs for each %s | MiB |\n|---|---|---|---|\n' "$1" "$2" "$3"
}
# picture WIDTH HEIGHT FILE: writes a gray picture with noise.
picture() {
  { printf 'P6\n%d %d\n255\n' "$1" "$2" && head -c 3000000 /dev/urandom | LC_ALL=C tr '\000-\377' 'P-oP-oP-oP-oP-oP-oP-oP-o' |
    perl -e 'local $/; $_ = <STDIN>; $n = shift; print $_ x ($n / length), substr($_, 0, $n % length)' $(($1 * $2 * 3)); } >"$3"
}

echo "# What size costs"
echo
echo "Written by \`make bench-scaling\`: time and memory of whole programs on $(nproc) processors, the fastest of three runs, files in memory."

table 'Rows: `convert --from xy --to temperature-tint`' rows row
for rows in 10000 100000 1000000 10000000; do
  awk -v rows=$rows 'BEGIN { for (i = 0; i < rows; i++) printf "%.5f,%.5f\n", 0.25 + 0.25 * rand(), 0.28 + 0.14 * rand() }' >rows.csv
  row $rows $rows bash -c "\"$wbcal\" convert --from xy --to temperature-tint <rows.csv"
done
rm rows.csv

for command in 'estimate' 'balance'; do
  table "Pixels: \`$command\` of a pixmap of 8 bits" megapixels pixel
  for size in 600x400 1900x1265 6000x4000 19000x12600; do
    picture "${size%x*}" "${size#*x}" in.ppm
    pixels=$((${size%x*} * ${size#*x}))
    if [ $command = estimate ]; then
      run=("$wbcal" estimate in.ppm --region 0,0,200,200)
    else
      run=("$wbcal" balance in.ppm --gains 1.2,1,1.3 -o out.ppm)
    fi
    row "$(awk -v n=$pixels 'BEGIN { printf "%.1f", n / 1e6 }')" $pixels "${run[@]}"
  done
  rm -f in.ppm out.ppm
done

picture 1224 816 one.ppm
for command in 'estimate' 'balance'; do
  table "Files: \`$command\` of pixmaps of one megapixel" files file
  for files in 1 10 100 1000; do
    mkdir files out
    for ((i = 0; i < files; i++)); do ln one.ppm "files/$i.ppm"; done
    if [ $command = estimate ]; then
      row $files $files "$wbcal" estimate files/*.ppm --region 0,0,200,200
    else
      row $files $files "$wbcal" balance files/*.ppm --gains 1.2,1,1.3 -o out
    fi
    rm -r files out
  done
done

table 'Shots: `calibrate --shots`, of black bodies' shots shot
"$wbcal" calibrate --device simulated --light A --light D65 -o camera.json >/dev/null 2>&1
for shots in 1 10 100 1000; do
  awk -v n=$shots 'BEGIN { for (i = 0; i < n; i++) printf "%.0f\n", 2500 + i * 4000 / n }' >kelvin
  "$wbcal" convert --from cct --to gains --class thermal --profile camera.json <kelvin |
    awk -F, 'NR == 1 { print "r,g,b,light"; next } { getline kelvin <"kelvin"
      printf "%.6f,0.3,%.6f,%sK\n", 0.3 * $2 / $1, 0.3 * $2 / $3, kelvin }' >shots.csv
  row $shots $shots "$wbcal" calibrate --shots shots.csv -o profile.json
done

cat <<'TEXT'

All shots are fitted together, which takes time proportional to the cube of their number; a calibration has some dozens
at most.
TEXT

table 'Cameras: `match`, simulated, 320 × 240, as fast as they are drawn' cameras camera
for cameras in 2 10 50; do
  devices=()
  for ((i = 1; i <= cameras; i++)); do devices+=(--device "simulated:seed=$i,light=A"); done
  row $cameras $cameras "$wbcal" match "${devices[@]}" -o room.json
done

cat <<'TEXT'

If one machine is too slow, the page ManyMachines has recipes for GNU parallel and Spark: files and rows are independent
of each other, so they can be divided among machines.
TEXT
