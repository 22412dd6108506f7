#!/bin/sh
# Trains the base that relation chains (GSR) start from: imports graphs, makes questions
# from each, and trains one network on all of them (docs/benchmarks.md, "GSR: from a base").
# Ten to twenty minutes on two cores.
#
#	packaging/pretrain.sh OUT [NAME ...]
#
# NAMEs are the graphs; the default is those whose licences let us ship what was learned
# from them. The sample graph is here, the others are in $CAIRN_DATA. No base uses MetaQA's
# film graph, since bases are measured on it. CAIRN and CAIRN_LAB name the programs;
# PRETRAIN is passed to `cairn-lab pretrain`.
set -eu
out=${1:?usage: packaging/pretrain.sh OUT [NAME of a graph ...]}
shift
names=${*:-sample umls nations codex fb15k biokg airroutes}
cairn=${CAIRN:-bin/cairn-headless}
lab=${CAIRN_LAB:-bin/cairn-lab}
data=${CAIRN_DATA:-../shared/data}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# labelled replaces CoDEx's relation numbers with Wikidata's labels.
labelled() {
	awk -F'\t' -v OFS='\t' 'NR == FNR { label[$1] = $2; next } { if ($2 in label) $2 = label[$2]; print }' - "$1" <<'LABELS'
P17	country
P19	place of birth
P20	place of death
P26	spouse
P27	country of citizenship
P30	continent
P35	head of state
P36	capital
P37	official language
P40	child
P69	educated at
P101	field of work
P102	member of political party
P106	occupation
P108	employer
P112	founded by
P119	place of burial
P135	movement
P136	genre
P138	named after
P140	religion
P159	headquarters location
P172	ethnic group
P264	record label
P361	part of
P451	unmarried partner
P452	industry
P463	member of
P495	country of origin
P509	cause of death
P530	diplomatic relation
P551	residence
P737	influenced by
P740	location of formation
P749	parent organization
P840	narrative location
P1050	medical condition
P1303	instrument
P1412	languages spoken
P3095	practiced by
P3373	sibling
LABELS
}

graphs=
for name in $names; do
	case $name in
	sample) set -- assets/sample/world.tsv --labels assets/sample/labels.tsv ;;
	umls) set -- "$data/small-kgs/umls/train.txt" ;;
	nations) set -- "$data/small-kgs/nations/train.txt" --columns relation,head,tail ;;
	codex)
		labelled "$data/codex/triples/codex-s/train.txt" >"$dir/codex-s.tsv"
		set -- "$dir/codex-s.tsv" --labels "$data/codex/codex-s_labels_partial.tsv"
		;;
	fb15k) set -- "$data/fb15k-237/train.tsv.gz" --labels "$data/fb15k-237/entity2text.txt" ;;
	fb13) set -- "$data/fb13/fb13.tsv.gz" ;;
	biokg) set -- "$data/biokgqa/kg.tsv" ;;
	airroutes) set -- "$data/air-routes/air-routes-latest-nodes.csv" "$data/air-routes/air-routes-latest-edges.csv" ;;
	# Licences that are unstated, or not for commerce: for measurements alone.
	worldcup) set -- "$data/worldcup2014/kb.txt" ;;
	pathquestion) set -- "$data/pathquestion/3H-kb.txt" ;;
	freebase) set -- "$data/webqsp-cwq/freebase_subset.tsv" ;;
	dbpedia) set -- "$data/factkg/dbpedia_subset.tsv" ;;
	*)
		echo "there is no graph $name" >&2
		exit 2
		;;
	esac
	"$cairn" import --yes --into "$dir/$name.cairn" "$@" >/dev/null
	graphs="$graphs $dir/$name.cairn"
done

# shellcheck disable=SC2086 # lists of words
"$lab" pretrain $graphs --out "$out" ${PRETRAIN:-}
