#!/bin/sh
# fetch-kernel.sh FOLDER: Debian's kernel package, downloaded and unpacked there, never installed.
set -eu
folder=$1
install=$(cd "$(dirname "$0")/../../Packaging" && pwd)/install.sh
# Where depmod is, which a user's own path leaves out.
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
