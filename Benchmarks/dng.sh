#!/usr/bin/env bash
# dng.sh WBCAL [ROUNDS]: measures how long wbcal takes to develop a raw photograph of 24 megapixels
# with and without the gains of a flat field, beside LibRaw and darktable; and how long it takes to
# write such a file, beside cp. The programs take turns, forwards and backwards. Prints
# Benchmarks/DNG.md.
set -euo pipefail
wbcal=$(realpath "$1")
rounds=${2:-7}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TIMEFORMAT=%R
frame=(--raw 6000x4000:RG12 --black 256)

# raw MEAN SIGMA FILE: writes a frame of noise behind a lens that loses 30 % of the light in the corners.
raw() {
  vips xyz place.v 6000 4000
  vips linear place.v far.v '0.000277 0.000277' -- '-0.831 -0.554' && vips multiply far.v far.v square.v
  vips bandmean square.v half.v && vips linear half.v loss.v -- -0.6 1
  vips gaussnoise noise.v 6000 4000 --mean "$1" --sigma "$2" && vips multiply noise.v loss.v light.v
  vips linear light.v codes.v 1 256 && vips cast codes.v whole.v ushort && vips rawsave whole.v "$3"
}
raw 1500 25 white.raw
raw 900 250 scene.raw
"$wbcal" calibrate --shot rgb:0.5,1,0.7@D65 --shot rgb:0.9,1,0.35@A -o plain.json >&2
"$wbcal" calibrate --profile plain.json --flat white.raw "${frame[@]}" -o flat.json >&2
for kind in plain flat; do
  "$wbcal" balance scene.raw "${frame[@]}" --profile $kind.json --light D65 --to dng -o $kind.dng
done >&2

run() {
  case $1 in
  wbcal-plain) "$wbcal" balance plain.dng --profile plain.json --light D65 --to srgb -o out.tiff ;;
  wbcal-maps) "$wbcal" balance flat.dng --profile plain.json --light D65 --to srgb -o out.tiff ;;
  wbcal-profile) "$wbcal" balance plain.dng --profile flat.json --light D65 --to srgb -o out.tiff ;;
  libraw-*) dcraw_emu -w -h -6 -T -Z libraw.tiff "${1#libraw-}.dng" ;;
  darktable-*)
    rm -f darktable.tif
    darktable-cli "${1#darktable-}.dng" darktable.tif --core --configdir settings --library :memory: \
      --disable-opencl --conf plugins/imageio/format/tiff/bpp=16
    ;;
  copy) cp plain.dng copy.dng ;;
  write) "$wbcal" balance scene.raw "${frame[@]}" --gains 1.4,1,1.9 --to dng -o written.dng ;;
  esac
}
# writing: prints the seconds from the last read of the frame to the renaming of the finished file.
writing() {
  strace -f --seccomp-bpf -ttt -e trace=read,rename -o calls \
    "$wbcal" balance scene.raw "${frame[@]}" --gains 1.4,1,1.9 --to dng -o written.dng >/dev/null 2>&1
  # The frame's file is the only one of this size; the read of 0 bytes that shows its end follows.
  awk '/read/ { if (isFrame) { start = $2; isFrame = 0 } if ($NF > 40000000) isFrame = 1 }
    / rename\(/ { printf "%.6f\n", $2 - start }' calls
}
# median FILE: prints the median of numbers.
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { printf "%.3f", t[int((NR + 1) / 2)] }'; }
# ratio A B: prints the median of the ratios of two programs' times in the same round.
ratio() { paste -d' ' "times-$1" "times-$2" | awk '{ print $1 / $2 }' >ratios && median ratios; }
milliseconds() { awk -v t="$(median "times-$1")" 'BEGIN { printf "%d", 1000 * t }'; }

developers=(wbcal-plain wbcal-maps wbcal-profile libraw-plain libraw-flat darktable-plain darktable-flat)
order=("${developers[@]}" copy write)
for ((round = 0; round < rounds; round++)); do
  for program in "${order[@]}"; do
    { time run "$program" >said 2>&1; } 2>>"times-$program" || { cat said >&2; exit 70; }
  done
  writing >>times-writing
  mapfile -t order < <(printf '%s\n' "${order[@]}" | tac)
done

cat <<END
# Raw photographs: flat fields and DNG files

Written by \`make bench-dng\`: milliseconds of each whole program, medians of $rounds runs in turn, forwards and backwards, on
$(nproc) processors; files in memory. The pictures are uncompressed DNG files of 6000×4000 pixels and 12 bits with a Bayer
filter, $(stat -c %s plain.dng | awk '{ printf "%.1f", $1 / 1e6 }') MB each, and are developed to TIFF files of 16 bits.

## Development with a flat field

\`wbcal\` reduces each cell of the filter to a pixel, as \`dcraw_emu -h\` of LibRaw does; \`darktable-cli\` interpolates all
pixels. LibRaw does not apply gain maps. A ratio is the median of the ratios within a round.

| program | without maps | maps in the file (OpcodeList2) | ratio | flat field of the profile | ratio |
|---|---|---|---|---|---|
| wbcal | $(milliseconds wbcal-plain) | $(milliseconds wbcal-maps) | $(ratio wbcal-maps wbcal-plain) | $(milliseconds wbcal-profile) | $(ratio wbcal-profile wbcal-plain) |
| dcraw_emu -h | $(milliseconds libraw-plain) | $(milliseconds libraw-flat) | $(ratio libraw-flat libraw-plain) | | |
| darktable-cli | $(milliseconds darktable-plain) | $(milliseconds darktable-flat) | $(ratio darktable-flat darktable-plain) | | |

## Writing DNG files

\`wbcal balance --to dng\` makes a DNG file from a raw frame of the same pixels, with a preview, and \`cp\` copies the finished
file. The time of writing is that from the end of reading to the renaming of the finished file (strace).

| cp | balance --to dng | writing alone | cp / writing alone |
|---|---|---|---|
| $(milliseconds copy) | $(milliseconds write) | $(milliseconds writing) | $(ratio copy writing) |
END
