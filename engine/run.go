package engine

import (
	"time"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/token"
)

// Stage is one step of a run.
type Stage int

// The stages, in order.
const (
	StageLink Stage = iota
	StagePlan
	StageRetrieve
	StageAnswer
	StageCheck
)

// Stages lists every stage in order.
var Stages = []Stage{StageLink, StagePlan, StageRetrieve, StageAnswer, StageCheck}

var stages = token.Names{"link", "plan", "retrieve", "answer", "check"}

// String returns the stage's name.
func (s Stage) String() string { return stages.Of(int(s)) }

// MarshalText writes the stage's name.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a stage's name.
func (s *Stage) UnmarshalText(text []byte) error { return token.Read(stages, "stage", text, s) }

// Events is told how a run is going. Fields may be nil. They are called on the
// goroutine that does the work, in order, and must return quickly.
type Events struct {
	StageBegin func(Stage)
	// StageEnd is given the run as it is by then, which goes on: it must not be kept.
	StageEnd func(*Run, StageRecord)
	// Progress reports work done; total 0 means unknown.
	Progress func(task string, done, total int64)
	// Token is given each piece of a model's answer as it comes.
	Token func(piece string)
	// Restart says that what Token was given is void: the model begins anew.
	Restart func()
	// Direct is given the run with the answer that needs no model, checked, while
	// a model is about to word it. It stays as it is: the run goes on in another.
	Direct func(*Run)
}

// StageRecord is what a stage left behind beside the parts of the Run that it filled.
type StageRecord struct {
	Stage    Stage         `json:"stage"`
	Duration time.Duration `json:"duration"`
	// Details are sentences about what the Run does not say elsewhere.
	Details []string `json:"details,omitempty"`
	Err     string   `json:"error,omitempty"` // a sentence, or empty
}

// AskOptions are the choices of one question; the zero value is the default.
type AskOptions struct {
	// Reading is the index of the plan's reading to follow, for when the user
	// chose another one than the best.
	Reading int
	// Chosen says that the user chose Reading, even where the plan says that
	// nothing in the graph fits the question: it is then not refused.
	Chosen bool
	// MaxWallTime is the soft deadline of the retrieval. The default value is 10s.
	MaxWallTime time.Duration
	// NoModel keeps the model out of this question even where one is set.
	NoModel bool
	// Save keeps the run's record in the graph's file, as its history, but for one with
	// Without.
	Save bool
	// Without are triples that are left out: the question is answered as though the graph
	// did not say them.
	Without []kg.TripleID
	// Style is how a model is shown the evidence.
	Style evidence.Style
	// Mentions are the names in the question, where the caller knows them already; nil
	// to find them. One that does not stand in the text has Start and End 0.
	Mentions []link.Mention
	// Retriever is the ID of the method that looks for the evidence. The default value
	// is Auto.
	Retriever string
	// AnyRelation takes the relations of a pattern for any, where the method can do that.
	AnyRelation bool
	// Plain matches with the paper's plain top-k algorithm instead of the
	// optimised one; the result is the same, only slower.
	Plain bool
}

// Run is the whole record of one question: every stage's input, output and time. As
// JSON it is what the history keeps; PastRun reads it back.
type Run struct {
	Question string    `json:"question"`
	Started  time.Time `json:"started"`
	// Graph is the version of the graph that was asked; empty for one in memory.
	Graph string `json:"graph,omitempty"`
	// Without are the triples that were left out of it, ascending: the run says what would
	// be the answer if the graph did not say them. Nil for the whole graph.
	Without []kg.TripleID `json:"without,omitempty"`
	Stages  []StageRecord `json:"stages"`
	// Mentions are the names found in the question; none where a plan was followed
	// that was there already.
	Mentions []link.Mention `json:"mentions,omitempty"`
	Plan     *plan.Plan     `json:"plan"`
	Reading  int            `json:"reading"` // index into Plan.Readings; -1 for none
	// Task is what is asked for: answers, their number, or whether a claim holds.
	Task pattern.Task `json:"task"`
	// Method looked for the evidence.
	Method retrieve.Info `json:"retriever"`
	// Found is what it found.
	evidence.Found
	Answer *answer.Answer `json:"answer"`
	// Chosen says in sentences what others said that the automatic choice asked, and why
	// this run is the answer; nil where nobody else was asked. Rival is the ID of the
	// method that says otherwise; empty for none.
	Chosen []string `json:"chosen,omitempty"`
	Rival  string   `json:"rival,omitempty"`
	// Made says that the method has learned from no questions but made ones.
	Made bool `json:"made,omitempty"`
	// Vectors says in a sentence whose vectors the texts were looked up by that are
	// not named letter by letter, where those are not simply the built-in ones:
	// another embedder's, or the built-in one's because another one failed.
	Vectors string `json:"vectors,omitempty"`
	// Exchanges are what was sent to a model and what it said, in order.
	Exchanges []Exchange `json:"exchanges,omitempty"`
	// Shortened says that the history keeps a part of the run alone, which was too
	// large.
	Shortened bool `json:"shortened,omitempty"`
	// Since says of a run of the history what has become of its graph; nil for others.
	Since *Since `json:"-"`

	heard *hearing // by the automatic choice; nil where nobody else was asked
}

// Pattern returns the pattern of the reading that was followed, or nil.
func (r *Run) Pattern() *pattern.Pattern {
	if r == nil || r.Plan == nil || r.Reading < 0 || r.Reading >= len(r.Plan.Readings) {
		return nil
	}
	return r.Plan.Readings[r.Reading].Pattern
}

// Matched returns the pattern that the candidates are matches of; nil where they are
// paths, as those of a method that is Seeded are, whatever reading it followed, and those
// of a connection, a description or a comparison.
func (r *Run) Matched() *pattern.Pattern {
	p := r.Pattern()
	if p == nil || len(r.Plan.Seeds) > 0 || p.Task > pattern.Verify {
		return nil
	}
	return p
}

// Exchange is one request to a model, and the stage that made it.
type Exchange struct {
	Stage Stage `json:"stage"`
	llm.Exchange
}

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
