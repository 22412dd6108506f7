package engine

import (
	"context"
	"time"

	"cairn/engine/retrieve/templates"
)

// templatesID is the method whose trained form is a text that users may change.
const templatesID = "templates"

// Templates returns the question templates that are in use as a text, empty where there
// are none.
func (e *Engine) Templates(ctx context.Context) (string, error) {
	if e.store == nil {
		return "", nil
	}
	kept, err := e.trainer.InOrder(ctx, templatesID)
	if err != nil || len(kept) == 0 {
		return "", err
	}
	weights, err := e.store.Weights(ctx, kept[0].ID)
	if err != nil {
		return "", err
	}
	set, err := templates.Unseal(weights)
	if err != nil {
		return "", err
	}
	return templates.Format(set), nil
}

// SetTemplates keeps question templates that the user wrote, in the format of Templates,
// and uses them; those before stay among what was trained. A text that does not parse
// changes nothing.
func (e *Engine) SetTemplates(ctx context.Context, text string) (TrainedModel, error) {
	set, err := templates.Parse(text)
	if err != nil {
		return TrainedModel{}, err
	}
	if e.store == nil {
		return TrainedModel{}, ErrInMemory
	}
	set.About.Title, set.About.Data, set.About.Made, set.About.Weights = "Question templates", "templates of your own", time.Now().UTC(), len(set.Templates)
	weights, err := templates.Seal(set)
	if err != nil {
		return TrainedModel{}, err
	}
	return e.trainer.Keep(ctx, templates.Method{}, "", e.now().version, weights)
}
