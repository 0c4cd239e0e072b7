#!/bin/sh
# make-vimc.sh FOLDER: makes FOLDER/vimc.ko, the kernel's virtual camera with sub-devices, which
# Debian does not build, from Debian's source of the kernel in FOLDER/kernel. Its sensor gets the
# controls in guest/sensor.h.
set -eu
lab=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
release=$(ls "$build/kernel/lib/modules")
version=$(echo "$release" | sed "s|\.[0-9]*-.*||")
work=$build/vimc-source
rm -rf "$work"
mkdir -p "$work/module"
cd "$work"
# Those of the kernel's own version: another one may be in the archive by now.
full=$(apt-cache policy "linux-image-$release" | sed -n 's/^ *Candidate: //p')
for package in "linux-headers-$release=$full" "linux-headers-${release%-*}-common=$full" \
  "linux-kbuild-$version=$full" "linux-source-$version=$full"; do
  apt-get download -qq "$package"
done
for package in *.deb; do dpkg -x "$package" files; done
rm ./*.deb
headers=$work/files/usr/src/linux-headers-$release
# The packages expect to be installed.
sed -i "s|include /usr|include $work/files/usr|" "$headers/Makefile"
tar -xJf "files/usr/src/linux-source-$version.tar.xz" --strip-components=5 -C module \
  "linux-source-$version/drivers/media/test-drivers/vimc"
cp "$lab/guest/sensor.h" module/
sed -i -e '/^static const struct v4l2_mbus_framefmt fmt_default/i #include "sensor.h"' \
  -e '/->sd.ctrl_handler = &/i lab_add_controls(\&vsensor->hdl);' \
  -e '/^\ttpg_calc_text_basep(/i lab_expose(\&vsensor->hdl, vsensor->frame, vsensor->mbus_format.width * vsensor->mbus_format.height * vimc_pix_map_by_code(vsensor->mbus_format.code)->bpp);' \
  module/vimc-sensor.c
[ "$(grep -c lab_ module/vimc-sensor.c)" -eq 2 ] ||
  { echo "make-vimc.sh: the driver's source has changed" >&2; exit 1; }
make -s -C "$headers" M="$work/module" CONFIG_VIDEO_VIMC=m modules
strip --strip-debug -o "$build/vimc.ko" module/vimc.ko
rm -rf "$work"
