#!/bin/sh
# install.sh PACKAGE...: installs the Debian packages that are missing, as root or through sudo, and
# does nothing if none is. If another program holds apt's lock, it waits.
# install.sh --update: only updates the lists of packages.
set -eu
wait=-oDPkg::Lock::Timeout=600
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# In Debian 12, `apt-get update` does not wait for the lock of the lists, whatever the timeout is.
update() {
  end=$(($(date +%s) + 600))
  until said=$(as_root env LC_ALL=C apt-get update -qq "$wait" 2>&1); do
    case $said in *"Could not get lock"*) ;; *) end=0 ;; esac
    if [ "$(date +%s)" -ge $end ]; then
      echo "$said" >&2
      return 1
    fi
    sleep 2
  done
}

if [ "${1:-}" = --update ]; then
  update
  exit
fi
missing=
for package; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing$missing"
update
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$wait" $missing >/dev/null
