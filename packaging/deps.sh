#!/bin/sh
# Installs what a Cairn build needs and this machine lacks: a C compiler (for
# SQLite) and the OpenGL and X11 headers (for the window). Says what it does,
# asks nothing, and does nothing if everything is there.
#
#   packaging/deps.sh              what the window needs
#   packaging/deps.sh --headless   a C compiler only: commands and tests
#   packaging/deps.sh --gui-test   also Xvfb, xdotool and ImageMagick: the window
#                                  test and `make screenshots`
#   packaging/deps.sh --model-server   a C++ compiler and headers, as ollama.sh
#                                  builds the tests' model server with
set -eu

window=yes
gui_test=no
model_server=no
for arg in "$@"; do
	case $arg in
	--headless) window=no ;;
	--gui-test) gui_test=yes ;;
	--model-server) window=no model_server=yes ;;
	*)
		echo "deps: unknown option $arg (there are --headless, --gui-test and --model-server)" >&2
		exit 2
		;;
	esac
done

say() { echo "deps: $*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

PATH=$PATH:/usr/local/go/bin:/usr/lib/go/bin:/opt/homebrew/bin
export PATH

# Users install Go themselves: distributions carry versions that are too old.
# From 1.21 on, Go fetches the version named in go.mod by itself.
if ! have go; then
	say "Go is not installed, or not in PATH. Get 1.26 or later from https://go.dev/dl/"
	exit 1
fi
# Asked outside the module: a Go too old for go.mod would not even say its version.
v=$(cd / && go env GOVERSION 2>/dev/null || true)
case $v in
go1.[0-9] | go1.[0-9].* | go1.1[0-9] | go1.1[0-9].* | go1.20 | go1.20.* | '')
	say "Go here is ${v:-unknown}; 1.21 or later is needed (1.26 best). Get it from https://go.dev/dl/"
	exit 1
	;;
esac

os=$(uname -s)

# compiler tells whether a C compiler with its standard headers works. cgo calls
# $CC, or else gcc on Linux and clang elsewhere.
compiler() {
	cc=${CC:-gcc}
	[ "$os" = Linux ] || cc=${CC:-clang}
	have "$cc" && printf '#include <stdlib.h>\nint main(void){return 0;}\n' | "$cc" -x c -o /dev/null - 2>/dev/null
}

# headers tells whether GLFW would find what it includes and links on Linux.
headers() {
	[ "$os" = Linux ] || return 0
	printf '%s\n' '#include <GL/gl.h>' '#include <X11/Xlib.h>' '#include <X11/Xcursor/Xcursor.h>' \
		'#include <X11/extensions/Xrandr.h>' '#include <X11/extensions/Xinerama.h>' \
		'#include <X11/extensions/XInput2.h>' '#include <X11/extensions/xf86vmode.h>' \
		'int main(void){return 0;}' |
		"${CC:-gcc}" -x c -o /dev/null - -lGL -lX11 -lXcursor -lXrandr -lXinerama -lXi -lXxf86vm 2>/dev/null
}

# gui_tools tells whether the window can be started and looked at without a screen.
gui_tools() {
	[ "$os" = Linux ] || return 0
	have Xvfb && have xauth && have xvfb-run && have xdotool && have import && have convert
}

# cxx tells whether the model server's C++ would find what it includes. Its own
# copies of these headers are in folders that a Go module leaves out.
cxx() {
	have "${CXX:-g++}" && printf '%s\n' '#include <nlohmann/json.hpp>' '#include <stb/stb_image.h>' 'int main(){return 0;}' |
		"${CXX:-g++}" -x c++ -fsyntax-only - 2>/dev/null
}

missing=
have make || missing="$missing make"
compiler || missing="$missing compiler"
if [ "$window" = yes ]; then headers || missing="$missing headers"; fi
if [ "$gui_test" = yes ]; then gui_tools || missing="$missing gui-tools"; fi
if [ "$model_server" = yes ]; then cxx || missing="$missing cxx"; fi
if [ -z "$missing" ]; then
	exit 0
fi

# packages turns the missing things into the names of one package manager.
packages() {
	for thing in $missing; do
		case $1:$thing in
		apt:make | dnf:make | pacman:make | brew:make) echo make ;;
		apt:compiler) echo gcc libc6-dev ;;
		apt:headers) echo libgl1-mesa-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev libxkbcommon-dev ;;
		apt:gui-tools) echo xvfb xauth xdotool imagemagick libgl1-mesa-dri ;;
		apt:cxx) echo g++ nlohmann-json3-dev libstb-dev ;;
		dnf:cxx) echo gcc-c++ json-devel stb_image-devel ;;
		pacman:cxx) echo gcc nlohmann-json stb ;;
		dnf:compiler) echo gcc glibc-devel ;;
		dnf:headers) echo mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel libxkbcommon-devel ;;
		dnf:gui-tools) echo xorg-x11-server-Xvfb xorg-x11-xauth xdotool ImageMagick mesa-dri-drivers ;;
		pacman:compiler) echo gcc ;;
		pacman:headers) echo mesa libx11 libxcursor libxrandr libxinerama libxi libxxf86vm libxkbcommon xorgproto ;;
		pacman:gui-tools) echo xorg-server-xvfb xorg-xauth xdotool imagemagick ;;
		esac
	done | tr '\n' ' '
}

root=
if [ "$(id -u)" -ne 0 ]; then root=sudo; fi
need_root() {
	if [ -n "$root" ] && ! have sudo; then
		say "missing here:$missing. Installing needs root and there is no sudo; as root, run: $*"
		exit 1
	fi
}

if have apt-get; then
	names=$(packages apt)
	need_root "apt-get install $names"
	say "installing through apt: $names"
	# A stale or empty package list is the usual reason for a package not found.
	$root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 || say "apt-get update failed; trying with the list that is here"
	# shellcheck disable=SC2086 # a list of words on purpose
	$root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $names </dev/null >&2
elif have dnf; then
	names=$(packages dnf)
	need_root "dnf install $names"
	say "installing through dnf: $names"
	# shellcheck disable=SC2086
	$root dnf -q install -y $names </dev/null >&2
elif have pacman; then
	names=$(packages pacman)
	need_root "pacman -S $names"
	say "installing through pacman: $names"
	# shellcheck disable=SC2086
	$root pacman -S --needed --noconfirm $names </dev/null >&2
elif [ "$os" = Darwin ]; then
	# The compiler and the frameworks of the window come with Apple's tools.
	case $missing in
	*compiler*)
		say "the C compiler is missing: run xcode-select --install, then this again"
		exit 1
		;;
	*make*)
		have brew || { say "make is missing: run xcode-select --install, then this again"; exit 1; }
		say "installing through brew: make"
		brew install make >&2
		;;
	esac
else
	say "missing here:$missing. No apt, dnf, pacman or brew was found: install a C compiler and the OpenGL and X11 headers by hand"
	exit 1
fi

# Said only now, so that success means that it works and not only that it installed.
left=
compiler || left="$left compiler"
if [ "$window" = yes ]; then headers || left="$left headers"; fi
if [ "$gui_test" = yes ]; then gui_tools || left="$left gui-tools"; fi
if [ "$model_server" = yes ]; then cxx || left="$left cxx"; fi
if [ -n "$left" ]; then
	say "still missing after installing:$left"
	exit 1
fi
say "everything is there now"
