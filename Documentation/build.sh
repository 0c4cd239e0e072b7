#!/usr/bin/env bash
# The documentation as a static site: build.sh OUT MODULE..., each module after those that it imports. Errors are
# what docc warns of, a public symbol without a comment, a sample in Swift that does not compile, on a page or
# in a comment, and a test or a source file that is named and does not exist.
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

# Without Aravis the module for machine-vision cameras is empty, and has nothing to document.
if pkg-config --exists aravis-0.8; then
  swiftc+=(-D GenICam)
  for flag in $(pkg-config --cflags-only-I aravis-0.8); do swiftc+=(-Xcc "$flag"); done
else
  echo "without the documentation of GenICam, for want of libaravis-dev"
  modules=()
  for module in "$@"; do [ "$module" = GenICam ] || modules+=("$module"); done
  set -- "${modules[@]}"
fi

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

# Products import them, and no page is about them.
for module in WbcalFoundation WbcalSystem; do
  "${swiftc[@]}" -package-name wbcal -module-name $module -wmo -emit-module \
    -emit-module-path "$out/modules/$module.swiftmodule" Sources/$module/*.swift
done

for module in "$@"; do
  mkdir "$out/graphs/$module"
  features=()
  if [ "$module" = CameraControl ]; then
    features=(-enable-upcoming-feature NonisolatedNonsendingByDefault)
  fi
  # Bodies that other modules do not see are left to the build.
  find "Sources/$module" -name '*.swift' -print0 |
    xargs -0 "${swiftc[@]}" -package-name wbcal -module-name "$module" "${features[@]}" \
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

# The samples of a page are one program, one in a comment is a program of its own. Those of a module need not
# import it.
find README.md Documentation Sources -name '*.md' | while read -r page; do
  case $page in Sources/*) module=${page%%.docc/*} module=${module##*/} ;; *) module= ;; esac
  awk -v page="$page" -v module="$module" '
    function begin() {
      if (module) printf "import %s\n", module
      module = ""
      inside = 1
      printf "#sourceLocation(file: \"%s\", line: %d)\n", page, NR + !indented
    }
    !inside && /^```swift/ { indented = 0; begin(); next }
    !inside && /^    import / { indented = 1; begin() }
    inside && (indented ? /^[^ ]/ : /^```/) { inside = 0 }
    inside' "$page" >"$out/samples/$(tr / - <<<"${page%.md}").swift"
done
for module in "$@"; do
  find "Sources/$module" -name '*.swift' -exec awk -v module="$module" -v folder="$out/samples" '
    /^ *\/\/\/ ```swift/ {
      name = FILENAME
      gsub("/", "-", name)
      program = sprintf("%s/%s-%d.swift", folder, name, FNR)
      printf "import %s\n#sourceLocation(file: \"%s\", line: %d)\n", module, FILENAME, FNR + 1 >program
      inside = 1
      next
    }
    inside && /^ *\/\/\/ ```/ { inside = 0; close(program) }
    inside { sub("^ */// ?", ""); print >program }' {} +
done
for program in "$out"/samples/*.swift; do
  [ ! -s "$program" ] || "${swiftc[@]}" -typecheck "$program"
done

grep -rhoE '`[A-Z][A-Za-z0-9]*Tests(\.[a-z][A-Za-z0-9]*)?`' README.md Documentation Sources | tr -d '`' |
  sort -u | while IFS=. read -r suite test; do
  files=$(grep -rlE "struct $suite\b" Tests --include='*.swift') &&
    { [ -z "$test" ] || grep -qE "func $test\b" $files; } || {
    echo "there is no test $suite${test:+.$test}"
    exit 1
  }
done

grep -hoE '`[A-Za-z]+/[A-Za-z0-9/+.]+\.(swift|c|json)`' ./*.md Documentation/Guides.docc/*.md | tr -d '`' | sort -u |
  while read -r file; do
  [ -e "$file" ] || [ -e "Sources/$file" ] || {
    echo "there is no file $file"
    exit 1
  }
done

products=$(sed -n 's/.*\.library(name: "\([A-Za-z0-9]*\)".*/\1/p' Package.swift | sort)
listed=$(sed -n '/^<!-- products/,/^<!-- end of products/s/^| `\([A-Za-z0-9]*\)`.*/\1/p' README.md | sort)
[ "$products" = "$listed" ] || {
  echo "README.md does not list the products of Package.swift:" $products
  exit 1
}

docc merge "${archives[@]}" --synthesized-landing-page-name wbcal --output-path "$out/site"
# The front page is that of the documentation.
echo '<!doctype html><meta http-equiv="refresh" content="0; url=documentation/">' >"$out/site/index.html"
echo "The documentation is in $out/site, to be opened through a web server: python3 -m http.server -d $out/site"
