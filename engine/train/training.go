package train

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
)

var (
	// ErrRunning is returned for a training while another one runs.
	ErrRunning = errors.New("a retriever is already being trained on this graph; wait for it to finish, or stop it")
	// ErrNoModel is returned for Options.Assist without a model.
	ErrNoModel = errors.New("help with the questions needs a language model, but none is set; choose one under Models, or with --model")
	// ErrNothingToResume is returned for resuming a training where none was interrupted.
	ErrNothingToResume = errors.New("there is no training to resume")
)

// Options are the choices of a training.
type Options struct {
	// Method is the ID of the method to train; empty for the first that can be.
	Method string `json:"-"`
	// File holds questions with answers; empty to make them out of the graph.
	File string `json:"file,omitempty"`
	// Format is the file's, of questions.Formats; empty to recognise it.
	Format string `json:"format,omitempty"`
	// Questions caps how many are trained on, drawn with Seed; 0 is all of a file, and
	// 5,000 of the graph.
	Questions int `json:"questions,omitempty"`
	// Held is the file that the training is measured on; empty to hold one question in
	// ten back.
	Held string `json:"held,omitempty"`
	// Assist has the model help with the questions: reword those made from the graph; or,
	// beside those of a file, word questions about single relations, and say which chain of
	// relations a question asks for where several lead to its answers.
	Assist bool `json:"assist,omitempty"`
	// Resume resumes the interrupted training of Method; all else is then as it was
	// begun.
	Resume bool `json:"-"`
	// Name is the trained retriever's for people; empty for one that says what it is.
	Name string `json:"name,omitempty"`
	Seed uint64 `json:"seed,omitempty"`
	// Chosen are values of the method's options.
	Chosen retrieve.Values `json:"chosen,omitempty"`
	// Settings are what the method makes of Chosen; nil to have it do so.
	Settings json.RawMessage `json:"options,omitempty"`
}

// Events is told how a training is going. Fields may be nil. They are called in order
// and one at a time, not always on the same goroutine, and must return quickly.
type Events struct {
	// Data is told what is trained on, once it is known.
	Data func(Data)
	// Notes is told in sentences what the method says of the questions.
	Notes func([]string)
	Epoch func(retrieve.Epoch)
	// Progress reports work; total 0 means unknown.
	Progress func(task string, done, total int64)
}

// Source is the graph that a training learns from. The training stays on it, whatever
// happens to the graph meanwhile.
type Source struct {
	World   retrieve.World
	Version string
	// Seeds finds the entities that a question names, and where it does.
	Seeds func(ctx context.Context, question string) ([]kg.EntityID, []questions.Span, error)
	// Make makes about n questions out of the graph, and some more to measure by.
	Make func(ctx context.Context, n int, seed uint64) (train, held []questions.Example)
	// Model helps with the questions; nil for none.
	Model llm.Model
	// Learned is told what was learned from and what was not, once that is done; nil for
	// nobody.
	Learned func(from, not []questions.Example)
}

// record is what a training was asked to do.
type record struct {
	Options Options   `json:"options"`
	Data    Data      `json:"data"`
	Began   time.Time `json:"began"`
	// Left is the id of the model that an earlier run of it left when it was stopped.
	Left int64 `json:"left,omitempty"`
}

type examples struct {
	Train []questions.Example `json:"train"`
	Held  []questions.Example `json:"held"`
}

type training struct {
	*Trainer
	Source

	method retrieve.Trainable
	id     string // of the method
	ev     Events
	record record
	set    examples
	from   []byte // the checkpoint to resume from; nil from the beginning
}

// kindData is the kind of the record that holds the questions of a training. They are
// kept apart from its state, which is written every few seconds.
func kindData(method string) string { return method + " questions" }

// Train trains a retriever, keeps it and uses it. on gives the graph.
//
// A training that was interrupted can be resumed, after a kill too: its state is kept
// every few seconds. A cancelled one, or one that diverged, keeps the best weights so
// far as a model, where it has some, and returns it beside the error. A new training
// takes the place of an interrupted one of its method.
func (t *Trainer) Train(ctx context.Context, o Options, ev *Events, on func(context.Context) (Source, error)) (Model, error) {
	m, err := t.method(o.Method)
	if err != nil {
		return Model{}, err
	}
	if !t.running.TryLock() {
		return Model{}, ErrRunning
	}
	defer t.running.Unlock()
	tr := &training{Trainer: t, method: m, id: m.Info().ID}
	if ev != nil {
		tr.ev = *ev
	}
	if tr.Source, err = on(ctx); err != nil {
		return Model{}, err
	}
	if o.Resume {
		err = tr.resume(ctx)
	} else {
		err = tr.begin(ctx, o)
	}
	if err != nil {
		return Model{}, err
	}
	return tr.run(ctx)
}

// begin gathers the questions of a new training and keeps them.
func (t *training) begin(ctx context.Context, o Options) error {
	if t.ReadOnly {
		return t.save(ctx, t.id, nil) // it cannot, and says so: now and not hours later
	}
	if o.Settings == nil {
		err := retrieve.CheckValues(t.method.Options(), o.Chosen, func(o retrieve.Option) string { return o.Name })
		if err != nil {
			return err
		}
		if o.Settings, err = t.method.Settings(o.Chosen); err != nil {
			return err
		}
	}
	t.record = record{Options: o, Began: time.Now().UTC().Truncate(time.Second)}
	if err := t.gather(ctx); err != nil {
		return err
	}
	t.tell()
	packed, err := pack(t.set)
	if err != nil {
		return err
	}
	// Killed in between, it leaves no training with the questions of another one.
	if err := t.Keeper.ForgetTraining(ctx, t.id); err != nil {
		return err
	}
	if err := t.save(ctx, kindData(t.id), packed); err != nil {
		return err
	}
	return t.save(ctx, t.id, nil)
}

func (t *training) resume(ctx context.Context) error {
	kept, ok, err := t.Keeper.Training(ctx, t.id)
	switch {
	case err != nil:
		return err
	case !ok:
		return ErrNothingToResume
	case kept.Graph != t.Source.Version:
		return fmt.Errorf("%w: the graph has changed since it began. Delete it and train again", retrieve.ErrResume)
	}
	data, ok, err := t.Keeper.Training(ctx, kindData(t.id))
	if err != nil {
		return err
	}
	if !ok || json.Unmarshal([]byte(kept.About), &t.record) != nil || unpack(data.State, &t.set) != nil {
		return fmt.Errorf("%w: its record is damaged. Delete it and train again", retrieve.ErrResume)
	}
	if len(kept.State) > 0 {
		t.from = kept.State
	}
	t.tell()
	return nil
}

func (t *training) tell() {
	if t.ev.Data != nil {
		t.ev.Data(t.record.Data)
	}
}

// save keeps a part of the training.
func (t *training) save(ctx context.Context, kind string, state []byte) error {
	about, err := json.Marshal(t.record)
	if err != nil {
		return fmt.Errorf("write the record of the training: %w", err)
	}
	return t.Keeper.SaveTraining(ctx, kg.Training{Kind: kind, Saved: time.Now().UTC(), Graph: t.Source.Version, About: string(about), State: state})
}

// request is what the method is asked to do.
func (t *training) request() retrieve.Training {
	o, d := t.record.Options, t.record.Data
	return retrieve.Training{
		World: t.World, Settings: o.Settings, Seed: o.Seed, Train: t.set.Train, Held: t.set.Held, Data: d.About, HeldMade: d.HeldMade,
		Make: func(ctx context.Context, n int, seed uint64) []questions.Example {
			made, _ := t.Make(ctx, n, seed)
			return made
		},
	}
}

// run trains, and keeps what comes of it.
func (t *training) run(ctx context.Context) (Model, error) {
	whole := context.WithoutCancel(ctx)
	state := t.from
	r := t.request()
	r.State = t.from
	r.TrainingEvents = retrieve.TrainingEvents{
		Notes: t.ev.Notes, Epoch: t.ev.Epoch, Progress: t.ev.Progress,
		Checkpoint: func(reached []byte) error {
			state = reached
			return t.save(whole, t.id, reached)
		},
	}
	weights, failed := t.method.Train(ctx, r)
	if len(weights) == 0 {
		if hopeless(failed) {
			failed = errors.Join(failed, t.drop(whole, t.id))
		}
		return Model{}, failed
	}
	left := t.record.Left
	made, err := t.Keep(whole, t.method, t.record.Options.Name, t.Source.Version, weights)
	if err != nil {
		return Model{}, errors.Join(failed, err)
	}
	if failed == nil && t.Learned != nil {
		t.Learned(t.set.Train, t.set.Held)
	}
	if failed == nil || hopeless(failed) {
		err = t.drop(whole, t.id)
	} else {
		t.record.Left = made.ID
		err = t.save(whole, t.id, state)
	}
	if left != 0 && err == nil {
		// The new one has taken its place, unless somebody has deleted it meanwhile.
		if err = t.Delete(whole, left); errors.Is(err, kg.ErrNoTrained) {
			err = nil
		}
	}
	return made, errors.Join(failed, err)
}

// hopeless reports whether a training that failed would fail again.
func hopeless(err error) bool {
	return errors.Is(err, retrieve.ErrNothingToLearn) || errors.Is(err, retrieve.ErrDiverged)
}

// Keep keeps weights of a method, which were trained on a version of the graph or written
// by the user, and uses them. The empty name is one that says what they are.
func (t *Trainer) Keep(ctx context.Context, m retrieve.Trainable, name, version string, weights []byte) (Model, error) {
	a, err := m.About(weights)
	if err != nil {
		return Model{}, fmt.Errorf("read what was trained: %w", err)
	}
	about, err := json.Marshal(a)
	if err != nil {
		return Model{}, fmt.Errorf("write what the retriever was trained on: %w", err)
	}
	id := m.Info().ID
	row := kg.Trained{Kind: id, Name: nameOf(name, a), Made: a.Made, Graph: version, About: string(about), Bytes: int64(len(weights))}
	if row.ID, err = t.Keeper.PutTrained(ctx, row, weights); err != nil {
		return Model{}, err
	}
	if err := t.choose(ctx, id, row.ID); err != nil {
		return Model{}, err
	}
	t.learn(KeyOf(row), a, nil)
	made, err := t.Describe(ctx, m, row)
	made.InUse = true
	return made, err
}

// drop forgets the interrupted training of a method.
func (t *Trainer) drop(ctx context.Context, method string) error {
	return errors.Join(t.Keeper.ForgetTraining(ctx, method), t.Keeper.ForgetTraining(ctx, kindData(method)))
}

// Unfinished describes the interrupted training of a method in words; empty for none.
func (t *Trainer) Unfinished(ctx context.Context, method string) (string, error) {
	m, err := t.method(method)
	if err != nil {
		return "", err
	}
	kept, ok, err := t.Keeper.Training(ctx, m.Info().ID)
	if err != nil || !ok {
		return "", err
	}
	var r record
	if damaged := json.Unmarshal([]byte(kept.About), &r); damaged != nil {
		return "its record is damaged, so it cannot be resumed", nil //nolint:nilerr // it is said in words
	}
	text := fmt.Sprintf("%s, started %s", r.Data.About, r.Began.Format("2 January 2006, 15:04 UTC"))
	switch {
	case kept.Graph != t.Version():
		text += "; the graph has changed since, so it cannot be resumed"
	case len(kept.State) == 0:
		text += "; its first epoch was not completed"
	}
	return text, nil
}

// Forget drops the interrupted training of a method.
func (t *Trainer) Forget(ctx context.Context, method string) error {
	m, err := t.method(method)
	if err != nil {
		return err
	}
	if !t.running.TryLock() {
		return ErrRunning
	}
	defer t.running.Unlock()
	return t.drop(ctx, m.Info().ID)
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
