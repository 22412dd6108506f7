package nn_test

import (
	"math"
	"testing"

	"cairn/engine/nn"
)

func TestAttendSeesWhatCameBefore(t *testing.T) {
	tape := nn.NewTape(nn.NewParams(1))
	tape.Begin(false, 0)
	q, v := tape.New(3, 4), tape.New(3, 2)
	for i := range v.Rows {
		v.Row(i)[0] = float32(i)
	}
	for i, want := range []float32{0, 0.5, 1} { // q is 0, so that all that is seen counts the same
		if got := tape.Attend(q, q, v, 2, true).Row(i)[0]; math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("row %d is %v, want %v", i, got, want)
		}
	}
}

func TestLogSoftmax(t *testing.T) {
	a := []float32{1, 900, 2, 0}
	got := []float32{7, 7, 7, 7}
	nn.LogSoftmax(got, a, []int32{0, 2})
	sum := math.Exp(float64(got[0])) + math.Exp(float64(got[2]))
	if got[1] != 7 || got[3] != 7 || math.Abs(sum-1) > 1e-6 || math.Abs(float64(got[2]-got[0])-1) > 1e-6 {
		t.Errorf("LogSoftmax over numbers 0 and 2 of %v = %v", a, got)
	}
	nn.LogSoftmax(got, a, nil)
	if math.Abs(float64(got[1])) > 1e-6 {
		t.Errorf("LogSoftmax of %v = %v", a, got)
	}
}
