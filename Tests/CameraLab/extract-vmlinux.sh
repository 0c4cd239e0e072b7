#!/bin/sh
# extract-vmlinux.sh BZIMAGE: writes the ELF kernel inside to standard output. Booted directly, it
# need not unpack itself, which is slow in emulation. Offsets are those of the x86 boot protocol.
set -eu
image=$1
number() { od -A n -t "u$2" -j "$1" -N "$2" "$image" | tr -d ' '; }
sectors=$(number 497 1)
offset=$(((sectors + 1) * 512 + $(number 584 4)))
# The xz stream is followed by the size of the kernel.
tail -c "+$((offset + 1))" "$image" | head -c "$(number 588 4)" | xz -dc --single-stream
