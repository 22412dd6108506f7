package retrieve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/engine/link"
	"cairn/engine/questions"
	"cairn/internal/wording"
)

// Errors of a training.
var (
	// ErrNothingToLearn is returned where no question has an answer that could be found.
	ErrNothingToLearn = errors.New("there is nothing to learn from")
	// ErrResume is returned for a checkpoint that is damaged or of another training.
	ErrResume = errors.New("the training cannot be resumed")
	// ErrOptions is returned for values that do not go together.
	ErrOptions = errors.New("these options exclude each other")
	// ErrDiverged is returned where the weights grow without bound.
	ErrDiverged = errors.New("the training diverged")
)

// Trainable is a Method that learns from questions with answers. Package train runs
// its trainings and keeps what comes of them.
type Trainable interface {
	Method
	// Options are the choices of a training, the one that matters most first.
	Options() []Option
	// Settings returns chosen values in the method's own form, which is kept with a
	// training until it ends. The values have passed CheckValues. It fails with ErrOptions.
	Settings(chosen Values) (json.RawMessage, error)
	// Train returns the weights that World.Weights takes. Resumed from a checkpoint, it
	// ends with the weights that it would have had without the interruption. Cancelled,
	// or with ErrDiverged, it returns the best weights so far beside the error, nil
	// where there are none yet.
	Train(ctx context.Context, t Training) (weights []byte, err error)
	// About reads what weights say of themselves. It fails with ErrModel where they
	// cannot be used on any graph.
	About(weights []byte) (About, error)
}

// Training is what a method learns from, and who is told how it is going.
type Training struct {
	World World
	// Settings are the method's; nil for the defaults.
	Settings json.RawMessage
	Seed     uint64
	// Held are questions that are not learned from. They pick the best weights; where
	// there are none, Train does.
	Train, Held []questions.Example
	// Make makes about n further questions out of the graph, the same for the same seed,
	// with their Legs; nil where none can be made.
	Make func(ctx context.Context, n int, seed uint64) []questions.Example
	// Data and HeldMade become About's.
	Data     string
	HeldMade bool
	// State is the checkpoint to resume from; nil to begin.
	State []byte
	TrainingEvents
}

// Read reads the settings into options, and leaves these as they are where there are none.
func (t *Training) Read(options any) error {
	if len(t.Settings) == 0 {
		return nil
	}
	if err := json.Unmarshal(t.Settings, options); err != nil {
		return fmt.Errorf("read the options of the training: %w", err)
	}
	return nil
}

// TrainingEvents is told how a training is going, in order and one call at a time, not
// always on the same goroutine. Fields may be nil.
type TrainingEvents struct {
	// Notes is told once, before the first epoch, in sentences what the user should
	// know of the questions: which of them teach nothing, and what could be done.
	Notes func([]string)
	Epoch func(Epoch)
	// Progress reports work within an epoch and before the first; total 0 means
	// unknown.
	Progress func(task string, done, total int64)
	// Checkpoint is given what the training can be resumed from, every few seconds and
	// when it stops. An error ends the training.
	Checkpoint func(state []byte) error
}

// Epoch is one pass through the questions. Some methods train several parts, one
// after the other, which answer together, and restart a part that stalls.
type Epoch struct {
	Part, Parts   int // from 1
	Try           int // from 1
	Epoch, Epochs int // from 1, and how many there will be at most
	Loss          float64
	// Dev is measured after this epoch; nil where it was not.
	Dev *Metrics
	// Best says that these are the best weights so far.
	Best bool
	// Stalled says that this try ends here because it no longer improves.
	Stalled bool
	Seconds float64 // since the training began, earlier runs of it included
}

// Metrics are means over questions, each in [0, 1], higher is better.
type Metrics struct {
	H1  float64 `json:"h1"`  // the first answer is right
	Hit float64 `json:"hit"` // a right answer is among the answers
	F1  float64 `json:"f1"`  // of the answers
}

// About is what there is to know of trained weights.
type About struct {
	// Title says in a few words what was trained: "ReaRev".
	Title string `json:"title,omitempty"`
	// Notes say in sentences what else a reader should know.
	Notes []string `json:"notes,omitempty"`
	// Chosen are the values of the options that were chosen.
	Chosen Values `json:"chosen,omitempty"`
	// Own says that it was not trained, but written by the user.
	Own bool `json:"own,omitempty"`
	// Data says in words what it was trained on: "1,000 questions of qa_train.txt".
	Data string `json:"data"`
	// HeldMade says that it was measured on questions that were made out of the graph.
	HeldMade  bool      `json:"held_made,omitempty"`
	Questions int       `json:"questions"` // trained on
	Held      int       `json:"held"`      // measured on; 0 where Dev is of questions trained on
	Dev       Metrics   `json:"dev"`
	Reach     *Reach    `json:"reach,omitempty"` // nil where everything is within reach
	Weights   int       `json:"weights"`         // how many numbers
	Made      time.Time `json:"made"`
	Seconds   float64   `json:"seconds"`
	Epochs    int       `json:"epochs"` // of all parts and tries
	Tries     int       `json:"tries"`  // trainings begun, stalled ones among them
}

// Reach says how many of the right answers a method could find at all, where it looks at
// part of the graph only. Each in [0, 1].
type Reach struct {
	Any   float64 `json:"any"`   // questions with at least one right answer within reach
	All   float64 `json:"all"`   // questions with all of them within reach
	Share float64 `json:"share"` // mean share of the right answers within reach
}

// Option is one choice of a training. Flags, forms and help are made from it.
type Option struct {
	Name  string // of the flag and in Values: "network"
	Title string // for people: "Network"
	Help  string // one sentence
	// Default says what is taken where nothing is chosen: a value, or "found from the
	// graph".
	Default string
	// Choices are the values to choose from; none for a number.
	Choices []Choice
	// Several allows more than one of the choices: a part is trained for each.
	Several bool
	// Embedders allows the id of any embedder beside the choices.
	Embedders bool
	// Min and Max bound a number, which is whole unless Real, and a multiple of Of unless
	// that is 0.
	Min, Max float64
	Real     bool
	Of       int
	// Hidden options are for measurements: no form and no command has them.
	Hidden bool
	// Only lists the values of the first option that this one is for; empty for all.
	Only []string
}

// Choice is one value of an option.
type Choice struct {
	Value, Title string
	Help         string // sentences
}

// Values are the chosen values of options by name. What is not there has its default.
type Values map[string]string

// List returns the values of an option with Several.
func (v Values) List(name string) []string {
	if v[name] == "" {
		return nil
	}
	return strings.Split(v[name], ",")
}

// Int returns a whole number; 0 where none is chosen.
func (v Values) Int(name string) int {
	n, _ := strconv.Atoi(v[name])
	return n
}

// Real returns a number; 0 where none is chosen.
func (v Values) Real(name string) float64 {
	x, _ := strconv.ParseFloat(v[name], 64)
	return x
}

// CheckValues refuses values that the options do not allow. The error begins with
// what name calls the option: its Title in a form, its flag in a command.
func CheckValues(options []Option, chosen Values, name func(Option) string) error {
	for _, o := range options {
		if text, ok := chosen[o.Name]; ok {
			if err := o.check(text); err != nil {
				return fmt.Errorf("%s %w", name(o), err)
			}
		}
	}
	for key := range chosen {
		if !slices.ContainsFunc(options, func(o Option) bool { return o.Name == key }) {
			return fmt.Errorf("there is no option %q", key)
		}
	}
	return nil
}

// check refuses a value, in words that go on after the option's name.
func (o Option) check(text string) error {
	if len(o.Choices) == 0 {
		return o.checkNumber(text)
	}
	values := []string{text}
	if o.Several {
		values = Values{"": text}.List("")
	}
	known := wording.Each(o.Choices, func(c Choice) string { return c.Value })
	for _, v := range values {
		embedder := o.Embedders && strings.Contains(v, "/") // as their ids have it
		if !slices.Contains(known, v) && !embedder {
			said := wording.Choice(known)
			if o.Embedders {
				said += ", or the id of an embedder"
			}
			return fmt.Errorf("cannot be %q; choose from %s", v, said)
		}
	}
	if len(values) == 0 {
		return errors.New("needs at least one choice")
	}
	return nil
}

func (o Option) checkNumber(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	inside := err == nil && x >= o.Min && x <= o.Max // not for NaN
	if o.Real {
		if inside {
			return nil
		}
		return fmt.Errorf("must be a number from %v to %v", o.Min, o.Max)
	}
	n, err := strconv.Atoi(text) // as Values.Int reads it: 1e3 is none
	if inside && err == nil && n%max(o.Of, 1) == 0 {
		return nil
	}
	kind := "whole number"
	if o.Of > 1 {
		kind = fmt.Sprintf("multiple of %d", o.Of)
	}
	return fmt.Errorf("must be a %s from %s to %s", kind, wording.Number(int(o.Min)), wording.Number(int(o.Max)))
}

// Spans says where mentions stand, as the questions of a training say it.
func Spans(ms []link.Mention) []questions.Span {
	return wording.Each(ms, func(m link.Mention) questions.Span { return questions.Span{Start: m.Start, End: m.End} })
}

// Trainables are the methods that can be trained.
func Trainables(methods []Method) []Trainable {
	var list []Trainable
	for _, m := range methods {
		if t, ok := m.(Trainable); ok {
			list = append(list, t)
		}
	}
	return list
}
