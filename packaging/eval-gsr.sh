#!/bin/sh
# Trains and measures the reader of relation chains (GSR) on the question sets: the rows
# of docs/benchmarks.md. About two hours on two cores; SEEDS=1 SAMPLE=500 for a quick run.
#
#	packaging/eval-gsr.sh [CAIRN-LAB] [PART ...]
#
# PART is one of metaqa few wordings made figure4 chains beams folds beside; the default
# is all of them. The question sets are in $CAIRN_DATA.
set -eu

lab=${1:-bin/cairn-lab}
[ $# -gt 0 ] && shift
parts=${*:-metaqa few wordings made figure4 chains beams folds beside}
seeds=${SEEDS:-5}
journals=$(mktemp -d)
trap 'rm -rf "$journals"' EXIT

# row measures with the topics that the set gives.
row() {
	case $* in *--retriever*) ;; *) set -- "$@" --retriever gsr ;; esac
	echo "\$ cairn-lab eval $* --topics given"
	"$lab" eval "$@" --topics given ${SAMPLE:+--sample "$SAMPLE"}
	echo
}

for part in $parts; do
	case $part in
	metaqa)
		row metaqa --hops 1,2,3,ntm --together --seeds "$seeds"
		row metaqa --hops 1,2,3,ntm --together --train 200000 # all of the training splits
		;;
	few) # the paper's Table 12: 3 hops, 1,000 questions, no gold chains
		row metaqa --hops 3 --seeds "$seeds"
		;;
	wordings)
		row metaqa --hops 1,2,3 --together --held-wordings --seeds 3
		;;
	made)
		row metaqa --hops 1,2,3,ntm --together --generated 5000 --seeds 3
		row metaqa --hops made --generated 5000 # does it scale with the schema? 9 relations, and
		row erqa --hops made --generated 5000   # the 237 of FB15k-237
		;;
	figure4) # the paper's Figure 4: how much retrieval data, with and without indexing data
		for chains in selected filtered raw; do
			for n in 33 66 166 333; do
				row metaqa --hops 1,2,3 --together --train $n --made 0 --start nothing --set chains=$chains
				row metaqa --hops 1,2,3 --together --train $n --made 0 --start nothing --set chains=$chains --set index=0
			done
		done
		;;
	chains)
		for chains in selected filtered raw; do
			row webqsp --steps 2 --made 0 --set chains=$chains
		done
		;;
	beams)
		for beam in 1 3 10; do
			for decoding in constrained free; do
				row metaqa --hops 1,2,3,ntm --together --beam $beam --set decoding=$decoding
			done
		done
		;;
	folds)
		row pathquestion
		row worldcup
		row webqsp --steps 2 --made 0 --beam 10
		row cwq --folds 2 --steps 3 --made 0 --beam 10
		;;
	beside) # the same questions by chains, by a network and by patterns: who alone is right
		for method in gsr gnn pattern; do
			learns=
			[ $method = pattern ] || learns=--together
			rm -f "$journals/$method"
			row metaqa --hops 1,2,3,ntm $learns --retriever $method --journal "$journals/$method"
		done
		"$lab" beside "$journals/gsr" "$journals/gnn" "$journals/pattern"
		;;
	*)
		echo "there is no part $part" >&2
		exit 2
		;;
	esac
done
