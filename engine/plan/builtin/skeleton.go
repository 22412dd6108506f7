package builtin

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/plan/grammar"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// skeletons returns the ways in which the grammar reads the question with the names of a
// proposal, and the span of each name.
func (r *reader) skeletons(pr *proposal) ([]grammar.Skeleton, []words.Span) {
	spans := slices.Clone(pr.q.Mentions)
	for _, s := range r.SureNames() {
		if !slices.ContainsFunc(spans, s.Overlaps) {
			spans = append(spans, s)
		}
	}
	slices.SortFunc(spans, func(a, b words.Span) int { return a.From - b.From })
	tokens := make([]lexicon.Token, len(r.Words))
	for i, w := range r.Words {
		tokens[i] = w.Token
	}
	names := make([]grammar.Name, len(spans))
	for i, s := range spans {
		names[i] = grammar.Name{From: s.From, To: s.To}
	}
	return grammar.Parse(tokens, names), spans
}

// misread says in a sentence how a reading differs from what the grammar says is asked,
// "" where one way to parse the question bears it out, or none is known.
func (r *reader) misread(pr *proposal) string {
	if len(pr.shape.legs) == 0 || pr.unmet != nil {
		return ""
	}
	all, spans := r.skeletons(pr)
	first := ""
	for i := range all {
		why := r.differs(pr, &all[i], spans)
		if why == "" {
			return ""
		}
		if first == "" {
			first = why
		}
	}
	return first
}

var debugRules = os.Getenv("GRAM_RULES")

func ruleOn(c string) bool { return debugRules == "" || strings.Contains(debugRules, c) }

// pathEdge is an edge on the way from what is asked to a name, with the things that it joins.
type pathEdge struct {
	*grammar.Edge
	from *grammar.Node
}

// differs compares each leg of a proposal with the way from what is asked to its name.
func (r *reader) differs(pr *proposal, s *grammar.Skeleton, spans []words.Span) string {
	for i, l := range pr.shape.legs {
		name := slices.IndexFunc(spans, func(sp words.Span) bool { return sp.From == pr.q.Mentions[l.mention].From })
		path := pathTo(s.Root, name)
		if path == nil {
			continue
		}
		steps := 0
		for _, e := range path {
			if steps++; e.Compare == "same" {
				steps++
			}
		}
		groups := r.groups(slices.Concat(l.steps, pr.shape.tail))
		if len(groups) != steps {
			if ruleOn("a") && len(groups) < steps || ruleOn("b") && len(groups) > steps {
				return fmt.Sprintf("The reading takes %s; the question asks for %s: %s.", count(len(groups)), count(steps), r.pathText(path))
			}
			continue
		}
		if steps != len(path) {
			continue
		}
		for j, e := range path {
			if w := r.unsupported(pr, e, groups[len(groups)-1-j]); w != "" && ruleOn("c") {
				return fmt.Sprintf("The reading takes %s as another step of the question.", wording.Quote(w))
			}
		}
		_ = i
	}
	return ""
}

func count(n int) string {
	if n == 1 {
		return "one step"
	}
	return fmt.Sprintf("%d steps", n)
}

// groups cuts a chain into the hops that the question knows of: those through a nameless
// entity are one.
func (r *reader) groups(chain []schema.Step) [][]schema.Step {
	var out [][]schema.Step
	half := false
	for _, st := range chain {
		if half {
			out[len(out)-1] = append(out[len(out)-1], st)
		} else {
			out = append(out, []schema.Step{st})
		}
		half = r.p.schema.IsMediator(st.To())
	}
	return out
}

// pathTo returns the edges from a node to a name, or nil.
func pathTo(n *grammar.Node, name int) []pathEdge {
	for i := range n.Edges {
		e := &n.Edges[i]
		if e.To == nil {
			continue
		}
		for _, to := range append([]*grammar.Node{e.To}, e.To.More...) {
			if to.Name == name && name >= 0 {
				return []pathEdge{{e, n}}
			}
			if rest := pathTo(to, name); rest != nil {
				return append([]pathEdge{{e, n}}, rest...)
			}
		}
	}
	return nil
}

// unsupported returns the word of an edge where none of its words, nor a kind at its ends,
// asks for the steps that it is read as, and the word asks for others.
func (r *reader) unsupported(pr *proposal, e pathEdge, steps []schema.Step) string {
	at := slices.Concat(e.At, e.from.KindAt, e.To.KindAt)
	for _, i := range at {
		for _, st := range steps {
			if w := &pr.q.Words[i]; w.Weight[st] > 0 || pr.q.NamesSlot(w, st.To()) || pr.q.NamesSlot(w, st.From()) {
				return ""
			}
		}
	}
	for _, i := range e.At {
		if w := &pr.q.Words[i]; !w.Stop && !w.Silent && w.Mention < 0 && !w.Taken {
			return w.Text
		}
	}
	return ""
}

// pathText names the edges of a path.
func (r *reader) pathText(path []pathEdge) string {
	var out []string
	for _, e := range path {
		var ws []string
		for _, i := range e.At {
			ws = append(ws, r.Words[i].Text)
		}
		if len(ws) > 0 {
			out = append(out, wording.Quote(strings.Join(ws, " ")))
		}
	}
	return strings.Join(out, ", ")
}
