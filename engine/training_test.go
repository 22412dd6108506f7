package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/engine/check"
	"cairn/engine/embed"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/train"
)

// studio makes a graph's file of films, and a file of questions about them: who
// directed each film, and when it came out.
func studio(t *testing.T, films int) (e *Engine, dir string) {
	t.Helper()
	dir = t.TempDir()
	var triples, asked strings.Builder
	for i := range films {
		fmt.Fprintf(&triples, "Film %d|directed_by|Director %d\nFilm %d|release_year|%d\n", i, i%7, i, 1950+i%30)
		fmt.Fprintf(&asked, "who directed [Film %d]\tDirector %d\nwhen did [Film %d] come out\t%d\n", i, i%7, i, 1950+i%30)
	}
	writeText(t, filepath.Join(dir, "kb.txt"), triples.String())
	writeText(t, filepath.Join(dir, "qa.txt"), asked.String())
	e = openWith(t, filepath.Join(dir, "studio.cairn"), nil)
	if _, err := e.Import(t.Context(), []string{filepath.Join(dir, "kb.txt")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	return e, dir
}

// little are options of a training that takes a second.
func little(dir string) TrainOptions {
	return TrainOptions{File: filepath.Join(dir, "qa.txt"), Seed: 5, Settings: littleIn(4)}
}

// littleIn are the settings of a training of so many epochs.
func littleIn(epochs int) json.RawMessage {
	return settings(gnnrag.Options{Kind: gnnrag.ReaRev, Epochs: epochs, Width: 16, Layers: 1, Tries: 1})
}

// settings are options of gnnrag as a training takes them.
func settings(o gnnrag.Options) json.RawMessage {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return b
}

// weightsOf are the weights of the trained retriever with an id, but for what is
// different with every training: when it was made and how long it took.
func weightsOf(t *testing.T, e *Engine, id int64) string {
	t.Helper()
	b, err := e.trainer.Keeper.Weights(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	m, err := gnnrag.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	m.About = gnnrag.About{Options: m.About.Options}
	if b, err = m.Encode(); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTrainAndAsk(t *testing.T) {
	e, dir := studio(t, 40)
	var data TrainingData
	epochs := 0
	made, err := e.Train(t.Context(), little(dir), &TrainEvents{
		Data:  func(d TrainingData) { data = d },
		Epoch: func(retrieve.Epoch) { epochs++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if data.About != "72 questions of qa.txt" || data.Train != 72 || data.Held != 8 || data.DroppedInAll != 0 || data.SecondsEpoch <= 0 {
		t.Errorf("Data was told %+v", data)
	}
	if epochs == 0 || made.Name != "ReaRev on 72 questions of qa.txt" || made.About.Data != data.About || made.Stale != "" || made.Problem != "" || !made.InUse {
		t.Errorf("Train = %+v after %d epochs", made, epochs)
	}
	if text, err := e.Unfinished(t.Context(), ""); text != "" || err != nil {
		t.Errorf("Unfinished = %q, %v after a training that ended", text, err)
	}
	run, err := e.Ask(t.Context(), "who directed Film 12", AskOptions{Retriever: "gnn", Save: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Answer.Items) == 0 || run.Answer.Items[0].Label != "Director 5" {
		t.Fatalf("answer %+v, want Director 5 first", run.Answer)
	}
	cited := false
	for _, s := range run.Answer.Sentences {
		if !s.Note {
			cited = cited || len(s.Citations) > 0 && s.Check == check.Covered
		}
	}
	if !cited {
		t.Errorf("no sentence cites what it rests on: %+v", run.Answer.Sentences)
	}
	if past, err := e.History(t.Context(), 1); err != nil || len(past) != 1 {
		t.Errorf("History = %+v, %v", past, err)
	} else if kept, err := e.PastRun(t.Context(), past[0].ID); err != nil || !strings.HasPrefix(kept.By, "GNN-RAG") || kept.Since.Changed {
		t.Errorf("the record %+v, %v", kept, err)
	}

	// It is there when the graph is opened again, and stale once it has changed.
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = openWith(t, filepath.Join(dir, "studio.cairn"), nil)
	again, err := e.Ask(t.Context(), "who directed Film 12", AskOptions{Retriever: "gnn"}, nil)
	if err != nil || !reflect.DeepEqual(again.Answers, run.Answers) {
		t.Errorf("after opening again: %v, %+v, want %+v", err, again.Answers, run.Answers)
	}
	writeText(t, filepath.Join(dir, "more.txt"), "Film 99|directed_by|Director 3\nFilm 99|produced_by|Director 1\n")
	if _, err := e.Import(t.Context(), []string{filepath.Join(dir, "more.txt")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if list, err := e.Trained(t.Context()); err != nil || len(list) != 1 || list[0].Stale == "" || !list[0].InUse {
		t.Errorf("Trained = %+v, %v, want one that is stale", list, err)
	}
	run, err = e.Ask(t.Context(), "who directed Film 99", AskOptions{Retriever: "gnn"}, nil)
	if err != nil || !slices.ContainsFunc(run.Notes, func(s string) bool { return strings.HasPrefix(s, "The graph has changed since") }) {
		t.Errorf("Ask of a stale one: %v, %+v", err, run)
	}
}

func TestTrainOutOfTheGraph(t *testing.T) {
	var b kg.Builder
	for i := range 30 {
		b.Add(fmt.Sprintf("Film %d", i), "directed_by", fmt.Sprintf("Director %d", i%7))
	}
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := TrainOptions{Questions: 60, Name: "mine", Settings: settings(gnnrag.Options{Kind: gnnrag.ReaRev, Epochs: 2, Width: 10, Layers: 1, Tries: 1})}
	var data TrainingData
	made, err := kept(e).Train(t.Context(), o, &TrainEvents{Data: func(d TrainingData) { data = d }})
	if err != nil {
		t.Fatal(err)
	}
	if made.Name != "mine" || !strings.HasSuffix(data.About, "questions generated from the graph") || data.Train < 20 || data.Held == 0 || !data.HeldMade || !made.About.HeldMade {
		t.Errorf("Train = %+v on %+v", made, data)
	}
	// In memory it is kept as long as the engine is.
	if list, err := e.Trained(t.Context()); err != nil || len(list) != 1 || list[0].ID != made.ID {
		t.Errorf("Trained = %+v, %v", list, err)
	}
	if run, err := e.Ask(t.Context(), "who directed Film 3?", AskOptions{Retriever: "gnn"}, nil); err != nil || len(run.Answers) == 0 {
		t.Errorf("Ask: %v, %+v", err, run)
	}
	learn, held := e.now().made(t.Context(), 60, 0)
	if len(learn) != data.Train || len(held) != data.Held {
		t.Errorf("made %d and %d questions, want %d and %d as were trained on", len(learn), len(held), data.Train, data.Held)
	}
}

// TestTrainingIsResumed stops a training after each epoch: it keeps the best so far,
// and going on ends with the weights of one that was never stopped.
func TestTrainingIsResumed(t *testing.T) {
	e, dir := studio(t, 30)
	whole, err := e.Train(t.Context(), little(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop <= 3; stop++ {
		ctx, cancel := context.WithCancel(t.Context())
		kept, err := e.Train(ctx, little(dir), &TrainEvents{Epoch: func(x retrieve.Epoch) {
			if x.Epoch == stop {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) || kept.ID == 0 || !kept.InUse {
			t.Fatalf("stopped after epoch %d: %+v, %v, want the best so far and Canceled", stop, kept, err)
		}
		text, err := e.Unfinished(t.Context(), "")
		if err != nil || !strings.HasPrefix(text, "54 questions of qa.txt, started ") {
			t.Errorf("Unfinished = %q, %v", text, err)
		}
		// What it learns from was kept: the file may go.
		if err := os.Rename(filepath.Join(dir, "qa.txt"), filepath.Join(dir, "away.txt")); err != nil {
			t.Fatal(err)
		}
		first := 0
		done, err := e.Train(t.Context(), TrainOptions{Resume: true}, &TrainEvents{Epoch: func(x retrieve.Epoch) {
			if first == 0 {
				first = x.Epoch
			}
		}})
		if err != nil || first != stop+1 {
			t.Fatalf("resumed: %v, from epoch %d, want %d", err, first, stop+1)
		}
		if weightsOf(t, e, done.ID) != weightsOf(t, e, whole.ID) {
			t.Errorf("stopped after epoch %d and resumed: other weights than of a training that was not stopped", stop)
		}
		list, err := e.Trained(t.Context())
		if err != nil || len(list) != stop+1 || list[0].ID != done.ID || !list[0].InUse {
			t.Errorf("Trained = %+v, %v, want what was kept on the way to be gone", list, err)
		}
		if err := os.Rename(filepath.Join(dir, "away.txt"), filepath.Join(dir, "qa.txt")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Train(t.Context(), TrainOptions{Resume: true}, nil); !errors.Is(err, train.ErrNothingToResume) {
		t.Errorf("resuming what has ended: %v, want train.ErrNothingToResume", err)
	}
}

// trainedGraph is the environment variable that makes TestKilledWhileTraining the
// program that is killed.
const trainedGraph = "CAIRN_TEST_TRAIN_AND_BE_KILLED"

// TestKilledWhileTraining ends a program in the middle, as kill -9 does. The next
// one goes on from what was kept, and ends with the weights of one that was not
// killed.
func TestKilledWhileTraining(t *testing.T) {
	if dir := os.Getenv(trainedGraph); dir != "" {
		e := openWith(t, filepath.Join(dir, "studio.cairn"), nil)
		_, err := e.Train(t.Context(), little(dir), &TrainEvents{Epoch: func(x retrieve.Epoch) {
			if x.Epoch == 3 {
				writeText(t, filepath.Join(dir, "here"), "")
				time.Sleep(time.Minute)
			}
		}})
		t.Fatal("the program ended by itself: ", err)
	}
	e, dir := studio(t, 30)
	whole, err := e.Train(t.Context(), little(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := weightsOf(t, e, whole.ID)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledWhileTraining$")
	program.Env = append(os.Environ(), trainedGraph+"="+dir)
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "here")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the program did not come to its third epoch")
		}
	}
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait() // it was killed
	e = openWith(t, filepath.Join(dir, "studio.cairn"), nil)
	if text, err := e.Unfinished(t.Context(), ""); text == "" || err != nil {
		t.Fatalf("Unfinished = %q, %v after a kill", text, err)
	}
	first := 0
	done, err := e.Train(t.Context(), TrainOptions{Resume: true}, &TrainEvents{Epoch: func(x retrieve.Epoch) {
		if first == 0 {
			first = x.Epoch
		}
	}})
	if err != nil || first < 2 {
		t.Fatalf("resumed: %v, from epoch %d, want a later one than the first", err, first)
	}
	if weightsOf(t, e, done.ID) != want {
		t.Error("other weights than of a training that was not killed")
	}
}

func TestTrainRefusesInWords(t *testing.T) {
	e, dir := studio(t, 5)
	for name, tt := range map[string]struct {
		text string
		want error
		says string
	}{
		"empty":     {"", ingest.ErrEmpty, ""},
		"strangers": {"who directed [Nosferatu]\tMurnau\n", retrieve.ErrNothingToLearn, "Nosferatu"},
	} {
		t.Run(name, func(t *testing.T) {
			o := little(dir)
			o.File = filepath.Join(dir, name+".txt")
			writeText(t, o.File, tt.text)
			if _, err := e.Train(t.Context(), o, nil); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Train = %v, want %v with %q", err, tt.want, tt.says)
			}
			if text, err := e.Unfinished(t.Context(), ""); text != "" || err != nil {
				t.Errorf("Unfinished = %q, %v, want nothing to go on with", text, err)
			}
		})
	}
	// One question is learned by heart.
	o := little(dir)
	o.File = filepath.Join(dir, "one.txt")
	writeText(t, o.File, "who directed [Film 1]\tDirector 1\n")
	if made, err := e.Train(t.Context(), o, nil); err != nil || made.About.Questions != 1 {
		t.Errorf("Train on one question = %+v, %v", made, err)
	}
	empty := openWith(t, filepath.Join(dir, "empty.cairn"), nil)
	if _, err := empty.Train(t.Context(), TrainOptions{}, nil); !errors.Is(err, retrieve.ErrNothingToLearn) {
		t.Errorf("Train on an empty graph = %v, want ErrNothingToLearn", err)
	}
}

// TestTheGraphChangesDuringATraining: questions and imports go on, the training ends
// on the graph that it began with, and what it made is stale.
func TestTheGraphChangesDuringATraining(t *testing.T) {
	e, dir := studio(t, 20)
	var during error
	changed := false
	made, err := e.Train(t.Context(), little(dir), &TrainEvents{Epoch: func(retrieve.Epoch) {
		if changed {
			return
		}
		changed = true
		if _, err := e.Train(t.Context(), little(dir), nil); !errors.Is(err, train.ErrRunning) {
			during = fmt.Errorf("a second training: %w", err)
		}
		writeText(t, filepath.Join(dir, "more.txt"), "Film 99|directed_by|Director 3\n")
		_, err := e.Import(t.Context(), []string{filepath.Join(dir, "more.txt")}, ingest.Options{}, nil)
		run, asked := e.Ask(t.Context(), "who directed Film 99?", AskOptions{}, nil)
		if err = errors.Join(err, asked); err == nil && !slices.Equal(said(run), []string{"Director 3"}) {
			err = fmt.Errorf("answer %q", said(run))
		}
		during = errors.Join(during, err)
	}})
	if err != nil || during != nil {
		t.Fatalf("Train = %v; meanwhile: %v", err, during)
	}
	if made.Stale == "" {
		t.Error("what was trained on the graph before its change is not stale")
	}
	// One that is stopped and whose graph changes then cannot go on.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := e.Train(ctx, little(dir), &TrainEvents{Epoch: func(retrieve.Epoch) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(dir, "more.txt"), "Film 98|directed_by|Director 3\n")
	if _, err := e.Import(t.Context(), []string{filepath.Join(dir, "more.txt")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Train(t.Context(), TrainOptions{Resume: true}, nil); !errors.Is(err, retrieve.ErrResume) {
		t.Errorf("resuming on a changed graph: %v, want ErrResume", err)
	}
	if text, err := e.Unfinished(t.Context(), ""); err != nil || !strings.Contains(text, "the graph has changed since") {
		t.Errorf("Unfinished = %q, %v", text, err)
	}
	if err := e.ForgetUnfinished(t.Context(), "gnn"); err != nil {
		t.Fatal(err)
	}
	if text, err := e.Unfinished(t.Context(), ""); text != "" || err != nil {
		t.Errorf("Unfinished = %q, %v after it was dropped", text, err)
	}
}

// rewords is a model that words each question of a prompt again.
type rewords struct{}

func (rewords) Name() string { return "rewords" }

func (rewords) Ask(_ context.Context, req llm.Request) (llm.Reply, error) {
	_, task, _ := strings.Cut(req.Prompt, "Your task)")
	var said []string
	for _, m := range regexp.MustCompile(`(?m)^(\d+)\. .*\[\[(.*)\]\]`).FindAllStringSubmatch(task, -1) {
		said = append(said, fmt.Sprintf(`{"number": %s, "wordings": ["tell me all there is about %s"]}`, m[1], m[2]))
	}
	return llm.Reply{Text: `{"questions": [` + strings.Join(said, ", ") + `]}`}, nil
}

func TestTrainOnOtherWords(t *testing.T) {
	e := kept(films(t))
	o := TrainOptions{Questions: 40, Assist: true, Settings: settings(gnnrag.Options{Kind: gnnrag.ReaRev, Epochs: 1, Width: 10, Layers: 1, Tries: 1})}
	if _, err := e.Train(t.Context(), o, nil); !errors.Is(err, train.ErrNoModel) {
		t.Errorf("without a model: %v, want train.ErrNoModel", err)
	}
	e.SetModel(rewords{})
	var data TrainingData
	if _, err := e.Train(t.Context(), o, &TrainEvents{Data: func(d TrainingData) { data = d }}); err != nil {
		t.Fatal(err)
	}
	made, _ := e.now().made(t.Context(), o.Questions, 0)
	if data.Train <= len(made) || !strings.Contains(data.About, "other wordings of them by rewords") {
		t.Errorf("trained on %+v, want more than the %d questions generated from the graph", data, len(made))
	}
}

// TestLossThatIsNoNumber ends a training whose steps are far too long, in words.
func TestLossThatIsNoNumber(t *testing.T) {
	e, dir := studio(t, 20)
	o := little(dir)
	o.Settings = settings(gnnrag.Options{Kind: gnnrag.ReaRev, Epochs: 4, Width: 16, Layers: 1, Tries: 1, Rate: 1e30})
	made, err := e.Train(t.Context(), o, nil)
	if !errors.Is(err, nn.ErrNotFinite) || made.ID != 0 {
		t.Errorf("Train = %+v, %v, want ErrNotFinite", made, err)
	}
	if text, err := e.Unfinished(t.Context(), ""); text != "" || err != nil {
		t.Errorf("Unfinished = %q, %v, want nothing: it would fail again", text, err)
	}
}

// TestWorldEmbeds finds the embedders that networks were trained with.
func TestWorldEmbeds(t *testing.T) {
	e := films(t)
	builtin, err := e.world(e.now()).Embed(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if same, err := e.world(e.now()).Embed(t.Context(), builtin.ID()); err != nil || same != builtin {
		t.Errorf("Embed(%s) = %v, %v, want the built-in one", builtin.ID(), same, err)
	}
	if _, err := e.world(e.now()).Embed(t.Context(), "letters/1"); err == nil || !strings.Contains(err.Error(), "choose it under Models") {
		t.Errorf("Embed of one that is not there: %v, want a remedy", err)
	}
	e.opts.Embedder = func(context.Context, string) (embed.Embedder, error) { return &letters{id: "letters/1", dims: 8}, nil }
	got, err := e.world(e.now()).Embed(t.Context(), "letters/1")
	if err != nil || got.ID() != "letters/1" {
		t.Errorf("Embed(letters/1) = %v, %v", got, err)
	}
	if _, err := e.world(e.now()).Embed(t.Context(), "letters/2"); err == nil {
		t.Error("Embed gave another embedder than the one that was asked for")
	}
}

// TestTrainingInMemoryIsResumed: a graph without a file keeps trainings as long as
// it is open.
func TestTrainingInMemoryIsResumed(t *testing.T) {
	var b kg.Builder
	for i := range 20 {
		b.Add(fmt.Sprintf("Film %d", i), "directed_by", fmt.Sprintf("Director %d", i%7))
	}
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := TrainOptions{Questions: 30, Settings: settings(gnnrag.Options{Kind: gnnrag.ReaRev, Epochs: 3, Width: 10, Layers: 1, Tries: 1})}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stopped, err := kept(e).Train(ctx, o, &TrainEvents{Epoch: func(retrieve.Epoch) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	done, err := e.Train(t.Context(), TrainOptions{Resume: true}, nil)
	if err != nil || done.ID == stopped.ID {
		t.Fatalf("resumed: %+v, %v", done, err)
	}
	if list, err := e.Trained(t.Context()); err != nil || len(list) != 1 || list[0].ID != done.ID || !list[0].InUse {
		t.Errorf("Trained = %+v, %v, want what was resumed alone", list, err)
	}
	if err := e.UseTrained(t.Context(), done.ID); err != nil {
		t.Error(err)
	}
	if err := e.DeleteTrained(t.Context(), done.ID); err != nil {
		t.Error(err)
	}
	if err := e.DeleteTrained(t.Context(), done.ID); !errors.Is(err, kg.ErrNoTrained) {
		t.Errorf("deleting it twice: %v, want ErrNoTrained", err)
	}
}

// TestTrainOnTheSample is the whole way of somebody without any questions: the
// sample graph, questions made out of it, the default network, a question.
func TestTrainOnTheSample(t *testing.T) {
	if testing.Short() {
		t.Skip("it trains for seconds, and a minute with the race detector")
	}
	e, err := OpenSample(t.Context(), t.TempDir(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	made, err := e.Train(t.Context(), TrainOptions{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(made.Name, "relation flow on ") || !strings.HasSuffix(made.Name, " questions generated from the graph") || made.About.Dev.H1 < 0.6 {
		t.Errorf("Train = %+v, want an H@1 of 0.6 at least on questions in other words", made)
	}
	for question, want := range map[string][]string{
		"What is the capital of Mongolia?":          {"Ulaanbaatar"},
		"Which elements did Humphry Davy discover?": {"Barium", "Boron", "Calcium", "Magnesium", "Potassium", "Sodium", "Strontium"},
		"Which currency does Austria use?":          {"euro"},
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{Retriever: "gnn"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := trainedSaid(run); !slices.Equal(got, want) || len(run.Steps) == 0 {
			t.Errorf("%s: %q in the steps %q, want %q", question, got, run.Steps, want)
			continue
		}
		for _, it := range run.Answer.Items {
			if len(it.Citations) == 0 {
				t.Errorf("%s: %s rests on no triple", question, it.Label)
				continue
			}
			triple := run.Answer.Pack.Triples[it.Citations[0]-1]
			sources, err := e.Sources(t.Context(), []kg.TripleID{triple})
			where := sources[triple]
			if err != nil || len(where) == 0 || where[0].Line == 0 {
				t.Errorf("%s: the triple of %s comes from %+v, %v, want a line of a file", question, it.Label, where, err)
			}
		}
		for _, s := range run.Answer.Sentences {
			if !s.Note && s.Check != check.Covered {
				t.Errorf("%s: “%s” is %s", question, s.Text, s.Check)
			}
		}
	}
}

// TestHeldFile measures on the questions of another file, and says which questions
// of which file were of no use.
func TestHeldFile(t *testing.T) {
	e, dir := studio(t, 20)
	o := little(dir)
	o.Questions, o.Held = 12, filepath.Join(dir, "held.txt")
	writeText(t, o.Held, "who directed [Film 3]\tDirector 3\nwho directed [Nosferatu]\tMurnau\nwho directed [Film 4]\tDirector 4\n")
	var data TrainingData
	made, err := e.Train(t.Context(), o, &TrainEvents{Data: func(d TrainingData) { data = d }})
	if err != nil {
		t.Fatal(err)
	}
	if data.About != "12 questions of the 40 in qa.txt, measured on held.txt" || data.Train != 12 || data.Held != 2 || made.About.Held != 2 || data.HeldMade || made.About.HeldMade {
		t.Errorf("trained on %+v, made %+v", data, made)
	}
	want := []questions.Problem{{Line: 2, Why: `held.txt: Nothing in this graph is called "Nosferatu".`}}
	if data.DroppedInAll != 1 || !slices.Equal(data.Dropped, want) {
		t.Errorf("dropped %d: %+v, want %+v", data.DroppedInAll, data.Dropped, want)
	}
}
