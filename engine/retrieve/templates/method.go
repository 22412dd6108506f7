package templates

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"cairn/engine/cypher"
	"cairn/engine/retrieve"
)

// Method answers by question templates and their Cypher queries.
type Method struct{}

var _ retrieve.Trainable = Method{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "templates", Title: "Question templates", Help: "fills in the template that is most like the question and runs its Cypher query",
		Who: "the template reader", Plan: "which template", Retrieve: "run its query", Basis: "what the template's query returns",
		Seeded: true, Trained: true, Reads: true,
	}
}

// Open reads the templates. It fails with ErrModel where none fits the graph.
func (Method) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	s, err := Unseal(w.Weights)
	if err != nil {
		return nil, err
	}
	r := newRetriever(w.Graph, cypher.Over(w.Graph, nil), s)
	for _, t := range s.Templates {
		if !slices.ContainsFunc(t.query.TypesNamed(), func(name string) bool { return len(r.over.Types(name)) == 0 }) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("%w: the graph has none of the relations that its templates follow", retrieve.ErrModel)
}

// settings are the choices of a training.
type settings struct {
	Made int `json:"made"`
}

// madeAtMost is how many questions templates are made of beside those of a file.
const madeAtMost = 3000

// Options are the choices of a training.
func (Method) Options() []retrieve.Option {
	return []retrieve.Option{
		{Name: "made", Title: "Generated questions", Help: "How many questions generated from the graph to use in addition to those in a file.", Default: fmt.Sprint(madeAtMost), Max: 100_000},
	}
}

// Settings returns Options as JSON.
func (Method) Settings(v retrieve.Values) (json.RawMessage, error) {
	s := settings{Made: madeAtMost}
	if v["made"] != "" {
		s.Made = v.Int("made")
	}
	return json.Marshal(s)
}

// Train learns templates.
func (Method) Train(ctx context.Context, t retrieve.Training) ([]byte, error) {
	o := settings{Made: madeAtMost}
	if err := t.Read(&o); err != nil {
		return nil, err
	}
	s, failed := train(ctx, t, o)
	if s == nil {
		return nil, failed
	}
	weights, err := Seal(s)
	return weights, errors.Join(failed, err)
}

// About reads what templates say of themselves.
func (Method) About(weights []byte) (retrieve.About, error) {
	s, err := Unseal(weights)
	if err != nil {
		return retrieve.About{}, err
	}
	return s.About, nil
}
