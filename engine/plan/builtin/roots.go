package builtin

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

const (
	// rootSample is how many things of a kind are looked at for what chains go
	// on from them.
	rootSample = 40
	// maxRootHops is the longest chain from a kind of thing.
	maxRootHops = 2
	// maxRootSlot is the largest slot that serves as a kind of thing.
	maxRootSlot = 200_000
)

// proposeRoots reads a question that names nothing: it starts from a kind of
// thing, as "the longest river" and "how many countries" do.
func (r *reader) proposeRoots(ctx context.Context) []proposal {
	q := r.p.newQuestion(r.Words, nil)
	// A name, however weak, says more than a kind of thing, unless the question
	// compares, counts or lists things of a kind.
	if len(r.Spans) > 0 && len(r.compare) == 0 && q.wh != howMany && !r.isListing() || slices.ContainsFunc(r.Spans, words.Span.IsSure) {
		return nil
	}
	var out []proposal
	for i := range q.Words {
		w := &q.Words[i]
		if w.Stop {
			continue
		}
		for _, root := range r.p.rootsOf(q, i) {
			if r.isValued(root) {
				continue
			}
			for _, tail := range append([][]schema.Step{nil}, q.rootChains(ctx, root)...) {
				if !w.IsKind() && (len(tail) > 0 || len(r.compare) == 0 && q.wh != howMany && !r.isListing()) {
					break // what a relation alone calls so is no more than listed or compared
				}
				s := shape{root: root, tail: tail}
				if i == q.asked && len(tail) == 1 && q.joinsOther(tail[0].Relation()) {
					continue
				}
				if len(tail) == 0 && len(r.compare) == 0 && q.wh != howMany && !r.isListing() {
					continue
				}
				out = append(out, r.proposal(q, s))
			}
		}
	}
	return append(out, r.proposeHaving(q)...)
}

// joinsOther reports whether a noun beside the asked one is the type of one end of a relation: which
// fencers "have a coach" asks neither for those whom fencers coach nor for who coaches them.
func (q *question) joinsOther(r kg.RelationID) bool {
	return slices.ContainsFunc(upTo(0, len(q.Words)), func(i int) bool {
		_, typed := q.p.TypedEnd(r, q.Words[i].Lower)
		return typed && i != q.asked
	})
}

// isValued reports whether the question says of the things of a kind that they have a value which
// it names: "how many birds are male" counts those that are.
func (r *reader) isValued(root *root) bool {
	var all []kg.EntityID
	return slices.ContainsFunc(r.Spans, func(s words.Span) bool {
		if !s.IsPlain() || s.From <= root.word && root.word < s.To {
			return false
		}
		if all == nil {
			all = r.p.rootEntities(root)
		}
		in := r.p.g.In(s.Candidates[0].Entity)
		return slices.ContainsFunc(in[:min(len(in), nearEdges)], func(x kg.Edge) bool {
			return kg.Holds(all, x.Entity)
		})
	})
}

// proposeHaving reads a question that names no kind of thing and says more of a value, "Who was
// born after 1900?", "Which wombles have the most burrows?" of a graph that tells no kinds: it
// starts from what has such a value.
func (r *reader) proposeHaving(q *question) (out []proposal) {
	word := q.AskedNoun()
	if word < 0 {
		return nil
	}
	says := func(m valueMeaning) bool { // and nothing else
		return !slices.ContainsFunc(upTo(0, len(q.Words)), func(i int) bool {
			w := &q.Words[i]
			return i != word && !w.Stop && !w.Taken && w.Weight[m.step] == 0
		})
	}
	seen := map[schema.Slot]bool{}
	for _, c := range r.compare {
		if c.superlative && q.wh == who && len(c.taken) > 1 && !q.has(max(0, c.taken[0]-2), c.taken[0], "has", "have", "had") { // "the oldest painter", and not "has the highest rating"
			continue
		}
		for _, m := range c.means {
			if at := m.step.From(); m.fit > looseFit && !seen[at] && q.MayHave(word, m.step) && says(m) {
				seen[at] = true
				out = append(out, r.proposal(q, shape{root: &root{at: at, word: word}}))
			}
		}
	}
	return out
}

// isListing reports whether the question asks for a list: "list all museums", "What museums are
// there?", "museums".
func (r *reader) isListing() bool {
	switch r.Words[0].Lower {
	case "list", "name", "show":
		return true
	}
	n := len(r.Words)
	return n == 1 || n == 2 && (r.Words[0].Lower == "all" || r.Words[0].Lower == "every") || n > 2 && (r.Words[n-2].Lower == "are" || r.Words[n-2].Lower == "is") && r.Words[n-1].Lower == "there"
}

// rootsOf returns the kinds of things that word i names: by the graph's types
// where it has them, by the relation that is called so, otherwise by the largest slot of the
// kind that it names.
func (p *Planner) rootsOf(q *question, i int) []*root {
	w := &q.Words[i]
	if len(w.Types) > 0 {
		at := schema.Slot(0)
		best := 0.0
		for s := range schema.Slot(p.schema.Slots()) {
			for _, t := range w.Types {
				if n := p.schema.Types(s)[t] * float64(p.schema.Size(s)); n > best {
					best, at = n, s
				}
			}
		}
		narrow := &root{at: at, types: w.Types, word: i}
		if q.narrows(i - 1) {
			narrow.also = q.Words[i-1].Types
		}
		return []*root{narrow}
	}
	var out []*root
	called := p.StepsCalled(w)
	if gender := lexicon.Gender(w.Lower); q.isGendered(i) {
		for r := range kg.RelationID(p.g.Relations()) {
			if at := schema.Forward(r).From(); p.IsGender(r) {
				return []*root{{at: at, word: i, gender: gender}} // women are whom the graph says to be female
			}
		}
	}
	if len(called) == 1 && !called[0].IsBack() && w.IsKind() && !p.JoinsSame(called[0].Relation()) && p.schema.Value(called[0].To()) == schema.NoValue {
		return []*root{{at: called[0].To(), word: i}} // towns are what "town" leads to, whatever else leads to some
	}
	doer := lexicon.Agent(lexicon.Singular(w.Lower))
	for _, st := range slices.Sorted(maps.Keys(w.Names)) {
		isNoun := !st.IsBack() && lexicon.IsGendered(w.Lower) && p.JoinsSame(st.Relation()) && slices.Contains(p.NameOf(st.Relation()), lexicon.Singular(w.Lower))
		isDoer := doer != "" && !w.IsKind() && !w.ByMeaning && len(called) == 0 && p.names[st.Relation()].verb == doer && st.IsBack() != p.names[st.Relation()].byTail
		if isNoun || isDoer {
			return []*root{{at: st.To(), word: i, own: true}} // fathers are whom "father" leads to, and excavators by whom things were excavated
		}
	}
	for _, st := range called {
		if !w.IsKind() && (st.IsBack() || !p.IsTruth(st.Relation())) {
			out = append(out, &root{at: st.To(), word: i})
		}
	}
	for _, kind := range w.Kinds {
		at, size := schema.Slot(0), 0
		for _, s := range p.SlotsNamed(w.Stem) {
			if n := p.schema.Size(s); p.schema.Kind(s) == kind && n > size && n <= maxRootSlot {
				at, size = s, n
			}
		}
		if size > 0 {
			r := schema.Step(at).Relation()
			out = append(out, &root{at: at, both: p.JoinsSame(r) && (p.Joins(r, w.Stem) || p.Symmetric(r)), word: i})
		}
	}
	return out
}

// rootText is the noun for the kind of thing that a question starts from.
func (q *question) rootText(r *root) string {
	if w := q.Words[r.word].Lower; w != "who" {
		return w
	}
	return "person"
}

// rootChains returns the chains that go on from things of a kind.
func (q *question) rootChains(ctx context.Context, r *root) [][]schema.Step {
	all := q.p.rootEntities(r)
	var sample []kg.EntityID
	for i := 0; i < len(all) && len(sample) < rootSample; i += max(1, len(all)/rootSample) {
		sample = append(sample, all[i])
	}
	return q.chainsFrom(ctx, sample, maxRootHops)
}

// rootEntities returns the things of a kind, ascending.
func (p *Planner) rootEntities(r *root) []kg.EntityID {
	if len(r.types) > 0 {
		of := p.OfTypes(r.types)
		if len(r.also) == 0 {
			return of
		}
		also := p.OfTypes(r.also)
		return slices.DeleteFunc(slices.Clone(of), func(e kg.EntityID) bool {
			return !kg.Holds(also, e)
		})
	}
	st := schema.Step(r.at)
	out := slices.Clone(p.g.Having(st.Relation(), st.IsBack()))
	if r.gender != "" {
		return slices.DeleteFunc(out, func(e kg.EntityID) bool { return schema.GenderOf(p.g, e, p.IsGender) != r.gender })
	}
	if r.both {
		out = append(out, p.g.Having(st.Relation(), !st.IsBack())...)
		out = kg.Distinct(out)
	}
	return out
}

// ofOtherRoot says in a sentence why the things that a reading starts from may be others than its noun
// names; "" where nothing tells.
func (l *look) ofOtherRoot() string {
	if l.shape.root == nil {
		return ""
	}
	return l.r.p.rootDoubt(l.shape.root, &l.q.Words[l.shape.root.word])
}

// rootDoubt says in a sentence why the things of a kind that the graph has no type for may be
// others: they have no type in common, or the noun may name more than the root has; "" where
// nothing tells.
func (p *Planner) rootDoubt(r *root, w *words.Word) string {
	if len(r.types) > 0 || r.gender != "" || r.own {
		return ""
	}
	all := p.rootEntities(r)
	if p.AreMixed(all) {
		return words.TakenWide(w.Text)
	}
	if st := schema.Step(r.at); st.IsBack() && p.IsCalled(st.Back(), w.Lower) && !p.IsAnswer(r.at, lexicon.Person) { // what "films" leads to is some of the reels
		types := p.schema.Types(r.at)
		for _, t := range slices.Sorted(maps.Keys(types)) {
			if of := p.OfTypes([]kg.TypeID{t}); types[t] >= 1 && len(of) > len(all) {
				return fmt.Sprintf("This graph has no type %s; the reading takes what %s leads to, but not all the graph calls %s.", wording.Quote(w.Text), wording.Quote(p.g.RelationText(st.Relation())), wording.Quote(p.g.TypeLabel(t)))
			}
		}
	}
	for _, at := range p.SlotsNamed(w.Stem) {
		st := schema.Step(at)
		for _, e := range p.g.Having(st.Relation(), st.IsBack()) {
			if !kg.Holds(all, e) {
				return fmt.Sprintf("This graph has no type %s; the reading uses what %s leads to, but the graph has others.", wording.Quote(w.Text), wording.Quote(p.g.RelationText(schema.Step(r.at).Relation())))
			}
		}
	}
	if rel := schema.Step(r.at).Relation(); p.resembles(rel, w) {
		return fmt.Sprintf("%s is no type of this graph; the reading takes only those of %s.", wording.Quote(w.Text), wording.Quote(p.g.RelationText(rel)))
	}
	isUnknown := !w.IsKind() && !w.IsCue() && !w.Stop && p.schema.Typed(r.at) > 0
	if isUnknown || p.IsGuess(w, r.at) {
		return fmt.Sprintf("%s is no type of this graph; the reading takes what %s tells of.", wording.Quote(w.Text), wording.Quote(p.g.RelationText(schema.Step(r.at).Relation())))
	}
	return ""
}

// resembles reports whether a relation only resembles what a noun calls things by: its name says more than the
// lexicon does of the noun, "guest stars" of actors, or another relation has the verb of the noun, as "manages" has
// of managers.
func (p *Planner) resembles(r kg.RelationID, w *words.Word) bool {
	if w.Stop || len(w.Names) == 0 || p.IsOwn(r, w.Stem) {
		return false
	}
	doer := lexicon.Agent(lexicon.Singular(w.Lower))
	for o := range kg.RelationID(p.g.Relations()) {
		if doer != "" && o != r && p.names[o].verb == doer {
			return true
		}
	}
	name := p.names[r]
	isWhole := func(ph lexicon.Phrase) bool {
		return !slices.ContainsFunc(name.stems, func(s string) bool { return !slices.Contains(ph.Stems, s) })
	}
	says := func(m int) bool {
		return slices.ContainsFunc(slices.Concat(p.lex.Concepts[m].Relation, p.lex.Concepts[m].Tail), isWhole)
	}
	content := slices.DeleteFunc(slices.Clone(name.words), p.lex.IsStop)
	return len(content) > 1 && len(name.meanings) > 0 && !slices.ContainsFunc(name.meanings, says)
}
