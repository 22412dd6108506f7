// Package distil makes static vectors of words out of a model that embeds texts.
//
//	each word, in each frame ─model─▶ vectors ─mean of the frame off─▶ Σ over frames
//	─first component off, 160 more kept, the strong ones damped─▶ codes
package distil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Options are the choices of a distillation. The zero value is the default.
type Options struct {
	// Frames are the texts that each word is embedded in, with %s for the word.
	//
	// The default value is the word alone and after "the". Further frames ("it is %s",
	// "to %s something") change nothing that was measured.
	Frames []string
	// Dims is how many components are kept. The default value is 160.
	Dims int
	// Progress, if set, is told how many texts are embedded.
	Progress func(done, total int64)
}

const (
	// common is how many of the first components are taken off: what all vectors have
	// in common says nothing of a word (Mu and Viswanath 2018).
	common = 1
	// damping is the power by which the strength of a component is taken back.
	damping = 0.25
	// batch is how many texts are embedded at once.
	batch = 128
	// zipf is the frequency at which a word says half as much as a rare one (Arora et
	// al. 2017).
	zipf = 1e-3
)

// ErrFew is returned where there are too few words for the components.
var ErrFew = errors.New("there are too few words to find what they have in common")

// Distil makes the file of the meanings of some words, the most frequent first. embed
// returns one vector a text. The same vectors give the same bytes.
func Distil(ctx context.Context, words []string, embed func(context.Context, []string) ([][]float32, error), o Options) ([]byte, error) {
	if o.Frames == nil {
		o.Frames = []string{"%s", "the %s"}
	}
	if o.Dims == 0 {
		o.Dims = 160
	}
	var sum *mat.Dense
	for f, frame := range o.Frames {
		for at := 0; at < len(words); at += batch {
			some := words[at:min(at+batch, len(words))]
			texts := make([]string, len(some))
			for i, w := range some {
				texts[i] = fmt.Sprintf(frame, w)
			}
			vectors, err := embed(ctx, texts)
			if err != nil {
				return nil, err
			}
			if sum == nil {
				if len(words) <= len(vectors[0]) || len(vectors[0]) < o.Dims+common {
					return nil, ErrFew
				}
				sum = mat.NewDense(len(words), len(vectors[0]), nil)
			}
			for i, v := range vectors {
				add(sum.RawRowView(at+i), v)
			}
			if o.Progress != nil {
				o.Progress(int64(f*len(words)+at+len(some)), int64(len(o.Frames)*len(words)))
			}
		}
	}
	if sum == nil {
		return nil, ErrFew
	}
	parts, err := components(sum, o.Dims)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, len(words))
	harmonic := math.Log(float64(len(words))) + 0.5772
	for i, w := range words {
		v := make([]float32, o.Dims)
		for j := range v {
			v[j] = float32(parts.At(i, j))
		}
		frequency := 1 / (float64(i+1) * harmonic) // by Zipf's law
		entries[i] = entry{w, zipf / (zipf + frequency), v}
	}
	return write(entries), nil
}

// add adds v, scaled to unit length, to a row.
func add(row []float64, v []float32) {
	norm := 0.0
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	for j, x := range v {
		row[j] += float64(x) / math.Sqrt(norm)
	}
}

// components takes the mean off the rows, and returns their places along the components
// that are kept.
func components(rows *mat.Dense, dims int) (*mat.Dense, error) {
	n, width := rows.Dims()
	for j := range width {
		mean := 0.0
		for i := range n {
			mean += rows.At(i, j)
		}
		mean /= float64(n)
		for i := range n {
			rows.Set(i, j, rows.At(i, j)-mean)
		}
	}
	var square mat.SymDense
	square.SymOuterK(1/float64(n), rows.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&square, true) {
		return nil, errors.New("the components of the vectors could not be found")
	}
	values := eigen.Values(nil) // ascending
	var vectors, out mat.Dense
	eigen.VectorsTo(&vectors)
	kept := mat.NewDense(width, dims, nil)
	for j := range dims {
		at := width - 1 - common - j
		scale := math.Pow(values[width-1-common]/values[at], damping/2)
		axis := mat.Col(nil, at, &vectors)
		if axis[furthest(axis)] < 0 { // either sign is right: one is chosen
			scale = -scale
		}
		for i, x := range axis {
			kept.Set(i, j, scale*x)
		}
	}
	out.Mul(rows, kept)
	return &out, nil
}

// furthest returns the place of the number that is furthest from 0.
func furthest(v []float64) int {
	best := 0
	for i, x := range v {
		if math.Abs(x) > math.Abs(v[best]) {
			best = i
		}
	}
	return best
}

// Words returns the whole words of a model's vocabulary, one entry a line, as they
// stand: those of two letters or more that have nothing else.
func Words(vocabulary string) []string {
	var out []string
	for line := range strings.Lines(vocabulary) {
		w := strings.TrimRight(line, "\r\n")
		other := func(r rune) bool { return r < 'a' || r > 'z' }
		if len(w) > 1 && !strings.ContainsFunc(w, other) {
			out = append(out, w)
		}
	}
	return out
}
