package kg

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

func text(name, value string) Property { return Property{Name: name, Value: value, Entity: NoEntity} }

// TestStatements adds the same triple with different properties, cut short, resumed and
// read again from another file: statements whose properties differ stay apart, the same
// one is there once, and every place tells what was said there.
func TestStatements(t *testing.T) {
	st, err := OpenStore(t.Context(), filepath.Join(t.TempDir(), "g.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	read := func(file string, upTo int64) (added int) {
		w, err := st.NewWriter(t.Context(), Layer{Name: file, File: file, Hash: file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		curie, institute := w.Entity([]byte("Marie Curie"), ""), w.Entity([]byte("Radium Institute"), "")
		triple := Triple{curie, w.Relation([]byte("director of")), institute}
		for line := int64(1); line <= upTo; line++ {
			w.At(line)
			var said []Property
			switch line {
			case 2:
				said = []Property{text("from", "1914"), text("to", "1934")}
			case 3: // the order does not count, nor that one is there twice
				said = []Property{text("to", "1934"), text("from", "1914"), text("to", "1934")}
			case 4:
				said = []Property{
					{Name: "share", Value: "25", Datatype: "%", Entity: NoEntity},
					{Name: "http://x.org/named_by", Entity: curie},
				}
			}
			if w.AddStatement(triple, FileItself, said) {
				added++
			}
		}
		if err := w.Commit(t.Context(), upTo, upTo == 4, Counts{}); err != nil {
			t.Fatal(err)
		}
		return added
	}
	for _, step := range []struct {
		file        string
		upTo        int64
		added, said int
	}{{"one", 2, 2, 1}, {"one", 4, 1, 2}, {"one", 4, 0, 2}, {"two", 4, 0, 2}} {
		if added := read(step.file, step.upTo); added != step.added {
			t.Errorf("%s up to line %d added %d, want %d", step.file, step.upTo, added, step.added)
		}
		g, err := st.Graph(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if said := slices.Collect(g.Statements(0)); len(said) != step.said {
			t.Errorf("%s up to line %d: %d statements, want %d: %v", step.file, step.upTo, len(said), step.said, said)
		}
	}

	g, err := st.Graph(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tenure := []Property{text("from", "1914"), text("to", "1934")}
	share := []Property{{Name: "share", Value: "25", Datatype: "%", Entity: NoEntity}, {Name: "http://x.org/named_by", Entity: 0}}
	if got, want := slices.Collect(g.Statements(0)), [][]Property{tenure, share}; !reflect.DeepEqual(got, want) {
		t.Errorf("Statements = %v, want %v", got, want)
	}
	if got := g.PropertyText("http://x.org/named_by"); got != "named by" {
		t.Errorf("PropertyText = %q", got)
	}
	if a, b := g.PropertyValue(share[0]), g.PropertyValue(share[1]); a != "25 %" || b != "Marie Curie" {
		t.Errorf("PropertyValue = %q and %q", a, b)
	}
	places, err := st.Provenance(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]Property
	for _, p := range places {
		got = append(got, p.Properties)
	}
	if want := [][]Property{nil, tenure, tenure, share, nil, tenure, tenure, share}; !reflect.DeepEqual(got, want) {
		t.Errorf("the places say %v, want %v", got, want)
	}
	if err := st.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestStatementsOfBuilder: what a Builder makes is what comes out of its snapshot, and
// a graph of plain triples has no room for properties.
func TestStatementsOfBuilder(t *testing.T) {
	var b, plain Builder
	b.AddStatement("a", "r", "b", text("year", "1903"))
	b.AddStatement("a", "r", "b", text("year", "1903"))
	b.AddStatement("a", "r", "b", text("year", "1911"))
	b.Add("a", "r", "c")
	plain.Add("a", "r", "b")
	g := b.Graph()
	path := filepath.Join(t.TempDir(), "graph.csr")
	saveGraph(t, path, "v", g)
	got, err := openSnapshot(t.Context(), path, "v")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]Property{{text("year", "1903")}, {text("year", "1911")}}
	for _, g := range []*Graph{g, got} {
		if said := slices.Collect(g.Statements(0)); !reflect.DeepEqual(said, want) {
			t.Errorf("Statements = %v, want %v", said, want)
		}
		if said := slices.Collect(g.Statements(1)); said != nil {
			t.Errorf("Statements of a plain triple = %v", said)
		}
	}
	size := 0
	for _, p := range plain.Graph().statementParts() {
		size += len(p.Bytes())
	}
	if size != 0 || g.HasProperties() == plain.Graph().HasProperties() {
		t.Errorf("a graph of plain triples has %d bytes of properties", size)
	}
}
