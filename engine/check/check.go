// Package check compares sentences with triples, without a model: those of an answer
// with the triples that they cite, and a user's claim with those that might say it.
package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
	"cairn/internal/token"
)

// Result is what comes of comparing a sentence with the triples it cites.
type Result int

// The results of a check.
const (
	Unchecked     Result = iota
	Covered              // every name, number and relation is in the cited triples
	Partly               // the cited triples say part of it, and nothing against the rest
	Misattributed        // the evidence says it, but not in the cited triples
	Joined               // its parts are in the evidence, but no triple joins them so
	NotInEvidence        // the evidence does not say it; where the reason says so, the graph does
	NotInGraph           // nothing in the graph says it
)

var checks = token.Names{"unchecked", "covered", "partly", "misattributed", "joined", "not_in_evidence", "not_in_graph"}

// String returns the check's result as a token.
func (c Result) String() string { return checks.Of(int(c)) }

// MarshalText writes the token, for kept runs.
func (c Result) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a token.
func (c *Result) UnmarshalText(text []byte) error { return token.Read(checks, "check", text, c) }

var checkWords = token.Names{
	"not checked", "supported", "partly supported", "cites the wrong triple", "joined from parts", "not in the evidence", "not in the graph",
}

// Words says the check's result in words.
func (c Result) Words() string { return checkWords.Of(int(c)) }

// Struck reports whether a sentence is to be shown struck out: no evidence of the
// answer says it.
func (c Result) Struck() bool { return c == Joined || c == NotInEvidence || c == NotInGraph }

// Evidence is what the sentences of an answer are compared with.
type Evidence struct {
	Pack evidence.Pack
	// Answers are the entities that answer the question, and Count is the number of
	// all answers.
	Answers []kg.EntityID
	Count   int
	// OfClaim says that the sentences are about a claim of the user's, Refuted that the
	// evidence refutes it, and Unproven that it neither does that nor supports it.
	OfClaim, Refuted, Unproven bool
}

// Checker compares sentences with the triples that they cite:
//
//	words ──▶ names, amounts, relations, kinds, negations, the rest
//	relations with the names around them ──▶ facts ──▶ cited triples
//
// A sentence is Covered only where each of its names, numbers and dates is in the
// cited triples, each relation stands between names as a cited triple has them,
// in its direction, all its names hang together by such facts, and no other word
// says more. In doubt it is not: the check errs towards telling the reader to
// look. What is not covered is looked for in the whole evidence and then in the
// graph, by names, which tells what kind of error it is.
//
// It reads English; of a sentence in another language only names and amounts are
// compared, and it is Partly covered at best.
type Checker struct {
	g         *kg.Graph
	ev        Evidence
	lex       *lexicon.Lexicon
	names     Names      // nil: the graph is not searched
	pack      *nameIndex // the names of the evidence; see packNames
	relations map[kg.RelationID]relationWords
	kinds     map[kg.TypeID][]string // the stems of types' names
	// claim says that the text is a user's claim rather than an answer's sentence: it
	// may ask, and denied says that it denies what it says.
	claim, denied bool
	single        func() map[string]bool                               // the stems of names of one word that relations have
	means         func(kg.RelationID) (name, words, concepts []string) // see Words
}

// New makes a Checker of one answer's sentences. With nil names the graph is not
// searched for what the evidence does not say.
func New(g *kg.Graph, ev Evidence, names Names) *Checker {
	return &Checker{
		g: g, ev: ev, lex: lexicon.Builtin(), names: names,
		relations: map[kg.RelationID]relationWords{}, kinds: map[kg.TypeID][]string{},
	}
}

// Named returns the entities of the evidence that a text names.
func (c *Checker) Named(text string) []kg.EntityID {
	r := c.newReading(text, nil, nil, c.packNames())
	r.scan()
	var es []kg.EntityID
	for _, it := range r.items {
		es = append(es, slices.Concat(it.names...)...)
	}
	return es
}

// finding is how far triples cover a text.
type finding struct {
	check  Result // Covered, Partly, Joined, NotInEvidence; or NotInGraph for what no triple says
	reason string
}

// packNames indexes the names of the pack's entities, the whole evidence rather
// than cited triples: a name that is not cited must be known as one to be missed.
func (c *Checker) packNames() *nameIndex {
	if c.pack == nil {
		c.pack = newNameIndex()
		c.pack.addTriples(c.g, c.ev.Pack.Triples)
	}
	return c.pack
}

// Sentence checks a sentence that cites triples by their numbers in the pack, and says
// why it is not Covered.
func (c *Checker) Sentence(text string, citations []int) (Result, string) {
	cited, outside := c.cited(citations)
	var said finding // by what it cites
	if len(cited) > 0 {
		if said = c.against(text, cited, cited, c.packNames()); said.check == Covered && outside == "" {
			return Covered, ""
		}
	}
	whole := c.against(text, c.ev.Pack.Triples, cited, c.packNames())
	if whole.check == Covered {
		switch at := c.nearest(text, c.ev.Pack.Triples); {
		case outside != "":
			return Misattributed, outside
		case len(citations) == 0:
			return Misattributed, "It cites no triple, though some in the evidence say this: " + at + "."
		default:
			return Misattributed, "The triples it cites do not say this; others in the evidence do: " + at + "."
		}
	}
	if said.check == Partly && outside == "" {
		return Partly, said.reason
	}
	f := whole
	if c.names != nil {
		if near, more := c.search(text); len(more) > 0 || len(near.seen) > len(c.packNames().seen) {
			f = c.against(text, slices.Concat(c.ev.Pack.Triples, more), cited, near)
			if f.check == Covered && len(more) > 0 {
				return NotInEvidence, fmt.Sprintf("The graph says so (%s), but not in the evidence of this answer.", c.triple(more[0]))
			}
		}
	}
	switch {
	case outside != "":
		f.reason = outside + " " + f.reason
	case len(citations) == 0:
		f.reason = "It cites no triple, and none says this. " + f.reason
	}
	switch {
	case f.check == Partly: // in part by triples that it does not cite
		f = finding{NotInEvidence, "The triples it cites do not say this. " + f.reason}
	case f.check == Covered, c.names == nil && f.check == NotInGraph:
		f.check = NotInEvidence // the graph was not searched
	}
	if at := c.nearest(text, cited); at != "" {
		f.reason += " The closest one it cites is " + at + "."
	}
	return f.check, strings.TrimSpace(f.reason)
}

// cited returns the triples of citations, and what is wrong with a citation
// that there is no triple for.
func (c *Checker) cited(citations []int) (cited []kg.TripleID, outside string) {
	for _, n := range citations {
		if n < 1 || n > len(c.ev.Pack.Triples) {
			outside = fmt.Sprintf("It cites T%d, which does not exist; the evidence has T1 to T%d.", n, len(c.ev.Pack.Triples))
			if len(c.ev.Pack.Triples) == 0 {
				outside = fmt.Sprintf("It cites T%d; there is no evidence to cite.", n)
			}
			continue
		}
		if t := c.ev.Pack.Triples[n-1]; !slices.Contains(cited, t) {
			cited = append(cited, t)
		}
	}
	return cited, outside
}

// triple words a triple for a reason.
func (c *Checker) triple(t kg.TripleID) string {
	return "“" + say.Capital(say.Triple(c.g, t)) + "”"
}

// nearest words that of triples which shares most with a text, with its number.
func (c *Checker) nearest(text string, ts []kg.TripleID) string {
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
		for _, part := range []string{say.Name(c.g, t.Head), say.Readable(c.g.RelationText(t.Relation)), say.Name(c.g, t.Tail)} {
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
	return fmt.Sprintf("T%d %s", c.ev.Pack.Number(best), c.triple(best))
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
func (c *Checker) search(text string) (*nameIndex, []kg.TripleID) {
	x := newNameIndex()
	x.addTriples(c.g, c.ev.Pack.Triples)
	text = WithoutCitations(text)
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
func (c *Checker) between(es []kg.EntityID) []kg.TripleID {
	var ts []kg.TripleID
	for _, e := range es {
		for _, edges := range [][]kg.Edge{c.g.Out(e), c.g.In(e)} {
			for _, x := range edges[:min(len(edges), maxEdgesTried)] {
				if slices.Contains(es, x.Entity) && c.ev.Pack.Number(x.Triple) == 0 {
					ts = append(ts, x.Triple)
				}
			}
		}
	}
	return kg.Distinct(ts)
}

// against compares a text with triples, among them those that it cites; x knows
// the names there are.
func (c *Checker) against(text string, triples, cited []kg.TripleID, x *nameIndex) finding {
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

var citationMarks = regexp.MustCompile(`[\[(]T\d+(?:[\s,;and]*T\d+)*[\])]`)

// WithoutCitations takes citation marks out of a sentence.
func WithoutCitations(s string) string { return citationMarks.ReplaceAllString(s, " ") }
