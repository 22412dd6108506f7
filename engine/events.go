package engine

// The methods below are fine on a nil *Events and on nil fields, so that no
// caller has to ask.

func (ev *Events) begin(s Stage) {
	if ev != nil && ev.StageBegin != nil {
		ev.StageBegin(s)
	}
}

func (ev *Events) end(run *Run, r StageRecord) {
	if ev != nil && ev.StageEnd != nil {
		ev.StageEnd(run, r)
	}
}

// progress returns the function that reports the progress of a task, or nil.
func (ev *Events) progress(task string) func(done, total int64) {
	if ev == nil || ev.Progress == nil {
		return nil
	}
	return func(done, total int64) { ev.Progress(task, done, total) }
}

func (ev *Events) token() func(string) {
	if ev == nil {
		return nil
	}
	return ev.Token
}

func (ev *Events) restart() func() {
	if ev == nil {
		return nil
	}
	return ev.Restart
}
