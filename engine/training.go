package engine

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
	"cairn/internal/guard"
)

var (
	// ErrUntrained is returned for a question to a retriever that was not trained.
	ErrUntrained = errors.New("no retriever was trained on this graph yet: train one first, it takes questions with their answers, or makes them out of the graph")
	// ErrTraining is returned for a training while another one runs.
	ErrTraining = errors.New("a retriever is being trained on this graph already: wait for it to end, or stop it")
	// ErrNotWordedAgain is returned for wording questions again without a model.
	ErrNotWordedAgain = errors.New("rewording questions needs a language model, and none is set; choose one under Models, or with --model")
	// ErrNoTrainingToResume is returned for going on with a training where there is none.
	ErrNoTrainingToResume = errors.New("there is no training to resume")
)

// TrainOptions are the choices of a training.
type TrainOptions struct {
	// File holds questions with answers; empty to make them out of the graph.
	File string `json:"file,omitempty"`
	// Format is the file's, of questions.Formats; empty to recognise it.
	Format string `json:"format,omitempty"`
	// Questions caps how many are trained on, drawn with Options.Seed; 0 is all of a
	// file, and 5,000 of the graph.
	Questions int `json:"questions,omitempty"`
	// Held is the file that the training is measured on; empty to hold one question
	// in ten back.
	Held string `json:"held,omitempty"`
	// Paraphrase has the model word questions made out of the graph again.
	Paraphrase bool `json:"paraphrase,omitempty"`
	// Resume goes on with the training that was not ended; all else is then as it
	// was begun.
	Resume bool `json:"-"`
	// Name is the trained retriever's for people; empty for one that says its kind.
	Name    string         `json:"name,omitempty"`
	Options gnnrag.Options `json:"options"`
}

// TrainEvents is told how a training is going. Fields may be nil. They are called in
// order and one at a time, not always on the same goroutine, and must return quickly.
type TrainEvents struct {
	Epoch func(gnnrag.Epoch)
	// Data is told what is trained on, once it is known.
	Data func(TrainingData)
	// Progress reports work; total 0 means unknown.
	Progress func(task string, done, total int64)
}

// TrainingData is what a training learns from.
type TrainingData struct {
	// About says it in words: "1,000 questions of train.txt".
	About         string              `json:"about"`
	Train         int                 `json:"train"`                    // questions
	Held          int                 `json:"held"`                     // questions that it is measured on; of more that are held back, 500
	HeldMade      bool                `json:"held_made,omitempty"`      // these were made out of the graph like those that it learns from
	Dropped       []questions.Problem `json:"dropped,omitempty"`        // questions that could not be used, with the reason
	DroppedInAll  int                 `json:"dropped_in_all,omitempty"` // Dropped lists the first ones
	Coverage      gnnrag.Coverage     `json:"coverage"`                 // of the regions; zero for a network that looks at the whole graph
	SecondsEpoch  float64             `json:"seconds_epoch"`            // estimated time of one epoch; 0 where it is not known
	EpochsAtMost  int                 `json:"epochs_at_most"`           // of one network
	WithoutAnswer int                 `json:"without_answer,omitempty"` // questions without an answer within reach, estimated where there are many
}

// droppedShown is how many questions that could not be used are listed.
const droppedShown = 20

// kindData is the kind of the training row that holds the questions of a training.
// They are kept apart from its state, which is written every few seconds.
const kindData = "gnn questions"

// trainingRecord is what a training was asked to do.
type trainingRecord struct {
	Options TrainOptions `json:"options"`
	Data    TrainingData `json:"data"`
	Began   time.Time    `json:"began"`
	// Left is the id of the model that an earlier run of it left when it was stopped.
	Left int64 `json:"left,omitempty"`
}

// examples are the questions of a training.
type examples struct {
	Train []questions.Example `json:"train"`
	Held  []questions.Example `json:"held"`
}

// training is a training under way. It stays on the state that it began with,
// whatever happens to the graph meanwhile.
type training struct {
	*Engine

	s      *state
	ev     TrainEvents
	record trainingRecord
	set    examples
	from   []byte // the state that it goes on from; nil from the beginning
}

// Train trains a retriever on the graph, keeps it in the graph's file and uses it.
// The engine answers questions and takes imports meanwhile.
//
// A training that was not ended can be resumed, after a kill too: what it had
// reached is kept every few seconds. A cancelled one, or one whose loss is no
// number any more, keeps the best weights so far as a model, where it has some,
// and returns it beside the error. A new training takes the place of one that was
// not ended.
func (e *Engine) Train(ctx context.Context, o TrainOptions, ev *TrainEvents) (_ TrainedModel, err error) {
	defer guard.Recover(e.opts.Logger, &err)
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	select {
	case e.training <- struct{}{}:
		defer func() { <-e.training }()
	default:
		return TrainedModel{}, ErrTraining
	}
	t := &training{Engine: e}
	if ev != nil {
		t.ev = *ev
	}
	if t.s, err = e.awaitReady(ctx, &Events{Progress: t.ev.Progress}); err != nil {
		return TrainedModel{}, err
	}
	prepare := t.begin
	if o.Resume {
		prepare = t.resume
	}
	if err := prepare(ctx, o); err != nil {
		return TrainedModel{}, err
	}
	return t.run(ctx)
}

// begin gathers the questions of a new training and keeps them.
func (t *training) begin(ctx context.Context, o TrainOptions) error {
	t.record = trainingRecord{Options: o, Began: time.Now().UTC().Truncate(time.Second)}
	if t.store != nil && t.store.ReadOnly() {
		return t.save(ctx, kindGNN, nil) // it cannot, and says so: now and not hours later
	}
	if err := t.gather(ctx); err != nil {
		return err
	}
	if t.ev.Data != nil {
		t.ev.Data(t.record.Data)
	}
	packed, err := pack(t.set)
	if err != nil {
		return err
	}
	// Killed in between, it leaves no training with the questions of another one.
	if err := t.kept.ForgetTraining(ctx, kindGNN); err != nil {
		return err
	}
	if err := t.save(ctx, kindData, packed); err != nil {
		return err
	}
	return t.save(ctx, kindGNN, nil)
}

// resume takes up the training that was not ended.
func (t *training) resume(ctx context.Context, _ TrainOptions) error {
	kept, ok, err := t.kept.Training(ctx, kindGNN)
	if err != nil {
		return err
	}
	if !ok {
		return ErrNoTrainingToResume
	}
	if kept.Graph != t.s.version {
		return fmt.Errorf("%w: the graph has changed since it began; delete it and train again", gnnrag.ErrResume)
	}
	data, ok, err := t.kept.Training(ctx, kindData)
	if err != nil {
		return err
	}
	if !ok || !readJSON(kept.About, &t.record) || unpack(data.State, &t.set) != nil {
		return fmt.Errorf("%w: what was kept of it is damaged; delete it and train again", gnnrag.ErrResume)
	}
	if len(kept.State) > 0 {
		t.from = kept.State
	}
	if t.ev.Data != nil {
		t.ev.Data(t.record.Data)
	}
	return nil
}

// save keeps a part of the training.
func (t *training) save(ctx context.Context, kind string, state []byte) error {
	about, err := json.Marshal(t.record)
	if err != nil {
		return fmt.Errorf("write what is trained: %w", err)
	}
	return t.kept.SaveTraining(ctx, kg.Training{Kind: kind, Saved: time.Now().UTC(), Graph: t.s.version, About: string(about), State: state})
}

// run trains, and keeps what comes of it.
func (t *training) run(ctx context.Context) (TrainedModel, error) {
	whole := context.WithoutCancel(ctx)
	state := t.from
	m, failed := gnnrag.Train(ctx, t.world(t.s), t.set.Train, t.set.Held, t.record.Options.Options, t.from, &gnnrag.Events{
		Epoch: t.ev.Epoch, Progress: t.ev.Progress,
		Checkpoint: func(reached []byte) error {
			state = reached
			return t.save(whole, kindGNN, reached)
		},
	})
	if m == nil {
		if hopeless(failed) {
			failed = errors.Join(failed, t.forgetTraining(whole))
		}
		return TrainedModel{}, failed
	}
	left := t.record.Left
	made, err := t.keepModel(whole, m)
	if err != nil {
		return TrainedModel{}, errors.Join(failed, err)
	}
	if failed == nil || hopeless(failed) {
		err = t.forgetTraining(whole)
	} else {
		t.record.Left = made.ID
		err = t.save(whole, kindGNN, state)
	}
	if left != 0 && err == nil {
		// It has gone on from there, unless somebody has deleted it meanwhile.
		if err = t.DeleteTrained(whole, left); errors.Is(err, kg.ErrNoTrained) {
			err = nil
		}
	}
	return made, errors.Join(failed, err)
}

// hopeless reports whether a training that failed would fail again.
func hopeless(err error) bool {
	return errors.Is(err, gnnrag.ErrNothingToLearn) || errors.Is(err, nn.ErrNotFinite)
}

// keepModel keeps a trained model and uses it.
func (t *training) keepModel(ctx context.Context, m *gnnrag.Model) (TrainedModel, error) {
	m.About.Data, m.About.HeldMade = t.record.Data.About, t.record.Data.HeldMade
	weights, err := m.Encode()
	if err != nil {
		return TrainedModel{}, fmt.Errorf("write the trained retriever: %w", err)
	}
	about, err := json.Marshal(m.About)
	if err != nil {
		return TrainedModel{}, fmt.Errorf("write what the retriever was trained on: %w", err)
	}
	row := kg.Trained{
		Kind: kindGNN, Name: t.name(m), Made: m.About.Made, Graph: t.s.version, About: string(about), Bytes: int64(len(weights)),
	}
	if row.ID, err = t.kept.PutTrained(ctx, row, weights); err != nil {
		return TrainedModel{}, err
	}
	if err := t.use(ctx, row.ID); err != nil {
		return TrainedModel{}, err
	}
	made, err := t.trainedModel(ctx, row, t.now().version)
	made.InUse = made.Problem == ""
	return made, err
}

// name names a trained model for people.
func (t *training) name(m *gnnrag.Model) string {
	if name := strings.TrimSpace(t.record.Options.Name); name != "" {
		return name
	}
	return fmt.Sprintf("%s on %s", m.About.Options.Kind, m.About.Data)
}

// forgetTraining drops what was kept of the training that was not ended.
func (e *Engine) forgetTraining(ctx context.Context) error {
	return errors.Join(e.kept.ForgetTraining(ctx, kindGNN), e.kept.ForgetTraining(ctx, kindData))
}

// Unfinished describes the training that was not ended, in words; empty for none.
func (e *Engine) Unfinished(ctx context.Context) (string, error) {
	kept, ok, err := e.kept.Training(ctx, kindGNN)
	if err != nil || !ok {
		return "", err
	}
	var r trainingRecord
	if !readJSON(kept.About, &r) {
		return "a training that cannot be read any more", nil
	}
	text := fmt.Sprintf("%s on %s, begun %s", r.Options.Options.For(r.Data.Train).Kind, r.Data.About, r.Began.Format("2 January 2006, 15:04 UTC"))
	switch {
	case kept.Graph != e.now().version:
		text += "; the graph has changed since, so it cannot go on"
	case len(kept.State) == 0:
		text += "; its first epoch was not ended"
	}
	return text, nil
}

// ForgetUnfinished drops the training that was not ended.
func (e *Engine) ForgetUnfinished(ctx context.Context) error {
	select {
	case e.training <- struct{}{}:
		defer func() { <-e.training }()
	default:
		return ErrTraining
	}
	return e.forgetTraining(ctx)
}

// pack writes what a training must not lose, compressed.
func pack(v any) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := errors.Join(json.NewEncoder(z).Encode(v), z.Close()); err != nil {
		return nil, fmt.Errorf("write the questions of the training: %w", err)
	}
	return b.Bytes(), nil
}

// unpack reads what pack wrote; gzip's checksum tells damage.
func unpack(packed []byte, v any) error {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	return errors.Join(json.NewDecoder(z).Decode(v), z.Close())
}
