package app

import (
	"context"

	"cairn/app/present"
)

// saveCopy asks for a file and copies the open graph to it.
func (w *window) saveCopy() {
	if w.session == nil {
		w.status.say("Open a graph first.")
		return
	}
	w.saveFile(saving{
		what: "copy", title: "Save a copy of the graph", name: w.session.Name() + " copy" + graphEnding, endings: []string{graphEnding},
		graph: func(ctx context.Context, g openGraph, into string, post func(func())) error {
			return g.Backup(ctx, into, progressEvents(post, func(task string, done, total int64) {
				w.status.say(present.ProgressText(task, done, total, false))
			}))
		},
	})
}
