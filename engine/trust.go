package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"

	"cairn/assets"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/train"
)

// Case is what the first method and another one say to a question that the first is not sure
// of: "unsure, the other sure of the same". How often each was right in such a case is what
// the automatic choice goes by.
type Case string

// caseOf returns the case that an opinion makes of a run; empty where the other says nothing,
// or with a caution, which is of that question alone, or where to say the same settles nothing.
func caseOf(first *Run, op *Opinion) Case {
	if op.Err != nil {
		return ""
	}
	ours, theirs := first.said(), op.Run.said()
	p, isSame := op.Run.Plan, sameItems(theirs, ours)
	if len(theirs) == 0 || len(p.Seeds) == 0 || !op.Run.Calm() {
		return ""
	}
	// Both begin at all that has a name: that they agree does not say which of it is meant.
	if isSame && (!first.Plan.Open || len(p.Seeds) > len(p.Mentions)) {
		return ""
	}
	said, how, what := "unsure", "unsure", "otherwise"
	if len(ours) == 0 {
		said = refused
	}
	if op.Run.Plan.Doubt == plan.Sure {
		how = "sure"
	}
	if isSame {
		what = "the same"
	}
	return Case(fmt.Sprintf("%s, the other %s: %s", said, how, what))
}

const (
	refused          = "refused"
	refusedSure Case = "refused, the other sure: otherwise"
)

// Tally counts the questions of one Case, and those that each answered rightly.
type Tally struct {
	Asked int `json:"asked"`
	First int `json:"first"`
	Other int `json:"other"`
}

// Trust counts, by the ID of the other method, what came of each Case.
type Trust map[string]map[Case]Tally

// Add adds other counts.
func (t Trust) Add(other Trust) {
	for id, cases := range other {
		for c, n := range cases {
			t.add(id, c, n)
		}
	}
}

func (t Trust) add(id string, c Case, n Tally) {
	if t[id] == nil {
		t[id] = map[Case]Tally{}
	}
	was := t[id][c]
	t[id][c] = Tally{was.Asked + n.Asked, was.First + n.First, was.Other + n.Other}
}

// elsewhere is what came of each Case on other graphs, of questions that nothing was learned
// from; cairn-lab trust counts it. The empty ID is of all methods together, and stands for
// one that was not counted.
var elsewhere = func() Trust {
	var read Trust
	if err := json.Unmarshal(assets.Trust, &read); err != nil {
		panic(fmt.Sprintf("read what came of questions on other graphs: %v", err))
	}
	t := Trust{}
	for id, cases := range read {
		t.Add(Trust{id: cases, "": cases})
	}
	return t
}()

const (
	// elsewhereAtMost is as how many questions of this graph those of others count.
	elsewhereAtMost = 30
	// quantile is of the lower bounds: nine in ten shares are above theirs.
	quantile = 1.28
	// sureFrom is the least bound of what was right from which on it is sure what both say,
	// and ratherFrom that from which on an answer is better than none.
	sureFrom, ratherFrom = 0.9, 0.5
)

// record is what is known of a Case: on this graph, and together with others.
type record struct {
	Case
	here                Tally
	asked, first, other float64
}

// of returns what is known of the case that an opinion makes of a run.
func (t Trust) of(first *Run, op *Opinion) record {
	k := record{Case: caseOf(first, op)}
	k.here = t[op.Method.ID][k.Case]
	k.asked, k.first, k.other = float64(k.here.Asked), float64(k.here.First), float64(k.here.Other)
	// What has learned from made questions knows of words what the first knows, and the
	// questions of published sets all have answers: they do not tell when to refuse.
	if k.Case == "" || op.Run.Made || k.isRefused() {
		return k
	}
	of, ok := elsewhere[op.Method.ID]
	if !ok {
		of = elsewhere[""]
	}
	if n := of[k.Case]; n.Asked > 0 {
		weight := min(1, elsewhereAtMost/float64(n.Asked))
		k.asked, k.first, k.other = k.asked+weight*float64(n.Asked), k.first+weight*float64(n.First), k.other+weight*float64(n.Other)
	}
	return k
}

// isRefused reports whether the first method refused to answer.
func (k *record) isRefused() bool { return strings.HasPrefix(string(k.Case), refused) }

// bound is the lower bound of the share of cases in which the other is right (Wilson).
func (k *record) bound() float64 {
	if k.asked == 0 {
		return 0
	}
	n, p, z := k.asked, k.other/k.asked, quantile
	return (p + z*z/(2*n) - z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n)
}

// settles reports whether what both say is right often enough to be sure.
func (k *record) settles() bool { return k.bound() >= sureFrom }

// outdoes reports whether the other is right more often than the first where they differ.
// What nobody has counted is better than nothing where it is sure.
func (k *record) outdoes() bool {
	if k.isRefused() {
		return k.bound() >= ratherFrom || k.asked == 0 && k.Case == refusedSure
	}
	return k.other > k.first
}

// because says what the trust in the other rests on, or in both where first is empty.
func (k *record) because(other, first string) string {
	where, n, o, f := "On this graph", fmt.Sprint(k.here.Asked), k.here.Other, k.here.First
	switch {
	case k.asked == 0:
		return ""
	case k.here.Asked == 0:
		where, n, o, f = "On other graphs", "100", int(math.Round(100*k.other/k.asked)), int(math.Round(100*k.first/k.asked))
	}
	text := fmt.Sprintf("%s, %s was right in %d", where, other, o)
	if first != "" && f > 0 {
		text += fmt.Sprintf(", and %s in %d,", first, f)
	}
	return fmt.Sprintf("%s of %s cases like this.", text, n)
}

// trusted is what is kept of what came of a trained retriever's word.
type trusted struct {
	Of train.Key `json:"of"`
	// From is by what was asked: the questions that were held back, or those of a file.
	From map[string]map[Case]Tally `json:"from"`
}

// heldBack names the questions of a training that were not learned from.
const heldBack = "held back"

// trustKey and learnedKey are the settings of a method in a graph's file. The second has the
// sums of the questions that it was trained with, which say nothing more of trust.
func trustKey(method string) string   { return "trust " + method }
func learnedKey(method string) string { return "trust " + method + " learned" }

// trustIn reads what is kept of the retriever in use of a method.
func (e *Engine) trustIn(ctx context.Context, method string) (t trusted, err error) {
	if e.store == nil {
		return t, nil
	}
	kept, err := e.trainer.InOrder(ctx, method)
	if err != nil || len(kept) == 0 {
		return t, err
	}
	text, err := e.store.Setting(ctx, trustKey(method))
	if err != nil || json.Unmarshal([]byte(text), &t) != nil || t.Of != train.KeyOf(kept[0]) {
		t = trusted{Of: train.KeyOf(kept[0])}
	}
	return t, err
}

// Trust returns what came, on this graph, of the word of the trained retrievers in use.
func (e *Engine) Trust(ctx context.Context) (Trust, error) {
	sum := Trust{}
	for _, m := range e.trainer.Methods {
		id := m.Info().ID
		kept, err := e.trustIn(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, cases := range kept.From {
			sum.Add(Trust{id: cases})
		}
	}
	return sum, nil
}

// Judge counts what came of questions to the automatic choice whose answers are known.
type Judge struct {
	engine  *Engine
	counts  Trust
	learned map[string][]uint32 // by method: the sums of the questions that it was trained with
}

// Judge returns one that has counted nothing.
func (e *Engine) Judge(ctx context.Context) (*Judge, error) {
	j := &Judge{engine: e, counts: Trust{}, learned: map[string][]uint32{}}
	if e.store == nil {
		return j, nil
	}
	for _, m := range e.trainer.Methods {
		text, err := e.store.Setting(ctx, learnedKey(m.Info().ID))
		if err != nil {
			return nil, err
		}
		var sums []uint32
		_ = json.Unmarshal([]byte(text), &sums) // what cannot be read says nothing
		j.learned[m.Info().ID] = sums
	}
	return j, nil
}

// Count counts what came of a question. right says whether a run answers it.
func (j *Judge) Count(run *Run, right func(*Run) bool) {
	if run.heard == nil {
		return
	}
	for i := range run.heard.opinions {
		op, k := &run.heard.opinions[i], run.heard.records[i]
		if _, learned := slices.BinarySearch(j.learned[op.Method.ID], sumOf(run.Question)); k.Case == "" || learned {
			continue
		}
		n := Tally{Asked: 1}
		if right(run.heard.first) {
			n.First = 1
		}
		if right(op.Run) {
			n.Other = 1
		}
		j.counts.add(op.Method.ID, k.Case, n)
	}
}

// Keep keeps what was counted in the graph's file, in the place of what was counted before
// of the same questions, which from names. It returns how many words of others that was.
func (j *Judge) Keep(ctx context.Context, from string) (n int, err error) {
	e := j.engine
	if e.store == nil || e.store.ReadOnly() {
		return 0, nil
	}
	for id, cases := range j.counts {
		kept, err := e.trustIn(ctx, id)
		if err != nil {
			return n, err
		}
		if kept.From == nil {
			kept.From = map[string]map[Case]Tally{}
		}
		kept.From[from] = cases
		if err := e.keepJSON(ctx, trustKey(id), kept); err != nil {
			return n, err
		}
		for _, c := range cases {
			n += c.Asked
		}
	}
	return n, nil
}

func (e *Engine) keepJSON(ctx context.Context, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write what came of questions: %w", err)
	}
	return e.store.SetSetting(ctx, key, string(text))
}

// sumOf tells a question from others, but for one in four thousand million.
func sumOf(question string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(strings.Join(strings.Fields(question), " "))))
	return h.Sum32()
}

const (
	// judgedAtMost is how many questions that were held back are asked, and judgingAtMost
	// for how long at most.
	judgedAtMost  = 300
	judgingAtMost = time.Minute
)

// judge has a trained retriever asked beside the first method what it did not learn from.
// Stopped, it keeps what it has by then: the training is over.
func (e *Engine) judge(ctx context.Context, m retrieve.Info, learned, held []questions.Example, ev *TrainEvents) error {
	if m.Baseline {
		return nil
	}
	whole := context.WithoutCancel(ctx)
	j, err := e.Judge(whole)
	if err != nil {
		return err
	}
	j.learned[m.ID] = nil // by what was trained before it
	held = questions.Spread(held, judgedAtMost)
	ctx, stop := context.WithTimeout(ctx, judgingAtMost)
	defer stop()
	for i, x := range held {
		if ev != nil && ev.Progress != nil {
			ev.Progress("compare it with what needs no training", int64(i), int64(len(held)))
		}
		run, err := e.Ask(ctx, x.Text, AskOptions{NoModel: true, MaxWallTime: time.Second}, nil)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		j.Count(run, func(r *Run) bool {
			items := r.said()
			set := make([]kg.EntityID, len(items))
			for i, it := range items {
				set[i] = it.Entity
			}
			slices.Sort(set)
			return slices.Equal(slices.Compact(set), x.Answers)
		})
	}
	j.counts = Trust{m.ID: j.counts[m.ID]} // others may have learned from these questions
	if _, err := j.Keep(whole, heldBack); err != nil {
		return err
	}
	sums := make([]uint32, 0, len(learned)+len(held))
	for _, x := range slices.Concat(learned, held) {
		sums = append(sums, sumOf(x.Text))
	}
	slices.Sort(sums)
	return e.keepJSON(whole, learnedKey(m.ID), slices.Compact(sums))
}
