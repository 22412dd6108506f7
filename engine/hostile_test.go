package engine

import (
	"errors"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/internal/testing/hostile"
	"cairn/internal/testing/shared"
)

// askOfName asks about a graph in which a name is an entity, a relation, a type and
// another name.
func askOfName(t *testing.T, name string) {
	t.Helper()
	var b kg.Builder
	b.Add(name, "directed by", "Anthony Mann")
	b.Add("Harvey", "directed by", name)
	b.Add("Harvey", name, "Anthony Mann")
	b.AddType(b.Entity(name), "film")
	b.AddType(b.Entity("Anthony Mann"), name)
	b.AddAlias(b.Entity("Harvey"), name)
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, question := range []string{"Which " + name + " was directed by " + name + "?", "Was " + name + " not directed by “" + name + "”?", name} {
		run, err := e.Ask(t.Context(), question, AskOptions{MaxWallTime: time.Second}, nil)
		switch {
		case errors.Is(err, ErrNoQuestion):
		case err != nil:
			t.Errorf("Ask(%.100q): %v", question, err)
		case run.Answer.Refusal == nil && len(run.Answer.Sentences) == 0:
			t.Errorf("Ask(%.100q) says nothing", question)
		}
	}
}

func FuzzAskOfName(f *testing.F) {
	shared.Sequential(f)
	for _, n := range hostile.Names() {
		f.Add(n.Text)
	}
	f.Fuzz(askOfName)
}
