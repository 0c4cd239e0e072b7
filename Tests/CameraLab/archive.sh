# Functions for the scripts that make archives for the guest, to be included with `.`.

# copy_libraries ROOT PROGRAM...: copies the shared libraries of programs to the same paths below a
# root.
copy_libraries() {
  root=$1
  shift
  ldd "$@" | awk '/=> \//{ print $3 } /^\t\/lib/{ print $1 }' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
}

# pack FOLDER: writes a folder to standard output as an archive that the kernel can unpack.
pack() (
  cd "$1"
  find . | LC_ALL=C sort | cpio -o -H newc --quiet --owner=0:0
)
