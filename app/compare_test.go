package app

import (
	"strings"
	"testing"

	"cairn/app/present"
)

// TestCompareDialog compares the retrievers on the sample, looks at what the dialog says,
// and opens the answer of another one than was asked.
func TestCompareDialog(t *testing.T) {
	r := realRig(t)
	defer r.close()
	r.ui(r.openSample)
	r.await(t, "the sample is open", func() bool { return r.session != nil && r.session.Ready() })
	r.ui(r.showCompare)
	if r.modal() {
		t.Error("a dialog without a question")
	}
	r.ui(func() {
		r.question.entry.SetText("Which countries border Austria?")
		r.showCompare()
	})
	r.await(t, "the comparison is shown", r.modal)
	var said string
	r.ui(func() {
		var b strings.Builder
		for _, at := range seen(r.win.Canvas().Overlays().Top()) {
			b.WriteString(texts(at.object) + "\n")
		}
		said = b.String()
	})
	for _, want := range []string{"2 of 5 retrievers answered, and they all agree. Baselines are not counted.", "Pattern matching", "sure · 8 triples, 74 tokens", "Train one", "given by A, D and F"} {
		if !strings.Contains(said, want) {
			t.Errorf("the dialog lacks %q:\n%s", want, said)
		}
	}
	if m := r.fig.model; len(m.Edges) != 14 || m.Edges[0].Tag != "ADF" || m.Edges[4].Tag != "AD" || !m.Edges[13].Dashed {
		t.Errorf("the picture has %d edges, want 8 that both found and 6 of the baseline's: %+v", len(m.Edges), m.Edges)
	}
	var found []*pressable
	r.ui(func() {
		for _, at := range seen(r.win.Canvas().Overlays().Top()) {
			if p, ok := at.object.(*pressable); ok && p.hint == "Open this answer" {
				found = append(found, p)
			}
		}
	})
	if len(found) != 3 {
		t.Fatalf("%d answers to open, want 3", len(found))
	}
	r.ui(func() { found[1].onTapped() })
	if r.modal() || r.run == nil || r.run.Method.ID != "exact" || !present.Sure(r.run) {
		t.Errorf("the answer that was opened: %+v", r.run)
	}
}
