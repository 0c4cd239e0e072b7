#!/bin/sh
# test.sh FOLDER: builds and runs the consumers with the package by path, then by the URL of a repository
# with a tag, beside a package with targets of plain names, and links those of the core without Swift's
# shared libraries; what is built stays in FOLDER.
set -eu
folder=$1
cd "$(dirname "$0")/../.."

products=$(sed -n 's/.*\.library(name: "\([A-Za-z0-9]*\)".*/\1/p' Package.swift | sort)
programs=$(ls Tests/Consumers/Sources | sort)
if [ "$products" != "$programs" ]; then
  echo "Tests/Consumers has programs for" $programs "and there are the products" $products
  exit 1
fi

# run PACKAGE SCRATCH-FOLDER: builds and runs all consumers.
run() {
  swift build --package-path "$1" --scratch-path "$2" --cache-path "$2/cache" --security-path "$2/security"
  for program in $programs all; do
    "$2/debug/use-$program" >/dev/null || { echo "use-$program failed"; exit 1; }
  done
}
run Tests/Consumers "$folder/path"
echo "every product works by path, beside a package with targets of plain names too"

said=$folder/wrong-conversion.txt
if swift test --package-path Tests/Consumers --scratch-path "$folder/path" >"$said" 2>&1; then
  echo "a wrong conversion passes its test"
  exit 1
fi
grep -F 'broken law “sign of tint”' "$said" || { cat "$said"; exit 1; }
grep -A 1 -F 'counterexample' "$said"
echo "a wrong conversion fails, and the law is named"

# A package of a URL is what is committed. Its version is another commit each time, which may not be
# remembered.
repository=$folder/repository/wbcal
rm -rf "$folder/repository" "$folder/url" "$folder/consumers"
git clone -q --bare . "$repository"
git -C "$repository" tag -f 0.1.0 >/dev/null
cp -r Tests/Consumers "$folder/consumers"
(
  export WBCAL_URL="file://$repository"
  run "$folder/consumers" "$folder/url"
)
echo "the same by URL"

for program in ColorScience WhiteBalance; do
  swift build --package-path Tests/Consumers --scratch-path "$folder/static" --static-swift-stdlib \
    --product "use-$program"
  "$folder/static/debug/use-$program" >/dev/null
  if ldd "$folder/static/debug/use-$program" | grep -i swift; then
    echo "use-$program was to need no shared library of Swift"
    exit 1
  fi
done
echo "the core links statically"
