package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
)

// inMemory keeps what is trained on a graph in memory.
type inMemory struct {
	mu        sync.Mutex
	last      int64
	models    []kg.Trained // the oldest first
	weights   map[int64][]byte
	trainings map[string]kg.Training
	settings  map[string]string
}

// kept gives an engine over a graph in memory somewhere to keep what it trains.
func kept(e *Engine) *Engine {
	if e.trainer.Keeper == nil {
		e.trainer.Keeper, e.trainer.Methods = newInMemory(), retrieve.Trainables(e.opts.Methods)
	}
	return e
}

func newInMemory() *inMemory {
	return &inMemory{weights: map[int64][]byte{}, trainings: map[string]kg.Training{}, settings: map[string]string{}}
}

func (m *inMemory) PutTrained(ctx context.Context, t kg.Trained, weights []byte) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	t.ID, t.Bytes = m.last, int64(len(weights))
	m.models = append(m.models, t)
	m.weights[t.ID] = slices.Clone(weights)
	return t.ID, ctx.Err()
}

func (m *inMemory) TrainedModels(ctx context.Context, kind string) ([]kg.Trained, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []kg.Trained
	for _, t := range slices.Backward(m.models) {
		if t.Kind == kind {
			list = append(list, t)
		}
	}
	return list, ctx.Err()
}

func (m *inMemory) Weights(ctx context.Context, id int64) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w, ok := m.weights[id]
	if !ok {
		return nil, fmt.Errorf("%w (number %d)", kg.ErrNoTrained, id)
	}
	return w, ctx.Err()
}

func (m *inMemory) DeleteTrained(ctx context.Context, id int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.weights[id]; !ok {
		return fmt.Errorf("%w (number %d)", kg.ErrNoTrained, id)
	}
	delete(m.weights, id)
	m.models = slices.DeleteFunc(m.models, func(t kg.Trained) bool { return t.ID == id })
	return ctx.Err()
}

func (m *inMemory) SaveTraining(ctx context.Context, t kg.Training) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.State = slices.Clone(t.State)
	m.trainings[t.Kind] = t
	return ctx.Err()
}

func (m *inMemory) Training(ctx context.Context, kind string) (kg.Training, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.trainings[kind]
	return t, ok, ctx.Err()
}

func (m *inMemory) ForgetTraining(ctx context.Context, kind string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.trainings, kind)
	return ctx.Err()
}

func (m *inMemory) Setting(ctx context.Context, key string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.settings[key], ctx.Err()
}

func (m *inMemory) SetSetting(ctx context.Context, key, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settings[key] = value
	return ctx.Err()
}
