package embed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/lexicon"
)

// manyLabels are enough labels that several goroutines count them.
func manyLabels() []string {
	var labels []string
	for i := range 30_000 {
		labels = append(labels, fmt.Sprintf("The %d-th Öre of Åland %x", i%977, i))
	}
	return labels
}

// TestCount: counting on all processors teaches what reading one label after the
// other does, and the counts come back from bytes as they were.
func TestCount(t *testing.T) {
	labels := manyLabels()
	want := embed.NewLexical(slices.Values(labels), lexicon.Builtin())
	last := int64(0)
	c, err := embed.Count(t.Context(), len(labels), func(i int) string { return labels[i] }, func(done, total int64) {
		if done <= last || total != int64(len(labels)) {
			t.Errorf("progress went from %d to %d of %d", last, done, total)
		}
		last = done
	})
	if err != nil {
		t.Fatalf("Count: %v", err)
	}
	if last == 0 {
		t.Error("no progress was told")
	}
	b, err := c.MarshalBinary()
	if err != nil {
		t.Fatalf("MarshalBinary: %v", err)
	}
	var back embed.Counts
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatalf("UnmarshalBinary: %v", err)
	}
	got := embed.NewLexicalOf(&back, lexicon.Builtin())
	if got.ID() != want.ID() {
		t.Errorf("the id is %s, want %s", got.ID(), want.ID())
	}
	for i, v := range embedAll(t, got, labels[:50]...) {
		if !slices.Equal(v, embedAll(t, want, labels[i])[0]) {
			t.Errorf("%q has another vector", labels[i])
		}
	}
}

func TestCountsDamaged(t *testing.T) {
	c, err := embed.Count(t.Context(), 1, func(int) string { return "a" }, nil)
	if err != nil {
		t.Fatalf("Count: %v", err)
	}
	b, err := c.MarshalBinary()
	if err != nil {
		t.Fatalf("MarshalBinary: %v", err)
	}
	more := slices.Clone(b)
	more[len(more)-1] = 1 // more labels with a feature than there are labels
	for _, bad := range [][]byte{nil, b[:len(b)-1], append(slices.Clone(b), 0), more} {
		if err := new(embed.Counts).UnmarshalBinary(bad); err == nil {
			t.Errorf("UnmarshalBinary of %d bytes: no error", len(bad))
		}
	}
}

func TestCountCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	labels := manyLabels()
	_, err := embed.Count(ctx, len(labels), func(i int) string { return labels[i] }, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Count = %v, want %v", err, context.Canceled)
	}
}
