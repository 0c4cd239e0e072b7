#!/bin/sh
# make-deb.sh FOLDER VERSION: makes a Debian package of the files staged in FOLDER/debian/wbcal. The
# same commit and compiler give the same bytes: all times are the commit's, and root owns all files.
set -eu
build=$1
version=$2
root=$build/debian/wbcal
doc=$root/usr/share/doc/wbcal
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
maintainer=$(git log -1 --format='%an <%ae>')
if [ -n "${DEBFULLNAME-}" ] && [ -n "${DEBEMAIL-}" ]; then maintainer="$DEBFULLNAME <$DEBEMAIL>"; fi
toolchain=$(dirname "$(realpath "$(command -v swift)")")
architecture=$(dpkg --print-architecture)

# fill: replaces each line of the form @FILE@ by the license in that file, indented as a field of a
# Debian file.
fill() {
  while IFS= read -r line; do
    case $line in
    @*@)
      file=${line#@}
      sed 's/^$/./; s/^/ /' "${file%@}"
      ;;
    *) printf '%s\n' "$line" ;;
    esac
  done
}

# Two of the removed sections contain hashes that depend on the folder of the build. llvm-objcopy is
# used because GNU strip would drop the header that makes relocations read-only.
"$toolchain/llvm-objcopy" --strip-unneeded --remove-section=.comment --remove-section=.note \
  --remove-section=.swift_modhash --remove-section=.note.gnu.build-id "$root/usr/bin/wbcal"
if ! readelf -lW "$root/usr/bin/wbcal" | grep GNU_RELRO >/dev/null; then
  echo "the Debian package: the program's relocations stay writable" >&2
  exit 1
fi
gzip -9n "$root/usr/share/man/man1/wbcal.1"
install -d "$doc"
fill <Packaging/copyright >"$doc/copyright"
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
gzip -9nc >"$doc/changelog.Debian.gz" <<END
wbcal ($version) unstable; urgency=medium

  * Changes are in changelog.gz.

 -- $maintainer  $(date -uRd "@$SOURCE_DATE_EPOCH")
END

install -d "$root/DEBIAN"
echo "Source: wbcal" >"$build/debian/control"
depends=$(cd "$build" && dpkg-shlibdeps -O debian/wbcal/usr/bin/wbcal | sed -n 's/^shlibs:Depends=//p')
install -m 755 Packaging/postinst Packaging/postrm "$root/DEBIAN"
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$root/DEBIAN/md5sums"
sed "s|@VERSION@|$version|; s|@ARCHITECTURE@|$architecture|; s|@MAINTAINER@|$maintainer|
  s|@DEPENDS@|$depends|; s|@SIZE@|$(du -k -s --apparent-size "$root/usr" | cut -f 1)|" \
  Packaging/control >"$root/DEBIAN/control"
chmod -R u=rwX,go=rX "$root"
dpkg-deb --root-owner-group -Zxz --build "$root" "$build/wbcal_${version}_$architecture.deb" >/dev/null
