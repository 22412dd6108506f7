#!/bin/sh
# Trains the base that relation chains (GSR) start from: imports the sample graph and the
# graphs in $CAIRN_DATA, makes questions of each, and trains one network on all of them
# (docs/benchmarks.md, "GSR: from a base"). About ten minutes on two cores.
#
#	packaging/pretrain.sh OUT [NAME ...]
#
# NAMEs are graphs to leave out, such as those that the base is measured on. MetaQA's
# graph of films is never in it. CAIRN and CAIRN_LAB name the programs; what is in
# PRETRAIN goes on to `cairn-lab pretrain`.
set -eu
out=${1:?usage: packaging/pretrain.sh OUT [NAME of a graph to leave out ...]}
shift
leave=" $* "
cairn=${CAIRN:-bin/cairn-headless}
lab=${CAIRN_LAB:-bin/cairn-lab}
data=${CAIRN_DATA:-../shared/data}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

graphs=
# graph imports one: its name, then what `cairn import` takes.
graph() {
	name=$1
	shift
	case $leave in *" $name "*) return ;; esac
	"$cairn" import --yes --into "$dir/$name.cairn" "$@" >/dev/null
	graphs="$graphs $dir/$name.cairn"
}

# CoDEx has numbers for relations; these are Wikidata's labels.
awk -F'\t' -v OFS='\t' 'NR == FNR { label[$1] = $2; next } { if ($2 in label) $2 = label[$2]; print }' - \
	"$data/codex/triples/codex-s/train.txt" >"$dir/codex-s.tsv" <<'LABELS'
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

graph sample assets/sample/world.tsv --labels assets/sample/labels.tsv
graph umls "$data/small-kgs/umls/train.txt"
graph nations "$data/small-kgs/nations/train.txt" --columns relation,head,tail
graph codex "$dir/codex-s.tsv" --labels "$data/codex/codex-s_labels_partial.tsv"
graph worldcup "$data/worldcup2014/kb.txt"
graph pathquestion "$data/pathquestion/3H-kb.txt"
graph freebase "$data/webqsp-cwq/freebase_subset.tsv"
graph dbpedia "$data/factkg/dbpedia_subset.tsv"
graph fb15k "$data/fb15k-237/train.tsv.gz" --labels "$data/fb15k-237/entity2text.txt"
graph biokg "$data/biokgqa/kg.tsv"

# shellcheck disable=SC2086 # lists of words
"$lab" pretrain $graphs --out "$out" ${PRETRAIN:-}
