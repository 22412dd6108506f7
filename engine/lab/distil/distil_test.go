package distil

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cairn/engine/meanings"
	"cairn/engine/vec"
)

// fake embeds texts by their last word: words that begin alike are near each other, and
// all have a large part in common, which says nothing.
func fake(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		word := text[strings.LastIndex(text, " ")+1:]
		out[i] = make([]float32, 24)
		begin, whole := rand.New(rand.NewPCG(uint64(word[0]), 1)), rand.New(rand.NewPCG(uint64(word[0])<<8|uint64(word[1]), 2))
		for j := range out[i] {
			out[i][j] = 3 + float32(begin.NormFloat64()+0.3*whole.NormFloat64())
		}
	}
	return out, nil
}

func TestDistil(t *testing.T) {
	var list []string
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b += 3 {
			list = append(list, string(a)+string(b))
		}
	}
	file, err := Distil(t.Context(), list, fake, Options{Dims: 16})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Distil(t.Context(), list, fake, Options{Dims: 16})
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("the same vectors give other bytes: %v", err)
	}
	table, err := meanings.Read(string(file))
	if err != nil {
		t.Fatal(err)
	}
	cosine := func(a, b string) float64 {
		v, _ := table.Vector(a)
		w, _ := table.Vector(b)
		return float64(vec.Dot(v, w))
	}
	if near, far := cosine("ca", "cd"), math.Abs(cosine("ca", "xa")); near < 0.7 || far > 0.6 {
		t.Errorf("cosines %.2f of words alike, %.2f of others", near, far)
	}
	_, first := table.Vector(list[0])
	_, last := table.Vector(list[len(list)-1])
	if first >= last {
		t.Errorf("the most frequent word says %.2f, the least %.2f", first, last)
	}
	if _, err := Distil(t.Context(), list[:20], fake, Options{Dims: 16}); !errors.Is(err, ErrFew) {
		t.Errorf("of 20 words: %v", err)
	}
	broken := errors.New("no server")
	if _, err := Distil(t.Context(), list, func(context.Context, []string) ([][]float32, error) { return nil, broken }, Options{}); !errors.Is(err, broken) {
		t.Errorf("without a server: %v", err)
	}
}

func TestWords(t *testing.T) {
	got := Words("[CLS]\n##ing\nthe\na\n1950\nfilm\r\nétat\n")
	if want := []string{"the", "film"}; !slices.Equal(got, want) {
		t.Errorf("words %q, want %q", got, want)
	}
}

func TestReadDamaged(t *testing.T) {
	file := string(write([]entry{{"b", 1, []float32{1, 2}}, {"a", 0.5, []float32{-3, 0}}}))
	small, err := meanings.Read(file)
	if err != nil || small.Len() != 2 || small.Dims() != 2 {
		t.Fatalf("%+v, %v", small, err)
	}
	if v, says := small.Vector("a"); v[0] != -1 || v[1] != 0 || says < 0.49 || says > 0.51 {
		t.Errorf("a: %v, %v", v, says)
	}
	for n := range len(file) {
		if _, err := meanings.Read(file[:n]); !errors.Is(err, meanings.ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
		turned := []byte(file)
		turned[n] ^= 4
		if _, err := meanings.Read(string(turned)); !errors.Is(err, meanings.ErrDamaged) {
			t.Fatalf("with another byte %d: %v", n, err)
		}
	}
}
