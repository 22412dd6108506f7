package engine

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"cairn/internal/guard"
	"cairn/internal/testing/testkg"
)

// TestPanicIsAnError has a question panic: it must end as an error, with the stack in
// the log, and the next question must be answered.
func TestPanicIsAnError(t *testing.T) {
	var log bytes.Buffer
	e, err := OnGraph(t.Context(), testkg.Films(), Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const question = "Who directed Harvey?"
	_, err = e.Ask(t.Context(), question, AskOptions{}, &Events{StageBegin: func(Stage) { panic("a test") }})
	if _, ok := errors.AsType[*guard.PanicError](err); !ok || !strings.Contains(log.String(), "TestPanicIsAnError") {
		t.Errorf("Ask = %v, want the panic; logged: %.200s", err, log.String())
	}
	if run, err := e.Ask(t.Context(), question, AskOptions{}, nil); err != nil || len(run.Answer.Items) != 1 {
		t.Errorf("the next question: %v", err)
	}
}
