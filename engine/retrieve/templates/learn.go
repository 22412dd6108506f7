package templates

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/engine/cypher"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

const (
	// longest is how many steps a chain of a template has at most.
	longest = 3
	// minedAtMost is how many questions chains are looked for, which takes the longest.
	minedAtMost = 6000
	// asksAtMost is how many shapes of one template are kept, the most frequent and then
	// the shortest.
	asksAtMost = 100
	// joinedAtMost is how many chains of each of several names are tried together, and
	// usefulF1 the F1 from which on what they lead to together teaches.
	joinedAtMost, usefulF1 = 12, 0.5
	// framesEach is how many shapes the name of each relation gives, in each direction.
	framesEach = 6
)

type learner struct {
	retrieve.Training

	g     *kg.Graph
	walks *learn.Walkers
	print string // of the training
	state
}

// state is what a training goes on from.
type state struct {
	// Votes counts, by shape, the queries that answer its questions.
	Votes map[string]map[string]float64
	// From says which pass found a query first.
	From map[string]Origin
	// Own is how many shapes the questions of a file gave, Silent how many of them taught
	// nothing.
	Own, Silent int
	Passes      int     // that are over
	Best        float64 // the highest Hits@1 of any
}

// stateForm is that of checkpoints.
const stateForm learn.Form = "cairn-templates-state\x01"

// train learns templates in three passes: of the questions, of questions that are made of
// the graph, and of the names of its relations. Cancelled, it returns what it has.
func train(ctx context.Context, t retrieve.Training, o settings) (*Set, error) {
	start := time.Now()
	g := t.World.Graph
	l := &learner{
		Training: t, g: g, walks: &learn.Walkers{Graph: g, Returns: learn.Return(t.Train)},
		print: learn.Fingerprint(g, t.Train, t.Held, struct {
			settings
			Seed uint64
		}{o, t.Seed}),
		state: state{Votes: map[string]map[string]float64{}, From: map[string]Origin{}},
	}
	if err := l.resume(); err != nil {
		return nil, err
	}
	passes := []struct {
		from Origin
		of   func() []questions.Example
	}{
		{FromQuestions, func() []questions.Example { return questions.Spread(t.Train, minedAtMost) }},
		{FromMade, func() []questions.Example {
			if t.Make == nil || o.Made == 0 {
				return nil
			}
			return t.Make(ctx, o.Made, t.Seed)
		}},
		{FromNames, func() []questions.Example { return questions.Frames(g, framesEach, t.Seed) }},
	}
	var s *Set
	for l.Passes < len(passes) {
		p := passes[l.Passes]
		silent, err := l.learn(ctx, p.from, p.of())
		if err != nil {
			return s, err
		}
		if l.Passes == 0 {
			l.Own, l.Silent = len(l.Votes), silent
		}
		if s = l.set(); len(s.Templates) == 0 {
			return nil, fmt.Errorf("%w: no question has answers that can be reached from the entities it names", retrieve.ErrNothingToLearn)
		}
		l.Passes++
		if err := l.tell(ctx, s, len(passes), start); err != nil {
			return s, err
		}
	}
	return s, nil
}

// resume takes up a checkpoint, where there is one.
func (l *learner) resume() error {
	if l.State == nil {
		return nil
	}
	var of string
	blobs, err := stateForm.Unpack(l.State, &of)
	if err == nil && (of != l.print || len(blobs) != 1) {
		err = errors.New("it is of another training")
	}
	if err == nil {
		err = json.Unmarshal(blobs[0], &l.state)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", retrieve.ErrResume, err)
	}
	return nil
}

// tell describes what was learned, measures it, and keeps a checkpoint.
func (l *learner) tell(ctx context.Context, s *Set, passes int, start time.Time) (err error) {
	if l.Passes == 1 && l.Silent > 0 && l.Notes != nil {
		l.Notes([]string{fmt.Sprintf("No chain leads to the answers of %s, so nothing is learned from them.", wording.Count(l.Silent, "question", "questions"))})
	}
	s.About = retrieve.About{
		Title: "Question templates", Data: l.Data, HeldMade: l.HeldMade, Questions: len(l.Train), Held: len(l.Held),
		Notes: []string{fmt.Sprintf("%s with %s, %s of them from the questions.", wording.Count(len(s.Templates), "template", "templates"), wording.Count(len(l.Votes), "shape", "shapes"), wording.Number(l.Own))},
		Made:  time.Now().UTC(), Weights: len(s.Templates), Epochs: l.Passes, Tries: 1,
	}
	held := l.Held
	if len(held) == 0 {
		held = l.Train
	}
	if s.About.Dev, err = measure(ctx, l.g, s, questions.Spread(held, learn.DevAtMost)); err != nil {
		return err
	}
	best := s.About.Dev.H1 >= l.Best
	l.Best = max(l.Best, s.About.Dev.H1)
	s.About.Seconds = time.Since(start).Seconds()
	if l.Checkpoint != nil {
		votes, err := json.Marshal(l.state)
		if err != nil {
			return fmt.Errorf("write what was learned: %w", err)
		}
		packed, err := stateForm.Pack(l.print, votes)
		if err == nil {
			err = l.Checkpoint(packed)
		}
		if err != nil {
			return err
		}
	}
	if l.Epoch != nil {
		l.Epoch(retrieve.Epoch{Part: 1, Parts: 1, Try: 1, Epoch: l.Passes, Epochs: passes, Dev: &s.About.Dev, Best: best, Seconds: s.About.Seconds})
	}
	return ctx.Err()
}

// learn takes the votes of questions, and counts those that have none.
func (l *learner) learn(ctx context.Context, from Origin, xs []questions.Example) (silent int, err error) {
	found := make([]map[string]float64, len(xs))
	shapes := make([]string, len(xs))
	err = learn.Each(ctx, len(xs), func(i int) {
		var names []learn.Named
		shapes[i], names = shapeOf(l.g, xs[i])
		found[i] = l.queries(&xs[i], names)
	}, func(done int) {
		if l.Progress != nil {
			l.Progress("find the chains that lead to answers", int64(done), int64(len(xs)))
		}
	})
	if err != nil {
		return 0, err
	}
	for i, f := range found {
		if len(f) == 0 {
			silent++
			continue
		}
		if l.Votes[shapes[i]] == nil {
			l.Votes[shapes[i]] = map[string]float64{}
		}
		for q, n := range f {
			l.Votes[shapes[i]][q] += n
			switch {
			case l.From[q] != "":
			case from == FromQuestions && xs[i].Made:
				l.From[q] = FromMade
			default:
				l.From[q] = from
			}
		}
	}
	return silent, nil
}

// queries are the queries that answer a question, with the share of its vote that each has.
func (l *learner) queries(x *questions.Example, names []learn.Named) map[string]float64 {
	if len(names) == 0 || len(names) > len(slotNames) {
		return nil
	}
	k := l.walks.Take()
	defer l.walks.Put(k)
	var legs [][][]schema.Step // the chains of each name
	for _, n := range names {
		var chains [][]schema.Step
		for _, leg := range x.Legs {
			if slices.Contains(n.Seeds, leg.Entity) && len(leg.Steps) <= longest {
				chains = append(chains, leg.Steps)
			}
		}
		switch {
		case len(x.Legs) > 0:
		case len(names) == 1:
			chains = k.Chains(n.Seeds, x.Answers, longest, learn.Selected)
		default:
			// What leads to all answers, and to others, which other names leave out.
			chains = k.Chains(n.Seeds, x.Answers, longest, learn.Raw)
			chains = slices.DeleteFunc(chains, func(c []schema.Step) bool {
				return learn.Hits(k.Chain(n.Seeds, c), x.Answers) < len(x.Answers)
			})
			chains = chains[:min(len(chains), joinedAtMost)]
		}
		if len(chains) == 0 {
			return nil
		}
		legs = append(legs, chains)
	}
	out := map[string]float64{}
	if len(names) == 1 {
		for _, c := range legs[0] {
			out[l.cypher([][]schema.Step{c})] += 1 / float64(len(legs[0]))
		}
		return out
	}
	if best := l.joined(k, x, names, legs); best != nil {
		out[l.cypher(best)] = 1
	}
	return out
}

// joined picks of the chains of each name those that lead together to the answers and to
// as little else as can be: each name's in turn, those before being settled.
func (l *learner) joined(k *learn.Walker, x *questions.Example, names []learn.Named, legs [][][]schema.Step) (best [][]schema.Step) {
	var set []kg.EntityID // ascending
	for i, chains := range legs {
		var next []kg.EntityID
		top := -1.0
		for _, c := range chains {
			to := slices.Clone(k.Chain(names[i].Seeds, c))
			slices.Sort(to)
			if i > 0 {
				to = slices.DeleteFunc(to, func(e kg.EntityID) bool { return !kg.Holds(set, e) })
			}
			if f := learn.F1(to, x.Answers); f > top+1e-9 {
				top, next = f, to
				best = append(best[:i], c)
			}
		}
		set = next
	}
	if learn.F1(set, x.Answers) < usefulF1 {
		return nil
	}
	return best
}

// cypher writes the query that follows one chain from each slot.
func (l *learner) cypher(chains [][]schema.Step) string {
	var paths []string
	for i, c := range chains {
		var path strings.Builder
		path.WriteString("(" + slotNames[i] + ")")
		for j, s := range c {
			edge := "-[:" + cypher.Name(l.g.RelationKey(s.Relation())) + "]-"
			if s.IsBack() {
				edge = "<" + edge
			} else {
				edge += ">"
			}
			if path.WriteString(edge + "("); j == len(c)-1 {
				path.WriteString("answer")
			}
			path.WriteString(")")
		}
		paths = append(paths, path.String())
	}
	where := ""
	if !l.walks.Returns {
		var apart []string
		for i, c := range chains {
			if len(c) > 1 {
				apart = append(apart, "answer <> "+slotNames[i])
			}
		}
		if len(apart) > 0 {
			where = " WHERE " + strings.Join(apart, " AND ")
		}
	}
	return "MATCH " + strings.Join(paths, ", ") + where + " RETURN answer"
}

// set gives every shape to the query that most of its questions have.
func (l *learner) set() *Set {
	asks := map[string]map[string]float64{}
	for shape, votes := range l.Votes {
		var best string
		for _, q := range slices.Sorted(maps.Keys(votes)) {
			if best == "" || votes[q] > votes[best]+1e-9 {
				best = q
			}
		}
		if asks[best] == nil {
			asks[best] = map[string]float64{}
		}
		asks[best][shape] = votes[best]
	}
	s := &Set{}
	for _, q := range slices.Sorted(maps.Keys(asks)) {
		shapes := slices.SortedFunc(maps.Keys(asks[q]), func(a, b string) int {
			return cmp.Or(cmp.Compare(asks[q][b], asks[q][a]), cmp.Compare(strings.Count(a, " "), strings.Count(b, " ")), strings.Compare(a, b))
		})
		t := Template{Asks: shapes[:min(len(shapes), asksAtMost)], Cypher: q, From: l.From[q]}
		t.Asks = slices.DeleteFunc(t.Asks, func(a string) bool { return len(slotsOf(a)) != len(slotsOf(t.Asks[0])) })
		if t.finish(func(what string) error { return fmt.Errorf("%w: %s", retrieve.ErrModel, what) }) == nil {
			s.Templates = append(s.Templates, t)
		}
	}
	return s
}

// shapeOf writes a question with slots in the place of names, and returns the names in the
// order of the slots.
func shapeOf(g *kg.Graph, x questions.Example) (string, []learn.Named) {
	tokens, span := learn.TokensOf(x)
	named := learn.NamesOf(g, x)
	var words []string
	var order []learn.Named
	for i, t := range tokens {
		if span[i] < 0 {
			if w := wordOf(t); w != "" {
				words = append(words, w)
			}
			continue
		}
		at := slices.IndexFunc(named, func(n learn.Named) bool { return n.Span == span[i] })
		if at < 0 || len(order) == len(slotNames) {
			words = append(words, unlinked)
			continue
		}
		words = append(words, "{"+slotNames[len(order)]+"}")
		order = append(order, named[at])
	}
	return strings.Join(words, " "), order
}

func wordOf(t lexicon.Token) string {
	if strings.ContainsAny(t.Lower, "{}") {
		return ""
	}
	return t.Lower
}

// measure asks questions whose answers are known.
func measure(ctx context.Context, g *kg.Graph, s *Set, xs []questions.Example) (m retrieve.Metrics, err error) {
	if len(xs) == 0 {
		return m, nil
	}
	r := newRetriever(g, cypher.Over(g, nil), s)
	for _, x := range xs {
		text, names := shapeOf(g, x)
		runs, err := r.run(ctx, text, names, retrieve.Limits{})
		if err != nil {
			return m, err
		}
		var found evidence.Found
		if len(runs) > 0 {
			r.collect(&found, runs[0], answersAtMost)
		}
		set := wording.Each(found.Answers, func(a evidence.Answer) kg.EntityID { return a.Entity })
		if len(set) > 0 {
			if kg.Holds(x.Answers, set[0]) {
				m.H1++
			}
		}
		if learn.Hits(set, x.Answers) > 0 {
			m.Hit++
		}
		m.F1 += learn.F1(set, x.Answers)
	}
	n := float64(len(xs))
	return retrieve.Metrics{H1: m.H1 / n, Hit: m.Hit / n, F1: m.F1 / n}, nil
}
