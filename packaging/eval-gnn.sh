#!/bin/sh
# Trains and measures graph neural retrievers on the question sets: the rows of
# docs/benchmarks.md. About an hour on two cores; SEEDS=1 SAMPLE=500 for a quick run.
#
#	packaging/eval-gnn.sh [CAIRN-LAB] [PART ...]
#
# PART is one of metaqa wordings linked made folds ablations published; the default
# is all of them. The question sets are in $CAIRN_DATA.
set -eu

lab=${1:-bin/cairn-lab}
[ $# -gt 0 ] && shift
parts=${*:-metaqa wordings linked made folds ablations published}
seeds=${SEEDS:-5}

# row measures with the topics that the set gives, unless it is told otherwise.
row() {
	case $* in
	*--topics*) ;;
	*) set -- "$@" --topics given ;;
	esac
	echo "\$ cairn-lab eval $* --retriever gnn"
	"$lab" eval "$@" --retriever gnn ${SAMPLE:+--sample "$SAMPLE"}
	echo
}

for part in $parts; do
	case $part in
	metaqa)
		row metaqa --hops 1,2,3 --seeds "$seeds"
		row metaqa --hops 1,2,3,ntm --train 5000 --seeds "$seeds"
		row metaqa --hops 1,2,3,ntm --together --seeds "$seeds"
		row metaqa --hops ntm --seeds "$seeds"
		row metaqa --hops ntm --encoder tokens --encoder lexical --seeds 3
		row metaqa --hops 1,2,3,ntm --together --train 10000
		for hops in 1 2 3; do
			row metaqa --hops "$hops" --network rearev --seeds "$seeds"
		done
		row metaqa --hops 3 --network rearev --train 10000 --epochs 3
		;;
	wordings)
		row metaqa --hops 1,2,3 --together --held-wordings --seeds 3
		;;
	linked)
		row metaqa --hops 1,2,3,ntm --together --topics linked
		;;
	made)
		row metaqa --hops 1,2,3,ntm --together --generated 10000
		row metaqa --hops 1,2,3,ntm --together --generated 2000
		;;
	folds)
		row pathquestion
		row pathquestion --network rearev --folds 3
		row worldcup
		row worldcup --hops conjunctive --network rearev --folds 3
		row webqsp --network rearev --folds 3
		row webqsp --folds 3 --epochs 15
		row cwq --network rearev --folds 2 --epochs 8 --tries 1
		row cwq --folds 2 --epochs 12
		;;
	ablations)
		row metaqa --hops 3 --network rearev
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
