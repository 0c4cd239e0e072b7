#!/bin/sh
# alone.sh FOLDER: builds and runs, in FOLDER, the consumer that imports ColorScience alone, and fails where
# anything else is built or linked for it.
set -eu
folder=$1
cd "$(dirname "$0")"
swift build --scratch-path "$folder" --product use-ColorScience
bin=$(swift build --scratch-path "$folder" --show-bin-path)
"$bin/use-ColorScience"
if ldd "$bin/use-ColorScience" | grep -E 'lcms|raw|spng|tiff|jpeg|Foundation'; then
  echo "ColorScience drags libraries in"
  exit 1
fi
if ls "$bin"/Modules/*.swiftmodule | grep -vE '/(ColorScience|use_ColorScience)\.swiftmodule$'; then
  echo "ColorScience drags modules in"
  exit 1
fi
