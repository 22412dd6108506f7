package gradcheck_test

import (
	"fmt"
	"strings"
	"testing"

	"cairn/engine/nn"
	"cairn/internal/testing/gradcheck"
)

// recorder keeps what a check reports.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// cube is x³, whose gradient is factor·x².
func cube(t *nn.Tape, x *nn.Tensor, factor float32) *nn.Tensor {
	o := t.New(x.Rows, x.Cols)
	for i, v := range x.Data {
		o.Data[i] = v * v * v
	}
	t.Record(func() {
		for i, v := range x.Data {
			x.Grad[i] += factor * v * v * o.Grad[i]
		}
	})
	return o
}

func TestCheckGradientsCatchesWrongGradient(t *testing.T) {
	p := nn.NewParams(1)
	x := p.Normal("x", 3, 4, 1)
	before := append([]float32{}, x.Data...)
	for factor, want := range map[float32]bool{3: true, 3.2: false, -3: false, 0: false} {
		r := &recorder{TB: t}
		gradcheck.CheckGradients(r, p, func(t *nn.Tape) *nn.Tensor { return cube(t, t.Param(x), factor) })
		if got := len(r.errors) == 0; got != want {
			t.Errorf("CheckGradients of x³ with %g·x² says %v (%v), want %v", factor, got, r.errors, want)
		}
		for _, e := range r.errors {
			if !strings.Contains(e, "gradient of x[") {
				t.Errorf("CheckGradients reports %q, want the weight in it", e)
			}
		}
	}
	for i, v := range x.Data {
		if v != before[i] {
			t.Fatalf("CheckGradients left x[%d] = %v, want %v", i, v, before[i])
		}
	}
}

func TestCheckGradientsCatchesOneWrongNumber(t *testing.T) {
	p := nn.NewParams(2)
	x := p.Normal("x", 1, 6, 1)
	r := &recorder{TB: t}
	gradcheck.CheckGradients(r, p, func(t *nn.Tape) *nn.Tensor {
		in := t.Param(x)
		t.Record(func() { in.Grad[4] *= 1.2 })
		return t.Mul(in, in)
	})
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "x[0][4]") {
		t.Errorf("CheckGradients = %v, want one error, of x[0][4]", r.errors)
	}
}

func TestCheckGradientsSaysWhereItSaysNothing(t *testing.T) {
	p := nn.NewParams(3)
	x := p.Normal("x", 4, 4, 0.001)
	r := &recorder{TB: t}
	gradcheck.CheckGradients(r, p, func(t *nn.Tape) *nn.Tensor {
		o := t.New(4, 4)
		for i, v := range t.Param(x).Data { // steps everywhere
			o.Data[i] = float32(int(v*1000) % 7)
		}
		return o
	})
	if len(r.errors) == 0 {
		t.Error("CheckGradients of steps reports nothing, want that it says nothing")
	}
}
