package confidence

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cairn/engine/lab/eval"
)

// made returns examples whose chance to be right is known: of log-odds 3, less 2 for each
// "bad"; "good" goes with right readings and "noise" with none.
func made(n int) []eval.Example {
	rng := rand.New(rand.NewPCG(1, 1))
	var out []eval.Example
	for i := range n {
		x := eval.Example{Graph: "films", Set: "s", Confidence: 0.5, Sure: true, Signs: map[string]float64{"noise": rng.Float64()}}
		if i%2 == 0 {
			x.Graph = "people"
		}
		x.Held, x.Forget = i%4 >= 2, 50*(i%3)
		bad := float64(rng.IntN(3))
		x.Signs["bad"] = bad
		x.Right = rng.Float64() < chance(3-2*bad)
		if x.Right {
			x.Signs["good"] = 1
		}
		out = append(out, x)
	}
	return out
}

func pointers(xs []eval.Example) (out []*eval.Example) {
	for i := range xs {
		out = append(out, &xs[i])
	}
	return out
}

func TestFit(t *testing.T) {
	xs := pointers(made(4000))
	for _, x := range xs {
		delete(x.Signs, "good")
	}
	m := Fit(xs)
	if math.Abs(m.Certainty-3) > 0.4 || math.Abs(m.Costs["bad"]-2) > 0.3 || m.Costs["noise"] > 0.3 {
		t.Errorf("fitted %+v, want a certainty of 3 and a cost of 2 for bad, 0 for noise", m)
	}
	// What goes with right readings is not to be rewarded.
	if m := Fit(pointers(made(4000))); m.Costs["good"] != 0 {
		t.Errorf("good costs %.2f, want 0", m.Costs["good"])
	}
}

func TestBarIsThatOfTheWorstGraph(t *testing.T) {
	xs := made(4000)
	for i := range xs {
		delete(xs[i].Signs, "good")
	}
	m := Fit(pointers(xs))
	bar := Bar(&m, pointers(xs))
	for _, g := range []string{"films", "people"} {
		n, right := 0.0, 0.0
		for i := range xs {
			if x := &xs[i]; x.Graph == g && x.Forget > 0 && m.Odds(x) >= bar {
				n++
				if x.Right {
					right++
				}
			}
		}
		if right < target*n || n == 0 {
			t.Errorf("%s: %.0f of %.0f right above the bar %.2f", g, right, n, bar)
		}
	}
	for i := range xs { // no bar makes this graph right often enough
		if xs[i].Graph == "people" {
			xs[i].Right = i%3 != 0 && i%8 != 1
		}
	}
	if worst := Bar(&m, pointers(xs)); worst < bar {
		t.Errorf("with a worse graph the bar fell from %.2f to %.2f", bar, worst)
	}
}

func TestReport(t *testing.T) {
	var b strings.Builder
	if err := Report(&b, made(400)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"its graph left out", "all of people", "0.9–1.0", "certainty = ", `"bad": `} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, b.String())
		}
	}
}
