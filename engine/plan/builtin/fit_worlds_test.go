package builtin_test

import (
	"maps"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"
)

// fitWorld is a graph that questions are generated from.
type fitWorld struct {
	name string
	load func(t *testing.T) *kg.Graph
}

var fitWorlds = []fitWorld{
	{"sample", func(*testing.T) *kg.Graph { return testkg.Sample() }},
	{"MetaQA", func(t *testing.T) *kg.Graph { t.Helper(); return readGraph(t, "metaqa/kb.txt", "|") }},
	{"PathQuestion", func(t *testing.T) *kg.Graph { t.Helper(); return readGraph(t, "pathquestion/3H-kb.txt", "\t") }},
	{"WorldCup", func(t *testing.T) *kg.Graph { t.Helper(); return readGraph(t, "worldcup2014/kb.txt", "\t") }},
	{"CoDEx-S", codexS},
	{"UMLS", func(t *testing.T) *kg.Graph {
		t.Helper()
		return spaced(t, "small-kgs/umls/train.txt", [3]int{0, 1, 2})
	}},
	{"Nations", func(t *testing.T) *kg.Graph {
		t.Helper()
		return spaced(t, "small-kgs/nations/train.txt", [3]int{1, 0, 2})
	}},
	{"Freebase", func(t *testing.T) *kg.Graph { t.Helper(); return readGraph(t, "webqsp-cwq/freebase_subset.tsv", "\t") }},
}

// planner makes a planner for a graph, with other weights where they are given.
func planner(g *kg.Graph, w *builtin.Weights) *builtin.Planner {
	lex := lexicon.Builtin()
	return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{Weights: w})
}

// spaced reads triples whose names have underscores for spaces; columns are
// those of head, relation and tail.
func spaced(t *testing.T, file string, columns [3]int) *kg.Graph {
	t.Helper()
	var b kg.Builder
	for _, line := range readLines(t, file) {
		if f := strings.Split(line, "\t"); len(f) == 3 {
			h, tail := b.Entity(f[columns[0]]), b.Entity(f[columns[2]])
			b.SetLabel(h, strings.ReplaceAll(f[columns[0]], "_", " "))
			b.SetLabel(tail, strings.ReplaceAll(f[columns[2]], "_", " "))
			b.Add(f[columns[0]], f[columns[1]], f[columns[2]])
		}
	}
	return b.Graph()
}

// wikidataNames are the labels of the relations of CoDEx-S, which come without.
var wikidataNames = map[string]string{
	"P17": "country", "P19": "place of birth", "P20": "place of death", "P26": "spouse", "P27": "country of citizenship",
	"P30": "continent", "P35": "head of state", "P36": "capital", "P37": "official language", "P40": "child",
	"P69": "educated at", "P101": "field of work", "P102": "member of political party", "P106": "occupation",
	"P108": "employer", "P112": "founded by", "P119": "place of burial", "P135": "movement", "P136": "genre",
	"P138": "named after", "P140": "religion", "P159": "headquarters location", "P172": "ethnic group",
	"P264": "record label", "P361": "part of", "P451": "unmarried partner", "P452": "industry", "P463": "member of",
	"P495": "country of origin", "P509": "cause of death", "P530": "diplomatic relation", "P551": "residence",
	"P737": "influenced by", "P740": "location of formation", "P749": "parent organization", "P840": "narrative location",
	"P1050": "medical condition", "P1303": "instrument", "P1412": "languages spoken", "P3095": "practiced by", "P3373": "sibling",
}

// codexS reads CoDEx-S with its labels.
func codexS(t *testing.T) *kg.Graph {
	t.Helper()
	labels := maps.Clone(wikidataNames)
	for _, line := range readLines(t, "codex/codex-s_labels_partial.tsv") {
		if key, label, ok := strings.Cut(line, "\t"); ok {
			labels[key] = label
		}
	}
	named := func(key string) string {
		if l, ok := labels[key]; ok {
			return l
		}
		return key
	}
	var b kg.Builder
	for _, line := range readLines(t, "codex/triples/codex-s/train.txt") {
		if f := strings.Split(line, "\t"); len(f) == 3 {
			b.SetLabel(b.Entity(f[0]), named(f[0]))
			b.SetLabel(b.Entity(f[2]), named(f[2]))
			b.Add(f[0], named(f[1]), f[2])
		}
	}
	return b.Graph()
}
