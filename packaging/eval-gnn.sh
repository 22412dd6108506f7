#!/bin/sh
# Trains and measures graph neural retrievers on the question sets: the rows of
# docs/benchmarks.md. About two hours on two cores; SEEDS=1 SAMPLE=500 for a look.
#
#	packaging/eval-gnn.sh [CAIRN] [PART ...]
#
# PART is one of metaqa wordings linked made folds ablations published; all of
# them where none is named. The question sets are in $CAIRN_DATA.
set -eu

cairn=${1:-bin/cairn}
[ $# -gt 0 ] && shift
parts=${*:-metaqa wordings linked made folds ablations published}
seeds=${SEEDS:-5}

row() {
	echo "\$ cairn eval $*"
	"$cairn" eval "$@" --retriever gnn ${SAMPLE:+--sample "$SAMPLE"}
	echo
}

for part in $parts; do
	case $part in
	metaqa)
		row metaqa --hops 1,2,3,ntm --together --seeds "$seeds"
		for hops in 1 2 3; do
			row metaqa --hops "$hops" --network rearev --seeds "$seeds"
		done
		row metaqa --hops 3 --network rearev --train 10000
		row metaqa --hops ntm --network rearev
		;;
	wordings)
		row metaqa --hops 1,2,3 --together --held-wordings --seeds "$seeds"
		row metaqa --hops 3 --network rearev --held-wordings
		;;
	linked)
		row metaqa --hops 1,2,3,ntm --together --topics linked
		row metaqa --hops 3 --network rearev --topics linked
		;;
	made)
		row metaqa --hops 1,2,3,ntm --together --generated 2000
		row metaqa --hops 1,2,3,ntm --together --generated 10000
		;;
	folds)
		for set in pathquestion worldcup webqsp cwq; do
			row "$set"
			row "$set" --network rearev
		done
		;;
	ablations)
		row metaqa --hops 3 --network rearev --mass 0.75,0.95,0.99
		row metaqa --hops 3 --network rearev --layers 1
		row metaqa --hops 3 --network rearev --stages 2
		row metaqa --hops 3 --network nsm
		row metaqa --hops 3 --network graftnet
		row metaqa --hops 3 --network rearev --encoder tokens --encoder lexical
		;;
	published)
		row metaqa --hops 3 --published --epochs 10
		;;
	*)
		echo "there is no part $part" >&2
		exit 2
		;;
	esac
done
