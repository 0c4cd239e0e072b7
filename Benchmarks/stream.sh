#!/bin/sh
# stream.sh STREAM-BENCHMARK: measures the share of a core that the correction of 30 frames of
# 1920×1080 a second takes, and that of ffmpeg's colorchannelmixer with the same matrix, which works
# on codes instead of linear values. Fails above 25 %.
set -eu
frames=$(mktemp)
trap 'rm -f "$frames"' EXIT
count=300
ffmpeg -v error -f lavfi -i testsrc2=size=1920x1080:rate=30 -frames:v 30 -pix_fmt yuyv422 -f rawvideo -y "$frames"
mixer=colorchannelmixer=rr=1.15:rg=-0.04:rb=0.02:gr=-0.03:gg=1.06:gb=-0.02:br=0.01:bg=-0.06:bb=1.22
peer() {
  ffmpeg -v info -benchmark -threads 1 -stream_loop $((count / 30 - 1)) -f rawvideo -pixel_format yuyv422 \
    -video_size 1920x1080 -framerate 30 -i "$frames" -filter_threads 1 -vf "$1" -pix_fmt yuyv422 -f rawvideo \
    -y /dev/null 2>&1 | sed -n 's/.*utime=\([0-9.]*\)s stime=\([0-9.]*\)s.*/\1 \2/p' | awk '{ print $1 + $2 }'
}
for _ in 1 2 3; do
  echo "$("$1" "$frames" $count) $(peer "$mixer")"
done | awk -v count=$count '
  { ours += $1; theirs += $2 }
  END {
    share = 100 * ours / NR / count * 30
    printf "correcting takes %.1f %% of a core, ffmpeg %.1f %%\n", share, 100 * theirs / NR / count * 30
    exit share > 25
  }'
