// Package grammar reads questions as skeletons: what is asked, and which words join what
// with what. It needs no graph; it is told where the names are.
//
//	words, names ─▶ classes of words ─▶ phrases, every way, with their costs ─▶ Skeleton
//
// The grammar is a small one of English, and no list of sentences. A word may be several
// things, and what makes the whole cheapest is taken. Words that no phrase takes are
// unread.
package grammar

import (
	"cmp"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// Name is where a name stands: words [From, To).
type Name struct{ From, To int }

// Node is a thing in a skeleton: a name, a value, or what its kind and edges say.
type Node struct {
	// Name is the place of the name among the names, or -1.
	Name int
	// Value says that it is a number or a year.
	Value bool
	// Kind are the words for what it is; Asked how it is asked for: "who", "~" for a
	// measure, "#" for a count, "yes", "" for a kind or what is not asked.
	Kind, Asked string
	KindAt      []int // the words of the kind
	Edges       []Edge
	// More are joined to the first by "and", with Or by "or".
	More []*Node
	Or   bool
}

// Edge joins a node with another, by its words.
type Edge struct {
	// Word are the words, joined by "_": a verb with its preposition, or a noun.
	Word string
	// Noun says that the node, with Back the other one, is what the noun names: "the
	// capital of".
	Noun bool
	// Back says that the other one does what the verb says.
	Back bool
	Not  bool
	// Compare is "<", ">" or "=" for a value, "^" for a superlative, "same", or "".
	Compare string
	To      *Node
	// At are the words of the question.
	At []int
}

// Skeleton is one way to read a question.
type Skeleton struct {
	Root *Node
	// Unread are the words that it leaves out, but for fillers.
	Unread []int
	Cost   float64
}

// String writes a skeleton as the bank of skeletons does.
func (s *Skeleton) String() string { return s.Root.text(true) }

func (n *Node) text(root bool) string {
	var b strings.Builder
	switch {
	case n.Name >= 0:
		b.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[min(n.Name, 25)])
	case n.Value:
		b.WriteByte('#')
	case root && n.Asked != "" && n.Asked != "~" && n.Asked != "#":
		b.WriteString(n.Asked)
	case root && n.Asked != "":
		b.WriteString(n.Asked + n.Kind)
	default:
		b.WriteString(n.Kind)
	}
	edges := wording.Each(n.Edges, func(e Edge) string { return e.text() })
	if len(edges) > 0 {
		b.WriteString("(" + strings.Join(edges, ", ") + ")")
	}
	for _, m := range n.More {
		joint := " & "
		if n.Or {
			joint = " | "
		}
		b.WriteString(joint + m.text(false))
	}
	return b.String()
}

func (e *Edge) text() string {
	w := e.Word
	if e.Noun {
		w = ":" + w
	}
	switch {
	case e.Compare == "same":
		w = "same:" + e.Word
	case e.Compare == "^":
		w = strings.TrimSpace(w)
		return "^" + w
	case e.Back:
		w = "<" + w
	}
	if e.Not {
		w = "!" + w
	}
	if e.To == nil {
		return w
	}
	if e.To.Value {
		return w + " " + cmp.Or(e.Compare, "=") + "#"
	}
	return strings.TrimSpace(w + " " + e.To.text(false))
}

// skeletonsMost is how many ways a question is read at most.
const skeletonsMost = 3

// wordsMost is how many words and names a question may have: the time that one of words
// that may all be nouns and verbs takes grows with the fifth power of them.
const wordsMost = 40

// mendedMost is how many it may have for one of them to be left out, each in turn.
const mendedMost = 20

// Parse reads a question; nothing where it makes no sense of it, or is too long.
func Parse(tokens []lexicon.Token, names []Name) []Skeleton {
	p := newParser(tokens, names)
	if len(p.toks) > wordsMost {
		return nil
	}
	return p.parse()
}

// costMore is how much dearer than the cheapest way another may be.
const costMore = 0.25

func (p *parser) parse() []Skeleton {
	full := p.best(p.question(), len(p.toks))
	if full == nil && len(p.toks) <= mendedMost {
		// One word is none of the sentence, or misspelt.
		all := p.toks
		for i := range all {
			if all[i].name >= 0 {
				continue
			}
			p.reset(slices.Delete(slices.Clone(all), i, i+1))
			for _, s := range p.best(p.question(), len(p.toks)) {
				s.Cost += 3
				if !all[i].stop {
					s.Cost++
					s.Unread = append(s.Unread, all[i].at)
				}
				full = append(full, s)
			}
		}
		p.reset(all)
	}
	slices.SortStableFunc(full, func(a, b Skeleton) int { return cmp.Compare(a.Cost, b.Cost) })
	var out []Skeleton
	for _, s := range full {
		if s.Cost > full[0].Cost+costMore || len(out) == skeletonsMost {
			break
		}
		if !slices.ContainsFunc(out, func(o Skeleton) bool { return o.String() == s.String() }) {
			out = append(out, s)
		}
	}
	return out
}

// best turns the ways that reach the end into skeletons.
func (p *parser) best(ways []way, end int) []Skeleton {
	var out []Skeleton
	for _, w := range ways {
		if w.next == end {
			out = append(out, Skeleton{Root: w.node, Cost: w.cost})
		}
	}
	return out
}
