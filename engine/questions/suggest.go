package questions

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

const (
	// suggestedAnswers is how many answers a suggested question has at most.
	suggestedAnswers = 20
	// suggestTries is how many questions are planned to find those to suggest.
	suggestTries = 60
	// suggestAnchors is how many names are looked at for each shape, to take the
	// best known.
	suggestAnchors = 12
	// knownDegree is the degree from which a name counts as well known.
	knownDegree = 40
	// longestSuggestion is the longest suggested question, in bytes.
	longestSuggestion = 90
)

// suggestHops is the order of the kinds of questions, again and again: by their
// number of hops, or 0 for two names. The simplest come first.
var suggestHops = []int{1, 1, 2, 1, 0, 1, 2, 1}

// Suggest returns up to n questions to begin with: plain, about well-known
// names, each about other relations than the one before. Each was read back
// with the very meaning that it was made from, without a doubt, and has from 1
// to 20 answers. The same graph gives the same questions.
func (m *Maker) Suggest(ctx context.Context, n int) []string {
	d := newDrawer(ctx, m, 1)
	d.simple = true
	if len(d.starts) == 0 {
		return nil
	}
	s := suggester{drawer: d, voice: voice{m: m}, used: map[string]int{}}
	for try := 0; try < suggestTries && len(s.out) < n && ctx.Err() == nil; try++ {
		s.try(ctx, suggestHops[len(s.out)%len(suggestHops)], try)
	}
	return s.out
}

// suggester collects questions to suggest.
type suggester struct {
	*drawer
	voice voice
	used  map[string]int // how often a relation or a name was taken, and tried
	out   []string
}

// try makes one question and keeps it where it is good.
func (s *suggester) try(ctx context.Context, hops, attempt int) {
	// Where a kind of question does not work out, the simplest takes its place.
	if attempt >= suggestTries/2 {
		hops = 1
	}
	g, sh := s.best(ctx, hops)
	if g.Text == "" {
		return
	}
	for _, key := range s.keys(sh) {
		s.used[key]++
	}
	if slices.Contains(s.out, g.Text) || !s.isReadBack(ctx, &g) {
		return
	}
	s.out = append(s.out, g.Text)
}

// keys names the relations and names of a shape.
func (s *suggester) keys(sh *shape) []string {
	var out []string
	for _, l := range sh.legs {
		out = append(out, "name "+s.m.g.Label(l.Entity))
		for _, st := range l.Steps {
			out = append(out, "relation "+s.m.g.RelationText(st.Relation()))
		}
	}
	return out
}

// best draws some shapes and returns the best question among them: about what
// was used least, then what is best known.
func (s *suggester) best(ctx context.Context, hops int) (Generated, *shape) {
	type candidate struct {
		shape shape
		used  int
		known int
	}
	var found []candidate
	for range 8 * suggestAnchors {
		sh, ok := s.drawKind(hops)
		if !ok {
			continue
		}
		c := candidate{shape: sh}
		for _, key := range s.keys(&sh) {
			c.used += s.used[key]
		}
		for _, l := range sh.legs {
			c.known += min(s.m.g.Degree(l.Entity), knownDegree)
			for _, st := range l.Steps {
				if concepts, _ := s.m.p.Meaning(st.Relation()); len(concepts) > 0 {
					c.known += knownDegree / 4
				}
			}
		}
		found = append(found, c)
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.used, b.used), cmp.Compare(b.known, a.known))
	})
	for i := range found[:min(len(found), 2*suggestAnchors)] {
		g, ok := s.m.worded(ctx, s.voice.ask, &found[i].shape)
		if ok && len(g.Answers) <= suggestedAnswers && !slices.ContainsFunc(g.Answers, s.isTruth) && len(g.Text) <= longestSuggestion && !stumbles(g.Text) {
			return g, &found[i].shape
		}
	}
	return Generated{}, nil
}

// drawKind draws a shape of so many hops, or with two names for 0, about names
// that read well.
func (s *suggester) drawKind(hops int) (shape, bool) {
	sh, ok := s.shape(hops)
	ok = ok && !slices.ContainsFunc(sh.legs, func(l Leg) bool { return !s.readsWell(l.Entity) })
	return sh, ok
}

// readsWell reports whether a label reads as a name: short, mostly of
// letters, and neither an address nor an id, nor yes or no.
func (s *suggester) readsWell(e kg.EntityID) bool {
	label := s.m.g.Label(e)
	letters, digits := 0, 0
	for _, c := range label {
		switch {
		case unicode.IsLetter(c):
			letters++
		case unicode.IsDigit(c):
			digits++
		}
	}
	return !s.isTruth(e) && !s.m.g.IsLiteral(e) && len(label) >= 3 && len(label) <= 40 && !strings.ContainsAny(label, "/:|<>\"") && letters > digits
}

// isTruth reports whether e is yes or no, which makes no question that anybody would ask.
func (s *suggester) isTruth(e kg.EntityID) bool {
	_, ok := lexicon.Truth(s.m.g.Label(e))
	return ok
}

// stumbles reports whether a question has the name of a relation for a noun that is none: "the licence
// since of Ada".
func stumbles(text string) bool {
	ws := strings.Fields(text)
	for i, w := range ws {
		if w == "of" && i > 0 && (prepositions[ws[i-1]] || ws[i-1] == "since" || ws[i-1] == "until") {
			return true
		}
	}
	return false
}

// isReadBack reports whether planning reads a question as it was meant, with no
// doubt.
func (s *suggester) isReadBack(ctx context.Context, g *Generated) bool {
	got, err := s.m.p.Plan(ctx, g.Text, nil)
	if err != nil || got.Doubt != plan.Sure || len(got.Readings) == 0 {
		return false
	}
	read := got.Readings[0].Pattern
	return pattern.Canonical(read) == pattern.Canonical(g.Pattern)
}
