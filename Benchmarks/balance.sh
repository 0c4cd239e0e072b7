#!/usr/bin/env bash
# balance.sh WBCAL [ROUNDS]: measures how long wbcal and programs that do the same work take to
# apply gains, in linear values, to pictures of 1, 5 and 24 megapixels in memory. The programs take
# turns. Prints Benchmarks/BALANCE.md. JPEG files are written with quality 95.
set -euo pipefail
wbcal=$(realpath "$1")
rounds=${2:-5}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TIMEFORMAT=%R

# ffmpeg needs the color space, which its pictures do not state, and a conversion to linear values,
# because its mixer works on codes as they are.
mixer=format=gbrp,setparams=colorspace=gbr:color_primaries=bt709:color_trc=iec61966-2-1:range=pc,zscale=t=linear
mixer+=,format=gbrpf32le,colorchannelmixer=rr=1.4:bb=1.9,zscale=t=iec61966-2-1,format=gbrp,format=rgb24

run() {
  case $1 in
  wbcal) "$wbcal" balance "in.$2" --gains 1.4,1,1.9 -o "out.$2" ;;
  libvips)
    vips colourspace "in.$2" a.v scrgb && vips linear a.v b.v '1.4 1 1.9' '0 0 0' &&
      vips colourspace b.v "out.$2$([ "$2" = jpg ] && echo '[Q=95,no-subsample]')" srgb
    ;;
  ImageMagick)
    /usr/bin/convert "in.$2" -colorspace RGB -channel R -evaluate multiply 1.4 -channel B -evaluate multiply 1.9 \
      -channel RGB -colorspace sRGB -depth 8 +set comment -quality 95 -sampling-factor 4:4:4 "out.$2"
    ;;
  ffmpeg)
    local -A coding=([ppm]='' [tif]='-compression_algo raw' [jpg]='-pix_fmt yuvj444p -q:v 2')
    # shellcheck disable=SC2086 # Options are words.
    ffmpeg -loglevel error -y -i "in.$2" -vf "$mixer" -update 1 ${coding[$2]} "out.$2"
    ;;
  cp) cp "in.$2" "out.$2" ;;
  esac
}
# median FILE: prints the median of times in seconds, in milliseconds.
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { printf "%.0f", 1000 * t[int((NR + 1) / 2)] }'; }

echo "# Gains applied to pictures"
echo
echo "Written by \`make bench-balance\`: milliseconds of each whole program, medians of $rounds runs in turn, on $(nproc)"
echo "processors; files in memory. ffmpeg multiplies by its \`colorchannelmixer\`; \`cp\` only copies the files."
echo
echo "| file | megapixels | wbcal | libvips | ImageMagick | ffmpeg | cp | times as fast as libvips | as ImageMagick | as ffmpeg |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for size in 1224x816 2736x1824 6000x4000; do
  vips gaussnoise n.v "${size%x*}" "${size#*x}" --mean 110 --sigma 35
  vips bandjoin 'n.v n.v n.v' c.v && vips cast c.v d.v uchar && vips copy d.v in.v --interpretation srgb
  vips copy in.v in.ppm && vips copy in.v in.tif && vips copy in.v 'in.jpg[Q=92]'
  for kind in ppm tif jpg; do
    rm -f times-*
    for ((round = 0; round < rounds; round++)); do
      for program in wbcal libvips ImageMagick ffmpeg cp; do
        { time run $program $kind >/dev/null 2>&1; } 2>>times-$program
        cp "out.$kind" "$program.$kind"
      done
    done
    a=$(median times-wbcal) b=$(median times-libvips) c=$(median times-ImageMagick) d=$(median times-ffmpeg)
    awk -v kind=$kind -v size=$size -v a="$a" -v b="$b" -v c="$c" -v d="$d" -v e="$(median times-cp)" 'BEGIN {
      split(size, side, "x")
      printf "| %s | %.0f | %d | %d | %d | %d | %d | %.1f | %.1f | %.1f |\n", kind, side[1] * side[2] / 1e6,
        a, b, c, d, e, b / a, c / a, d / a }'
  done
done

echo
echo "Differences of the PPM pictures of the last size from those of \`wbcal\`, in codes of 8 bits:"
echo
echo "| program | mean | largest |"
echo "|---|---|---|"
for program in libvips ImageMagick ffmpeg; do
  vips subtract wbcal.ppm $program.ppm difference.v && vips abs difference.v away.v
  awk -v name=$program -v mean="$(vips avg away.v)" -v most="$(vips max away.v)" 'BEGIN {
    printf "| %s | %.2g | %d |\n", name, mean, most }'
done
