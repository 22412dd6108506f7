#!/bin/sh
# Starts the real window on a separate display (Xvfb), waits for its title, looks at it,
# and closes it as the end of a session would: with SIGTERM. It uses a separate home
# folder, so nobody's graphs or settings are touched.
#
#   packaging/smoke.sh BINARY [PICTURE]   saves the picture under that name
set -eu
binary=$1
picture=${2:-}
title=${CAIRN_TITLE:-Cairn}

if [ -z "${CAIRN_SMOKE_INSIDE:-}" ]; then
	case $binary in /*) ;; *) binary=$PWD/$binary ;; esac
	CAIRN_SMOKE_INSIDE=yes
	export CAIRN_SMOKE_INSIDE
	# One more attempt: on a busy machine GLFW sometimes fails on its first start.
	for attempt in 1 2; do
		if xvfb-run -a -s "-screen 0 1400x950x24 -nolisten tcp" "$0" "$binary" $picture </dev/null; then
			exit 0
		fi
		echo "smoke: attempt $attempt failed" >&2
	done
	exit 1
fi

tmp=$(mktemp -d)
app=
cleanup() {
	if [ -n "$app" ]; then kill -KILL "$app" 2>/dev/null || true; fi
	rm -rf "$tmp"
}
trap cleanup EXIT

mkdir -p "$tmp/run"
chmod 700 "$tmp/run"
env HOME="$tmp" XDG_CONFIG_HOME="$tmp/config" XDG_DATA_HOME="$tmp/data" XDG_CACHE_HOME="$tmp/cache" \
	XDG_STATE_HOME="$tmp/state" XDG_RUNTIME_DIR="$tmp/run" LANG=en_US.UTF-8 \
	"$binary" >"$tmp/log" 2>&1 &
app=$!

fail() {
	echo "smoke: $*" >&2
	tail -n 40 "$tmp/log" >&2
	exit 1
}

# 60 s is enough even for software OpenGL on one slow core.
window=
for _ in $(seq 1 240); do
	kill -0 "$app" 2>/dev/null || fail "the program ended before it showed a window"
	window=$(xdotool search --onlyvisible --name "$title" 2>/dev/null | head -n 1) || true
	[ -z "$window" ] || break
	sleep 0.25
done
[ -n "$window" ] || fail "no window titled \"$title\" within 60 s"

# A window exists before its first frame, so a blank picture gets more time.
colours=0
for _ in $(seq 1 40); do
	sleep 0.5
	kill -0 "$app" 2>/dev/null || fail "the program ended after it showed a window"
	import -window root "$tmp/shot.png"
	colours=$(identify -format %k "$tmp/shot.png")
	# Text alone brings more than 16 shades; a blank window has a few.
	[ "$colours" -le 16 ] || break
done
[ "$colours" -gt 16 ] || fail "the window stayed blank: $colours colours"
# Fyne says so if it was built without the tag migrated_fynedo.
if grep -q "Error in Fyne call thread" "$tmp/log"; then fail "a widget was touched from a wrong goroutine"; fi
if [ -n "$picture" ]; then cp "$tmp/shot.png" "$picture"; fi

kill -TERM "$app"
for _ in $(seq 1 40); do
	if ! kill -0 "$app" 2>/dev/null; then
		wait "$app" && code=0 || code=$?
		app=
		# 143 is a process that SIGTERM ended, 0 one that closed by itself.
		case $code in 0 | 143) ;; *) fail "closing ended with exit code $code" ;; esac
		echo "smoke: the window \"$title\" came up with $colours colours and closed (exit code $code)"
		exit 0
	fi
	sleep 0.25
done
fail "the program was still running 10 s after SIGTERM"
