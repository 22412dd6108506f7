package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/templates"
	"cairn/internal/guard"
)

// templatesID is the method whose trained form is a text that users may change.
const templatesID = "templates"

// Templates returns the question templates that are in use, and those that were learned
// and are not any more.
func (e *Engine) Templates(ctx context.Context) ([]templates.Row, error) {
	if e.store == nil {
		return nil, nil
	}
	kept, err := e.trainer.InOrder(ctx, templatesID)
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	asked, err := e.templatesOf(ctx, kept[0])
	if err != nil {
		return nil, err
	}
	learned := asked
	if isOwn(kept[0]) {
		learned = nil
		if i := slices.IndexFunc(kept, func(k kg.Trained) bool { return !isOwn(k) }); i >= 0 {
			if learned, err = e.templatesOf(ctx, kept[i]); err != nil {
				return nil, err
			}
		}
	}
	return templates.Rows(asked, learned), nil
}

// templatesOf reads what is kept.
func (e *Engine) templatesOf(ctx context.Context, kept kg.Trained) ([]templates.Template, error) {
	weights, err := e.store.Weights(ctx, kept.ID)
	if err != nil {
		return nil, err
	}
	set, err := templates.Unseal(weights)
	if err != nil {
		return nil, err
	}
	return set.Templates, nil
}

// isOwn reports whether the user wrote what is kept.
func isOwn(kept kg.Trained) bool {
	var about retrieve.About
	return json.Unmarshal([]byte(kept.About), &about) == nil && about.Own
}

// SetTemplates keeps question templates that the user wrote, in the format of
// templates.Format, and uses them in the place of those that the user wrote before; what
// was learned stays. It returns what they name that the graph does not have. Where one
// cannot be asked nothing changes, and the error says which and why.
func (e *Engine) SetTemplates(ctx context.Context, text string) (m TrainedModel, notes []string, err error) {
	defer guard.Recover(e.opts.Logger, &err)
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	set, err := templates.Parse(text)
	if err != nil {
		return m, nil, err
	}
	if len(set.Templates) == 0 {
		return m, nil, fmt.Errorf("%w: there is none in it; to have none, delete what was trained", templates.ErrText)
	}
	for i := range set.Templates {
		t := &set.Templates[i]
		found, err := t.Check(e.now().properties())
		if err != nil {
			return m, nil, fmt.Errorf("“%s”: %w", t.Asks[0], err)
		}
		for _, n := range found {
			notes = append(notes, fmt.Sprintf("“%s”: %s", t.Asks[0], n))
		}
	}
	m, err = e.keepTemplates(ctx, set.Templates)
	return m, notes, err
}

// keepTemplates keeps templates as the user's.
func (e *Engine) keepTemplates(ctx context.Context, ts []templates.Template) (TrainedModel, error) {
	if e.store == nil {
		return TrainedModel{}, ErrInMemory
	}
	before, err := e.store.TrainedModels(ctx, templatesID)
	if err != nil {
		return TrainedModel{}, err
	}
	set := &templates.Set{Templates: ts, About: retrieve.About{
		Title: "Question templates", Data: "templates of your own", Own: true, Made: time.Now().UTC(), Weights: len(ts),
	}}
	weights, err := templates.Seal(set)
	if err != nil {
		return TrainedModel{}, err
	}
	m, err := e.trainer.Keep(ctx, templates.Method{}, "", e.now().version, weights)
	if err != nil {
		return m, err
	}
	for _, b := range before {
		if isOwn(b) {
			err = errors.Join(err, e.DeleteTrained(ctx, b.ID))
		}
	}
	return m, err
}

// ownTemplates returns the templates in use where they are the user's and a training of a
// method would take their place; nil otherwise.
func (e *Engine) ownTemplates(ctx context.Context, method string) ([]templates.Row, error) {
	if method != templatesID || e.store == nil {
		return nil, nil
	}
	kept, err := e.trainer.InOrder(ctx, templatesID)
	if err != nil || len(kept) == 0 || !isOwn(kept[0]) {
		return nil, err
	}
	return e.Templates(ctx)
}

// renewTemplates has what the user wrote, changed and deleted hold for templates that were
// learned anew, and says so.
func (e *Engine) renewTemplates(ctx context.Context, m TrainedModel, rows []templates.Row, ev *TrainEvents) error {
	learned, err := e.templatesOf(ctx, kg.Trained{ID: m.ID})
	if err != nil {
		return err
	}
	if _, err := e.keepTemplates(ctx, templates.Renewed(rows, learned)); err != nil {
		return err
	}
	if ev != nil && ev.Notes != nil {
		ev.Notes([]string{"The templates that you wrote, changed or deleted are still so."})
	}
	return nil
}

// CheckTemplate says of what a template names the graph does not have. It fails with
// templates.ErrTemplate where it cannot be asked.
func (e *Engine) CheckTemplate(_ context.Context, asks []string, text string) (t templates.Template, notes []string, err error) {
	defer guard.Recover(e.opts.Logger, &err)
	if t, err = templates.New(asks, text); err == nil {
		notes, err = t.Check(e.now().properties())
	}
	return t, notes, err
}

// TryTemplate asks one of some templates a question, or for -1 the one that fits best.
func (e *Engine) TryTemplate(ctx context.Context, ts []templates.Template, at int, question string) (_ *templates.Trial, err error) {
	defer guard.Recover(e.opts.Logger, &err)
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, err
	}
	seeds, used, err := s.named(ctx, question)
	if err != nil {
		return nil, err
	}
	return templates.Try(ctx, s.properties(), s.graph, ts, at, retrieve.Query{Question: question, Seeds: seeds, Mentions: used})
}
