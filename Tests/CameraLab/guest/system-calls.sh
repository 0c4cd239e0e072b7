# Counts the system calls for a frame, and tests that it is not copied.
. ./lib.sh
start_camera
strace -f -y -o /run/trace ./wbcal-camera-probe stream /dev/video0 30 YUYV 320x240 >/run/said
ok "frames stream under strace" within 30 30 "$(grep -c '^frame' /run/said)"
# The system calls from the start of the stream up to the last return of a buffer.
awk '/VIDIOC_QBUF/ && on { last = NR } /VIDIOC_STREAMON/ { on = 1 }
  { line[NR] = $0; if (on && !first) first = NR }
  END { for (i = first + 1; i <= last; i++) print line[i] }' /run/trace |
  grep -v resumed >/run/frames
count() { grep -cE "$1" /run/frames; }
ok "three calls on the camera for a frame at most" within 60 90 "$(count '/dev/video0')"
ok "a frame is fetched once" within 30 30 "$(count 'VIDIOC_DQBUF')"
ok "and given back once" within 30 30 "$(count 'VIDIOC_QBUF')"
ok "nothing is read or received" within 0 0 "$(count '^[0-9]+ +(read|pread64|readv|recv[a-z]*)\(.*video')"
ok "no memory is mapped for a frame" within 0 0 "$(count '^[0-9]+ +(mmap|brk|mremap)\(')"
ok "threads wait for each other three times for a frame at most" within 0 90 "$(count '^[0-9]+ +futex\(')"
sed 's/^[0-9]* *//; s/(.*//' /run/frames | sort | uniq -c | sort -rn | sed 's/^/# /'
stop_camera
finish
