package answer

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// CheckSentences compares every unchecked sentence of an answer, notes apart,
// with the triples that it cites, without a model:
//
//	words ──▶ names, amounts, relations, kinds, negations, the rest
//	relations with the names around them ──▶ facts ──▶ cited triples
//
// A sentence is Covered only where each of its names, numbers and dates is in the
// cited triples, each relation stands between names as a cited triple has them,
// in its direction, all its names hang together by such facts, and no other word
// says more. In doubt it is not: the check errs towards telling the reader to
// look. What is not covered is looked for in the whole evidence and then in the
// graph, by names, which tells what kind of error it is; with nil names the graph
// is not searched.
//
// It reads English; of a sentence in another language only names and amounts are
// compared, and it is Partly covered at best.
//
// Where a model wrote sentences, the answer is then made whole again: see
// complete.
func CheckSentences(g *kg.Graph, a *Answer, names Names) {
	c := newChecker(g, a, names)
	checked := false
	for i := range a.Sentences {
		if s := &a.Sentences[i]; s.Check == Unchecked && !s.Note {
			s.Check, s.Reason = c.check(*s)
			checked = true
		}
	}
	if checked {
		complete(g, a)
	}
}

// checker checks the sentences of one answer.
type checker struct {
	g         *kg.Graph
	a         *Answer
	lex       *lexicon.Lexicon
	names     Names
	pack      *nameIndex // the names of the evidence; see packNames
	relations map[kg.RelationID]relationWords
	kinds     map[kg.TypeID][]string // the stems of types' names
	// claim says that the text is a user's claim rather than an answer's sentence: it
	// may ask, and denied says that it denies what it says.
	claim, denied bool
	single        func() map[string]bool                         // the stems of names of one word that relations have
	means         func(kg.RelationID) (words, concepts []string) // see Found
}

func newChecker(g *kg.Graph, a *Answer, names Names) *checker {
	return &checker{
		g: g, a: a, lex: lexicon.Builtin(), names: names,
		relations: map[kg.RelationID]relationWords{}, kinds: map[kg.TypeID][]string{},
	}
}

// finding is how far triples cover a text.
type finding struct {
	check  Check // Covered, Partly, Joined, NotInEvidence; or NotInGraph for what no triple says
	reason string
}

// packNames indexes the names of the pack's entities, the whole evidence rather
// than cited triples: a name that is not cited must be known as one to be missed.
func (c *checker) packNames() *nameIndex {
	if c.pack == nil {
		c.pack = newNameIndex()
		c.pack.addTriples(c.g, c.a.Pack.Triples)
	}
	return c.pack
}

func (c *checker) check(s Sentence) (Check, string) {
	cited, outside := c.cited(s.Citations)
	var said finding // by what it cites
	if len(cited) > 0 {
		if said = c.against(s.Text, cited, cited, c.packNames()); said.check == Covered && outside == "" {
			return Covered, ""
		}
	}
	whole := c.against(s.Text, c.a.Pack.Triples, cited, c.packNames())
	if whole.check == Covered {
		switch at := c.nearest(s.Text, c.a.Pack.Triples); {
		case outside != "":
			return Misattributed, outside
		case len(s.Citations) == 0:
			return Misattributed, "It cites no triple, though the evidence has some that say this: " + at + "."
		default:
			return Misattributed, "The triples that it cites do not say this; others of the evidence do: " + at + "."
		}
	}
	if said.check == Partly && outside == "" {
		return Partly, said.reason
	}
	f := whole
	if c.names != nil {
		if near, more := c.search(s.Text); len(more) > 0 || len(near.seen) > len(c.packNames().seen) {
			f = c.against(s.Text, slices.Concat(c.a.Pack.Triples, more), cited, near)
			if f.check == Covered && len(more) > 0 {
				return NotInEvidence, fmt.Sprintf("The graph says so (%s), but not in the evidence of this answer.", c.triple(more[0]))
			}
		}
	}
	switch {
	case outside != "":
		f.reason = outside + " " + f.reason
	case len(s.Citations) == 0:
		f.reason = "It cites no triple, and none says this. " + f.reason
	}
	switch {
	case f.check == Partly: // in part by triples that it does not cite
		f = finding{NotInEvidence, "The triples that it cites do not say this. " + f.reason}
	case f.check == Covered, c.names == nil && f.check == NotInGraph:
		f.check = NotInEvidence // the graph was not searched
	}
	if at := c.nearest(s.Text, cited); at != "" {
		f.reason += " The nearest that it cites is " + at + "."
	}
	return f.check, strings.TrimSpace(f.reason)
}

// cited returns the triples of citations, and what is wrong with a citation
// that there is no triple for.
func (c *checker) cited(citations []int) (cited []kg.TripleID, outside string) {
	for _, n := range citations {
		if n < 1 || n > len(c.a.Pack.Triples) {
			outside = fmt.Sprintf("It cites T%d, which does not exist; the evidence has T1 to T%d.", n, len(c.a.Pack.Triples))
			if len(c.a.Pack.Triples) == 0 {
				outside = fmt.Sprintf("It cites T%d; there is no evidence to cite.", n)
			}
			continue
		}
		if t := c.a.Pack.Triples[n-1]; !slices.Contains(cited, t) {
			cited = append(cited, t)
		}
	}
	return cited, outside
}

// triple words a triple for a reason.
func (c *checker) triple(t kg.TripleID) string {
	return "“" + capital(TripleText(c.g, t)) + "”"
}

// nearest words that of triples which shares most with a text, with its number.
func (c *checker) nearest(text string, ts []kg.TripleID) string {
	said := map[string]bool{}
	for _, w := range lexicon.Tokenize(text) {
		if !glue(w.Lower) {
			said[w.Stem] = true
		}
	}
	best, most := kg.NoTriple, 0
	for _, id := range ts {
		t := c.g.Triple(id)
		n := 0
		for _, part := range []string{Name(c.g, t.Head), readable(c.g.RelationText(t.Relation)), Name(c.g, t.Tail)} {
			words := lexicon.Stems(part)
			shared := 0
			for _, w := range words {
				if said[w] {
					shared++
				}
			}
			n += 12 * shared / max(1, len(words))
		}
		if n > most {
			best, most = id, n
		}
	}
	if best == kg.NoTriple {
		return ""
	}
	return fmt.Sprintf("T%d %s", c.a.Pack.Number(best), c.triple(best))
}

// How much of the graph is looked at for a sentence that the evidence does not
// cover.
const (
	maxNameWords  = 16
	maxNamesakes  = 8
	maxFoundNames = 24
	maxEdgesTried = 20_000
)

// search looks a sentence's names up in the whole graph: it returns them together
// with those of the evidence, and the triples between any two of them that the
// evidence lacks.
func (c *checker) search(text string) (*nameIndex, []kg.TripleID) {
	x := newNameIndex()
	x.addTriples(c.g, c.a.Pack.Triples)
	text = plainText(text)
	tokens := lexicon.Tokenize(text)
	var found []kg.EntityID
	add := func(es []kg.EntityID) {
		for _, e := range es[:min(len(es), maxNamesakes)] {
			if len(found) < maxFoundNames && !slices.Contains(found, e) {
				found = append(found, e)
				x.add(c.g, e)
			}
		}
	}
	for i := 0; i < len(tokens); {
		size := 1
		for n := min(maxNameWords, len(tokens)-i); n > 0; n-- {
			if n == 1 && (glue(tokens[i].Lower) || negations[tokens[i].Lower]) {
				break
			}
			if es := c.names.Named(text[tokens[i].Start:tokens[i+n-1].End]); len(es) > 0 {
				add(es)
				size = n
				break
			}
		}
		i += size
	}
	return x, c.between(found)
}

// between lists the triples that join two of es and are not in the evidence,
// ascending.
func (c *checker) between(es []kg.EntityID) []kg.TripleID {
	var ts []kg.TripleID
	for _, e := range es {
		out := c.g.Out(e)
		for _, x := range out[:min(len(out), maxEdgesTried)] {
			if slices.Contains(es, x.Entity) && c.a.Pack.Number(x.Triple) == 0 {
				ts = append(ts, x.Triple)
			}
		}
		in := c.g.In(e)
		for _, x := range in[:min(len(in), maxEdgesTried)] {
			if slices.Contains(es, x.Entity) && c.a.Pack.Number(x.Triple) == 0 {
				ts = append(ts, x.Triple)
			}
		}
	}
	slices.SortFunc(ts, func(a, b kg.TripleID) int { return cmp.Compare(a, b) })
	return slices.Compact(ts)
}

// against compares a text with triples, among them those that it cites; x knows
// the names there are.
func (c *checker) against(text string, triples, cited []kg.TripleID, x *nameIndex) finding {
	// A list of names before a verb may end the clause before or belong to the
	// next: "A borders B and C borders D". A word may be a relation's or the name of
	// something. Any reading may hold.
	var best finding
	for i := range 4 {
		split, plain := i%2 == 1, i >= 2
		r := c.newReading(text, triples, cited, x)
		r.plain = plain
		r.scan()
		if plain && !r.unclear {
			break
		}
		f := r.judgeDenials()
		if f.check == Covered {
			r.group(split)
			f = r.judge()
		}
		if f.check == Covered {
			return f
		}
		if i == 0 || f.check == Partly && best.check != Partly {
			best = f
		}
	}
	return best
}

var citation = regexp.MustCompile(`[\[(]T\d+(?:[\s,;and]*T\d+)*[\])]`)

// plainText takes citation marks out.
func plainText(s string) string { return citation.ReplaceAllString(s, " ") }
