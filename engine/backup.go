package engine

import "context"

// Backup copies the graph into an empty file while it is in use; see kg.Store.Backup.
func (e *Engine) Backup(ctx context.Context, into string, ev *Events) error {
	if e.store == nil {
		return ErrInMemory
	}
	return e.store.Backup(ctx, into, ev.progress("copy the graph"))
}

// Notices returns sentences for the user about what of the graph's file works less
// well than it could; nil where all is well.
func (e *Engine) Notices() []string {
	if e.store == nil {
		return nil
	}
	return e.store.Notices()
}
