#!/bin/sh
# bare.sh FOLDER TOOLCHAIN: builds and runs the consumers but that of Little CMS, of the package whose files
# are on standard input as a tar archive, in a bare Debian made in FOLDER, which has the Swift whose programs
# are in the folder TOOLCHAIN, what that needs, and nothing else.
set -eu
debian=$1
swift=${2%/usr/bin/}
cd "$(dirname "$0")/../.."
if [ "$swift" = "$2" ] || [ -z "$swift" ]; then
  echo "skipped: the consumers without C libraries, for want of a Swift in a folder of its own"
  exit 0
fi
products=$(ls Tests/Consumers/Sources | grep -vx ICCProfiles)
. Packaging/bare-debian.sh
make_debian "the consumers without C libraries"

fail() {
  echo "a Debian with Swift alone: $*" >&2
  exit 1
}

inside apt-get install -qq --no-install-recommends binutils git libc6-dev libcurl4 libedit2 libncurses6 \
  libsqlite3-0 libstdc++-12-dev libxml2 pkg-config tzdata >>"$log" 2>&1 || fail "not made; see $log"
install -d "$debian/opt/swift"
mount --bind -o ro "$swift" "$debian/opt/swift"
install -d "$debian/tmp/stranger/wbcal"
tar --extract --no-same-owner --directory "$debian/tmp/stranger/wbcal"
chown -R 65534:65534 "$debian/tmp/stranger/wbcal"

headers=$(find "$debian/usr/include" "$debian/usr/local/include" -name 'lcms2*' -o -name 'spng*' \
  -o -name 'tiff*' -o -name 'libraw*' -o -name '*jpeg*' -o -name 'microhttpd*')
[ -z "$headers" ] || fail "has the headers" $headers

# consumer COMMAND: runs it where the consumers are. Swift names what is missing for modules that nobody
# imports here, which does no harm.
said=$debian.txt
consumer() {
  stranger "cd wbcal/Tests/Consumers; $1" >"$said" 2>&1 || { cat "$said"; fail "$1"; }
  if grep -E '(warning|error): ' "$said" | grep -vE '^warning: you may be able to install [a-z0-9-]+ using'; then
    fail "$1: see above"
  fi
}
for product in $products; do
  consumer "/opt/swift/usr/bin/swift build --cache-path .build/cache --config-path .build/config \
    --security-path .build/security --product use-$product"
  consumer ".build/debug/use-$product"
done
echo "a Debian with Swift alone builds and runs" $products
