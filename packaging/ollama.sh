#!/bin/sh
# Builds the real Ollama server that `make test-ollama` tests against, from its Go
# module, once, into a cache. Prints the path of the binary, and nothing else, to
# standard output. It runs on the CPU only, which is enough for test models.
#
#   packaging/ollama.sh            build it, or find an earlier build
#   packaging/ollama.sh --cached   only find it; fail if it is not there
#
# A build takes three to five minutes on two cores, 140 MB of downloads and 1 GB of
# temporary disk space; the result has 36 MB. Linux only: elsewhere, set
# OLLAMA_BIN to an installed ollama of this version.
set -eu

version=0.17.4
# The one header that no distribution packages. It is from an audio library that the
# server compiles in and text models never use; a Go module carries it.
miniaudio=github.com/gen2brain/malgo@v0.11.24

PATH=$PATH:/usr/local/go/bin:/usr/lib/go/bin
export PATH
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "ollama: $*" >&2; }

if [ "$(uname -s)" != Linux ]; then
	say "the server is built on Linux only; set OLLAMA_BIN to an installed ollama $version"
	exit 1
fi

# Without AVX the server is four to eight times slower, and with it a CPU that
# lacks it kills the server.
flags=-O2
machine=$(uname -m)
if [ "$machine" = x86_64 ]; then
	machine=x86-64
	if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && grep -qw f16c /proc/cpuinfo; then
		machine=x86-64-v3
	fi
	flags="-O2 -march=$machine"
fi

# The folder's name covers everything the binary depends on. The folder appears whole.
go=$(cd / && go env GOVERSION)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cairn
dest=$cache/ollama-$version-$go-$machine
if [ -x "$dest/ollama" ]; then
	echo "$dest/ollama"
	exit 0
fi
if [ "${1:-}" = --cached ]; then
	say "$dest/ollama was not built yet"
	exit 1
fi

"$here/deps.sh" --model-server
mkdir -p "$cache"
made=$(mktemp -d "$dest.XXXXXX")
trap 'rm -rf "$made"' EXIT
trap 'exit 1' INT TERM

say "building Ollama $version for $machine with $go; this takes a few minutes, once"
cd / # outside the project's own module
if ! go mod download "$miniaudio" >&2; then
	say "cannot get $miniaudio; building needs a network, or a Go module cache that has everything"
	exit 1
fi
audio=$(go mod download -json "$miniaudio" | sed -n 's/^.*"Dir": "\(.*\)".*$/\1/p')
mkdir "$made/include"
ln -s "$audio" "$made/include/miniaudio"
CGO_ENABLED=1 GOFLAGS=-buildvcs=false GOBIN="$made" \
	CGO_CPPFLAGS="-I$made/include" CGO_CFLAGS="$flags" CGO_CXXFLAGS="$flags" \
	nice -n 10 go install -trimpath \
	-ldflags "-s -w -X=github.com/ollama/ollama/version.Version=$version -X=github.com/ollama/ollama/server.mode=release" \
	"github.com/ollama/ollama@v$version" >&2
rm -r "$made/include"
chmod 755 "$made"

# Another run may have been faster; both built the same binary.
mv -T "$made" "$dest" 2>/dev/null || [ -x "$dest/ollama" ]
echo "$dest/ollama"
