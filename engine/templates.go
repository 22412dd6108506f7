package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/templates"
	"cairn/engine/train"
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
	return train.Again(func() ([]templates.Row, error) { return e.templateRows(ctx) })
}

// templateRows is Templates, once.
func (e *Engine) templateRows(ctx context.Context) ([]templates.Row, error) {
	kept, err := e.trainer.InOrder(ctx, templatesID)
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	asked, err := e.templatesOf(ctx, kept[0])
	if err != nil {
		return nil, err
	}
	learned, _, err := e.learnedTemplates(ctx, kept)
	return templates.Rows(asked, learned), err
}

// learnedTemplates are the first of those that are kept which were learned, and whether
// that was from made questions alone.
func (e *Engine) learnedTemplates(ctx context.Context, kept []kg.Trained) (ts []templates.Template, made bool, err error) {
	for _, k := range kept {
		if about := aboutOf(k); !about.Own {
			ts, err = e.templatesOf(ctx, k)
			return ts, about.HeldMade, err
		}
	}
	return nil, false, nil
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

// aboutOf reads what there is to know of what is kept.
func aboutOf(kept kg.Trained) (about retrieve.About) {
	_ = json.Unmarshal([]byte(kept.About), &about) // what cannot be read says nothing
	return about
}

// SetTemplates keeps question templates that the user wrote, in the format of
// templates.Format, and uses them in the place of those that the user wrote before; what
// was learned stays. It returns what they name that the graph does not have. Where one
// cannot be asked nothing changes, and the error says which and why.
func (e *Engine) SetTemplates(ctx context.Context, text string) (m TrainedModel, notes []string, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	set, err := templates.Parse(text)
	if err != nil {
		return m, nil, err
	}
	if len(set.Templates) == 0 {
		return m, nil, fmt.Errorf("%w: it contains none; to have none, delete the trained templates", templates.ErrText)
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
	m, err = e.keepTemplates(ctx, set.Templates, 0)
	return m, notes, err
}

// keepTemplates keeps templates as the user's, in the place of those in use, where these
// are the user's too, or of others.
func (e *Engine) keepTemplates(ctx context.Context, ts []templates.Template, replaced int64) (TrainedModel, error) {
	if e.store == nil {
		return TrainedModel{}, ErrInMemory
	}
	before, err := e.trainer.InOrder(ctx, templatesID)
	if err != nil {
		return TrainedModel{}, err
	}
	learned, made, err := e.learnedTemplates(ctx, before)
	if err != nil {
		return TrainedModel{}, err
	}
	set := &templates.Set{Templates: ts, About: retrieve.About{
		Title: "Question templates", Data: "templates of your own", Own: true, Made: time.Now().UTC(), Weights: len(ts),
		// What was learned from made questions counts for no more beside the user's.
		HeldMade: made && slices.ContainsFunc(templates.Rows(ts, learned), func(r templates.Row) bool { return r.State == templates.Learned }),
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
		if b.ID == replaced || replaced == 0 && b.ID == before[0].ID && aboutOf(b).Own {
			err = e.DeleteTrained(ctx, b.ID)
		}
	}
	return m, err
}

// ownTemplates returns the templates in use, and their id, where they are the user's and a
// training of a method would take their place; none otherwise.
func (e *Engine) ownTemplates(ctx context.Context, method string) (rows []templates.Row, id int64, err error) {
	if method != templatesID || e.store == nil {
		return nil, 0, nil
	}
	kept, err := e.trainer.InOrder(ctx, templatesID)
	if err != nil || len(kept) == 0 || !aboutOf(kept[0]).Own {
		return nil, 0, err
	}
	rows, err = e.Templates(ctx)
	return rows, kept[0].ID, err
}

// renewTemplates has what the user wrote, changed and deleted hold for templates that were
// learned anew, and says so.
func (e *Engine) renewTemplates(ctx context.Context, m TrainedModel, rows []templates.Row, replaced int64, ev *TrainEvents) error {
	learned, err := e.templatesOf(ctx, kg.Trained{ID: m.ID})
	if err != nil {
		return err
	}
	if _, err := e.keepTemplates(ctx, templates.Renewed(rows, learned), replaced); err != nil {
		return err
	}
	if ev != nil && ev.Notes != nil {
		ev.Notes([]string{"Templates that you wrote, edited or deleted were kept as they are."})
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
	ctx, leave := e.join(ctx, &err)
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
