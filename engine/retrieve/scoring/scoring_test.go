package scoring

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/around"
	"cairn/engine/retrieve/gnnrag"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

func TestContract(t *testing.T) { retrievetest.Run(t, Method{}, nil) }

// cut returns the triples around entities.
func cut(t *testing.T, g *kg.Graph, seeds ...kg.EntityID) around.Triples {
	t.Helper()
	r, err := gnnrag.NewCutter(g, gnnrag.RegionOptions{}).Cut(t.Context(), seeds)
	if err != nil {
		t.Fatal(err)
	}
	return around.In(r)
}

// TestReached compares the distance encoding with walks that are tried one by one.
func TestReached(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var b kg.Builder
		for range 1 + rng.IntN(15) {
			b.Add(strconv.Itoa(rng.IntN(8)), "r", strconv.Itoa(rng.IntN(8)))
		}
		g := b.Graph()
		x := cut(t, g, 0)
		want := make([]uint16, len(x.Entities))
		var walk func(at int32, way, left int)
		walk = func(at int32, way, left int) {
			if want[at] |= 1 << way; left == 0 {
				return
			}
			for _, f := range x.Facts {
				if f.Head == at {
					walk(f.Tail, 2*way+1, left-1)
				}
				if f.Tail == at {
					walk(f.Head, 2*way+2, left-1)
				}
			}
		}
		walk(0, 0, steps)
		for i, got := range reached(x) {
			if got != want[i] {
				t.Fatalf("seed %d: %s is reached by %b, want %b", seed, g.Label(x.Entities[i]), got, want[i])
			}
		}
	}
}

// TestLabel: the triples of the shortest ways to the answers are marked, and no others.
func TestLabel(t *testing.T) {
	g := testkg.Build("seed|r|a", "b|r|seed", "a|r|answer", "answer|r|b", "seed|r|c", "c|r|d", "d|r|answer", "a|r|other")
	x := &lesson{input: input{Triples: cut(t, g, 0)}, answers: []kg.EntityID{retrievetest.Entity(t, g, "answer")}}
	x.label()
	for i, want := range [][2]float32{{0.25, 0}, {0.25, 0}, {0.25, 0.5}, {0.25, 0.5}, {}, {}, {}, {}} {
		if got := [2]float32{x.onWay[i], x.last[i]}; got != want {
			t.Errorf("triple %d is marked %v, want %v", i, got, want)
		}
	}
	itself := &lesson{input: x.input, answers: x.Entities[:1]}
	if itself.label(); itself.last != nil {
		t.Errorf("the way from the seed to itself is marked: %v", itself.last)
	}
}

// TestLearned: what films taught is asked of other films, also over two triples.
func TestLearned(t *testing.T) {
	var b kg.Builder
	var lessons []questions.Example
	film := func(i int) (name, director, year string) {
		return "film " + strconv.Itoa(i), "person " + strconv.Itoa(i/2), strconv.Itoa(1900 + i)
	}
	for i := range 60 {
		f, d, y := film(i)
		b.Add(f, "directed by", d)
		b.Add(f, "release year", y)
		b.Add(f, "remake of", "film "+strconv.Itoa((i+7)%60))
	}
	g := b.Graph()
	for i := range 40 {
		f, d, y := film(i)
		_, _, y2 := film(i ^ 1)
		lessons = append(lessons,
			retrievetest.Asked(t, g, "who directed ["+f+"]", d), retrievetest.Asked(t, g, "when did ["+f+"] come out", y),
			retrievetest.Asked(t, g, "when did films by ["+d+"] come out", y, y2))
	}
	weights, err := Method{}.Train(t.Context(), retrieve.Training{World: retrieve.World{Graph: g}, Train: lessons})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	right, n := 0, 0
	for i := 40; i < 60; i++ {
		f, d, y := film(i)
		for _, x := range []questions.Example{
			retrievetest.Asked(t, g, "who directed ["+f+"]", d), retrievetest.Asked(t, g, "when did ["+f+"] come out", y), retrievetest.Asked(t, g, "when did films by ["+d+"] come out", y),
		} {
			named := []link.Mention{{Start: x.Spans[0].Start, End: x.Spans[0].End}}
			found, err := r.Retrieve(t.Context(), retrieve.Query{Question: x.Text, Seeds: x.Topics, Mentions: named})
			if err != nil {
				t.Fatal(err)
			}
			if n++; len(found.Answers) > 0 && (found.Answers[0].Entity == x.Answers[0] || len(found.Answers) > 1 && found.Answers[1].Entity == x.Answers[0]) {
				right++
			}
			if p := evidence.TotalProbability(found.Answers); p > 1+1e-6 {
				t.Errorf("%s: the probabilities add up to %v", x.Text, p)
			}
		}
	}
	if right < n*9/10 {
		t.Errorf("%d of %d are right", right, n)
	}
}
