package present

import (
	"time"

	"cairn/engine"
)

// When writes a moment by the clock of this computer: "4 May 2026, 13:07".
func When(t time.Time) string { return t.Local().Format("2 January 2006, 15:04") }

// AskedLine says of a run of the history when it was asked, and what has become of its
// graph; "" of any other.
func AskedLine(run *engine.Run) string {
	if run == nil || run.Since == nil {
		return ""
	}
	said := "Asked " + When(run.Started) + ". This is the answer given then."
	switch {
	case run.Since.Gone:
		said += " The graph no longer has all of its evidence, so only its text can be shown."
	case run.Since.Changed:
		said += " The graph has changed since; ask again for an up-to-date answer."
	}
	if run.Shortened {
		said += " It was too large to keep in full, so some matches and sentences are missing."
	}
	return said
}
