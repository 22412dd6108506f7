package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/say"
	"cairn/internal/testing/bank"
	"cairn/internal/testing/shared"
)

// worded is a claim, and how it was made.
type worded struct{ way, text string }

// claimWriter makes claims out of a graph's own triples: true ones in several
// wordings, and false ones that miss one by a little.
type claimWriter struct {
	e   *Engine
	g   *kg.Graph
	rng *rand.Rand
	// of are the triples of each relation whose names mean one thing each.
	of [][]kg.Triple
}

func newClaimWriter(e *Engine) *claimWriter {
	g := e.Graph()
	w := &claimWriter{e: e, g: g, rng: rand.New(rand.NewPCG(11, 300)), of: make([][]kg.Triple, g.Relations())}
	for i := range g.Triples() {
		t := g.Triple(kg.TripleID(i))
		if w.single(t.Head) && w.single(t.Tail) && t.Head != t.Tail && !w.isOver(kg.TripleID(i)) {
			w.of[t.Relation] = append(w.of[t.Relation], t)
		}
	}
	return w
}

// isOver reports whether a statement says until when a triple was so: a claim in the present of
// it is not true.
func (w *claimWriter) isOver(t kg.TripleID) bool {
	for said := range w.g.Statements(t) {
		for _, p := range said {
			if _, ends := pattern.EndOf(w.g, p.Name); ends {
				return true
			}
		}
	}
	return false
}

// single reports whether a name means one thing and can be told from a word.
func (w *claimWriter) single(e kg.EntityID) bool {
	label := w.g.Label(e)
	return len(label) > 1 && len(label) < 60 && len(w.e.state.linker.Named(label)) == 1
}

// pick returns a triple of some relation, each relation as often as another.
func (w *claimWriter) pick() kg.Triple {
	for {
		if ts := w.of[w.rng.IntN(len(w.of))]; len(ts) > 0 {
			return ts[w.rng.IntN(len(ts))]
		}
	}
}

// wordings says a statement in several ways, all of which mean the same.
func wordings(head, relation, tail string) []string {
	var b kg.Builder
	b.Add("Hhh", relation, tail)
	text := strings.Replace(say.Triple(b.Graph(), 0), "Hhh", head, 1)
	if role, ok := strings.CutPrefix(text, "the "); ok && strings.Contains(role, " of "+head+" is ") {
		role, value, _ := strings.Cut(role, " of "+head+" is ")
		return []string{
			"The " + role + " of " + head + " is " + value + ".",
			head + "'s " + role + " is " + value + ".",
			value + " is the " + role + " of " + head + ".",
			"Is " + value + " the " + role + " of " + head + "?",
			"Is it true that the " + role + " of " + head + " is " + value + "?",
		}
	}
	out := []string{text + ".", "Is it true that " + text + "?"}
	rest, found := strings.CutPrefix(text, head+" ")
	verb, after, _ := strings.Cut(rest, " ")
	switch {
	case !found:
	case verb == "is" || verb == "was":
		out = append(out, strings.ToUpper(verb[:1])+verb[1:]+" "+head+" "+after+"?")
	case verb != "has" && strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "ss") && !strings.HasSuffix(verb, "es"):
		out = append(out, "Does "+head+" "+strings.TrimSuffix(verb, "s")+" "+after+"?")
	}
	return out
}

func (w *claimWriter) say(t kg.Triple) string {
	ways := w.all(t)
	return ways[w.rng.IntN(len(ways))]
}

func (w *claimWriter) all(t kg.Triple) []string {
	return wordings(w.g.Label(t.Head), w.g.RelationText(t.Relation), w.g.Label(t.Tail))
}

func (w *claimWriter) holds(t kg.Triple) bool {
	_, ok := w.g.Find(t)
	return ok
}

// joined reports whether any triple joins two entities, in either direction.
func (w *claimWriter) joined(a, b kg.EntityID) bool {
	return slices.ContainsFunc(slices.Concat(w.g.Out(a), w.g.In(a)), func(x kg.Edge) bool { return x.Entity == b })
}

// shares reports whether two relations have a word in common.
func (w *claimWriter) shares(a, b kg.RelationID) bool {
	stems := lexicon.Stems(w.g.RelationText(a))
	return slices.ContainsFunc(lexicon.Stems(w.g.RelationText(b)), func(s string) bool { return slices.Contains(stems, s) })
}

// Verbs that no relation of the graphs here has.
var strangeVerbs = strings.Fields("murdered hates destroyed envied sued despises imprisoned bribed tickled outlived hugged sabotaged")

// near are the ways to miss a true statement by a little. Each makes a claim that
// the graph does not state, or "" where it cannot from this triple.
var near = []struct {
	way  string
	make func(w *claimWriter, t kg.Triple) string
}{
	{"another relation's words", func(w *claimWriter, t kg.Triple) string {
		o := w.pick()
		o.Head, o.Tail = t.Head, t.Tail
		if w.holds(o) || w.holds(kg.Triple{Head: t.Tail, Relation: o.Relation, Tail: t.Head}) || w.shares(o.Relation, t.Relation) {
			return ""
		}
		if say.IsValue(w.g, t.Tail) && strings.HasSuffix(w.g.RelationText(o.Relation), " by") {
			return "" // "published by 2003" says when
		}
		return w.say(o)
	}},
	{"a verb that no graph has", func(w *claimWriter, t kg.Triple) string {
		return w.g.Label(t.Head) + " " + strangeVerbs[w.rng.IntN(len(strangeVerbs))] + " " + w.g.Label(t.Tail) + "."
	}},
	{"a verb that does not exist", func(w *claimWriter, t kg.Triple) string {
		syllables := strings.Fields("bra glo fim sko dra vel tup norg")
		verb := syllables[w.rng.IntN(len(syllables))] + syllables[w.rng.IntN(len(syllables))] + "ked"
		return w.g.Label(t.Head) + " " + verb + " " + w.g.Label(t.Tail) + "."
	}},
	{"a noun that does not fit", func(w *claimWriter, t kg.Triple) string {
		nouns := strings.Fields("enemy rival nephew landlord nightmare dentist echo")
		return w.g.Label(t.Tail) + " is the " + nouns[w.rng.IntN(len(nouns))] + " of " + w.g.Label(t.Head) + "."
	}},
	{"a predicate misspelt", func(w *claimWriter, t kg.Triple) string {
		relation := w.g.RelationText(t.Relation)
		for _, word := range lexicon.Tokenize(relation) {
			if len(word.Text) < 6 {
				continue
			}
			at := word.Start + 2 + w.rng.IntN(2)
			wrong := relation[:at] + "z" + relation[at+1:]
			return wordings(w.g.Label(t.Head), wrong, w.g.Label(t.Tail))[0]
		}
		return ""
	}},
	{"turned round", func(w *claimWriter, t kg.Triple) string {
		turned := kg.Triple{Head: t.Tail, Relation: t.Relation, Tail: t.Head}
		if w.holds(turned) || w.symmetric(t.Relation) || say.IsValue(w.g, t.Tail) {
			return ""
		}
		return w.say(turned)
	}},
	{"a sibling", func(w *claimWriter, t kg.Triple) string {
		if sibling, ok := w.sibling(t); ok {
			return w.say(sibling)
		}
		return ""
	}},
	{"a sibling, vouched for", func(w *claimWriter, t kg.Triple) string {
		sibling, ok := w.sibling(t)
		if !ok {
			return ""
		}
		vouch := []string{"I know that actually ", "Indeed, ", "We were not aware that ", "You probably heard that "}
		return vouch[w.rng.IntN(len(vouch))] + w.all(sibling)[0]
	}},
	{"a sibling, expected", func(w *claimWriter, t kg.Triple) string {
		sibling, ok := w.sibling(t)
		for _, text := range w.all(sibling) {
			if rest, isQuestion := strings.CutPrefix(text, "Is "); ok && isQuestion && !strings.HasPrefix(rest, "it true") {
				return "Isn't " + rest
			}
		}
		return ""
	}},
	{"one half of it a sibling", func(w *claimWriter, t kg.Triple) string {
		sibling, ok := w.sibling(t)
		if !ok {
			return ""
		}
		return strings.TrimSuffix(w.all(t)[0], ".") + " and " + strings.ToLower(w.all(sibling)[0][:1]) + w.all(sibling)[0][1:]
	}},
	{"a kind that nothing says", func(w *claimWriter, t kg.Triple) string {
		kinds := strings.Fields("dentist landlord volcano sonnet vaccine")
		name := w.g.Label(t.Head)
		return strings.Replace(w.all(t)[0], name, "the "+kinds[w.rng.IntN(len(kinds))]+" "+name, 1)
	}},
	{"an unnamed thing that is not there", func(w *claimWriter, t kg.Triple) string {
		o := w.pick()
		for _, x := range w.g.In(t.Tail) {
			if slices.ContainsFunc(w.g.Out(x.Entity), func(y kg.Edge) bool { return y.Entity == o.Tail }) {
				return ""
			}
		}
		return strings.TrimSuffix(wordings("Something", w.g.RelationText(t.Relation), w.g.Label(t.Tail))[0], ".") +
			" and " + wordings("it", w.g.RelationText(o.Relation), w.g.Label(o.Tail))[0]
	}},
	{"two hops as one", func(w *claimWriter, t kg.Triple) string {
		for _, edges := range [2][]kg.Edge{w.g.Out(t.Tail), w.g.In(t.Tail)} {
			for range min(len(edges), 8) {
				x := edges[w.rng.IntN(len(edges))]
				far := kg.Triple{Head: t.Head, Relation: t.Relation, Tail: x.Entity}
				if x.Entity != t.Head && w.single(x.Entity) && !w.joined(t.Head, x.Entity) && !strings.Contains(w.g.RelationText(t.Relation), w.g.Label(x.Entity)) { // "has side effect side effect"
					return w.say(far)
				}
			}
		}
		return ""
	}},
	{"a word too many", func(w *claimWriter, t kg.Triple) string {
		more := []string{" on Tuesdays.", " by mistake.", " against its will.", " and regretted it.", " before 1453."}
		return strings.TrimSuffix(w.all(t)[0], ".") + more[w.rng.IntN(len(more))]
	}},
	{"denied", func(w *claimWriter, t kg.Triple) string {
		text := w.all(t)[0]
		for _, verb := range []string{" is ", " was "} {
			if strings.Count(text, verb) == 1 {
				return strings.Replace(text, verb, verb+"not ", 1)
			}
		}
		return ""
	}},
}

// likelyWays are the ways that say more than a triple, or nearly what it says: such a claim is
// likely at most.
var likelyWays = map[string]bool{"a kind that nothing says": true, "a word too many": true, "a predicate misspelt": true}

// sibling gives a triple the tail of another of its relation, and reports whether the
// graph does not have that.
func (w *claimWriter) sibling(t kg.Triple) (kg.Triple, bool) {
	o := w.of[t.Relation][w.rng.IntN(len(w.of[t.Relation]))]
	t.Tail = o.Tail
	return t, !w.holds(t) && t.Head != o.Tail &&
		(!w.symmetric(t.Relation) || !w.holds(kg.Triple{Head: o.Tail, Relation: t.Relation, Tail: t.Head}))
}

// symmetric reports whether a relation lies both ways by its name, or in half of its triples,
// as far as the graph writes both down or has but one of two.
func (w *claimWriter) symmetric(r kg.RelationID) bool {
	if lexicon.IsMutual(lexicon.RelationWords(w.g.RelationKey(r))) {
		return true
	}
	heads, both := map[kg.EntityID]bool{}, 0
	for _, t := range w.of[r] {
		heads[t.Head] = true
	}
	for _, t := range w.of[r] {
		if heads[t.Tail] {
			both++
		}
	}
	return 2*both >= len(w.of[r])
}

// asked counts the verdicts on claims made in one way.
type asked struct{ n, supported, likely, refuted, notFound int }

func (w *claimWriter) ask(t *testing.T, counts claimCounts, c worded) answer.Verdict {
	t.Helper()
	run, err := w.e.Ask(t.Context(), c.text, AskOptions{NoModel: true}, nil)
	if err != nil {
		t.Fatalf("Ask(%q): %v", c.text, err)
	}
	if counts[c.way] == nil {
		counts[c.way] = &asked{}
	}
	n := counts[c.way]
	n.n++
	switch run.Answer.Verdict {
	case answer.Supported:
		n.supported++
	case answer.Likely:
		n.likely++
	case answer.Refuted:
		n.refuted++
	case answer.NotFound, answer.NoVerdict:
		n.notFound++
	}
	return run.Answer.Verdict
}

// claimCounts counts the verdicts by the ways of making claims.
type claimCounts map[string]*asked

// isFalse asks what a graph does not say, which must not be supported, or likely but where
// that is right.
func (c claimCounts) isFalse(t *testing.T, w *claimWriter, way, text string) {
	t.Helper()
	switch got := w.ask(t, c, worded{way, text}); {
	case got == answer.Supported, got == answer.Likely && !likelyWays[way]:
		t.Errorf("%s, though the graph does not say it (%s): %s", got, way, text)
	}
}

// isTrue asks what a graph says, in one of several wordings, and reports whether it is supported.
func (c claimCounts) isTrue(t *testing.T, w *claimWriter, ways []string, i int) bool {
	t.Helper()
	got := w.ask(t, c, worded{fmt.Sprintf("true, wording %d of %d", i+1, len(ways)), ways[i]})
	if got != answer.Supported {
		t.Logf("%s, though the graph says it: %s", got, ways[i])
	}
	return got == answer.Supported
}

func (c claimCounts) log(t *testing.T) {
	t.Helper()
	t.Logf("%-28s %9s %9s %9s %9s %9s", "claims", "asked", "supported", "likely", "refuted", "not found")
	for _, way := range slices.Sorted(maps.Keys(c)) {
		n := c[way]
		t.Logf("%-28s %9d %9d %9d %9d %9d", way, n.n, n.supported, n.likely, n.refuted, n.notFound)
	}
}

// checkClaims asks n near misses and n true claims of a graph. None of the former
// may be supported, of the latter the given share must be.
func checkClaims(t *testing.T, e *Engine, n int, share float64) {
	t.Helper()
	w := newClaimWriter(e)
	counts := claimCounts{}
	seen := map[string]bool{}
	for i, tries := 0, 0; i < n && tries < 100*n; tries++ {
		way := near[i%len(near)]
		text := way.make(w, w.pick())
		if text == "" || seen[text] {
			if tries%50 == 49 { // this graph has none of the kind
				i++
			}
			continue
		}
		seen[text] = true
		i++
		counts.isFalse(t, w, way.way, text)
	}
	supported := 0
	for range n {
		triple := w.pick()
		ways := w.all(triple)
		if counts.isTrue(t, w, ways, w.rng.IntN(len(ways))) {
			supported++
		}
	}
	counts.log(t)
	if float64(supported) < share*float64(n) {
		t.Errorf("%d of %d true claims are supported, want %.0f %%", supported, n, 100*share)
	}
}

// TestNearMisses asks the sample for what it does not state, and for what it does.
func TestNearMisses(t *testing.T) {
	shared.Sequential(t)
	checkClaims(t, openSample(t), 300, 0.95)
}

// TestNearMissesElsewhere does the same over graphs of other fields.
func TestNearMissesElsewhere(t *testing.T) {
	shared.Sequential(t)
	for _, c := range []struct {
		file string
		// share is how many of the true claims must be supported.
		share float64
	}{
		{"small-kgs/umls/train.txt", 0.98},
		{"metaqa/kb.txt", 0.95},
		{"factkg/dbpedia_subset.tsv", 0.9},
	} {
		t.Run(c.file, func(t *testing.T) {
			checkClaims(t, importFiles(t, shared.Data(t, c.file)), 200, c.share)
		})
	}
}

// TestBankClaims asks of every relation of the question bank's graphs for what it does not say,
// in every way to miss a statement, and for what it says, in the first wording and another.
func TestBankClaims(t *testing.T) {
	shared.Sequential(t)
	counts := claimCounts{}
	supported, all := 0, 0
	for _, name := range banks {
		if name == "sample" || name == "beyond" || strings.HasPrefix(name, "held_") {
			continue
		}
		w := newClaimWriter(importFiles(t, filepath.Join("testdata", bank.Graph(name))))
		for _, of := range w.of {
			if len(of) == 0 {
				continue
			}
			for _, way := range near {
				for range 8 { // not every triple can be missed so
					if text := way.make(w, of[w.rng.IntN(len(of))]); text != "" {
						counts.isFalse(t, w, way.way, text)
						break
					}
				}
			}
			ways := w.all(of[w.rng.IntN(len(of))])
			for _, i := range []int{0, 1 + w.rng.IntN(len(ways)-1)} {
				all++
				if counts.isTrue(t, w, ways, i) {
					supported++
				}
			}
		}
	}
	counts.log(t)
	if float64(supported) < 0.95*float64(all) {
		t.Errorf("%d of %d true claims are supported, want 95 %%", supported, all)
	}
}

func importFiles(t *testing.T, paths ...string) *Engine {
	t.Helper()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "graph.cairn"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := e.Import(t.Context(), paths, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	return e
}
