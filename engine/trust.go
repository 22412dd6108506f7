package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/assets"
	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/train"
	"cairn/internal/wording"
)

// Case is what the first method and another one say to a question that the first is not sure
// of. How often each was right in such a case is what the automatic choice goes by.
type Case struct {
	Refused bool // the first gives no answer
	Sure    bool // the other is sure
	Same    bool // they say the same
}

// String says it in words: "unsure, the other sure: the same".
func (c Case) String() string {
	word := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	return word(c.Refused, "refused", "unsure") + ", the other " + word(c.Sure, "sure", "unsure") + ": " + word(c.Same, "the same", "otherwise")
}

// MarshalText writes the words.
func (c Case) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the words.
func (c *Case) UnmarshalText(text []byte) error {
	said := string(text)
	*c = Case{strings.HasPrefix(said, "refused"), strings.Contains(said, "other sure"), strings.HasSuffix(said, "the same")}
	if c.String() != said {
		return fmt.Errorf("there is no case %q", said)
	}
	return nil
}

// caseOf returns the case that an opinion makes of a run; none where the other says nothing,
// or with a caution, which is of that question alone, or where its word counts for nothing.
func caseOf(first *Run, op *Opinion) (c Case, ok bool) {
	if op.Err != nil || op.barred != "" {
		return c, false
	}
	ours, theirs, p := first.said(), op.Run.said(), op.Run.Plan
	if len(theirs) == 0 || len(p.Seeds) == 0 || !op.Run.Calm() {
		return c, false
	}
	c = Case{Refused: len(ours) == 0, Sure: p.Doubt == plan.Sure, Same: sameItems(theirs, ours)}
	// Both begin at all that has a name: that they agree does not say which of it is meant.
	return c, !c.Same || first.Plan.Open && len(p.Seeds) == len(p.Mentions)
}

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
var elsewhere = sync.OnceValue(func() Trust {
	var read Trust
	if err := json.Unmarshal(assets.Trust, &read); err != nil {
		panic(fmt.Sprintf("read what came of questions on other graphs: %v", err))
	}
	t := Trust{}
	for id, cases := range read {
		t.Add(Trust{id: cases, "": cases})
	}
	return t
})

const (
	// elsewhereAtMost is as how many questions of this graph those of others count.
	elsewhereAtMost = 30
	// quantile is of the lower bounds: nine in ten shares are above theirs.
	quantile = 1.28
	// sureFrom is the bound from which on it is sure what both say, and mostly that of what
	// is so more often than not.
	sureFrom, mostly = 0.9, 0.5
)

// record is what is known of a Case: on this graph, and together with others.
type record struct {
	Case
	isCase              bool
	here                Tally
	asked, first, other float64
}

// of returns what is known of the case that an opinion makes of a run.
func (t Trust) of(first *Run, op *Opinion) (k record) {
	if k.Case, k.isCase = caseOf(first, op); !k.isCase {
		return k
	}
	k.here = t[op.Method.ID][k.Case]
	k.asked, k.first, k.other = float64(k.here.Asked), float64(k.here.First), float64(k.here.Other)
	// What has learned from made questions knows of words what the first method knows; the
	// questions of published sets all have answers, and do not tell when to refuse; and how
	// often a doubt is unfounded differs from graph to graph.
	if op.Run.Made || k.Refused || !k.Sure {
		return k
	}
	of, ok := elsewhere()[op.Method.ID]
	if !ok {
		of = elsewhere()[""]
	}
	if n := of[k.Case]; n.Asked > 0 {
		weight := min(1, elsewhereAtMost/float64(n.Asked))
		k.asked, k.first, k.other = k.asked+weight*float64(n.Asked), k.first+weight*float64(n.First), k.other+weight*float64(n.Other)
	}
	return k
}

// bound is the lower bound of a share, of which n of so many were seen (Wilson).
func bound(n, of float64) float64 {
	if of == 0 {
		return 0
	}
	p, z := n/of, quantile
	return (p + z*z/(2*of) - z*math.Sqrt(p*(1-p)/of+z*z/(4*of*of))) / (1 + z*z/of)
}

// trust is the lower bound of the share of cases in which the other is right.
func (k *record) trust() float64 { return bound(k.other, k.asked) }

// settles reports whether what both say is right often enough to be sure.
func (k *record) settles() bool { return k.trust() >= sureFrom }

// outdoes reports whether the other is to be followed where they differ: where the first has
// an answer, it is right more often, and where it has none, the other's own word stands, that
// it is sure or not, until what was counted speaks against that.
func (k *record) outdoes() bool {
	switch {
	case !k.isCase || k.Same:
		return false
	case k.Refused && k.Sure:
		return bound(k.asked-k.other, k.asked) < mostly
	case k.Refused:
		return k.trust() >= mostly
	}
	return bound(k.other, k.first+k.other) >= mostly
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
		if _, learned := slices.BinarySearch(j.learned[op.Method.ID], sumOf(run.Question)); !k.isCase || learned {
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
		if err := e.setJSON(ctx, trustKey(id), kept); err != nil {
			return n, err
		}
		for _, c := range cases {
			n += c.Asked
		}
	}
	return n, nil
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
			said := wording.Each(r.said(), func(it answer.Item) kg.EntityID { return it.Entity })
			return slices.Equal(kg.Distinct(said), x.Answers)
		})
	}
	j.counts = Trust{m.ID: j.counts[m.ID]} // others may have learned from these questions
	if _, err := j.Keep(whole, heldBack); err != nil {
		return err
	}
	sums := wording.Each(slices.Concat(learned, held), func(x questions.Example) uint32 { return sumOf(x.Text) })
	return e.setJSON(whole, learnedKey(m.ID), kg.Distinct(sums))
}
