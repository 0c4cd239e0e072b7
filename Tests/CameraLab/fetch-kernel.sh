#!/bin/sh
# fetch-kernel.sh FOLDER: downloads Debian's kernel package and unpacks it there; it is not
# installed.
set -eu
folder=$1
install=$(cd "$(dirname "$0")/../../Packaging" && pwd)/install.sh
# depmod is in a folder that a user's PATH does not contain.
PATH=$PATH:/usr/sbin:/sbin
download() {
  package=$(apt-cache depends linux-image-amd64 |
    sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
  [ -n "$package" ] && apt-get download -qq "$package"
}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# The lists of packages may be missing, or older than the archive.
download || { "$install" --update && download; }
dpkg -x linux-image-*.deb .
rm linux-image-*.deb
depmod -b . "$(ls lib/modules)"
