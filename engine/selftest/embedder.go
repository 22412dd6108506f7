package selftest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cairn/engine/embed"
	"cairn/engine/vec"
)

// errVectors is returned for an embedder that does not return what it says.
var errVectors = errors.New("the embedder returns the wrong number or length of vectors; choose another model")

// likenesses are texts, each with the one that it should be nearest to, and two
// that it should not: those are written alike where the meaning is tried.
var likenesses = []struct {
	kind          kind
	query, like   string
	unlike, other string
}{
	{spellingKind, "Mira Valen", "Valen, Mira", "Oskar Brandt", "Hallow Bay"},
	{spellingKind, "the glass orchard", "The Glass Orchard", "Salt and Lanterns", "The Ninth Ferry"},
	{spellingKind, "Tarnhollm", "Tarnholm", "Westmere", "Sudria"},
	{spellingKind, "map of rain", "A Map of Rain (poems)", "The Ninth Ferry", "Mira Valen"},
	{meaningKind, "Second World War", "WWII", "World Cup", "second-hand shop"},
	{meaningKind, "movie", "film", "movement", "motive"},
	{meaningKind, "wife", "spouse", "wifi", "knife"},
	{meaningKind, "birthplace", "was born in", "birthday cake", "workplace"},
	{meaningKind, "author", "written by", "authority", "autumn"},
	{meaningKind, "doctor", "physician", "doctrine", "dock"},
	{meaningKind, "USA", "United States of America", "usage", "Usain Bolt"},
	{meaningKind, "aspirin", "painkiller", "aspiration", "spirit"},
}

// How an embedder is weighed. By chance a third of the likenesses come out
// right: 4 of 4 spellings once in 81 times, 6 of 8 meanings once in 50.
const (
	enoughSpellings = 4
	enoughMeanings  = 6
	speedNames      = 64 // names embedded in one go to measure the speed
)

// RunEmbedder tries an embedding model: whether what is written alike and what
// means the same is near, and how fast it is. progress may be nil.
func RunEmbedder(ctx context.Context, name string, e embed.Embedder, progress func(Progress)) (Report, error) {
	began := time.Now()
	if progress == nil {
		progress = func(Progress) {}
	}
	r := Report{Model: name}
	progress(Progress{Done: 0, Total: 2, Doing: "other spellings and synonyms"})
	if err := r.likenesses(ctx, e); err != nil {
		return Report{}, err
	}
	progress(Progress{Done: 1, Total: 2, Doing: "its speed"})
	if err := r.speed(ctx, e); err != nil {
		return Report{}, err
	}
	progress(Progress{Done: 2, Total: 2})
	r.Requests, r.Dims, r.Took = 3, e.Dims(), time.Since(began)
	spellings, _ := r.counts(spellingKind)
	meanings, _ := r.counts(meaningKind)
	switch {
	case spellings < enoughSpellings:
		r.Verdict = Unsuited
	case meanings < enoughMeanings:
		r.Verdict = findsSpellings
	default:
		r.Verdict = findsMeanings
	}
	return r, nil
}

// likenesses compares each query with its three texts.
func (r *Report) likenesses(ctx context.Context, e embed.Embedder) error {
	var queries, names []string
	for _, l := range likenesses {
		queries = append(queries, l.query)
		names = append(names, l.like, l.unlike, l.other)
	}
	asked, err := embedAll(ctx, e, embed.Query, queries)
	if err != nil {
		return err
	}
	given, err := embedAll(ctx, e, embed.Document, names)
	if err != nil {
		return err
	}
	for i, l := range likenesses {
		to := func(j int) float64 { return float64(vec.Dot(asked[i], given[3*i+j])) }
		c := Check{Kind: l.kind, Name: fmt.Sprintf("“%s” is nearest to “%s”", l.query, l.like)}
		c.Passed = to(0) > to(1) && to(0) > to(2)
		if !c.Passed {
			c.Why = fmt.Sprintf("Cosine %.2f, but %.2f to “%s” and %.2f to “%s” (higher is nearer).", to(0), to(1), l.unlike, to(2), l.other)
		}
		r.Checks = append(r.Checks, c)
	}
	return nil
}

// speed embeds a batch of names that are all different.
func (r *Report) speed(ctx context.Context, e embed.Embedder) error {
	names := make([]string, speedNames)
	for i := range names {
		l := likenesses[i%len(likenesses)]
		names[i] = fmt.Sprintf("%s %d, %s", l.like, i, l.unlike)
	}
	began := time.Now()
	if _, err := embedAll(ctx, e, embed.Document, names); err != nil {
		return err
	}
	if took := time.Since(began); took > 0 {
		r.NamesPerSecond = speedNames / took.Seconds()
	}
	return nil
}

func embedAll(ctx context.Context, e embed.Embedder, k embed.Kind, texts []string) ([][]float32, error) {
	vs, err := e.Embed(ctx, k, texts)
	if err != nil {
		return nil, err
	}
	if len(vs) != len(texts) {
		return nil, errVectors
	}
	for _, v := range vs {
		if len(v) != e.Dims() {
			return nil, errVectors
		}
	}
	return vs, nil
}
