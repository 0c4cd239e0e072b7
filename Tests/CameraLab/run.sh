#!/bin/sh
# run.sh SCRIPT [FILE...]: boots the guest, runs SCRIPT with the FILEs in the same folder, and ends
# with its output and status. A FILE that is an archive (.cpio) is unpacked at the guest's root.
#
# Other statuses are 124: the script has not ended within LAB_TIMEOUT seconds (300); 125: the guest
# ended before the script, and its console follows on standard error; 66: the lab is not built.
#
# The guest has one processor and virtual time, 2 ns for an instruction: waiting takes no time of
# the host, and a busy host has no influence. LAB_CLOCK=real gives it the host's time, and
# LAB_PROCESSORS this number of processors. LAB_FORWARD="PORT:GUEST'S-PORT..." gives it a network,
# and forwards these ports of this computer to those of the guest. LAB_OUT is a folder for
# console.log and result.log, and LAB_BUILD the folder where the lab is built. LAB_CAMERA contains
# options for every camera of the guest, before its own.
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
# Omits the kernel's self-tests and the calibration of a timer, which take a third of the boot time.
kernel_options="cryptomgr.notests random.trust_cpu=on rodata=off noapictimer"
# The fast string instructions are turned off, because they are slow in emulation.
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
# The status of QEMU is twice the guest's plus 1.
if [ -z "$ended" ] || [ $status -ne $(((ended * 2 + 1) & 255)) ]; then
  tail -n 20 "$out/console.log" >&2
  exit 125
fi
exit "$ended"
