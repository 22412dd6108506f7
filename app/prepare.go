package app

import (
	"context"

	"cairn/app/present"
)

// prepare makes what questions to a large graph need while the user looks round,
// and says how far it has come. A question that is asked meanwhile waits for it;
// where it fails, the question says why.
func (w *window) prepare() {
	if w.preparing != nil {
		w.preparing() // that of the graph before
		w.preparing = nil
	}
	if w.session.Ready() {
		return
	}
	current, of := w.opening.current(), w.session
	w.preparing = w.use(func(ctx context.Context, g openGraph, post func(func())) {
		err := g.Prepare(ctx, w.openEvents(post, current))
		if ctx.Err() != nil {
			return
		}
		post(func() {
			switch {
			case w.session != of:
			case err != nil:
				sentence, _ := w.explain("prepare the graph for questions", err)
				w.status.say(sentence)
			default:
				w.status.say("Ready. " + present.Path(g.Path()))
				if w.run == nil && w.asking.cancel == nil {
					w.invite()
				}
			}
		})
	})
}
