package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// Past is a question of a graph's history.
type Past struct {
	ID       int64     `json:"id"`
	Asked    time.Time `json:"asked"`
	Question string    `json:"question"`
	Bytes    int64     `json:"bytes"` // of its record
}

// Since is what has become of a graph since a question of its history.
type Since struct {
	// Changed says that the graph is not as it was.
	Changed bool
	// Gone says that it has no longer all that the run names: the run then has its texts
	// alone.
	Gone bool
}

// errRecord is returned for a record of the history that cannot be read.
var errRecord = errors.New("the record of this question cannot be read; ask it again")

// History returns the latest questions that were asked with AskOptions.Save, the
// newest first, at most limit.
func (e *Engine) History(ctx context.Context, limit int) ([]Past, error) {
	if e.store == nil {
		return nil, nil
	}
	runs, err := e.store.Runs(ctx, limit)
	if err != nil {
		return nil, err
	}
	list := wording.Each(runs, func(r kg.StoredRun) Past {
		return Past{ID: r.ID, Asked: r.Started, Question: r.Question, Bytes: r.Bytes}
	})
	return list, nil
}

// PastRun returns a question of the history as it was answered.
func (e *Engine) PastRun(ctx context.Context, id int64) (*Run, error) {
	if e.store == nil {
		return nil, ErrInMemory
	}
	stored, err := e.store.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	run, err := ReadRun(stored.Record, e.Graph(), e.Methods())
	if err != nil {
		return nil, err
	}
	version, err := e.store.Version(ctx)
	if err != nil {
		return nil, err
	}
	run.Since.Changed = run.Since.Gone || run.Graph != version
	if run.Graph == "" { // it is from before versions were kept
		sources, err := e.store.Sources(ctx)
		if err != nil {
			return nil, err
		}
		run.Since.Changed = run.Since.Gone || slices.ContainsFunc(sources, func(s kg.Source) bool { return s.Imported.After(run.Started) })
	}
	return run, nil
}

// ReadRun reads the record of a run, also one of an earlier version. g is the graph
// that was asked, as it is now, and methods are those to look for evidence. It fails
// with errRecord for what is no record.
func ReadRun(record []byte, g *kg.Graph, methods []retrieve.Info) (*Run, error) {
	record, first, err := migrate(record)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", errRecord, err)
	}
	run := &Run{Since: &Since{}}
	if err := json.Unmarshal(record, run); err != nil {
		return nil, fmt.Errorf("%w (%w)", errRecord, err)
	}
	if !run.wellFormed() {
		return nil, errRecord
	}
	if p := run.Matched(); first && p != nil && p.Asked >= 0 {
		run.Support(func(c evidence.Candidate) kg.EntityID { return c.Nodes[p.Asked] })
	} else if first {
		run.Support(evidence.Candidate.End)
	}
	methods = append(slices.Clip(methods), evaluator)
	if i := slices.IndexFunc(methods, func(m retrieve.Info) bool { return m.ID == run.Method.ID }); i >= 0 {
		run.Method = methods[i]
	} else { // of a program that has other methods
		run.Method = retrieve.Info{ID: run.Method.ID, Title: run.Method.ID, Who: run.Method.ID, Seeded: len(run.Plan.Seeds) > 0}
		run.Method.Reads = run.Method.Seeded && len(run.Plan.Readings) > 0
	}
	if !slices.ContainsFunc(run.Answers, func(a evidence.Answer) bool { return len(a.Supports) > 0 }) {
		run.Support(run.answered) // it is from before answers had them
	}
	if !run.knownTo(g) {
		run.Since.Gone = true
		run.forgetEvidence()
	}
	return run, nil
}

// answered returns the answer that a candidate leads to.
func (r *Run) answered(c evidence.Candidate) kg.EntityID {
	p := r.Matched()
	switch {
	case c.Hops != nil:
		return c.End()
	case p != nil && p.Asked >= 0:
		return c.Nodes[p.Asked]
	}
	return kg.NoEntity
}

// ForgetHistory drops all questions of the history.
func (e *Engine) ForgetHistory(ctx context.Context) error {
	if e.store == nil {
		return ErrInMemory
	}
	return e.store.ForgetRuns(ctx)
}

// What is kept of the history: it must not outgrow the graph.
const (
	maxRecord     = 1 << 20 // bytes of one record
	maxHistory    = 500     // questions
	keptMatches   = 20      // of a record that would be larger
	keptSentences = 200     // of the same
)

// save keeps a run's record in the graph's file, as its history, and drops the
// oldest beyond the latest 500. It fails, with the record kept, where the graph that was
// asked is not the one of the file any more.
func (e *Engine) save(ctx context.Context, run *Run) error {
	record, err := recordOf(run)
	if err != nil {
		return fmt.Errorf("write the record of the question: %w", err)
	}
	if _, err = e.store.SaveRun(ctx, run.Started, run.Question, record); err != nil {
		return err
	}
	if err := e.store.TrimRuns(ctx, maxHistory); err != nil {
		return err
	}
	switch version, err := e.store.Version(ctx); {
	case err != nil:
		return err
	case version != e.now().version:
		return &kg.FileError{
			Doing: "use all of", Path: e.path,
			What: "another program has changed it since it was opened", Remedy: "open the graph again",
		}
	}
	return nil
}

// recordForm is the form of the records that are written. What reads an earlier form
// is migrate.
const recordForm = 2

func writeRecord(run *Run) ([]byte, error) {
	return json.Marshal(struct {
		Form int `json:"form"`
		*Run
	}{recordForm, run})
}

// recordOf writes a run as a record. One that would be too large is kept without what
// weighs most: its further matches first, then what was sent to a model.
func recordOf(run *Run) ([]byte, error) {
	record, err := writeRecord(run)
	if err != nil || len(record) <= maxRecord {
		return record, err
	}
	short := *run
	short.Shortened = true
	short.Candidates = run.Candidates[:min(len(run.Candidates), keptMatches)]
	short.Closest = run.Closest[:min(len(run.Closest), keptMatches)]
	short.Answers = run.Answers[:min(len(run.Answers), keptSentences)]
	if a := run.Answer; a != nil {
		less := *a
		less.Sentences = a.Sentences[:min(len(a.Sentences), keptSentences)]
		if a.Refusal != nil {
			refusal := *a.Refusal
			refusal.Closest = refusal.Closest[:min(len(refusal.Closest), keptMatches)]
			less.Refusal = &refusal
		}
		short.Answer = &less
	}
	if record, err = writeRecord(&short); err != nil || len(record) <= maxRecord {
		return record, err
	}
	short.Exchanges = slices.Clone(run.Exchanges)
	for i := range short.Exchanges {
		x := &short.Exchanges[i]
		x.Left = fmt.Sprintf("%s The %d bytes sent and the reply were too large to keep.", x.Left, len(x.Sent))
		x.Sent, x.Reply = "", ""
	}
	return writeRecord(&short)
}

// A record of the history may be damaged, or written by anybody who hands on a graph's
// file. What follows makes sure that nothing which shows a run can stumble over it.

// wellFormed reports whether the parts of a run fit together: what its indexes lead to
// is there.
func (r *Run) wellFormed() bool {
	if r.Answer == nil || r.Plan == nil || r.Reading >= len(r.Plan.Readings) {
		return false
	}
	if len(r.Answer.Items) > 0 && r.Answer.Verdict == 0 && r.Answer.Count < len(r.Answer.Items) {
		return false
	}
	return !slices.ContainsFunc(r.Plan.Readings, func(x plan.Reading) bool { return x.Pattern == nil || !patternFits(x.Pattern) }) &&
		!slices.ContainsFunc(r.candidates(), func(c evidence.Candidate) bool { return !r.candidateFits(c) })
}

func (r *Run) candidates() []evidence.Candidate {
	all := slices.Concat(r.Candidates, r.Closest)
	if r.Answer != nil && r.Answer.Refusal != nil {
		all = append(all, r.Answer.Refusal.Closest...)
	}
	return all
}

func patternFits(p *pattern.Pattern) bool {
	has := func(node int) bool { return node >= 0 && node < len(p.Nodes) }
	orNone := func(node int) bool { return node < len(p.Nodes) }
	if p.Asked >= len(p.Nodes) || p.Order != nil && !has(p.Order.Node) && (p.Order.Node != pattern.Measured || p.Measure == nil) || p.Order != nil && (p.Order.Of != nil && !has(*p.Order.Of) || p.Order.Per != nil && !has(*p.Order.Per)) {
		return false
	}
	if slices.ContainsFunc(p.Branches, func(b pattern.Branch) bool { return !has(b.Node) || b.Than != nil && !has(*b.Than) }) {
		return false
	}
	if m := p.Measure; m != nil && (!has(m.Node) || !orNone(m.Of) || !orNone(m.Per) || m.Property != "" && (m.Edge < 0 || m.Edge >= len(p.Edges))) {
		return false
	}
	if c := p.Connection; c != nil && slices.ContainsFunc(slices.Concat(c.Via, c.Avoid), func(n int) bool { return !has(n) }) {
		return false
	}
	return !slices.ContainsFunc(p.Nodes, func(n pattern.Node) bool { return len(n.Distances) > len(n.Entities) }) &&
		!slices.ContainsFunc(p.AllEdges(), func(e pattern.Edge) bool { return !has(e.From) || !has(e.To) }) &&
		!slices.ContainsFunc(p.AllFilters(), func(f pattern.Filter) bool { return !has(f.Node) || f.Than != nil && !has(*f.Than) })
}

// candidateFits reports whether a candidate is a match of the pattern, or a path where
// none was matched.
func (r *Run) candidateFits(c evidence.Candidate) bool {
	if p := r.Matched(); p != nil {
		// What the evaluator found has further triples behind those of the edges.
		fits := len(c.Edges) == len(p.Edges) || !p.IsPlain() && len(c.Edges) > len(p.Edges)
		return c.Hops == nil && len(c.Nodes) == len(p.Nodes) && fits &&
			len(c.NodeDistance) <= len(c.Nodes) && len(c.EdgeDistance) <= len(c.Edges)
	}
	edges := 0
	for _, n := range c.Hops {
		if n < 1 || n > len(c.Edges) {
			return false
		}
		edges += n
	}
	return len(c.Nodes) == len(c.Hops)+1 && edges == len(c.Edges) &&
		!slices.Contains(c.Nodes, kg.NoEntity) && !slices.Contains(c.Edges, kg.NoTriple)
}

// every reports whether all of a list are so.
func every[T any](list []T, so func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !so(x) })
}

// knownTo reports whether a graph has all that a run names.
func (r *Run) knownTo(g *kg.Graph) bool {
	entity := func(e kg.EntityID) bool { return e == kg.NoEntity || int(e) < g.Entities() }
	entities := func(es []kg.EntityID) bool { return every(es, entity) }
	triples := func(ts []kg.TripleID) bool {
		return every(ts, func(t kg.TripleID) bool { return t == kg.NoTriple || int(t) < g.Triples() })
	}
	outcome := func(o evidence.Outcome) bool { return triples(o.Triples) && !slices.Contains(o.Triples, kg.NoTriple) }
	answers := func(as []evidence.Answer) bool {
		return every(as, func(a evidence.Answer) bool { return entity(a.Entity) && every(a.Outcomes, outcome) })
	}
	mention := func(m link.Mention) bool {
		return every(m.Candidates, func(c link.Candidate) bool { return int(c.Entity) < g.Entities() })
	}
	node := func(n pattern.Node) bool { return entities(n.Entities) && !slices.Contains(n.Entities, kg.NoEntity) }
	return every(slices.Concat(r.Mentions, r.Plan.Mentions), mention) &&
		every(r.Plan.Readings, func(x plan.Reading) bool { return every(x.Pattern.Nodes, node) }) &&
		every(r.candidates(), func(c evidence.Candidate) bool { return entities(c.Nodes) && triples(c.Edges) }) &&
		every(r.Answer.Items, func(it answer.Item) bool { return entity(it.Entity) }) &&
		every(r.Excluded, func(x evidence.Exclusion) bool { return entity(x.Entity) && triples(x.Triples) }) &&
		every(r.Groups, func(x evidence.Group) bool {
			return entity(x.Entity) && int(x.Relation) < g.Relations() && triples(slices.Concat(x.Triples, x.With))
		}) &&
		entities(r.Plan.Seeds) && !slices.Contains(r.Plan.Seeds, kg.NoEntity) && answers(r.Answers) && answers(r.Weighed) &&
		triples(r.Without) && !slices.Contains(r.Without, kg.NoTriple) &&
		triples(r.Answer.Pack.Triples) && !slices.Contains(r.Answer.Pack.Triples, kg.NoTriple)
}

// forgetEvidence leaves a run its texts: of what it names, its graph has not all.
func (r *Run) forgetEvidence() {
	r.Mentions, r.Plan.Mentions, r.Plan.Readings, r.Plan.Seeds, r.Reading = nil, nil, nil, nil, -1
	r.Answers, r.Weighed, r.Candidates, r.Closest, r.Excluded, r.Groups = nil, nil, nil, nil, nil, nil
	r.Answer.Items, r.Answer.Pack = nil, evidence.Pack{}
	if r.Answer.Refusal != nil {
		r.Answer.Refusal.Closest = nil
	}
}
