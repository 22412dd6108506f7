package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/testing/bank"
)

// Loss is what is taken out of a graph so that a question can no longer be answered: the
// categories of GrailQAbility.
type Loss string

// The losses.
const (
	NoEntity   Loss = "entity"   // one that the question names
	NoRelation Loss = "relation" // that its answer rests on
	NoType     Loss = "type"     // of what it asks for
	NoFact     Loss = "fact"     // the triples that its answer rests on, no more
)

// Losses are all of them.
var Losses = []Loss{NoEntity, NoRelation, NoType, NoFact}

// WithoutOptions are the choices of Without.
type WithoutOptions struct {
	Dir       string // the folder that holds the data sets
	Sample    int    // of each part; 0 is all
	Seed      uint64
	Retriever string // the ID of the method that is measured; empty for the first
	// Failures, if set, gets one JSON line for every question that was answered as sure.
	Failures io.Writer
	// Progress, if set, is told what is being asked.
	Progress func(task string, done, total int64)
}

// WithoutRow is how the questions of one part were answered on graphs that lack something.
// Of those asked, the answer was refused, in doubt, sure and still gold by other triples, or
// sure and wrong.
type WithoutRow struct {
	Part   string `json:"part"`
	Loss   Loss   `json:"loss"`
	Asked  int    `json:"asked"`
	Refuse int    `json:"refused"`
	Doubt  int    `json:"in_doubt"`
	Still  int    `json:"still_right"`
	Wrong  int    `json:"sure_and_wrong"`
	// Named counts the refusals and doubts that say a word of what is missing.
	Named int `json:"named"`
	// Open counts the doubts that another method, were it to find the same, would take
	// away: no automatic choice is sure and wrong of more than Wrong and these.
	Open int `json:"open"`
}

// add adds what another part gave.
func (r *WithoutRow) add(o *WithoutRow) {
	r.Asked, r.Refuse, r.Doubt, r.Named, r.Open, r.Still, r.Wrong = r.Asked+o.Asked, r.Refuse+o.Refuse, r.Doubt+o.Doubt, r.Named+o.Named, r.Open+o.Open, r.Still+o.Still, r.Wrong+o.Wrong
}

// lacking is a question that was answered, with what its answer rests on.
type lacking struct {
	q    Question
	run  *engine.Run
	lost lost
	word string // of the question: what is missing
}

// lost is what is taken out of a graph.
type lost struct {
	entities  []kg.EntityID
	relations []kg.RelationID
	kinds     []kg.TypeID
	triples   []kg.TripleID
}

// compare puts questions together that lose one relation or type.
func (l *lost) compare(o *lost) int {
	return cmp.Or(slices.Compare(l.relations, o.relations), slices.Compare(l.kinds, o.kinds))
}

// removal is what several questions lose.
type removal struct {
	entities  map[kg.EntityID]bool
	relations map[kg.RelationID]bool
	kinds     map[kg.TypeID]bool
	triples   map[kg.TripleID]bool
}

func newRemoval() *removal {
	return &removal{map[kg.EntityID]bool{}, map[kg.RelationID]bool{}, map[kg.TypeID]bool{}, map[kg.TripleID]bool{}}
}

// add takes out what one more question loses.
func (r *removal) add(l *lost) {
	for _, e := range l.entities {
		r.entities[e] = true
	}
	for _, x := range l.relations {
		r.relations[x] = true
	}
	for _, k := range l.kinds {
		r.kinds[k] = true
	}
	for _, t := range l.triples {
		r.triples[t] = true
	}
}

// size is how much goes.
func (r *removal) size() int {
	return len(r.entities) + len(r.relations) + len(r.kinds) + len(r.triples)
}

// batch are questions that are asked of one copy of a graph.
type batch struct {
	questions []lacking
	gone      *removal
}

// Without asks those questions of a set that are answered rightly again, of copies of its
// graph that lack what the answers rest on. Facts are taken only where the answers are simply
// what meets the pattern: without its triples, a count is another count.
func Without(ctx context.Context, d *Dataset, losses []Loss, o WithoutOptions) (rows []WithoutRow, err error) {
	tmp, err := os.MkdirTemp("", "cairn-without-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the graph: %w", err)
	}
	defer os.RemoveAll(tmp)
	for i, g := range d.Groups {
		sources := d.KG
		if g.KG != nil {
			sources = g.KG
		}
		eng, _, err := open(ctx, filepath.Join(tmp, fmt.Sprintf("%d.cairn", i)), o.Dir, sources, engine.Options{})
		if err != nil {
			return nil, err
		}
		qs, err := g.Load(o.Dir)
		if err == nil {
			w := withoutPart{o: o, name: strings.TrimSpace(d.Name + " " + g.Name), whole: eng}
			err = w.measure(ctx, sample(qs, o.Sample, o.Seed), losses)
			rows = append(rows, w.rows...)
		}
		if err := cmp.Or(err, eng.Close()); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// withoutPart measures one part of a set.
type withoutPart struct {
	o     WithoutOptions
	name  string
	whole *engine.Engine
	rows  []WithoutRow
}

func (w *withoutPart) measure(ctx context.Context, qs []Question, losses []Loss) error {
	var right []lacking
	for i, q := range qs {
		run, err := w.ask(ctx, w.whole, q)
		if err != nil {
			return err
		}
		if isMatched(run) && isRight(q, run) {
			right = append(right, lacking{q: q, run: run})
		}
		w.progress("untouched", i, len(qs))
	}
	for _, loss := range losses {
		row := WithoutRow{Part: w.name, Loss: loss}
		done := 0
		var of []lacking
		for _, l := range right {
			if w.lose(&l, loss) {
				of = append(of, l)
			}
		}
		for _, b := range w.batches(of, loss) {
			eng, err := engine.OnGraph(ctx, w.copy(b.gone), engine.Options{}, nil)
			if err != nil {
				return err
			}
			for _, l := range b.questions {
				run, err := w.ask(ctx, eng, l.q)
				if err == nil {
					err = w.score(&row, &l, run)
				}
				if err != nil {
					return err
				}
				w.progress("without the "+string(loss), done, len(of))
				done++
			}
			if err := eng.Close(); err != nil {
				return err
			}
		}
		if row.Asked > 0 {
			w.rows = append(w.rows, row)
		}
	}
	return nil
}

func (w *withoutPart) ask(ctx context.Context, eng *engine.Engine, q Question) (*engine.Run, error) {
	return eng.Ask(ctx, q.Text, engine.AskOptions{NoModel: true, Retriever: w.o.Retriever}, nil)
}

func (w *withoutPart) progress(task string, done, total int) {
	if w.o.Progress != nil {
		w.o.Progress(w.name+" "+task, int64(done+1), int64(total))
	}
}

// isMatched reports whether a pattern was followed that something in the graph meets.
func isMatched(run *engine.Run) bool {
	p := run.Matched()
	return p != nil && len(run.Candidates) > 0 && len(p.Edges) > 0 && len(run.Candidates[0].Edges) >= len(p.Edges) && run.Candidates[0].Hops == nil
}

// isSimple reports whether the answers of a pattern are what its edges meet: without these
// triples there is none.
func isSimple(p *pattern.Pattern) bool {
	return (p.Task == pattern.Find || p.Task == pattern.Verify && !p.Negated) && len(p.Filters) == 0 && p.Order == nil && len(p.Branches) == 0 && p.Measure == nil
}

// isSure reports whether an answer was given without a doubt and without a caution.
func isSure(run *engine.Run) bool {
	return run.Answer != nil && run.Answer.Refusal == nil && run.Plan.Doubt == plan.Sure && run.Calm()
}

// isRight reports whether the first answer is gold, or whether a true claim is supported.
// Without gold, what is sure is right.
func isRight(q Question, run *engine.Run) bool {
	if run.Answer == nil || run.Answer.Refusal != nil {
		return false
	}
	if run.Task == pattern.Verify {
		return run.Answer.Verdict == answer.Supported && isSure(run) && (q.Label == nil || *q.Label)
	}
	if q.Gold == nil {
		return len(run.Answer.Items) > 0 && isSure(run)
	}
	return len(run.Answer.Items) > 0 && slices.Contains(q.Gold, run.Answer.Items[0].Label)
}

// lose fills in what a question loses, and reports whether it has such a thing.
func (w *withoutPart) lose(l *lacking, loss Loss) bool {
	g, p := w.whole.Graph(), l.run.Matched()
	best := l.run.Candidates[0]
	switch loss {
	case NoEntity:
		i := slices.IndexFunc(p.Nodes, func(n pattern.Node) bool { return !n.Variable && len(n.Entities) > 0 })
		if i < 0 || best.Nodes[i] == kg.NoEntity {
			return false
		}
		l.lost.entities, l.word = best.Nodes[i:i+1], p.Nodes[i].Text
	case NoRelation:
		i := slices.IndexFunc(p.Edges, func(e pattern.Edge) bool { return e.From == p.Asked || e.To == p.Asked })
		i = max(i, 0)
		if best.Edges[i] == kg.NoTriple {
			return false
		}
		l.lost.relations = []kg.RelationID{g.Triple(best.Edges[i]).Relation}
	case NoType:
		i := slices.IndexFunc(p.Nodes, func(n pattern.Node) bool { return n.Variable && n.Type != "" && n.Within != nil })
		if i < 0 || best.Nodes[i] == kg.NoEntity {
			return false
		}
		l.word = p.Nodes[i].Type
		ts := g.Types(best.Nodes[i])
		at := slices.IndexFunc(ts, func(t kg.TypeID) bool { return strings.EqualFold(g.TypeLabel(t), l.word) })
		if at < 0 {
			return false
		}
		l.lost.kinds = ts[at : at+1]
	case NoFact:
		if !isSimple(p) {
			return false
		}
		for _, c := range l.run.Candidates {
			for i, e := range p.Edges {
				if t := c.Edges[i]; t != kg.NoTriple && (p.Asked < 0 || e.From == p.Asked || e.To == p.Asked) {
					l.lost.triples = append(l.lost.triples, t)
				}
			}
		}
	}
	return true
}

// batches puts questions together that lose what the others do not need: no more than a
// fiftieth of the graph goes at once.
func (w *withoutPart) batches(of []lacking, loss Loss) (out []batch) {
	g := w.whole.Graph()
	of = slices.Clone(of)
	rand.New(rand.NewPCG(w.o.Seed, 7)).Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	slices.SortStableFunc(of, func(a, b lacking) int { return a.lost.compare(&b.lost) })
	most := map[Loss]int{NoEntity: g.Entities() / 50, NoRelation: g.Relations() / 50, NoType: 0, NoFact: g.Triples() / 50}[loss]
	for _, l := range of {
		if n := len(out); n > 0 {
			more := &removal{maps.Clone(out[n-1].gone.entities), maps.Clone(out[n-1].gone.relations), maps.Clone(out[n-1].gone.kinds), maps.Clone(out[n-1].gone.triples)}
			if more.add(&l.lost); more.size() <= max(1, most) {
				out[n-1] = batch{append(out[n-1].questions, l), more}
				continue
			}
		}
		gone := newRemoval()
		gone.add(&l.lost)
		out = append(out, batch{[]lacking{l}, gone})
	}
	return out
}

// copy is the graph without what goes. What has no triple left is gone as well.
func (w *withoutPart) copy(gone *removal) *kg.Graph {
	g := w.whole.Graph()
	var b kg.Builder
	left := func(t kg.TripleID) bool {
		x := g.Triple(t)
		return !gone.triples[t] && !gone.relations[x.Relation] && !gone.entities[x.Head] && !gone.entities[x.Tail]
	}
	for e := range kg.EntityID(g.Entities()) {
		keeps := func(es []kg.Edge) bool {
			return slices.ContainsFunc(es, func(x kg.Edge) bool { return left(x.Triple) })
		}
		if gone.entities[e] || g.Degree(e) > 0 && !keeps(g.Out(e)) && !keeps(g.In(e)) {
			continue
		}
		id := b.Entity(g.Key(e))
		b.SetLabel(id, g.Label(e))
		for _, a := range g.Aliases(e) {
			b.AddAlias(id, a)
		}
		for _, t := range g.Types(e) {
			if !gone.kinds[t] {
				b.AddType(id, g.TypeLabel(t))
			}
		}
	}
	for t := range kg.TripleID(g.Triples()) {
		if !left(t) {
			continue
		}
		x := g.Triple(t)
		head, relation, tail := g.Key(x.Head), g.RelationKey(x.Relation), g.Key(x.Tail)
		b.Add(head, relation, tail)
		for said := range g.Statements(t) {
			said = slices.Clone(said)
			for i, p := range said {
				if p.Entity != kg.NoEntity {
					said[i].Entity = b.Entity(g.Key(p.Entity))
				}
			}
			b.AddStatement(head, relation, tail, said...)
		}
	}
	return b.Graph()
}

// score counts what became of a question.
func (w *withoutPart) score(row *WithoutRow, l *lacking, run *engine.Run) error {
	row.Asked++
	said := append([]string{run.Plan.Reason}, run.Notes...)
	if run.Answer != nil && run.Answer.Refusal != nil {
		said = append(said, run.Answer.Refusal.Reason)
		for _, m := range run.Answer.Refusal.Missing {
			said = append(said, m.Text, m.Closest)
		}
	}
	refused := run.Answer == nil || run.Answer.Refusal != nil || len(run.Answer.Items) == 0 && run.Answer.Verdict != answer.Supported && run.Answer.Verdict != answer.Likely
	switch {
	case refused:
		row.Refuse++
	case !isSure(run):
		row.Doubt++
		if run.Plan.Open && run.Calm() && !w.stillRight(l, run) {
			row.Open++
		}
	case w.stillRight(l, run):
		row.Still++
		return nil
	default:
		row.Wrong++
		return w.fail(row, l, run)
	}
	count(&row.Named, says(l, strings.Join(said, " ")))
	return nil
}

// stillRight reports whether all answers are answers of the whole graph too.
func (w *withoutPart) stillRight(l *lacking, run *engine.Run) bool {
	was := map[string]bool{}
	for _, g := range l.q.Gold {
		was[g] = true
	}
	if l.q.Gold == nil {
		for _, it := range l.run.Answer.Items {
			was[it.Label] = true
		}
	}
	return run.Task != pattern.Verify && !slices.ContainsFunc(run.Answer.Items, func(it answer.Item) bool { return !was[it.Label] })
}

// says reports whether a text has a word of what is missing: of the name, or of what the
// question says beside its names.
func says(l *lacking, text string) bool {
	words := l.word
	if words == "" {
		words = l.q.Text
		for _, m := range l.run.Mentions {
			words = strings.ReplaceAll(words, m.Text, " ")
		}
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool {
		word = strings.Trim(word, ".,?!\"'")
		return len(word) > 3 && strings.Contains(text, word)
	})
}

// fail writes down what was answered as sure.
func (w *withoutPart) fail(row *WithoutRow, l *lacking, run *engine.Run) error {
	if w.o.Failures == nil {
		return nil
	}
	g := w.whole.Graph()
	var took string
	switch row.Loss {
	case NoEntity:
		took = g.Label(l.lost.entities[0])
	case NoRelation:
		took = g.RelationKey(l.lost.relations[0])
	case NoType:
		took = g.TypeLabel(l.lost.kinds[0])
	case NoFact:
		took = fmt.Sprint(len(l.lost.triples), " triples")
	}
	reading := func(r *engine.Run) string {
		if r.Reading < 0 {
			return ""
		}
		return r.Plan.Readings[r.Reading].Text
	}
	return json.NewEncoder(w.o.Failures).Encode(struct {
		Part, Loss, Question, Took, Was, Reading string
		Confidence                               float64
		Got                                      []string
	}{row.Part, string(row.Loss), l.q.Text, took, reading(l.run), reading(run), run.Plan.Confidence, answerLabels(run)[:min(3, len(answerLabels(run)))]})
}

// Bank is the question bank of the engine's tests, below their folder: its questions have
// no gold here, for what is answered as sure is right there.
func Bank() *Dataset {
	d := &Dataset{Name: "bank", About: "the question bank of the tests"}
	for _, name := range []string{"companies", "medicine", "airports", "books", "held_companies", "held_medicine", "held_airports", "held_books", "films", "library", "register", "plant", "museum"} {
		d.Groups = append(d.Groups, Group{
			Name: name,
			KG:   []Source{{File: bank.Graph(strings.TrimPrefix(name, "held_"))}},
			Load: func(dir string) ([]Question, error) { return answerable(filepath.Join(dir, "bank", name+".txt")) },
		})
	}
	return d
}

// answerable reads the questions of the bank that have answers.
func answerable(path string) (qs []Question, err error) {
	all, err := bank.Read(path)
	for _, q := range all {
		if q.Gold != "refuse" {
			qs = append(qs, Question{Text: q.Text})
		}
	}
	return qs, err
}

// WriteWithout prints rows as a table: shares of those asked, in percent.
func WriteWithout(w io.Writer, rows []WithoutRow) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "part\twithout\tasked\trefused or in doubt\tnaming it\topen\tstill right\tsure and wrong\t")
	sums := map[Loss]*WithoutRow{}
	for _, l := range Losses {
		sums[l] = &WithoutRow{Part: "all", Loss: l}
	}
	line := func(r *WithoutRow) {
		n := float64(r.Asked) / 100
		fmt.Fprintf(out, "%s\t%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", r.Part, r.Loss, r.Asked, float64(r.Refuse+r.Doubt)/n, float64(r.Named)/n, float64(r.Open)/n, float64(r.Still)/n, float64(r.Wrong)/n)
	}
	for _, r := range rows {
		line(&r)
		sums[r.Loss].add(&r)
	}
	for _, l := range Losses {
		if sums[l].Asked > 0 && len(rows) > 1 {
			line(sums[l])
		}
	}
	return out.Flush()
}
