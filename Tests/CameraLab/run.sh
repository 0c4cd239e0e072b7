#!/bin/sh
# run.sh SCRIPT [FILE...]: boots the guest, runs the script in it with the files beside it, prints what
# it prints and exits with its status. An archive (.cpio) is unpacked at the root of the guest instead.
# 124: no end within LAB_TIMEOUT seconds (300); 125: the guest never came to the script's end, and its
# console follows on standard error; 66: the lab is not built.
#
# The guest has one processor and a virtual time, 2 ns for an instruction: waiting costs nothing, and it
# cannot see how busy the host is. LAB_CLOCK=real gives it the host's time, and LAB_PROCESSORS that many
# processors. LAB_FORWARD="PORT:GUEST'S-PORT..." gives it a network, and lets this computer reach those
# ports by its own. LAB_OUT is a folder to keep console.log and result.log in, LAB_BUILD where the lab is built.
# LAB_CAMERA is options that every camera of the guest gets before its own.
set -eu
lab=$(cd "$(dirname "$0")" && pwd)
build=${LAB_BUILD:-$lab/../../.build/camera-lab}
[ $# -ge 1 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 64; }
[ -e "$build/vmlinux" ] && [ -e "$build/base.cpio" ] ||
  { echo "run.sh: the lab is not built; run make lab first" >&2; exit 66; }
. "$lab/archive.sh"

work=$(mktemp -d "$build/run.XXXXXX")
trap 'rm -rf "$work"' EXIT
out=${LAB_OUT:-$work}
mkdir -p "$out" "$work/overlay/lab"
: >"$out/console.log"
: >"$out/result.log"

cp "$1" "$work/overlay/lab/guest.sh"
cp "$lab"/guest/lib*.sh "$work/overlay/lab/"
echo "${LAB_CAMERA:-}" >"$work/overlay/lab/camera-options"
shift
cat "$build/base.cpio" >"$work/initrd"
for file; do
  case $file in
  *.cpio) cat "$file" >>"$work/initrd" ;;
  *) cp -r "$file" "$work/overlay/lab/" ;;
  esac
done
pack "$work/overlay" >>"$work/initrd"

if [ "${LAB_CLOCK:-virtual}" = real ]; then
  set -- -accel tcg,thread=multi,tb-size=512 -rtc base=utc
else
  set -- -accel tcg,tb-size=512 -icount shift=1,sleep=off -seed 1 \
    -rtc base=2026-01-01T12:00:00,clock=vm
fi
if [ -n "${LAB_FORWARD:-}" ]; then
  forward=
  for ports in $LAB_FORWARD; do forward="$forward,hostfwd=tcp:127.0.0.1:${ports%:*}-:${ports#*:}"; done
  set -- "$@" -netdev "user,id=net,restrict=on$forward" -device e1000,netdev=net
fi
# What takes a third of booting in emulation: the kernel's tests of itself, and calibrating a timer.
kernel_options="cryptomgr.notests random.trust_cpu=on rodata=off noapictimer"
# Without the fast string instructions, which emulation makes slow, the kernel copies by words.
status=0
timeout -k 5 "${LAB_TIMEOUT:-300}" qemu-system-x86_64 -M q35 -cpu max,-erms,-fsrm "$@" \
  -smp "${LAB_PROCESSORS:-1}" -m 1G -nodefaults -no-user-config -display none -no-reboot -monitor none \
  -kernel "$build/vmlinux" -initrd "$work/initrd" \
  -append "console=ttyS0 quiet loglevel=4 panic=-1 nokaslr mitigations=off audit=0 $kernel_options" \
  -serial "file:$out/console.log" -serial "file:$out/result.log" \
  -device isa-debug-exit,iobase=0xf4,iosize=4 </dev/null || status=$?

tr -d '\r' <"$out/result.log" | sed '/^LAB-/d'
[ $status -ne 124 ] && [ $status -ne 137 ] || { echo "run.sh: timeout" >&2; exit 124; }
ended=$(sed -n 's/^LAB-END status=\([0-9]*\).*/\1/p' "$out/result.log" | tail -n 1)
# QEMU leaves with twice the guest's status and 1.
if [ -z "$ended" ] || [ $status -ne $(((ended * 2 + 1) & 255)) ]; then
  tail -n 20 "$out/console.log" >&2
  exit 125
fi
exit "$ended"
