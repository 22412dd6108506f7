package embed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"cairn/engine/embed"
)

// memory is a Keeper in memory.
type memory struct {
	sets map[string]map[string][]float32
	full bool
}

func (m *memory) Vectors(_ context.Context, set string, dims int, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if v := m.sets[set][text]; len(v) == dims {
			out[i] = v
		}
	}
	return out, nil
}

var errFull = errors.New("full")

func (m *memory) PutVectors(_ context.Context, set string, texts []string, vectors [][]float32) error {
	if m.full {
		return errFull
	}
	if m.sets == nil {
		m.sets = map[string]map[string][]float32{}
	}
	if m.sets[set] == nil {
		m.sets[set] = map[string][]float32{}
	}
	for i, text := range texts {
		m.sets[set][text] = vectors[i]
	}
	return nil
}

// counting counts the texts that it embeds, and fails from a number on.
type counting struct {
	id    string
	dims  int
	made  int
	after int // texts; 0 for never
}

func (c *counting) ID() string { return c.id }
func (c *counting) Dims() int  { return c.dims }

var errKilled = errors.New("killed")

func (c *counting) Embed(_ context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	if c.after > 0 && c.made+len(texts) > c.after {
		return nil, errKilled
	}
	c.made += len(texts)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = vectorOf(text, c.dims)
	}
	return out, nil
}

// vectorOf is a vector of a text, another for most others.
func vectorOf(text string, dims int) []float32 {
	v := make([]float32, dims)
	for i, b := range []byte(text) {
		v[i%dims] += float32(b)
	}
	return v
}

func manyTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("name %d", i)
	}
	return texts
}

// TestStoredGoesOnWhereItWas stops a run in the middle; the next one embeds what
// the first did not keep, and no text twice but those of one batch.
func TestStoredGoesOnWhereItWas(t *testing.T) {
	m, texts := &memory{}, manyTexts(1000)
	first := &counting{id: "a", dims: 8, after: 500}
	if _, err := embed.NewStored(first, m).Embed(t.Context(), embed.Document, texts); !errors.Is(err, errKilled) {
		t.Fatalf("error = %v, want %v", err, errKilled)
	}
	kept := len(m.sets["a"])
	if kept == 0 || kept != first.made {
		t.Fatalf("%d kept of %d made", kept, first.made)
	}
	second := &counting{id: "a", dims: 8}
	s := embed.NewStored(second, m)
	vs := embedAll(t, s, texts...)
	if second.made != 1000-kept || s.Stats().Found != kept || s.Stats().Made != second.made {
		t.Errorf("resumed: %d embedded, stats %+v; want %d", second.made, s.Stats(), 1000-kept)
	}
	for i, v := range vs {
		if !slices.Equal(v, vectorOf(texts[i], 8)) {
			t.Fatalf("text %d has another vector", i)
		}
	}
	if embedAll(t, s, texts...); second.made != 1000-kept {
		t.Errorf("a third run embeds %d texts", second.made-1000+kept)
	}
}

// TestStoredSetsNeverMix: neither another id nor other dims find what one kept.
func TestStoredSetsNeverMix(t *testing.T) {
	m, texts := &memory{}, manyTexts(10)
	embedAll(t, embed.NewStored(&counting{id: "a", dims: 8}, m), texts...)
	for _, other := range []*counting{{id: "b", dims: 8}, {id: "a", dims: 16}} {
		for _, v := range embedAll(t, embed.NewStored(other, m), texts...) {
			if len(v) != other.dims {
				t.Errorf("id %s of %d dims got a vector of %d", other.id, other.dims, len(v))
			}
		}
		if other.made != 10 {
			t.Errorf("id %s of %d dims embedded %d of 10", other.id, other.dims, other.made)
		}
	}
}

func TestStoredDoesNotKeepQuestions(t *testing.T) {
	m := &memory{}
	s := embed.NewStored(&counting{id: "a", dims: 8}, m)
	if _, err := s.Embed(t.Context(), embed.Query, []string{"who?"}); err != nil || len(m.sets) != 0 {
		t.Errorf("a question's text: %v, %d sets kept", err, len(m.sets))
	}
}

func TestStoredSaysWhereNothingCanBeKept(t *testing.T) {
	s := embed.NewStored(&counting{id: "a", dims: 8}, &memory{full: true})
	if _, err := s.Embed(t.Context(), embed.Document, []string{"x"}); !errors.Is(err, errFull) {
		t.Errorf("error = %v, want %v", err, errFull)
	}
}

func TestRecentRemembersQuestions(t *testing.T) {
	c := &counting{id: "a", dims: 8}
	r := embed.NewRecent(c)
	ask := func(texts ...string) {
		t.Helper()
		vs, err := r.Embed(t.Context(), embed.Query, texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vs {
			if !slices.Equal(v, vectorOf(texts[i], 8)) {
				t.Errorf("%q has another vector", texts[i])
			}
		}
	}
	ask("one", "two")
	ask("two", "three", "one")
	if c.made != 3 {
		t.Errorf("%d texts embedded, want 3", c.made)
	}
	embedAll(t, r, "one")
	embedAll(t, r, "one")
	if c.made != 5 {
		t.Errorf("names: %d texts embedded, want 5: they are not remembered", c.made)
	}
	for i := range 2000 {
		ask(fmt.Sprint("text ", i))
	}
	if made := c.made; made != 2005 {
		t.Errorf("%d texts embedded, want 2005", made)
	}
	ask("one") // the oldest was forgotten
	ask("text 1999")
	if c.made != 2006 {
		t.Errorf("%d texts embedded, want 2006: only the oldest is forgotten", c.made)
	}
}
