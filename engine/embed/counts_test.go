package embed_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/internal/arrays"
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

// TestOpenLexical: counting on all processors teaches what reading one label after the
// other does, and what is kept of it comes back as it was, unless the file is damaged.
func TestOpenLexical(t *testing.T) {
	labels := manyLabels()
	want := embed.NewLexical(slices.Values(labels), lexicon.Builtin())
	kept := arrays.Folder{Dir: t.TempDir(), Version: "1"}
	open := func() (*embed.Lexical, int64) {
		last := int64(0)
		l, err := embed.OpenLexical(t.Context(), len(labels), func(i int) string { return labels[i] }, lexicon.Builtin(), kept, func(done, total int64) {
			if done <= last || total != int64(len(labels)) {
				t.Errorf("progress went from %d to %d of %d", last, done, total)
			}
			last = done
		})
		if err != nil {
			t.Fatalf("OpenLexical: %v", err)
		}
		if l.ID() != want.ID() {
			t.Errorf("the id is %s, want %s", l.ID(), want.ID())
		}
		return l, last
	}
	if _, told := open(); told == 0 {
		t.Error("no progress was told")
	}
	again, told := open()
	if told != 0 {
		t.Error("labels that were counted are counted again")
	}
	for i, v := range embedAll(t, again, labels[:50]...) {
		if !slices.Equal(v, embedAll(t, want, labels[i])[0]) {
			t.Errorf("%q has another vector", labels[i])
		}
	}
	files, err := filepath.Glob(filepath.Join(kept.Dir, "words-*.counts"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the folder has %q, %v", files, err)
	}
	if err := os.Truncate(files[0], 1000); err != nil {
		t.Fatal(err)
	}
	if _, told := open(); told == 0 {
		t.Error("a damaged file is believed")
	}
}

func TestOpenLexicalCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	labels := manyLabels()
	_, err := embed.OpenLexical(ctx, len(labels), func(i int) string { return labels[i] }, nil, arrays.Folder{}, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("OpenLexical = %v, want %v", err, context.Canceled)
	}
}
