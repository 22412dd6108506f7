package engine

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/retrieve/exact"
	"cairn/internal/wording"
)

// ErrNoConditions is returned where there is nothing to say why or why not of: for a
// claim, and a question that was not read as a pattern.
var ErrNoConditions = exact.ErrNoConditions

// WhyNot is what there is to say of an entity that a question was not answered with, or
// was.
type WhyNot struct {
	evidence.Standing

	// Linked are the words of the question that may mean the entity; empty for none.
	Linked string `json:"linked,omitempty"`
	// Place is its place among what was found, from 1 on; 0 where it is not there. The
	// first Answers places are the answers.
	Place   int `json:"place,omitempty"`
	Answers int `json:"answers"`
	// Best is how many of the conditions the first answer meets, where the method tells
	// them apart.
	Best int `json:"best,omitempty"`
	// Kept is how many places were kept in all, and Least how many conditions the last of
	// these meets, where the method tells them apart.
	Kept  int `json:"kept,omitempty"`
	Least int `json:"least,omitempty"`
	// Cut says how the search of the run ended.
	Cut evidence.Completeness `json:"cut"`
}

// WhyNot tells how an entity stands to the question of a run: which of its conditions it
// meets, what the graph has in place of the others, which triples are missing, and where
// it came. It evaluates the reading that was followed, whichever method followed it, and
// fails with ErrNoConditions where none was, or a claim.
func (e *Engine) WhyNot(ctx context.Context, run *Run, entity kg.EntityID) (w *WhyNot, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	s, err := e.stateOf(ctx, run)
	if err != nil {
		return nil, err
	}
	if p := run.Pattern(); run.Plan == nil || p != nil && !p.IsPlain() {
		return nil, ErrNoConditions
	}
	standing, err := exact.WhyNot(ctx, e.world(s), run.query(), entity)
	if err != nil {
		return nil, err
	}
	w = &WhyNot{Standing: *standing, Answers: len(run.Answers), Cut: run.Completeness}
	is := func(a evidence.Answer) bool { return a.Entity == entity }
	if at := slices.IndexFunc(run.Answers, is); at >= 0 {
		w.Place = at + 1
	}
	w.Kept = len(run.Answers)
	for _, o := range run.Weighed { // answers may be among them
		if slices.ContainsFunc(run.Answers, func(a evidence.Answer) bool { return a.Entity == o.Entity }) {
			continue
		}
		w.Kept++
		w.Least = o.CountMet()
		if is(o) {
			w.Place = w.Kept
		}
	}
	if len(run.Answers) > 0 {
		w.Best = run.Answers[0].CountMet()
	}
	for _, m := range slices.Concat(run.Mentions, run.Plan.Mentions) {
		if slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return c.Entity == entity }) {
			w.Linked = m.Text
			break
		}
	}
	return w, nil
}

// Why tells which triples make an entity an answer to the question of a run. It fails as
// WhyNot does.
func (e *Engine) Why(ctx context.Context, run *Run, entity kg.EntityID) (w *evidence.Why, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	s, err := e.stateOf(ctx, run)
	if err != nil {
		return nil, err
	}
	if run.Plan == nil {
		return nil, ErrNoConditions
	}
	if w, err = exact.WhyIs(ctx, e.world(s), run.query(), entity); err != nil {
		return nil, err
	}
	by := slices.Concat(w.Sets...)
	w.Against = answer.Against(s.graph, kg.Distinct(by))
	elsewhere, err := e.elsewhere(ctx, s.graph, slices.Compact(by), w.Against)
	w.Against = append(w.Against, elsewhere...)
	return w, err
}

// elsewhere lists what other files say in place of triples: each file has one value, and they
// differ. What known has is left out.
func (e *Engine) elsewhere(ctx context.Context, g *kg.Graph, triples []kg.TripleID, known []evidence.Against) (out []evidence.Against, err error) {
	const most = 20 // values of one thing, beyond which files say them together
	for _, t := range triples {
		x := g.Triple(t)
		edges := g.OutBy(x.Head, x.Relation)
		if len(edges) < 2 || len(edges) > most {
			continue
		}
		all := wording.Each(edges, func(o kg.Edge) kg.TripleID { return o.Triple })
		read, err := e.Sources(ctx, all)
		if err != nil {
			return nil, err
		}
		in := map[string][]kg.TripleID{} // by file
		for _, o := range all {
			for _, p := range read[o] {
				in[p.File] = kg.With(in[p.File], o)
			}
		}
		for file, said := range in {
			clash := len(said) == 1 && said[0] != t && len(read[t]) > 0 && !slices.ContainsFunc(read[t], func(p kg.Provenance) bool { return len(in[p.File]) != 1 || p.File == file })
			if clash && !slices.ContainsFunc(slices.Concat(known, out), func(a evidence.Against) bool { return a.Triple == said[0] }) {
				out = append(out, evidence.Against{Triple: said[0], Of: t, Reason: "Another file also says it: " + file + "."})
			}
		}
	}
	slices.SortFunc(out, func(a, b evidence.Against) int { return cmp.Compare(a.Triple, b.Triple) })
	return out, nil
}

// Called returns the entities that a name or a key means: those that are called so, the
// likeliest first, or else, with named false, those of the nearest names.
func (e *Engine) Called(ctx context.Context, name string) (es []kg.EntityID, named bool, err error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	const offered = 8
	found, err := s.linker.Lookup(ctx, name, offered)
	if err != nil {
		return nil, false, err
	}
	for _, c := range found {
		if s.graph.Key(c.Entity) == name {
			return []kg.EntityID{c.Entity}, true, nil
		}
	}
	same := link.SameName(s.graph, name, found)
	if len(same) > 0 && same[0].Distance > 0 {
		same = nil
	}
	if len(same) != 1 { // a key tells those of one name apart
		for k := range kg.EntityID(s.graph.Entities()) {
			if s.graph.Key(k) == name && !s.graph.Gone(k) {
				return []kg.EntityID{k}, true, nil
			}
		}
	}
	if named = len(same) > 0; named {
		found = s.linker.ByProminence(same)
	}
	for _, c := range found {
		es = append(es, c.Entity)
	}
	return es, named, nil
}
