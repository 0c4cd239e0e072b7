# bare-debian.sh, to be included: a Debian of the running release with nothing in it but what every
# Debian has, in the folder $debian, which goes when the script ends. It needs root and debootstrap.
log=$debian.log
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")

# What is mounted in the folder is not the folder's: nothing is removed before it is unmounted.
clean() {
  awk -v folder="$debian/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r |
    while read -r mounted; do umount "$mounted"; done
  if grep -qF " $debian/" /proc/mounts; then
    echo "$debian is in use" >&2
    exit 1
  fi
  rm -rf --one-file-system "$debian"
}

# make_debian CHECK: what cannot be made is no failure of the CHECK, which is skipped.
make_debian() {
  # The archive that apt here uses.
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' \
    "Codename: $codename" | head -n 1)
  trap clean EXIT
  clean
  if ! debootstrap --variant=minbase "$codename" "$debian" ${archive:+"$archive"} >"$log" 2>&1; then
    echo "skipped: $1, for want of a bare Debian; see $log"
    exit 0
  fi
  # Without it programs in Swift do not know their arguments.
  mountpoint -q "$debian/proc" || mount -t proc proc "$debian/proc"
  inside apt-get update -qq >>"$log" 2>&1
  install -d -o 65534 -g 65534 "$debian/tmp/stranger"
}

# inside COMMAND...: as root.
inside() { chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

# stranger SCRIPT: as nobody, in the folder /tmp/stranger.
stranger() {
  chroot --userspec=65534:65534 "$debian" env -i PATH=/usr/bin:/bin HOME=/tmp/stranger LC_ALL=C.UTF-8 \
    sh -ec "cd; $1"
}
