#!/usr/bin/env bash
# The documentation as a static site: build.sh OUT MODULE..., each module after those that it imports. Errors are
# what docc warns of, a public symbol without a comment, a sample in Swift that does not compile, and a
# test that is named and does not exist.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
rm -rf "$out"
mkdir -p "$out"/{modules,graphs,archives,samples}

swiftc=(swiftc -swift-version 6 -warnings-as-errors -D ICC -D RawPhotographs -I "$out/modules")
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap; do
  swiftc+=(-I "${map%/*}")
done

archives=()
# convert NAME CATALOG OPTION...
convert() {
  local name=$1 archive
  local dependencies=()
  for archive in "${archives[@]}"; do dependencies+=(--dependency "$archive"); done
  archives+=("$out/archives/$name.doccarchive")
  docc convert "${@:2}" --fallback-display-name "$name" --fallback-bundle-identifier "$name" \
    --fallback-default-module-kind Module --enable-experimental-external-link-support \
    "${dependencies[@]}" --warnings-as-errors --output-path "${archives[-1]}" \
    --experimental-documentation-coverage --coverage-summary-level detailed >"$out/$name.txt" || {
    cat "$out/$name.txt"
    exit 1
  }
}

# Video4Linux imports it, and no page is about it.
"${swiftc[@]}" -package-name wbcal -module-name WbcalSystem -wmo -emit-module \
  -emit-module-path "$out/modules/WbcalSystem.swiftmodule" Sources/WbcalSystem/*.swift

for module in "$@"; do
  mkdir "$out/graphs/$module"
  # Bodies that other modules do not see are left to the build.
  find "Sources/$module" -name '*.swift' -print0 |
    xargs -0 "${swiftc[@]}" -package-name wbcal -module-name "$module" \
      -enable-upcoming-feature InternalImportsByDefault -wmo \
      -Xfrontend -experimental-skip-non-inlinable-function-bodies \
      -emit-module -emit-module-path "$out/modules/$module.swiftmodule" \
      -emit-symbol-graph -emit-symbol-graph-dir "$out/graphs/$module" \
      -symbol-graph-skip-synthesized-members -emit-extension-block-symbols
  convert "$module" "Sources/$module/$module.docc" \
    --additional-symbol-graph-dir "$out/graphs/$module"
  # What the compiler writes has no comment, nor has an extension's type a page of its own.
  bare=$(awk -F' *[|] *' '$3 == "false" && $2 !~ /Article|CollectionGroup|Extended/ &&
    $1 !~ /^init\((from|rawValue):/ { print $NF }' "$out/$module.txt")
  if [ -n "$bare" ]; then
    printf 'public symbols without a comment:\n%s\n' "$bare"
    exit 1
  fi
done
convert Guides Documentation/Guides.docc

# The samples of a page are one program. A page of a module need not import it.
find README.md Documentation Sources -name '*.md' | while read -r page; do
  catalog=${page%%.docc/*}
  program=$out/samples/$(tr / - <<<"${page%.md}").swift
  awk -v page="$page" '
    function begin() { inside = 1; printf "#sourceLocation(file: \"%s\", line: %d)\n", page, NR + !indented }
    !inside && /^```swift/ { indented = 0; begin(); next }
    !inside && /^    import / { indented = 1; begin() }
    inside && (indented ? /^[^ ]/ : /^```/) { inside = 0 }
    inside' "$page" >"$program"
  if [ -s "$program" ]; then
    case $page in Sources/*) sed -i "1i import ${catalog##*/}" "$program" ;; esac
    "${swiftc[@]}" -typecheck "$program"
  fi
done

grep -rhoE '`[A-Z][A-Za-z0-9]*Tests(\.[a-z][A-Za-z0-9]*)?`' README.md Documentation Sources | tr -d '`' |
  sort -u | while IFS=. read -r suite test; do
  files=$(grep -rlE "struct $suite\b" Tests --include='*.swift') &&
    { [ -z "$test" ] || grep -qE "func $test\b" $files; } || {
    echo "there is no test $suite${test:+.$test}"
    exit 1
  }
done

docc merge "${archives[@]}" --synthesized-landing-page-name wbcal --output-path "$out/site"
# The front page is that of the documentation.
echo '<!doctype html><meta http-equiv="refresh" content="0; url=documentation/">' >"$out/site/index.html"
echo "The documentation is in $out/site, to be opened through a web server: python3 -m http.server -d $out/site"
