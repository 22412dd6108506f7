package link_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/link"
)

// lengths embeds a text by its length and counts what it embeds.
type lengths struct{ embedded int }

func (*lengths) ID() string { return "lengths" }
func (*lengths) Dims() int  { return 1 }

func (l *lengths) Embed(_ context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Document {
		l.embedded += len(texts)
	}
	var out [][]float32
	for _, t := range texts {
		out = append(out, []float32{float32(len(t))})
	}
	return out, nil
}

func TestVocabulary(t *testing.T) {
	var b kg.Builder
	b.Add("aaa", "rr", "b")
	b.Add("Q1", "rr", "Q2")
	b.Add("Q1", "rrrr", "Q2")
	b.SetLabel(b.Entity("Q1"), "same")
	b.SetLabel(b.Entity("Q2"), "same")
	b.AddAlias(b.Entity("Q2"), "aaaaa")
	b.AddAlias(b.Entity("b"), "same")
	b.AddType(b.Entity("aaa"), "ttt")
	g := b.Graph()
	var emb lengths
	var told [][2]int64
	v, err := link.NewVocabulary(t.Context(), g, &emb, func(done, total int64) { told = append(told, [2]int64{done, total}) })
	if err != nil {
		t.Fatalf("NewVocabulary: %v", err)
	}
	if emb.embedded != 7 { // aaa, b, same, aaaaa; rr, rrrr; ttt
		t.Errorf("%d texts were embedded, want each of the 7 different ones once", emb.embedded)
	}
	if last := told[len(told)-1]; last != [2]int64{7, 7} {
		t.Errorf("the last progress is %v, want 7 of 7", last)
	}
	for k, want := range [][]link.Neighbour[kg.EntityID]{
		{}, {{ID: 1}}, {{ID: 1}, {ID: 2}}, {{ID: 1}, {ID: 2}, {ID: 3}}, {{ID: 1}, {ID: 2}, {ID: 3}, {ID: 0, Distance: 1}},
	} {
		for _, k := range []int{k, k + 10*btoi(k == 4)} {
			got, err := v.Entities(t.Context(), "four", k)
			if err != nil {
				t.Fatalf("Entities: %v", err)
			}
			if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
				t.Errorf("Entities(k=%d) (-want +got):\n%s", k, diff)
			}
		}
	}
	relations, err := v.Relations(t.Context(), "rr", 9)
	if diff := cmp.Diff([]link.Neighbour[kg.RelationID]{{ID: 0}, {ID: 1, Distance: 2}}, relations); diff != "" || err != nil {
		t.Errorf("Relations: %v (-want +got):\n%s", err, diff)
	}
	types, err := v.Types(t.Context(), "t", 9)
	if diff := cmp.Diff([]link.Neighbour[kg.TypeID]{{ID: 0, Distance: 2}}, types); diff != "" || err != nil {
		t.Errorf("Types: %v (-want +got):\n%s", err, diff)
	}
}

func TestVocabularyOfNothing(t *testing.T) {
	var b kg.Builder
	v, err := link.NewVocabulary(t.Context(), b.Graph(), &lengths{}, nil)
	if err != nil {
		t.Fatalf("NewVocabulary: %v", err)
	}
	if got, err := v.Entities(t.Context(), "a", 3); err != nil || len(got) != 0 {
		t.Errorf("Entities = %v, %v, want nothing", got, err)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
