package eval

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
)

// lesson is parts of a set that are trained for together, over one graph.
type lesson struct {
	parts   []part
	sources []Source
	rounds  []round
}

// round is one training, and what is measured with it.
type round struct {
	train, held []Question
	asked       [][]Question // by part of the lesson
}

func (l lesson) name() string {
	names := make([]string, len(l.parts))
	for i, p := range l.parts {
		names[i] = p.Name
	}
	return strings.Join(names, " + ")
}

// planLessons says what is trained on what.
func planLessons(d *Dataset, o *GNNOptions) ([]lesson, error) {
	// The sample is drawn after folds and wordings are chosen.
	parts, err := load(d, &Options{Groups: o.Groups, Dir: o.Dir})
	if err != nil {
		return nil, err
	}
	var lessons []lesson
	for _, p := range parts {
		if p.questions[0].Label != nil {
			return nil, fmt.Errorf("%s has claims to judge, which a graph neural retriever does not do: choose a set of questions", d.Name)
		}
		if last := len(lessons) - 1; o.Together && last >= 0 && sameSources(lessons[last].sources, p.sources) {
			lessons[last].parts = append(lessons[last].parts, p)
			continue
		}
		lessons = append(lessons, lesson{parts: []part{p}, sources: p.sources})
	}
	for i := range lessons {
		if err := lessons[i].plan(o); err != nil {
			return nil, err
		}
	}
	return lessons, nil
}

// plan fills in the rounds.
func (l *lesson) plan(o *GNNOptions) error {
	trained := !slices.ContainsFunc(l.parts, func(p part) bool { return p.Train == nil })
	if o.Generated > 0 {
		l.rounds = []round{{asked: make([][]Question, len(l.parts))}}
		for i, p := range l.parts {
			l.rounds[0].asked[i] = sample(p.questions, o.Sample, o.Seed)
		}
		return nil
	}
	if !trained {
		l.fold(o)
		return nil
	}
	r := round{asked: make([][]Question, len(l.parts))}
	var read []string // files that several parts learn from are read once
	for i, p := range l.parts {
		asked := p.questions
		if o.HeldWordings {
			asked = byWording(asked, true)
		}
		r.asked[i] = sample(asked, o.Sample, o.Seed)
		if slices.Contains(read, p.TrainName) {
			continue
		}
		read = append(read, p.TrainName)
		split, err := p.Train(o.Dir)
		if err != nil {
			return err
		}
		if o.HeldWordings {
			split = byWording(split, false)
		}
		train, held := draw(split, o.Train, o.picking(), o.Seed)
		r.train, r.held = append(r.train, train...), append(r.held, held...)
	}
	l.rounds = []round{r}
	return nil
}

// fold cuts the questions of every part into folds, by lot or by wording, and
// makes a round of each.
func (l *lesson) fold(o *GNNOptions) {
	l.rounds = make([]round, o.Folds)
	for f := range l.rounds {
		l.rounds[f].asked = make([][]Question, len(l.parts))
	}
	for i, p := range l.parts {
		folds := foldsOf(p.questions, o)
		measured := map[string]bool{}
		for _, q := range sample(p.questions, o.Sample, o.Seed) {
			measured[q.ID] = true
		}
		for f := range l.rounds {
			r := &l.rounds[f]
			for q, in := range folds {
				switch {
				case in/pickFolds == f:
					if measured[p.questions[q].ID] {
						r.asked[i] = append(r.asked[i], p.questions[q])
					}
				case in%pickFolds == 0:
					r.held = append(r.held, p.questions[q])
				default:
					r.train = append(r.train, p.questions[q])
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
func foldsOf(qs []Question, o *GNNOptions) []int {
	folds := make([]int, len(qs))
	of := map[string]int{} // by text
	for _, q := range rand.New(rand.NewPCG(o.Seed, o.Seed)).Perm(len(qs)) {
		text := qs[q].Text
		if _, ok := of[text]; !ok {
			k := len(of)
			if o.HeldWordings {
				k = int(wordingOf(qs[q]))
			}
			of[text] = k%o.Folds*pickFolds + k/o.Folds%pickFolds
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

// picking is how many questions beside Train pick the best weights.
func (o *GNNOptions) picking() int { return min(1000, max(1, o.Train/5)) }

// data says in words what is learnt from.
func (o *GNNOptions) data(lessons []lesson) string {
	r := lessons[0].rounds
	var text string
	switch {
	case o.Generated > 0:
		return fmt.Sprintf("%d questions made out of the graph", o.Generated)
	case len(r) > 1:
		text = fmt.Sprintf("the other questions, in %d folds; a tenth of them picks the best weights", len(r))
	default:
		text = fmt.Sprintf("%d questions of each part's training split, and %d others of it that pick the best weights", o.Train, o.picking())
	}
	if o.HeldWordings {
		text += "; measured on wordings that are not among them"
	}
	if o.Together {
		text += "; one model for all parts"
	}
	return text
}
