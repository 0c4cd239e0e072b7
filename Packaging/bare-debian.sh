# bare-debian.sh, to be included: functions that make a minimal Debian of the running release in the
# folder $debian, which is removed when the script ends. They need root and debootstrap.
log=$debian.log
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")

# clean: removes the folder, after everything mounted in it was unmounted, so that no mounted file
# is removed.
clean() {
  awk -v folder="$debian/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r |
    while read -r mounted; do umount "$mounted"; done
  if grep -qF " $debian/" /proc/mounts; then
    echo "$debian is in use" >&2
    exit 1
  fi
  rm -rf --one-file-system "$debian"
}

# make_debian CHECK: makes the Debian. If that fails, the check of this name is skipped, not failed.
make_debian() {
  # The archive that this computer's apt uses.
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' \
    "Codename: $codename" | head -n 1)
  trap clean EXIT
  clean
  if ! debootstrap --variant=minbase "$codename" "$debian" ${archive:+"$archive"} >"$log" 2>&1; then
    echo "skipped: $1, for want of a bare Debian; see $log"
    exit 0
  fi
  # Programs in Swift read their arguments there.
  mountpoint -q "$debian/proc" || mount -t proc proc "$debian/proc"
  inside apt-get update -qq >>"$log" 2>&1
  install -d -o 65534 -g 65534 "$debian/tmp/stranger"
}

# inside COMMAND...: runs a command in it as root.
inside() { chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

# stranger SCRIPT: runs a script in it as the user nobody, in the folder /tmp/stranger.
stranger() {
  chroot --userspec=65534:65534 "$debian" env -i PATH=/usr/bin:/bin HOME=/tmp/stranger LC_ALL=C.UTF-8 \
    sh -ec "cd; $1"
}
