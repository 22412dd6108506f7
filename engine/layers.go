package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// SwitchLayer switches a layer off, or on again: what only layers say that are off is
// in no question.
func (e *Engine) SwitchLayer(ctx context.Context, layer int64, on bool, ev *Events) error {
	return e.changeLayers(ctx, ev, func(ctx context.Context) error { return e.store.SwitchLayer(ctx, layer, on) })
}

// RemoveLayer removes a layer, and what only it says.
func (e *Engine) RemoveLayer(ctx context.Context, layer int64, ev *Events) error {
	return e.changeLayers(ctx, ev, func(ctx context.Context) error { return e.store.RemoveLayer(ctx, layer) })
}

func (e *Engine) changeLayers(ctx context.Context, ev *Events, change func(context.Context) error) (err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	if e.store == nil {
		return ErrInMemory
	}
	if err := change(ctx); err != nil {
		return err
	}
	return e.reload(context.WithoutCancel(ctx), ctx, ev)
}

// ErrNothingToReplace is returned by Replace for a file of which there is no other
// version in the graph.
var ErrNothingToReplace = errors.New("the graph has no other version of this file")

// Replace imports a file in place of the layer that was read from it before. It is
// imported switched off, and compared; where agree, which is shown the difference,
// wants it, it is switched on and the old layer removed, and otherwise it is removed.
// An end in between leaves the old one, and the new one switched off.
func (e *Engine) Replace(ctx context.Context, file string, o ingest.Options, ev *Events, agree func(kg.LayerDifference) bool) (r ingest.Report, d kg.LayerDifference, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	if e.store == nil {
		return r, d, ErrInMemory
	}
	before, err := e.store.Sources(ctx)
	if err != nil {
		return r, d, err
	}
	old, err := versionOf(file, before)
	if err != nil {
		return r, d, err
	}
	o.Off = true
	r, err = ingest.File(ctx, e.store, file, o, &ingest.Events{
		Load: ev.progress("read the graph"), Progress: ev.progress("import " + filepath.Base(file)), Settle: ev.progress("sort the names"),
	})
	if err != nil {
		return r, d, err
	}
	now, err := e.store.Sources(ctx)
	if err != nil {
		return r, d, err
	}
	by := slices.IndexFunc(now, func(s kg.Source) bool {
		return s.Off && s.ID != old.ID && sameFile(s.File, file) && s.Hash == r.Hash
	})
	if by < 0 {
		return r, d, fmt.Errorf("%w: it has not changed since its import", ErrNothingToReplace)
	}
	if d, err = e.store.CompareLayers(ctx, old.ID, now[by].ID); err != nil {
		return r, d, err
	}
	if err := e.renew(ctx, ev); err != nil { // the difference names triples
		return r, d, err
	}
	if !agree(d) {
		return r, d, e.RemoveLayer(ctx, now[by].ID, ev)
	}
	return r, d, e.changeLayers(ctx, ev, func(ctx context.Context) error { return e.store.ReplaceLayer(ctx, old.ID, now[by].ID) })
}

// versionOf returns the newest layer that was read from a file and is on: of the same
// path, or of the same name where only one is.
func versionOf(file string, layers []kg.Source) (old kg.Source, err error) {
	for _, same := range []func(kg.Source) bool{
		func(s kg.Source) bool { return sameFile(s.File, file) },
		func(s kg.Source) bool { return filepath.Base(s.File) == filepath.Base(file) },
	} {
		for _, s := range slices.Backward(layers) {
			if !s.Off && same(s) {
				return s, nil
			}
		}
	}
	return old, fmt.Errorf("%w: import it without replacing anything", ErrNothingToReplace)
}

func sameFile(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return a == b || errX == nil && errY == nil && x == y
}
