// Package train is the life cycle of every method that learns (retrieve.Trainable):
// a training is started, stopped, resumed and kept; what it made is listed, used and
// deleted, and goes stale when the graph changes.
//
//	questions ─Train─▶ weights ─Keeper─▶ Model ─InOrder─▶ the engine, which opens it
//
// Everything is kept by the ID of its method: trained weights under the kind ID, the
// choice of one of them under the setting "retriever ID", an interrupted training under
// the kind ID, and its questions under "ID questions".
package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
)

// Model is a retriever that was trained on the graph.
type Model struct {
	ID     int64          `json:"id"`
	Method string         `json:"method"` // its ID
	Name   string         `json:"name"`
	Bytes  int64          `json:"bytes"` // of its weights
	About  retrieve.About `json:"about"`
	// InUse says that questions to its method use it.
	InUse bool `json:"in_use"`
	// Stale says in a sentence that the graph has changed since it was trained; empty
	// where it has not.
	Stale string `json:"stale,omitempty"`
	// Problem says in a sentence why it cannot be used; empty where it can.
	Problem string `json:"problem,omitempty"`
}

const stale = "The graph has changed since this retriever was trained. Train again to include the changes."

// Key tells a trained retriever from all others: the id of one that was deleted may be
// given again, by another program too.
type Key struct{ ID, Made int64 }

// KeyOf returns the key of what is kept.
func KeyOf(t kg.Trained) Key { return Key{t.ID, t.Made.UnixMilli()} }

// Keeper is where trained retrievers and trainings are kept, by the ID of their method;
// *kg.Store is one.
type Keeper interface {
	PutTrained(ctx context.Context, t kg.Trained, weights []byte) (int64, error)
	TrainedModels(ctx context.Context, kind string) ([]kg.Trained, error)
	Weights(ctx context.Context, id int64) ([]byte, error)
	DeleteTrained(ctx context.Context, id int64) error
	SaveTraining(ctx context.Context, t kg.Training) error
	Training(ctx context.Context, kind string) (t kg.Training, ok bool, err error)
	ForgetTraining(ctx context.Context, kind string) error
	Setting(ctx context.Context, key string) (string, error)
	SetSetting(ctx context.Context, key, value string) error
}

// Trainer trains retrievers on one graph and knows those that were trained. It is safe
// for concurrent use.
type Trainer struct {
	Methods []retrieve.Trainable // none where Keeper is nil
	Keeper  Keeper               // nil for a graph without a file
	// ReadOnly says that the Keeper keeps nothing new.
	ReadOnly bool
	// Version returns that of the graph as it is now.
	Version func() string
	Log     *slog.Logger

	running sync.Mutex // held while Train runs

	mu     sync.Mutex
	chosen map[string]int64 // by method, where that cannot be kept
	known  map[Key]known
}

// known is what was read of trained weights.
type known struct {
	about   retrieve.About
	problem string
}

// method returns the method with an ID; the empty one is the first's.
func (t *Trainer) method(id string) (retrieve.Trainable, error) {
	for _, m := range t.Methods {
		if id == "" || m.Info().ID == id {
			return m, nil
		}
	}
	return nil, fmt.Errorf("there is no trainable retriever %q", id)
}

// List describes the retrievers that were trained on the graph, those of one method
// after those of another, the latest first.
func (t *Trainer) List(ctx context.Context) ([]Model, error) {
	var list []Model
	for _, m := range t.Methods {
		of, err := Again(func() ([]Model, error) { return t.list(ctx, m) })
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	return list, nil
}

// Again reads what was trained, and once more where something of it was deleted between
// its being listed and its being read.
func Again[T any](read func() (T, error)) (T, error) {
	got, err := read()
	for range 3 {
		if !errors.Is(err, kg.ErrNoTrained) {
			break
		}
		got, err = read()
	}
	return got, err
}

// list is List for one method.
func (t *Trainer) list(ctx context.Context, m retrieve.Trainable) ([]Model, error) {
	kept, err := t.Keeper.TrainedModels(ctx, m.Info().ID)
	if err != nil {
		return nil, err
	}
	list := make([]Model, len(kept))
	for i, k := range kept {
		if list[i], err = t.Describe(ctx, m, k); err != nil {
			return nil, err
		}
	}
	id, err := t.choice(ctx, m.Info().ID)
	if err != nil {
		return nil, err
	}
	usable := func(m Model) bool { return m.Problem == "" }
	inUse := slices.IndexFunc(list, func(m Model) bool { return m.ID == id && usable(m) })
	if inUse < 0 {
		inUse = slices.IndexFunc(list, usable) // the latest
	}
	if inUse >= 0 {
		list[inUse].InUse = true
	}
	return list, nil
}

// Describe describes what is kept, but for whether it is in use. Its weights are read
// once, to find out whether they can be.
func (t *Trainer) Describe(ctx context.Context, m retrieve.Trainable, kept kg.Trained) (Model, error) {
	key := KeyOf(kept)
	t.mu.Lock()
	read, ok := t.known[key]
	t.mu.Unlock()
	if !ok {
		weights, err := t.Keeper.Weights(ctx, kept.ID)
		if err != nil {
			return Model{}, err
		}
		about, err := m.About(weights)
		switch {
		case errors.Is(err, retrieve.ErrModel):
			_ = json.Unmarshal([]byte(kept.About), &about) // as much of it as can be read
		case err != nil:
			return Model{}, err
		}
		read = t.learn(key, about, err)
	}
	d := Model{ID: kept.ID, Method: m.Info().ID, Name: kept.Name, Bytes: kept.Bytes, About: read.about, Problem: read.problem}
	if kept.Graph != t.Version() {
		d.Stale = stale
	}
	return d, nil
}

// learn remembers what trained weights say, or why they cannot be used.
func (t *Trainer) learn(key Key, about retrieve.About, problem error) known {
	k := known{about: about}
	if problem != nil {
		text := strings.TrimSuffix(problem.Error(), ".")
		k.problem = strings.ToUpper(text[:1]) + text[1:] + ". Delete it and train again."
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[Key]known{}
	}
	t.known[key] = k
	return k
}

// Unusable remembers why what is kept could not be opened.
func (t *Trainer) Unusable(kept kg.Trained, m Model, why error) { t.learn(KeyOf(kept), m.About, why) }

// InOrder returns what was trained for a method in the order of preference: the chosen
// one, then the latest.
func (t *Trainer) InOrder(ctx context.Context, method string) ([]kg.Trained, error) {
	kept, err := t.Keeper.TrainedModels(ctx, method)
	if err != nil {
		return nil, err
	}
	id, err := t.choice(ctx, method)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(kept, func(a, b kg.Trained) int {
		switch id {
		case a.ID:
			return -1
		case b.ID:
			return 1
		}
		return 0
	})
	return kept, nil
}

// setting is the store's setting that holds the id of the retriever of a method that
// is in use.
func setting(method string) string { return "retriever " + method }

// choice returns the id of the trained retriever that was chosen last; 0 for none.
func (t *Trainer) choice(ctx context.Context, method string) (int64, error) {
	t.mu.Lock()
	id := t.chosen[method]
	t.mu.Unlock()
	if id != 0 {
		return id, nil
	}
	text, err := t.Keeper.Setting(ctx, setting(method))
	if id, bad := strconv.ParseInt(text, 10, 64); err == nil && bad == nil {
		return id, nil
	}
	return 0, err // what is no number was not written by us: as good as none
}

// Use makes questions use a trained retriever, and keeps the choice with the graph
// where that can be written.
func (t *Trainer) Use(ctx context.Context, id int64) error {
	m, err := t.find(ctx, id)
	switch {
	case err != nil:
		return err
	case m.Problem != "":
		return fmt.Errorf("%w: %s", retrieve.ErrModel, m.Problem)
	}
	return t.choose(ctx, m.Method, id)
}

func (t *Trainer) find(ctx context.Context, id int64) (Model, error) {
	list, err := t.List(ctx)
	if err != nil {
		return Model{}, err
	}
	i := slices.IndexFunc(list, func(m Model) bool { return m.ID == id })
	if i < 0 {
		return Model{}, fmt.Errorf("%w (number %d)", kg.ErrNoTrained, id)
	}
	return list[i], nil
}

// choose is Use for one that is there and can be used; 0 is for the latest.
func (t *Trainer) choose(ctx context.Context, method string, id int64) error {
	if t.ReadOnly {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.chosen == nil {
			t.chosen = map[string]int64{}
		}
		t.chosen[method] = id
		return nil
	}
	text := ""
	if id != 0 {
		text = strconv.FormatInt(id, 10)
	}
	return t.Keeper.SetSetting(ctx, setting(method), text)
}

// Delete deletes a trained retriever. Where it was in use, the latest one of its
// method that is left takes its place.
func (t *Trainer) Delete(ctx context.Context, id int64) error {
	m, err := t.find(ctx, id)
	if err != nil {
		return err
	}
	chosen, err := t.choice(ctx, m.Method)
	if err != nil {
		return err
	}
	if err := t.Keeper.DeleteTrained(ctx, id); err != nil || chosen != id {
		return err
	}
	return t.choose(ctx, m.Method, 0) // another one may get its id
}

// nameOf names a trained retriever for people.
func nameOf(chosen string, about retrieve.About) string {
	if name := strings.TrimSpace(chosen); name != "" {
		return name
	}
	return about.Title + " on " + about.Data
}
