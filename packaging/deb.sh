#!/bin/sh
# Builds a Debian package from the output of `make build`: dist/cairn_VERSION_ARCH.deb.
# Needs dpkg-deb, which Debian and Ubuntu have.
#
#   packaging/deb.sh VERSION
set -eu
version=${1:?usage: packaging/deb.sh VERSION, such as 0.1.0}
[ -x bin/cairn ] || { echo "deb: bin/cairn is not there; run make build" >&2; exit 1; }
arch=$(dpkg --print-architecture)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

install -D -m 755 bin/cairn "$tree/usr/bin/cairn"
install -D -m 644 packaging/cairn.desktop "$tree/usr/share/applications/cairn.desktop"
install -D -m 644 assets/icon.png "$tree/usr/share/icons/hicolor/512x512/apps/cairn.png"
install -D -m 644 assets/icon.svg "$tree/usr/share/icons/hicolor/scalable/apps/cairn.svg"
mkdir -p "$tree/usr/share/doc/cairn"
packaging/licences.sh "$tree/usr/share/doc/cairn/licences"
install -m 644 LICENSE "$tree/usr/share/doc/cairn/copyright"
install -m 644 CHANGELOG.md README.md "$tree/usr/share/doc/cairn/"

# The oldest glibc the binary runs with is the one it asks for.
glibc=$(objdump -T bin/cairn | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 | cut -d_ -f2)
mkdir -p "$tree/DEBIAN"
cat >"$tree/DEBIAN/control" <<CONTROL
Package: cairn
Version: $version
Architecture: $arch
Maintainer: The Cairn authors <cairn@localhost>
Section: science
Priority: optional
Installed-Size: $(du -sk "$tree" | cut -f1)
Depends: libc6 (>= ${glibc:-2.34}), libgl1, libx11-6
Description: ask your own knowledge graph, and see the evidence
 Cairn loads a knowledge graph that you already have, answers questions and
 checks claims in plain language, and shows the triples behind every answer. It
 works on this machine alone and needs no language model.
CONTROL
mkdir -p dist
dpkg-deb --root-owner-group --build "$tree" "dist/cairn_${version}_$arch.deb"
