# What the scripts that make archives for the guest share; to be read with `.`.

# Copies the shared libraries of programs to where they are looked for, below a root.
copy_libraries() {
  root=$1
  shift
  ldd "$@" | awk '/=> \//{ print $3 } /^\t\/lib/{ print $1 }' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
}

# Packs a folder as the kernel unpacks it, to standard output.
pack() (
  cd "$1"
  find . | LC_ALL=C sort | cpio -o -H newc --quiet --owner=0:0
)
