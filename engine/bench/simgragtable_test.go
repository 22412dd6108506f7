package bench

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/internal/testkg"
)

// stopClock replaces what is another at every run: times, memory, the machine.
func stopClock(r *SimGRAGReport) {
	r.Machine = Machine{System: "linux/amd64", CPU: "a processor", Cores: 2, Go: "go1.26"}
	for i := range r.Graphs {
		g := &r.Graphs[i]
		g.Opened = Opening{Graph: 2 * time.Millisecond, Names: time.Second}
		g.Open, g.Memory = Memory{1 << 30, 1 << 29, 1 << 28}, Memory{5 << 30, 3 << 30, 1 << 30}
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
			c.RanOut = int(c.Matching / time.Second)
		}
		c.Matching *= time.Duration(c.Queries)
		c.Hits1 *= float64(c.Queries)
		c.Best *= float64(c.Queries)
	}
	g.Fronts = nil
	(&gridRun{grid: g}).end()
}

// filmReport is a report with what films have found, of three sizes.
func filmReport(t *testing.T) *SimGRAGReport {
	t.Helper()
	w := world(t, testkg.Films())
	r, err := w.SimGRAG(t.Context(), filmCases(t), SimGRAGOptions{Seed: 1, Deadline: time.Minute, Grid: GridOptions{
		Nodes: []int{1, 4, 64}, Relations: []int{1, 4}, Types: []int{1, 2}, Limit: time.Minute,
	}})
	if err != nil {
		t.Fatalf("SimGRAG: %v", err)
	}
	r.Name, r.Queries, r.File, r.Cache = "films", "films.queries.jsonl", 1<<20, 3<<20
	small, large := *r, *r
	large.Name, large.Grid, large.Entities, large.Triples, large.File = "films <many>", nil, 9_900_000, 42_900_000, 10<<30
	report := NewSimGRAGReport([]GraphReport{large, small})
	stopClock(report)
	report.Graphs[1].Opened.Names = 10 * time.Second
	report.Growth = growth(report.Graphs)
	return report
}

func TestReportAsText(t *testing.T) {
	var b strings.Builder
	if err := filmReport(t).WriteText(&b); err != nil {
		t.Fatalf("WriteText: %v", err)
	}
	golden(t, "simgrag.txt", b.String())
}

// TestReportAsFiles checks the CSV and the SVG, letter by letter.
func TestReportAsFiles(t *testing.T) {
	var names []string
	for _, f := range filmReport(t).Files() {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		golden(t, f.Name, b.String())
		if strings.HasSuffix(f.Name, ".svg") {
			wellFormed(t, f.Name, b.Bytes())
		}
		names = append(names, f.Name)
	}
	want := []string{"retrieval.csv", "grid-films.csv", "figure5-films.csv", "figure5-films.svg", "growth.csv", "growth.svg"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
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

func TestReportAsJSON(t *testing.T) {
	r := filmReport(t)
	path := t.TempDir() + "/results.json"
	writeJSON(t, path, r)
	got, err := ReadSimGRAGReport(path)
	if err != nil {
		t.Fatalf("ReadSimGRAGReport: %v", err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
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
