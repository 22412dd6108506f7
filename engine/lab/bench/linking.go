package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/engine/lexicon"
)

// Pair is a name with another way to say it.
type Pair struct {
	Said, Name string
}

// LinkingRow is how often names of one kind are found again by their vectors.
type LinkingRow struct {
	Kind string `json:"kind"`
	N    int    `json:"n"`
	// First and Five are how many are the nearest, and among the five nearest.
	First int `json:"first"`
	Five  int `json:"five"`
}

// LinkingSet is what the vectors of one embedder find.
type LinkingSet struct {
	Embedder string        `json:"embedder"`
	Names    int           `json:"names"` // distinct, case aside
	Dims     int           `json:"dims"`
	Embedded time.Duration `json:"embedded"` // how long that took
	Rows     []LinkingRow  `json:"rows"`
}

// The kinds of the changes of changed, in its order.
const (
	kindMisspelt  = "misspelt"
	kindShortened = "shortened"
	kindOtherwise = "said otherwise"
)

// Linking looks up names that are misspelt, shortened or said otherwise among all
// names, by the vectors of an embedder. Of each of the made kinds there are n. A pair
// whose name is not there is an error.
func Linking(ctx context.Context, id string, e embed.Embedder, names []string, pairs []Pair, n int, seed uint64, progress func(done, total int64)) (*LinkingSet, error) {
	seen := map[string]bool{}
	var kept []string
	for _, name := range names {
		if key := lexicon.Fold(name); key != "" && !seen[key] {
			seen[key] = true
			kept = append(kept, name)
		}
	}
	if len(kept) == 0 {
		return nil, errors.New("look names up: there are no names")
	}
	for _, p := range pairs {
		if !seen[lexicon.Fold(p.Name)] {
			return nil, fmt.Errorf("look names up: %q, which is said as %q, is not among the names", p.Name, p.Said)
		}
	}
	set := &LinkingSet{Embedder: id, Names: len(kept), Dims: e.Dims()}
	v := index.Vectors{Dims: e.Dims()}
	began := time.Now()
	const some = 512
	for from := 0; from < len(kept); from += some {
		progress(int64(from), int64(len(kept)))
		rows, err := e.Embed(ctx, embed.Document, kept[from:min(from+some, len(kept))])
		if err != nil {
			return nil, err
		}
		v.Rows = append(v.Rows, slices.Concat(rows...)...)
	}
	set.Embedded = time.Since(began)
	flat := index.NewFlat(v)
	asked := map[string][]Pair{kindOtherwise: pairs}
	rng := rand.New(rand.NewPCG(seed, seed))
	for i, tries := 0, 0; i < 5*n && tries < 50*n; tries++ { // names too short to change come back as they are
		name := kept[rng.IntN(len(kept))]
		said, kind := changed(name, i, rng), kindMisspelt
		if i%5 >= 3 {
			kind = kindShortened
		}
		if len(strings.Fields(name)) < 2 && kind == kindShortened || said == name {
			continue
		}
		asked[kind] = append(asked[kind], Pair{said, name})
		i++
	}
	for _, kind := range []string{kindMisspelt, kindShortened, kindOtherwise} {
		row, err := lookedUp(ctx, e, flat, kept, asked[kind])
		if err != nil {
			return nil, err
		}
		if row.Kind = kind; row.N > 0 {
			set.Rows = append(set.Rows, row)
		}
	}
	return set, nil
}

// lookedUp counts how many names are found by what is said.
func lookedUp(ctx context.Context, e embed.Embedder, flat *index.Flat, names []string, pairs []Pair) (row LinkingRow, err error) {
	var said []string
	for _, p := range pairs {
		said = append(said, p.Said)
	}
	queries, err := e.Embed(ctx, embed.Query, said)
	if err != nil {
		return row, err
	}
	found, err := flat.NearestAll(ctx, queries, 5)
	if err != nil {
		return row, err
	}
	for i, p := range pairs {
		row.N++
		at := slices.IndexFunc(found[i], func(h index.Hit) bool { return lexicon.Fold(names[h.ID]) == lexicon.Fold(p.Name) })
		if at == 0 {
			row.First++
		}
		if at >= 0 {
			row.Five++
		}
	}
	return row, nil
}

// WriteLinking prints what embedders find for people.
func WriteLinking(w io.Writer, sets []LinkingSet) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "vectors\tnames\tdimensions\tembedded in\tnames that are\tn\trecall@1\trecall@5")
	for _, s := range sets {
		for _, r := range s.Rows {
			n := float64(r.N)
			fmt.Fprintf(tw, "%s\t%s\t%d\t%s\t%s\t%d\t%.3f\t%.3f\n", s.Embedder, thousands(s.Names), s.Dims, shortTime(s.Embedded), r.Kind, r.N, float64(r.First)/n, float64(r.Five)/n)
		}
	}
	return tw.Flush()
}
