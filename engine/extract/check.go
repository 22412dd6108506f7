package extract

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/llm"
)

// Bounds on what a reply may say; the schema holds most models to them.
const (
	maxName     = 120 // characters
	maxType     = 40
	maxRelation = 80
	maxSpan     = 2000 // bytes of the document that a quote may stand for
)

// pronouns and other words that name nothing by themselves.
var pronouns = lexicon.WordSet(`i you he she it we they me him her us them his hers its their theirs this that these those who whom
	which what there here one ones someone something everyone everything er sie es wir ihr ihm ihn il elle ils elles on
	ce cela él ella ellos ellas ello`)

// checker compares what a reply says of a part with the part itself.
type checker struct {
	*passage
	address string            // words by which the part speaks to a model; empty for none
	types   map[string]string // what the reply says that names are, by folded name
	digest  string
}

func newChecker(d *Document, in span, r *reply, digest string) *checker {
	c := &checker{passage: d.passage(in), address: d.address(in), types: map[string]string{}, digest: digest}
	for _, e := range r.Entities {
		name, kind := fold(string(e.Name)), tidy(string(e.Type), maxType)
		if _, ok := c.types[name]; !ok && !vague[fold(kind)] {
			c.types[name] = kind
		}
	}
	return c
}

// vague are types that say nothing.
var vague = map[string]bool{"": true, "entity": true, "thing": true, "unknown": true, "other": true, "misc": true, "concept": true, "n a": true, "none": true}

// check returns a statement of the reply: proposed with its place where the part
// bears it out, else invalid with the reason.
func (c *checker) check(t *saidTriple) kg.Statement {
	x := kg.Statement{
		Head: tidy(string(t.Head), 2*maxName), Relation: tidy(string(t.Relation), 2*maxRelation), Tail: tidy(string(t.Tail), 2*maxName),
	}
	x.HeadType, x.TailType = c.types[fold(x.Head)], c.types[fold(x.Tail)]
	place, doubt, reason := c.place(&x, string(t.Quote))
	if reason != "" {
		x.State, x.Reason = kg.StatementInvalid, reason
	} else {
		x.Spans = []kg.Span{{
			Start: int64(place.start), End: int64(place.end), Line: c.doc.line(place.start),
			Quote: c.doc.Text[place.start:place.end], Doubt: doubt, Digest: c.digest,
		}}
	}
	x.Key = key(&x)
	return x
}

// key is the same for statements that say the same, and for invalid ones that
// are so for the same reason.
func key(x *kg.Statement) string {
	k := fold(x.Head) + "\x1f" + fold(x.Relation) + "\x1f" + fold(x.Tail)
	if x.State == kg.StatementInvalid {
		k += "\x1f" + x.Reason
	}
	return k
}

// place finds where the part says x, and what is doubtful about it; or why the
// part does not bear it out. Names become what the part writes.
func (c *checker) place(x *kg.Statement, quote string) (place span, doubt, reason string) {
	fail := func(format string, args ...any) (span, string, string) {
		return span{}, "", fmt.Sprintf(format, args...)
	}
	if n := utf8.RuneCountInString(x.Relation); n == 0 {
		return fail("it has no relation")
	} else if n > maxRelation || len(words(x.Relation)) > 8 {
		return fail("its relation is a sentence, not a name")
	} else if len(words(x.Relation)) == 0 {
		return fail("its relation “%s” has no word", x.Relation)
	}
	for _, name := range []*string{&x.Head, &x.Tail} {
		if why := c.name(name); why != "" {
			return fail("%s", why)
		}
	}
	if fold(x.Head) == fold(x.Tail) {
		return fail("its two ends are the same")
	}
	quote = strings.Trim(strings.TrimSpace(quote), "…")
	if len(words(quote)) == 0 {
		return fail("it has no quote")
	}
	place, ok := c.findExact(quote)
	if !ok {
		if place, ok = c.findWords(words(quote)); ok {
			place = c.withMarks(place)
		}
	}
	switch {
	case !ok:
		return fail("its quote is not in the text: “%s”", llm.Quote(quote, 120))
	case place.end-place.start > maxSpan:
		return fail("its quote is too long")
	}
	quoted := c.doc.passage(place)
	_, head := quoted.findName(x.Head)
	_, tail := quoted.findName(x.Tail)
	if !head && !tail {
		return fail("its quote names neither “%s” nor “%s”", x.Head, x.Tail)
	}
	sentence := c.doc.around(c.in, place)
	return place, c.doubtful(x, sentence), ""
}

// name checks that a name stands in the part and writes it as the part does.
func (c *checker) name(name *string) (reason string) {
	ws := words(*name)
	switch {
	case len(ws) == 0:
		return "one of its ends has no name"
	case utf8.RuneCountInString(*name) > maxName:
		return "one of its ends is text, not a name"
	case len(ws) == 1 && pronouns[ws[0]]:
		return fmt.Sprintf("“%s” is not a name", *name)
	}
	at, ok := c.findName(*name)
	if !ok {
		return fmt.Sprintf("“%s” is not in the text", *name)
	}
	*name = c.doc.as(at, *name)
	return ""
}

// doubtful says why a sentence may not say x, or returns "".
func (c *checker) doubtful(x *kg.Statement, sentence span) string {
	if c.address != "" {
		return fmt.Sprintf("this part of the text speaks to the model (“%s”)", llm.Quote(c.address, 80))
	}
	if doubt := c.doc.doubt(sentence); doubt != "" {
		return doubt
	}
	said := c.doc.passage(sentence)
	for _, name := range []string{x.Head, x.Tail} {
		if _, ok := said.findName(name); !ok {
			return fmt.Sprintf("the sentence does not name “%s”", name)
		}
	}
	return ""
}

// tidy brings a name of a reply onto one line, without the quotation marks and
// the marks of Markdown around it.
func tidy(s string, limit int) string {
	return strings.Trim(llm.Quote(s, limit), " \"'`*_“”‘’«»")
}

// fold is equal for names that differ in case, accents, white space and
// punctuation only.
func fold(s string) string { return strings.Join(words(s), " ") }
