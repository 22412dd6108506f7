#!/bin/sh
# Measures real embedders: the built-in planner answers the question sets with the
# built-in vectors, then with those of each embedder that packaging/models.sh has made,
# on the same questions. Fetches nothing and skips what is missing.
#
#	packaging/eval-models.sh [CAIRN-LAB] [SET ...]
#
# SET is one of metaqa pathquestion worldcup webqsp cwq; the default is all of them. The
# question sets are in $CAIRN_DATA. SAMPLE sets the questions per part (100; 0 for all),
# EMBEDDERS the models. Each set's names are embedded once. Vectors and answers are kept
# in ~/.cache/cairn/models/eval, so the next run continues from there.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
lab=${1:-bin/cairn-lab}
[ $# -gt 0 ] && shift
CAIRN_MODELS=${CAIRN_MODELS:-${XDG_CACHE_HOME:-$HOME/.cache}/cairn/models}
export CAIRN_MODELS

if [ -z "${EVAL_MODELS_SERVED:-}" ]; then
	# Once more, beside the server.
	case $lab in /*) ;; *) lab=$(pwd)/$lab ;; esac
	EVAL_MODELS_SERVED=yes
	export EVAL_MODELS_SERVED
	exec "$here/models.sh" -- "$0" "$lab" "$@"
fi

sets=${*:-worldcup pathquestion metaqa webqsp cwq}
sample=${SAMPLE:-100}
kept=$CAIRN_MODELS/eval
build=$(cksum <"$lab" | cut -d ' ' -f 1) # answers of another build are others
mkdir -p "$kept"

embedders=
for name in ${EMBEDDERS:-all-minilm:22m-l6-v2-fp16 bge-small:33m-en-v1.5-fp16 multilingual-e5-small:q4_0}; do
	if HOME="$CAIRN_MODELS/home" "$OLLAMA_BIN" show "$name" >/dev/null 2>&1; then
		embedders="$embedders $name"
	else
		echo "eval-models: $name is not there; packaging/models.sh makes it where its package has weights" >&2
	fi
done
if [ -z "$embedders" ]; then
	echo "eval-models: no embedder is there; run packaging/models.sh first" >&2
	exit 1
fi

# rows prints one line a part of an evaluation's first table.
rows() {
	awk -F '  +' -v set="$1" -v by="$2" '
		/^names: |^questions that its vectors/ { notes = notes sprintf("%-14s %s\n", "", $0) }
		$1 == "part" && $3 == "Hits@1" { on = 1; next }
		$0 == "" { on = 0 }
		on && $1 !~ /, published,/ { printf "%-14s %-14s %-28s %6s %8s %8s %8s %8s\n", set, $1, by, $2, $3, $9, $11, $13 }
		END { printf "%s", notes }'
}

printf '%-14s %-14s %-28s %6s %8s %8s %8s %8s\n' set part "names found by" n Hits@1 exact sure "wrong"
for set in $sets; do
	for by in built-in $embedders; do
		file=$kept/$set-$(echo "$by" | tr ':/' '--')-$sample-$build
		if [ "$by" = built-in ]; then
			embedder=
		else
			embedder="--embedder $by --vectors $kept/vectors.cairn"
		fi
		# shellcheck disable=SC2086 # a list of words on purpose
		if nice -n "${NICE:-10}" "$lab" eval "$set" --sample "$sample" --journal "$file.jsonl" $embedder >"$file.txt" 2>"$file.log"; then
			rows "$set" "$by" <"$file.txt"
		else
			echo "$set: not measured by $by: $(tail -n 1 "$file.log")"
		fi
	done
done
