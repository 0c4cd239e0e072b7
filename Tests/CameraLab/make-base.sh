#!/bin/sh
# make-base.sh FOLDER: makes FOLDER/base.cpio, the files of every guest: busybox, drivers, v4l2-ctl,
# strace and the camera.
set -eu
# modprobe is in a folder that a user's PATH does not contain.
PATH=$PATH:/usr/sbin:/sbin
lab=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
root=$build/base
. "$lab/archive.sh"

rm -rf "$root"
for folder in bin dev etc lab modules proc run sys tmp; do mkdir -p "$root/$folder"; done
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in $(busybox --list); do
  [ "$applet" = busybox ] || ln -sf busybox "$root/bin/$applet"
done

release=$(ls "$build/kernel/lib/modules")
for module in uvcvideo vhci-hcd vivid e1000; do
  modprobe -d "$build/kernel" -S "$release" --show-depends "$module" |
    while read -r _ file _; do
      [ -e "$root/modules/${file##*/}" ] || strip --strip-debug -o "$root/modules/${file##*/}" "$file"
      echo "${file##*/}"
    done >"$root/modules/$module.order"
done

# vimc needs the same modules as vivid. Without it, its test is skipped.
if [ -e "$build/vimc.ko" ]; then
  cp "$build/vimc.ko" "$root/modules/"
  sed 's/^vivid.ko$/vimc.ko/' "$root/modules/vivid.order" >"$root/modules/vimc.order"
fi

copy_libraries "$root" "$(command -v v4l2-ctl)" "$(command -v strace)"
cp "$(command -v v4l2-ctl)" "$(command -v strace)" "$root/bin/"
for tool in capture leave uvcd; do cp "$build/bin/$tool" "$root/bin/"; done
cp "$lab/guest/load" "$root/bin/"
cp "$lab/guest/init" "$root/"
cp "$build/lamps" "$root/etc/lamps"
pack "$root" >"$build/base.cpio.tmp"
mv "$build/base.cpio.tmp" "$build/base.cpio"
