package eval

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"cairn/engine"
)

// Teaching says what a method that is trained learns from, before it is measured.
type Teaching struct {
	// Train is how many questions of each part's training split are learned from,
	// drawn with the evaluation's Seed. The best weights are picked on a fifth as many
	// others of that split, 1,000 at most.
	//
	// The default value is 1,000, GNN-RAG's for MetaQA.
	Train int `json:"train"`
	// Together trains once for all parts over the same graph.
	Together bool `json:"together"`
	// Generated, if above 0, is how many questions are made out of the graph and are
	// all that is learned from; those of the set are only measured.
	Generated int `json:"generated"`
	// HeldWordings leaves one wording in five out of training, and measures only
	// questions of these. A wording is a question without its topics.
	HeldWordings bool `json:"held_wordings"`
	// Folds is into how many parts questions without a training split are cut; each is
	// measured by what was learned from the others.
	//
	// The default value is 5.
	Folds int `json:"folds"`
	// Seeds is how many seeds of the training are measured, from First on. The
	// questions are drawn with the evaluation's Seed whichever it is.
	//
	// The default values are 1 seed, and the evaluation's Seed for the first.
	Seeds int `json:"seeds"`
	// With are the IDs of the methods that are trained for the automatic choice to ask.
	// The default value is all that are trained.
	With  []string `json:"with,omitempty"`
	First uint64   `json:"first_seed"`
	// How are the choices of the training itself.
	How engine.TrainOptions `json:"how"`
}

// pickedOn is how many questions beside Train pick the best weights.
func (t *Teaching) pickedOn() int { return min(1000, max(1, t.Train/5)) }

// lesson is parts of a set that are learned and measured together, over one graph.
type lesson struct {
	parts   []part
	sources []Source
	seeds   []uint64 // of the trainings, one after the other; one where nothing is trained
	rounds  []round
}

// round is one training, and what is measured with it.
type round struct {
	train, held []Question // none where nothing is trained, or the questions are made
	asked       [][]int    // by part of the lesson: the indexes of its questions
}

func (l *lesson) name() string {
	names := make([]string, len(l.parts))
	for i, p := range l.parts {
		names[i] = p.Name
	}
	return strings.Join(names, " + ")
}

// planLessons says what is learned from what, and what is measured with it.
func planLessons(ctx context.Context, d *Dataset, o *Options) ([]*lesson, error) {
	groups, err := d.Select(o.Groups)
	if err != nil {
		return nil, err
	}
	var lessons []*lesson
	for _, g := range groups {
		p := part{Group: g, sources: g.KG}
		if p.sources == nil {
			p.sources = d.KG
		}
		if g.Made {
			p.questions, err = keptAside(ctx, o, p.sources)
		} else {
			p.questions, err = g.Load(o.Dir)
		}
		if err != nil {
			return nil, err
		}
		if len(p.questions) > 0 && p.questions[0].Label != nil && !o.info.Claims {
			return nil, fmt.Errorf("%s has claims to judge, which %s does not do: choose a set of questions", d.Name, o.info.Who)
		}
		if last := len(lessons) - 1; o.info.Trained && o.Teaching.Together && last >= 0 && sameSources(lessons[last].sources, p.sources) {
			lessons[last].parts = append(lessons[last].parts, p)
			continue
		}
		lessons = append(lessons, &lesson{parts: []part{p}, sources: p.sources})
	}
	for _, l := range lessons {
		if err := l.plan(o); err != nil {
			return nil, err
		}
	}
	return lessons, nil
}

// plan fills in the rounds, and leaves those questions in the parts that are measured.
func (l *lesson) plan(o *Options) error {
	t := &o.Teaching
	l.seeds = []uint64{0}
	if o.info.Trained {
		l.seeds = nil
		for i := range t.Seeds {
			l.seeds = append(l.seeds, t.First+uint64(i))
		}
		if t.Generated == 0 && slices.ContainsFunc(l.parts, func(p part) bool { return p.Train == nil }) {
			l.fold(o)
			return nil
		}
	}
	r := round{asked: make([][]int, len(l.parts))}
	var read []string // files that several parts learn from are read once
	for i := range l.parts {
		p := &l.parts[i]
		if t.HeldWordings {
			p.questions = byWording(p.questions, true)
		}
		p.questions = sample(p.questions, o.Sample, o.Seed)
		for q := range p.questions {
			r.asked[i] = append(r.asked[i], q)
		}
		if !o.info.Trained || t.Generated > 0 || slices.Contains(read, p.TrainName) {
			continue
		}
		read = append(read, p.TrainName)
		split, err := p.Train(o.Dir)
		if err != nil {
			return err
		}
		if t.HeldWordings {
			split = byWording(split, false)
		}
		train, held := draw(split, t.Train, t.pickedOn(), o.Seed)
		r.train, r.held = append(r.train, train...), append(r.held, held...)
	}
	l.rounds = []round{r}
	return nil
}

// fold cuts the questions of every part into folds, by lot or by wording, and
// makes a round of each.
func (l *lesson) fold(o *Options) {
	l.rounds = make([]round, o.Teaching.Folds)
	for f := range l.rounds {
		l.rounds[f].asked = make([][]int, len(l.parts))
	}
	for i := range l.parts {
		p := &l.parts[i]
		all := p.questions
		p.questions = sample(all, o.Sample, o.Seed)
		measured := map[string]int{}
		for at, q := range p.questions {
			measured[q.ID] = at
		}
		for q, in := range foldsOf(all, o) {
			for f := range l.rounds {
				r := &l.rounds[f]
				switch {
				case in/pickFolds == f:
					if at, ok := measured[all[q].ID]; ok {
						r.asked[i] = append(r.asked[i], at)
					}
				case in%pickFolds == 0:
					r.held = append(r.held, all[q])
				default:
					r.train = append(r.train, all[q])
				}
			}
		}
	}
}

// pickFolds is how many parts a fold has, one of which picks the weights while
// another fold is measured.
const pickFolds = 10

// foldsOf says of each question in which part of which fold it is, by lot or by
// wording: part p of fold f is f·pickFolds + p. Those that are asked several times
// are in one part.
func foldsOf(qs []Question, o *Options) []int {
	folds := make([]int, len(qs))
	of := map[string]int{} // by text
	for _, q := range rand.New(rand.NewPCG(o.Seed, o.Seed)).Perm(len(qs)) {
		text := qs[q].Text
		if _, ok := of[text]; !ok {
			k := len(of)
			if o.Teaching.HeldWordings {
				k = int(wordingOf(qs[q]))
			}
			of[text] = k%o.Teaching.Folds*pickFolds + k/o.Teaching.Folds%pickFolds
		}
		folds[q] = of[text]
	}
	return folds
}

// draw takes n questions by lot to learn from, and k others, whose texts are not
// among them, to pick the weights.
func draw(qs []Question, n, k int, seed uint64) (train, held []Question) {
	order := rand.New(rand.NewPCG(seed, seed)).Perm(len(qs))
	n = min(n, len(qs))
	learnt := map[string]bool{}
	for _, i := range order[:n] {
		train = append(train, qs[i])
		learnt[qs[i].Text] = true
	}
	for _, i := range order[n:] {
		if len(held) < k && !learnt[qs[i].Text] {
			held = append(held, qs[i])
		}
	}
	return train, held
}

// heldWordings is one in how many wordings is held out of training.
const heldWordings = 5

// byWording returns the questions whose wording is held out, or the others.
func byWording(qs []Question, held bool) []Question {
	var out []Question
	for _, q := range qs {
		if (wordingOf(q)%heldWordings == 0) == held {
			out = append(out, q)
		}
	}
	return out
}

// topicMark stands for a topic in a wording.
const topicMark = " \x01 "

// wordingOf numbers a question's wording: its words without its topics.
func wordingOf(q Question) uint32 {
	text := q.Text
	if q.Marked != "" {
		open, end := strings.IndexByte(q.Marked, '['), strings.LastIndexByte(q.Marked, ']')
		text = q.Marked[:open] + topicMark + q.Marked[end+1:]
	} else {
		for _, t := range q.Topics {
			text = strings.ReplaceAll(text, t, topicMark)
		}
	}
	h := fnv.New32a()
	h.Write([]byte(strings.Join(strings.Fields(text), " ")))
	return h.Sum32() >> 8
}

// learnedFrom says in words what a method learns from.
func (o *Options) learnedFrom(lessons []*lesson) string {
	t := &o.Teaching
	var text string
	switch n := len(lessons[0].rounds); {
	case t.Generated > 0:
		return fmt.Sprintf("%d questions made out of the graph", t.Generated)
	case n > 1:
		text = fmt.Sprintf("the other questions, in %d folds; a tenth of them picks the best weights", n)
	default:
		text = fmt.Sprintf("%d questions of each part's training split, and %d others of it that pick the best weights", t.Train, t.pickedOn())
	}
	if t.HeldWordings {
		text += "; measured on wordings that are not among them"
	}
	if t.Together {
		text += "; trained once for all parts"
	}
	return text
}
