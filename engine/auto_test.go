package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

// voice answers with those neighbours of what is named that it is told to find.
type voice struct {
	retrievetest.Neighbours

	finds    []string
	note     string // a caution
	baseline bool
	asked    *atomic.Int32
}

func (v voice) Info() retrieve.Info {
	i := v.Neighbours.Info()
	i.ID, i.Who, i.Baseline = "voice", "the voice", v.baseline
	return i
}

func (v voice) Open(ctx context.Context, w retrieve.World) (retrieve.Retriever, error) {
	r, err := v.Neighbours.Open(ctx, w)
	return heard{v, w, r}, err
}

type heard struct {
	voice
	world retrieve.World
	all   retrieve.Retriever
}

func (h heard) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	h.asked.Add(1)
	f, err := h.all.Retrieve(ctx, q)
	f.Answers = slices.DeleteFunc(f.Answers, func(a evidence.Answer) bool { return !slices.Contains(h.finds, a.Label(h.world.Graph)) })
	if h.note != "" {
		f.Notes = append(f.Notes, h.note)
	}
	return f, err
}

// TestAuto: what the first method is not sure of is asked of another. Where the doubt was
// the choice of the reading, the same answers settle it; nothing else becomes sure.
func TestAuto(t *testing.T) {
	languages := []string{"English", "Swahili"}
	for _, tt := range []struct {
		name, question string
		finds          []string
		note           string
		o              AskOptions
		asked          int32
		method         string
		doubt          plan.Doubt
		chosen, rival  string
	}{
		{"the same", "What language is spoken officially as a tongue in Kenya?", languages, "", AskOptions{}, 1, "pattern", plan.Sure, "the voice found the same", ""},
		{"otherwise", "What language is spoken officially as a tongue in Kenya?", languages[:1], "", AskOptions{}, 1, "voice", plan.Unsure, "Pattern matching finds: English and Swahili.", "pattern"},
		{"the same, with a caution", "What language is spoken officially as a tongue in Kenya?", languages, "It is old.", AskOptions{}, 1, "pattern", plan.Unsure, "The voice agrees.", ""},
		{"a word is not read", "What language is spoken officially as a tongue in Kenya and poisoned?", languages, "", AskOptions{}, 1, "pattern", plan.Unsure, "", ""},
		{"nothing", "What language is spoken officially as a tongue in Kenya?", nil, "", AskOptions{}, 1, "pattern", plan.Unsure, "", ""},
		{"sure already", "What is the capital of Kenya?", []string{"Nairobi"}, "", AskOptions{}, 0, "pattern", plan.Sure, "", ""},
		{"a reading was chosen", "What language is spoken officially as a tongue in Kenya?", languages, "", AskOptions{Chosen: true}, 0, "pattern", plan.Unsure, "", ""},
		{"the pattern alone", "What language is spoken officially as a tongue in Kenya?", languages, "", AskOptions{Retriever: "pattern"}, 0, "pattern", plan.Unsure, "", ""},
		{"it could not be read", "Who hated Kenya?", languages, "", AskOptions{}, 1, "voice", plan.Unsure, "Pattern matching says: ", "pattern"},
		{"it could not be read, and a caution", "Who hated Kenya?", languages, "It is old.", AskOptions{}, 1, "pattern", plan.NoRelation, "", ""},
		{"a claim", "Does Kenya hate Uganda?", languages, "", AskOptions{}, 0, "pattern", plan.NotSupported, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := voice{finds: tt.finds, note: tt.note, asked: new(atomic.Int32)}
			e, err := OnGraph(t.Context(), testkg.Sample(), Options{Methods: []retrieve.Method{simgrag.Method{}, gnnrag.Method{}, v}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			run, err := e.Ask(t.Context(), tt.question, tt.o, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := v.asked.Load(); n != tt.asked {
				t.Errorf("it was asked %d times, want %d", n, tt.asked)
			}
			if tt.name != "a claim" && run.Plan.Doubt != tt.doubt || run.Method.ID != tt.method || run.Rival != tt.rival {
				t.Errorf("%s by %s, rival %q; want %s by %s, rival %q (%s)", run.Plan.Doubt, run.Method.ID, run.Rival, tt.doubt, tt.method, tt.rival, run.Plan.Reason)
			}
			if got := strings.Join(run.Chosen, " "); !strings.Contains(got, tt.chosen) || tt.asked == 0 && got != "" {
				t.Errorf("says %q, want %q", got, tt.chosen)
			}
		})
	}
}

// TestAutoDoesNotWait: the answer stands where another never comes to an end.
func TestAutoDoesNotWait(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Sample(), Options{Methods: []retrieve.Method{simgrag.Method{}, stuck{}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	run, err := e.Ask(t.Context(), "What language is spoken officially as a tongue in Kenya?", AskOptions{MaxWallTime: 100 * time.Millisecond}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(run.Chosen, " "); len(run.said()) != 2 || got != "The stuck one could not be asked or took too long." {
		t.Errorf("%d answers; says %q", len(run.said()), got)
	}
}

// TestMadeQuestionsSettleNothing: what has learned from made questions alone has the words
// of the first method, and so no opinion of its own.
func TestMadeQuestionsSettleNothing(t *testing.T) {
	v := voice{finds: []string{"English", "Swahili"}, asked: new(atomic.Int32)}
	e, err := OnGraph(t.Context(), testkg.Sample(), Options{Methods: []retrieve.Method{simgrag.Method{}, v}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ask := func(by string) *Run {
		run, err := e.Ask(t.Context(), "What language is spoken officially as a tongue in Kenya?", AskOptions{Retriever: by}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	for _, made := range []bool{false, true} {
		other := ask("voice")
		other.Made = made
		got := ask("pattern").weighed([]Opinion{{Method: v.Info(), Run: other}}, nil)
		if settled := got.Plan.Doubt == plan.Sure; settled == made {
			t.Errorf("learned from made questions alone: %v; settled: %v", made, settled)
		}
		other.Answer.Items = other.Answer.Items[:1]
		got = ask("pattern").weighed([]Opinion{{Method: v.Info(), Run: other}}, nil)
		if followed := got.Method.ID == "voice"; followed == made || got.Plan.Doubt != plan.Unsure || made && got.Rival != "voice" {
			t.Errorf("learned from made questions alone: %v; followed: %v, %s, rival %q", made, followed, got.Plan.Doubt, got.Rival)
		}
	}
}

// TestBaselines: what is there to compare with is not asked by the automatic choice, gets
// no help from the operators that others are read with, and is never sure.
func TestBaselines(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Sample(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, m := range e.Methods() {
		if !m.Baseline || m.Trained {
			continue
		}
		for _, q := range []string{"What is the capital of Kenya?", "How many countries border Austria?", "Which countries do not border Austria?", "Is Vienna the capital of Austria?"} {
			run, err := e.Ask(t.Context(), q, AskOptions{Retriever: m.ID}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if refused := run.Answer.Refusal != nil; !refused && run.Calm() || run.Method.ID != m.ID || refused != (run.Plan.Doubt == plan.NotSupported) {
				t.Errorf("%s answers %q: %s, notes %q", run.Method.ID, q, run.Plan.Doubt, run.Notes)
			}
		}
	}
	v := voice{finds: []string{"English", "Swahili"}, baseline: true, asked: new(atomic.Int32)}
	if e, err = OnGraph(t.Context(), testkg.Sample(), Options{Methods: []retrieve.Method{simgrag.Method{}, v}}, nil); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	run, err := e.Ask(t.Context(), "What language is spoken officially as a tongue in Kenya?", AskOptions{}, nil)
	if n := v.asked.Load(); err != nil || n != 0 || run.Plan.Doubt != plan.Unsure {
		t.Errorf("a baseline was asked %d times: %s, %v", n, run.Plan.Doubt, err)
	}
}

// TestWordsThatCountForNothing: that others find the same settles nothing where what both begin
// at seems to be several things of one name, and what leaves out a word that asks for a relation
// is not followed.
func TestWordsThatCountForNothing(t *testing.T) {
	var b kg.Builder
	for i := range 30 {
		film := fmt.Sprintf("Film %d", i)
		b.Add(film, "written by", fmt.Sprintf("Writer %d", i%7))
		b.Add(film, "directed by", fmt.Sprintf("Maker %d", i%5))
		b.Add(film, "shot in", fmt.Sprintf("Town %d", i))
		b.Add(film, "release year", fmt.Sprint(1960+i))
		b.Add(film, "shown in", fmt.Sprintf("Hall %d", i))
		b.Add(film, "shown in", fmt.Sprintf("Hall %d", i+1))
	}
	b.Add("Film 3", "release year", "2004")
	b.Add("Film 2", "shot in", "Paris")
	b.Add("Film 2", "shot in", "France") // in which that lies
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s, err := e.awaitReady(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func(question string) *Run {
		run, err := e.Ask(t.Context(), question, AskOptions{Retriever: "pattern"}, nil)
		if err != nil || len(run.said()) == 0 {
			t.Fatalf("%q is not answered: %v", question, err)
		}
		p := *run.Plan
		p.Doubt, p.Open, p.Seeds = plan.Unsure, true, make([]kg.EntityID, len(p.Mentions))
		run.Plan = &p
		return run
	}
	trust := Trust{"other": {{Sure: true, Same: true}: {40, 40, 40}, {Sure: true}: {40, 4, 36}}}
	for _, tt := range []struct {
		question, other string
		sure, followed  bool
		said            string
	}{
		{"Who wrote Film 2?", "Who wrote Film 2?", true, false, "found the same"},
		{"Who wrote Film 3?", "Who wrote Film 3?", false, false, "“Film 3” may be several things of one name: it has 2 values by “release year”, and 97% of all have one."},
		{"Who wrote Film 2?", "Who directed Film 2?", false, false, "It ignores “wrote”, which asks for “written by”."},
		{"Who wrote Film 2?", "Who wrote Film 4?", false, true, "finds: Writer 2."},
	} {
		first, other := run(tt.question), run(tt.other)
		other.Method.ID, other.Plan.Doubt = "other", plan.Sure
		op := Opinion{Method: other.Method, Run: other, barred: s.bars(first, other)}
		got := first.weighed([]Opinion{op}, trust)
		if sure := got.Plan.Doubt == plan.Sure; sure != tt.sure || (got == other) != tt.followed || !strings.Contains(strings.Join(got.Chosen, " "), tt.said) {
			t.Errorf("%q and %q: sure %v, followed %v, says %q", tt.question, tt.other, sure, got == other, got.Chosen)
		}
	}
}
