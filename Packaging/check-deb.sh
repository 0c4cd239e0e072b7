#!/bin/sh
# check-deb.sh PACKAGE VERSION FOLDER: installs the package in a minimal Debian of the running
# release, which it makes in FOLDER, uses it as another user, and purges it. Fails if anything is
# left over.
set -eu
package=$1
version=$2
debian=$3
. Packaging/bare-debian.sh
make_debian "the check of the package"

fail() {
  echo "the Debian package: $*" >&2
  exit 1
}
# listing: prints every file, without the records and caches of apt and dpkg, and every package.
listing() {
  (cd "$debian" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
    -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -printf '%p %y %m %U %G\n' | LC_ALL=C sort)
  inside dpkg-query -W -f '${Package} ${Version} ${Status}\n'
}

listing >"$debian.before"
install -m 644 "$package" "$debian/tmp/wbcal.deb"
install -m 644 Calibration/Samples/colorchart.dng "$debian/tmp/card.dng"
inside apt-get install -qq --no-install-recommends /tmp/wbcal.deb >>"$log" 2>&1 || fail "not installed; see $log"
[ -z "$(inside dpkg --verify wbcal)" ] || fail "files are not as they were packed"
[ -s "$debian/usr/share/man/man1/wbcal.1.gz" ] || fail "no manual"

[ "$(stranger 'wbcal --version')" = "$version" ] || fail "not the version $version"
if stranger 'ldd /usr/bin/wbcal' | grep -E 'swift|Foundation|not found'; then fail "needs more than Debian"; fi
stranger 'wbcal devices' | grep -q simulated || fail "no simulated camera"
stranger 'wbcal convert --from xy --to temperature-tint 0.3127 0.3290' | grep -q '^6504\.3[0-9]*,9\.6' ||
  fail "D65 is not 6504 K"
stranger 'wbcal estimate /tmp/card.dng --region 796,908,36,36'
stranger 'wbcal calibrate --device simulated --light A --light D65 -o desk.json' 2>&1
stranger 'wbcal set --device simulated:light=5000K --profile desk.json --temperature 5000 --class thermal'
stranger 'wbcal verify --device simulated:light=5000K --limit 1'

[ "$(inside stat -c '%U %G %a' /var/lib/wbcal)" = "root video 2775" ] || fail "no folder for settings of the group's"
echo '{}' >"$debian/var/lib/wbcal/camera.json"
inside apt-get remove -qq wbcal >>"$log" 2>&1
[ -e "$debian/var/lib/wbcal/camera.json" ] || fail "removing it took settings along"
inside apt-get purge -qq --autoremove wbcal >>"$log" 2>&1
listing >"$debian.after"
diff "$debian.before" "$debian.after" || fail "left behind, or taken along: see above"
echo "the Debian package: installed, used and purged in a bare $codename, nothing left"
