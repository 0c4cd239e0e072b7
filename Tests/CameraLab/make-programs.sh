#!/bin/sh
# make-programs.sh FOLDER PROGRAM...: makes FOLDER/programs.cpio of Swift programs and their
# libraries.
set -eu
lab=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
root=$build/programs
. "$lab/archive.sh"
shift

rm -rf "$root"
mkdir -p "$root/lab"
for program; do
  strip -o "$root/lab/$program" "$build/bin/$program"
  copy_libraries "$root" "$root/lab/$program"
done
pack "$root" >"$build/programs.cpio.tmp"
mv "$build/programs.cpio.tmp" "$build/programs.cpio"
