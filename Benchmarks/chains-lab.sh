#!/usr/bin/env bash
# chains-lab.sh BENCHMARK FIRST COUNT FILE.csv [BEFORE.csv]: calibrates COUNT random cameras of the
# camera lab, with the seeds from FIRST on, two guests at a time. Writes a line for each camera to
# FILE.csv, and the tables to the end of Benchmarks/CHAINS.md, compared with BEFORE.csv if it is
# given.
set -euo pipefail
benchmark=$1 first=$2 count=$3 csv=$4
before=${5:-}
page=Benchmarks/CHAINS.md
lab=$(cd Tests/CameraLab && pwd)
build=$(cd "${LAB_BUILD:-.build/camera-lab}" && pwd)
said=$build/chains
rm -rf "$said"
for seed in $(seq "$first" $((first + count - 1))); do
  mkdir -p "$said/$seed"
  echo "$seed" >"$said/$seed/seed"
done
export LAB_TIMEOUT=${LAB_TIMEOUT:-3600}
ls "$said" | sort -n | xargs -P 2 -I SEED sh -c \
  '"$0"/run.sh "$0"/guest/random-chain.sh "$1/SEED/seed" "$2/programs.cpio" >"$1/SEED/said" 2>"$1/SEED/errors" || true' \
  "$lab" "$said" "$build"
"$benchmark" lab "$said" >"$csv"
{
  sed '/^# In the camera lab$/,$d' "$page"
  cat <<END
# In the camera lab

Written by \`make bench-chains-lab\`: the same on cameras of the camera lab, behind the kernel's driver, whose options are
drawn from the seeds $first to $((first + count - 1)) (\`Tests/CameraLab/guest/random-chain.sh\`). The difference from neutral is that of the
picture as a viewer decodes it (\`uvcd ctl neutral\`), so it includes the effects of an S-curve and of saturation. The best
that the controls allow is known only for temperature controls; for the others it is taken to be 0. A command that takes
more than 300 s of the guest's time, 9000 frames, hangs.

END
  # shellcheck disable=SC2086
  "$benchmark" table "$csv" $before
} >"$page.tmp"
mv "$page.tmp" "$page"
sed -n '/^# In the camera lab/,/^## False/p' "$page"
