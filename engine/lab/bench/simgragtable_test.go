package bench

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/lab/process"
	"cairn/engine/lab/synth"
	"cairn/internal/testing/golden"
)

// stopClock replaces what is another at every run: times, memory, the machine.
func stopClock(r *SimGRAGReport) {
	r.Machine = Machine{System: "linux/amd64", CPU: "a processor", Cores: 2, Go: "go1.26"}
	for i := range r.Graphs {
		g := &r.Graphs[i]
		g.File, g.Cache = 1<<20, 3<<20
		g.Opened = Opening{Graph: 2 * time.Millisecond, Names: time.Second}
		g.Profile = []Spent{{"cairn/engine/vec.products", 0.75}, {"", 0.25}}
		g.Open, g.Memory = process.Memory{Peak: 1 << 30, Anonymous: 1 << 29, Mapped: 1 << 28}, process.Memory{Peak: 5 << 30, Anonymous: 3 << 30, Mapped: 1 << 30}
		for j := range g.Retrieval {
			x := &g.Retrieval[j]
			x.Embedding, x.Vectors = Times{1e5, 1e5, 2e5, 2e5}, Times{100e6, 90e6, 200e6, 210e6}
			x.Matching, x.Total = Times{20e6, 5e6, 300e6, 400e6}, Times{120e6, 95e6, 500e6, 610e6}
		}
		if g.Grid != nil {
			stopGrid(g.Grid)
		}
	}
	r.Growth = growth(r.Graphs)
}

// stopGrid gives each cell a time that grows with its candidates, and plain
// cells one that reaches the limit.
func stopGrid(g *Grid) {
	for i := range g.Vectors {
		g.Vectors[i].Mean = time.Duration(100+i) * time.Millisecond
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		work := time.Duration(c.Nodes * c.Parameters.Relations * c.Types)
		if c.Matching = work * 10 * time.Microsecond; c.Algorithm == "plain" {
			c.Matching = work * time.Millisecond
			c.RanOut = min(int(c.Matching/time.Second), c.Queries)
		}
		c.Matching *= time.Duration(c.Queries)
		c.Hits1 *= float64(c.Queries)
		c.Best *= float64(c.Queries)
	}
	g.Fronts = nil
	(&gridRun{grid: g}).end()
}

// madeGraph makes a graph of 2,000 entities and its queries, through files as
// cairn-lab bench generate and cairn import do.
func madeGraph(t *testing.T) (graph, queries string) {
	t.Helper()
	made, err := synth.New(synth.Options{Entities: 2000, Edges: 8000, Relations: 200, Types: 40, Seed: 1})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	dir := t.TempDir()
	triples, graph, queries := filepath.Join(dir, "made.nt"), filepath.Join(dir, "made.cairn"), filepath.Join(dir, "made.queries.jsonl")
	var text, lines bytes.Buffer
	if _, err := made.WriteNTriples(t.Context(), &text, nil); err != nil {
		t.Fatalf("WriteNTriples: %v", err)
	}
	qs, err := made.Queries(t.Context(), 40)
	if err != nil {
		t.Fatalf("Queries: %v", err)
	}
	for _, q := range qs {
		if err := json.NewEncoder(&lines).Encode(q); err != nil {
			t.Fatalf("Encode: %v", err)
		}
	}
	unpacked, err := gzip.NewReader(&text)
	if err != nil {
		t.Fatalf("the triples are not packed: %v", err)
	}
	plain, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatalf("unpack: %v", err)
	}
	for path, content := range map[string][]byte{triples: plain, queries: lines.Bytes()} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(t.Context(), graph, engine.Options{}, nil)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	if _, err := e.Import(t.Context(), []string{triples}, ingest.Options{}, nil); err != nil {
		t.Fatalf("Import: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	return graph, queries
}

// madeReport is a report with what is found in a made graph, and one that says the
// same of a much larger one.
func madeReport(t *testing.T) *SimGRAGReport {
	t.Helper()
	const long = 10 * time.Minute // so that nothing is cut off, whatever the computer
	graph, queries := madeGraph(t)
	r, err := SimGRAG(t.Context(), graph, queries, SimGRAGOptions{Seed: 1, Deadline: long, Grid: GridOptions{
		Nodes: []int{1, 4, 16, 64}, Relations: []int{1, 4, 16}, Types: []int{1, 4}, Limit: long, Time: long, Queries: 40,
	}})
	if err != nil {
		t.Fatalf("SimGRAG: %v", err)
	}
	if r.File == 0 || r.Cache == 0 || r.Opened.Total() == 0 || r.Grid.Vectors[0].Mean == 0 || r.Retrieval[0].Matching.Mean == 0 {
		t.Errorf("something was not measured: %+v", r)
	}
	small, large := *r, *r
	large.Name, large.Grid, large.Entities, large.Triples = "large & <made>", nil, 9_900_000, 42_900_000
	report := NewSimGRAGReport([]GraphReport{large, small})
	stopClock(report)
	report.Graphs[1].Opened.Names, report.Graphs[1].File = 10*time.Second, 10<<30
	report.Growth = growth(report.Graphs)
	return report
}

// TestReport checks the table, the CSV and the SVG letter by letter, and that JSON
// is read back.
func TestReport(t *testing.T) {
	r := madeReport(t)
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatalf("WriteText: %v", err)
	}
	golden.Compare(t, "testdata/simgrag.txt", text.String())
	var names []string
	for _, f := range r.Files() {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		golden.Compare(t, "testdata/"+f.Name, b.String())
		if strings.HasSuffix(f.Name, ".svg") {
			wellFormed(t, f.Name, b.Bytes())
		}
		names = append(names, f.Name)
	}
	want := []string{"retrieval.csv", "grid-made.csv", "figure5-made.csv", "figure5-made.svg", "growth.csv", "growth.svg"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	path := filepath.Join(t.TempDir(), "results.json")
	writeJSON(t, path, r)
	got, err := ReadSimGRAGReport(path)
	if err != nil {
		t.Fatalf("ReadSimGRAGReport: %v", err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

// wellFormed checks that a picture is XML and that nothing is drawn beyond its
// edges or at no number.
func wellFormed(t *testing.T, name string, svg []byte) {
	t.Helper()
	if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
		t.Errorf("%s has places that are no numbers", name)
	}
	var width, height float64
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is no XML: %v", name, err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range e.Attr {
			if a.Name.Local == "viewBox" {
				if _, err := fmt.Sscanf(a.Value, "0 0 %f %f", &width, &height); err != nil {
					t.Fatalf("%s: viewBox %q", name, a.Value)
				}
			}
			var x float64
			if n, _ := fmt.Sscanf(a.Value, "%f", &x); n == 1 && (a.Name.Local == "cx" && (x < 0 || x > width) || a.Name.Local == "cy" && (x < -1 || x > height)) {
				t.Errorf("%s: %s %s=%q is beyond %v by %v", name, e.Name.Local, a.Name.Local, a.Value, width, height)
			}
		}
	}
	if width == 0 || !bytes.Contains(svg, []byte(`role="img"`)) || !bytes.Contains(svg, []byte("<title id=")) || !bytes.Contains(svg, []byte("<desc id=")) {
		t.Errorf("%s lacks its size, its role, its title or its description", name)
	}
}

// TestPlotOfLittle draws what there is little or nothing to draw of.
func TestPlotOfLittle(t *testing.T) {
	for name, curves := range map[string][]Curve{
		"no curve":       nil,
		"no point":       {{Name: "a"}},
		"one point":      {{Name: "a", Points: []PlotPoint{{X: 5, Y: 5}}}},
		"not above 0":    {{Name: "a", Points: []PlotPoint{{X: 0, Y: 0}, {X: -1, Y: 3}}}},
		"equal points":   {{Name: "a", Points: []PlotPoint{{X: 1, Y: 1}, {X: 1, Y: 1}}}},
		"many decades":   {{Name: "a", Points: []PlotPoint{{X: 1e-9, Y: 1e-9}, {X: 1e12, Y: 1e12}}}},
		"many of curves": {{Name: "<&>"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}, {Name: "f"}, {Name: "g", Points: []PlotPoint{{X: 1, Y: 2}, {X: 2, Y: 1}}}},
	} {
		for _, log := range []bool{false, true} {
			p := Plot{Title: "<t>", Text: "\"&\"", Panels: []Panel{{X: Axis{Log: log}, Y: Axis{Log: log}, Curves: curves}}}
			var b bytes.Buffer
			if err := p.WriteSVG(&b); err != nil {
				t.Fatalf("WriteSVG: %v", err)
			}
			wellFormed(t, fmt.Sprintf("%s, log %v", name, log), b.Bytes())
		}
	}
}

func TestScaleEnclosesItsValues(t *testing.T) {
	for _, values := range [][]float64{{1}, {0.5, 0.9}, {1, 1000}, {2, 2}, {0.003, 0.0071}, {999, 1001}, {43e3, 1e6, 10e6}, {1e-300, 1e300}} {
		for _, log := range []bool{false, true} {
			if !log && values[0] == 1e-300 {
				continue
			}
			s := newScale(Axis{Log: log}, values, 0, 100)
			for _, v := range values {
				if at := s.at(v); !(at > -0.001 && at < 100.001) {
					t.Errorf("%v, log %v: %v is at %v, beyond the axis from %v to %v", values, log, v, at, s.low, s.high)
				}
			}
			last := math.Inf(-1)
			for _, tick := range s.ticks {
				if at := s.at(tick.value); at <= last || at > 100.001 {
					t.Errorf("%v, log %v: tick %v is at %v, after %v", values, log, tick.value, at, last)
				} else {
					last = at
				}
			}
			if len(s.ticks) < 2 && values[0] != values[len(values)-1] {
				t.Errorf("%v, log %v: %d ticks", values, log, len(s.ticks))
			}
		}
	}
}

func TestRound125(t *testing.T) {
	for v, want := range map[float64][2]float64{1: {1, 1}, 1.5: {1, 2}, 2: {2, 2}, 3: {2, 5}, 5: {5, 5}, 7: {5, 10}, 10: {10, 10}, 0.04: {0.02, 0.05}, 1000: {1000, 1000}} {
		for i, up := range []bool{false, true} {
			if got := round125(v, up); math.Abs(got-want[i]) > 1e-9*want[i] {
				t.Errorf("round125(%v, %v) = %v, want %v", v, up, got, want[i])
			}
		}
	}
}

func writeJSON(t *testing.T, path string, r *SimGRAGReport) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := r.WriteJSON(f); err != nil {
		t.Fatalf("WriteJSON: %v", err)
	}
}
