#!/bin/sh
# install.sh PACKAGE...: installs those of Debian's packages that are missing, as root or through sudo, and does
# nothing where all are there; a program that has apt's lock is waited for. install.sh --update reads the archive's
# lists anew, and no more.
set -eu
wait=-oDPkg::Lock::Timeout=600
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Debian 12's `update` fails where the lock of the lists is taken, whatever it is asked to wait.
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
