#!/usr/bin/env bash
# studio.sh WBCAL [SECONDS]: measures the share of a core that wbcal studio takes while one page
# asks for pictures and events of a camera of 1920x1080 at 30 frames a second, and the time from the request of a setting
# until the page gets a reading of the first frame that shows it. Fails above 30 %, and if that time
# exceeds the camera's latency by more than 100 ms. ffmpeg, which only makes as many pictures of the
# same size and reads none, takes its share in the same run.
set -euo pipefail
wbcal=$(realpath "$1")
seconds=${2:-30}
work=$(mktemp -d)
cd "$work"
"$wbcal" studio --device simulated:replay=4,size=1920x1080,fps=30 >where 2>said &
studio=$!
trap 'kill $studio 2>/dev/null || true; wait; rm -rf "$work"' EXIT
until grep -q token where; do sleep 0.1; done
at=$(grep -o 'http[^?]*' where)api/1
token=$(grep -o '[^=]*$' where)
get() { curl -s -H "Authorization: Bearer $token" "$at/$1"; }
# news: prints the studio's answers to one page after the other, each in a line.
news() {
  local last=0 answer
  while answer=$(get "news?page=bench&after=$last"); do
    [[ $answer =~ \"last\":([0-9]+) ]] && last=${BASH_REMATCH[1]}
    echo "$answer"
  done
}
# pictures: prints a line for each picture.
pictures() { while get 'snapshot?width=960' >/dev/null; do echo; done; }
spent() { awk '{ print $14 + $15 }' "/proc/$studio/stat"; }

news >events &
pictures >pictures &
sleep 5
before=$(spent) frames=$(grep -c '"name":"reading"' events) parts=$(wc -l <pictures)
sleep "$seconds"
after=$(spent) frames=$(($(grep -c '"name":"reading"' events) - frames))
parts=$(($(wc -l <pictures) - parts))
kill %2 %3
wait %2 %3 2>/dev/null || true
# A page that asks for nothing counts as closed after 15 seconds.
sleep 22
idle=$(spent)
sleep 5
# peer: prints the processor time in which ffmpeg makes 300 pictures.
peer() {
  ffmpeg -v error -f lavfi -i testsrc2=size=1920x1080 -frames:v 4 -pix_fmt rgb24 -f rawvideo frames
  ffmpeg -v info -benchmark -threads 1 -stream_loop 74 -f rawvideo -pixel_format rgb24 -video_size 1920x1080 \
    -i frames -filter_threads 1 -vf scale=960:540:flags=area -c:v mjpeg -q:v 3 -f image2pipe -y /dev/null 2>&1 |
    sed -n 's/.*utime=\([0-9.]*\)s stime=\([0-9.]*\)s.*/\1 \2/p' | awk '{ print $1 + $2 }'
}
awk -v peer="$(peer)" -v spent=$((after - before)) -v idle=$(($(spent) - idle)) -v seconds="$seconds" -v tick="$(getconf CLK_TCK)" \
  -v pictures="$parts" -v readings="$frames" 'BEGIN {
    share = 100 * spent / tick / seconds
    printf "the studio takes %.1f %% of a core for %.1f pictures and %.1f readings a second", share, pictures / seconds,
      readings / seconds
    printf ", and %.1f %% for no page; ffmpeg takes %.1f %% for the pictures\n", 100 * idle / tick / 5,
      100 * peer / 300 * pictures / seconds
    exit share > 30
  }'

kill $studio
wait $studio || true
fps=30 latency=2
"$wbcal" studio --device simulated:size=320x240,fps=$fps,latency=$latency >where 2>said &
studio=$!
until grep -q token where; do sleep 0.1; done
at=$(grep -o 'http[^?]*' where)api/1
token=$(grep -o '[^=]*$' where)
news | perl -MTime::HiRes=time -ne '$| = 1; printf "%.4f %d\n", time, $1 if /"frame":(\d+),"(?:gains|histogram)/' >shown &
set_gains() {
  curl -s -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -H 'X-Wbcal-Page: bench' \
    -d "{\"gains\":[$1]}" "$at/set" | grep -o '"firstFrame":[0-9]*' | grep -o '[0-9]*'
}
set_gains 1.6,1,1.6 >/dev/null
for gains in 1.9,1,1.3 1.4,1,1.8 1.9,1,1.3 1.4,1,1.8 1.9,1,1.3 1.4,1,1.8 1.9,1,1.3 1.4,1,1.8 1.9,1,1.3; do
  sleep 1
  start=$EPOCHREALTIME
  echo "$start $(set_gains $gains)"
done >asked
awk -v fps=$fps -v latency=$latency '
  NR == FNR { time[NR] = $1; frame[NR] = $2; next }
  {
    for (i = 1; frame[i] < $2; i++);
    asked[++count] = time[i] - $1
  }
  function median(list, i, j, swap) {
    for (i = 1; i <= count; i++) for (j = i + 1; j <= count; j++) if (list[j] < list[i]) {
      swap = list[i]; list[i] = list[j]; list[j] = swap
    }
    return list[int((count + 1) / 2)]
  }
  END {
    shown = median(asked)
    printf "a setting is seen in the page %.0f ms after it was asked, of which %.0f ms are the camera\x27s latency\n", \
      1000 * shown, 1000 * latency / fps
    exit shown > latency / fps + 0.1
  }' shown asked
