package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/plan"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/simgrag"
)

// neighbours is a trained retriever that gives the neighbours of what a question
// names one probability each, and counts how often it was asked.
type neighbours struct {
	g     *kg.Graph
	asked []retrieve.Query
	notes []string
}

func (n *neighbours) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	n.asked = append(n.asked, q)
	f := evidence.Found{
		By: "GNN-RAG (neighbours)", Notes: n.notes, Steps: []string{"one step away"},
		Region: evidence.Region{Entities: n.g.Entities(), Triples: n.g.Triples(), Method: "the whole graph"},
	}
	for _, s := range q.Seeds {
		for _, edges := range [][]kg.Edge{n.g.Out(s), n.g.In(s)} {
			for _, x := range edges {
				f.Answers = append(f.Answers, evidence.Answer{Entity: x.Entity})
				f.Candidates = append(f.Candidates, evidence.Path([]kg.EntityID{s, x.Entity}, [][]kg.TripleID{{x.Triple}}, "graph network"))
			}
		}
	}
	for i := range f.Answers {
		f.Answers[i].Score = evidence.Score{Value: 1 / float64(len(f.Answers)), Scale: evidence.Probability}
	}
	f.Weighed = slices.Clone(f.Answers)
	f.Support(evidence.Candidate.End)
	return f, ctx.Err()
}

// trainedBy is the trained method, whose weights may be a retriever's.
type trainedBy struct {
	gnnrag.Method

	by map[string]retrieve.Retriever
}

func (m trainedBy) Open(ctx context.Context, w retrieve.World) (retrieve.Retriever, error) {
	if r, ok := m.by[string(w.Weights)]; ok {
		return r, nil
	}
	return m.Method.Open(ctx, w)
}

func (m trainedBy) About(weights []byte) (retrieve.About, error) {
	if _, ok := m.by[string(weights)]; ok {
		return retrieve.About{Data: "3 questions of films.csv"}, nil
	}
	return m.Method.About(weights)
}

// putTrained makes questions to the trained method use a retriever.
func putTrained(t *testing.T, e *Engine, name, version string, r retrieve.Retriever) int64 {
	t.Helper()
	id, err := kept(e).trainer.Keeper.PutTrained(t.Context(), kg.Trained{Kind: "gnn", Name: name, Graph: version}, []byte("weights"))
	if err != nil {
		t.Fatal(err)
	}
	e.opts.Methods = []retrieve.Method{simgrag.Method{}, trainedBy{by: map[string]retrieve.Retriever{"weights": r}}}
	e.trainer.Methods = retrieve.Trainables(e.opts.Methods)
	if err := e.UseTrained(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestUntrained(t *testing.T) {
	e := films(t)
	run, err := e.Ask(t.Context(), "who directed Tangerine?", AskOptions{Retriever: "gnn"}, nil)
	if run != nil || !errors.Is(err, ErrUntrained) || !strings.Contains(err.Error(), "train one first") {
		t.Errorf("Ask = %v, %v, want ErrUntrained with a remedy", run, err)
	}
	if _, err := e.Ask(t.Context(), "who directed Tangerine?", AskOptions{Retriever: "magic"}, nil); err == nil || !strings.Contains(err.Error(), `"magic"`) {
		t.Errorf("Ask of an unknown retriever: %v", err)
	}
}

func TestAskTrained(t *testing.T) {
	e := films(t)
	by := &neighbours{g: e.Graph(), notes: []string{"It has never seen X."}}
	putTrained(t, e, "mine", "", by)
	var began []Stage
	run, err := e.Ask(t.Context(), "who directed Anora?", AskOptions{Retriever: "gnn"}, &Events{StageBegin: func(s Stage) { began = append(began, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(began, Stages) || len(run.Stages) != len(Stages) {
		t.Errorf("stages %v, want %v", began, Stages)
	}
	if got := trainedSaid(run); !slices.Equal(got, []string{"Sean Baker"}) {
		t.Errorf("answers %q, want Sean Baker; %+v", got, run.Answer)
	}
	p := run.Plan
	if run.Method.ID != "gnn" || run.Reading != -1 || p.Planner != "Trained network" || len(p.Mentions) != 1 || p.Doubt != plan.Sure || len(p.Seeds) != 1 || run.Region.Method == "" {
		t.Errorf("run by %q, reading %d, plan %+v", run.Method.ID, run.Reading, p)
	}
	if len(run.Candidates) != 1 || run.Candidates[0].End() != run.Answers[0].Entity {
		t.Errorf("candidates %+v of answers %+v", run.Candidates, run.Answers)
	}
	if q := by.asked[0]; len(q.Seeds) != 1 || e.Graph().Label(q.Seeds[0]) != "Anora" || !slices.Equal(retrieve.Spans(q.Mentions), []questions.Span{{Start: 13, End: 18}}) {
		t.Errorf("it was asked %+v, want Anora at 13 to 18", q)
	}
	details := strings.Join(slices.Concat(run.Stages[StageRetrieve].Details, []string{run.Region.Method}, run.Steps, run.Notes), "\n")
	for _, want := range []string{"trained on 3 questions of films.csv: the first answer was right for 0.0% of the questions it was trained on", "the whole graph", "one step away", "It has never seen X."} {
		if !strings.Contains(details, want) {
			t.Errorf("the details do not say %q:\n%s", want, details)
		}
	}
	for _, s := range run.Answer.Sentences {
		if !s.Note && s.Check != check.Covered {
			t.Errorf("%q is %s", s.Text, s.Check)
		}
	}
	count, err := e.Ask(t.Context(), "How many films were directed by Sean Baker?", AskOptions{Retriever: "gnn"}, nil)
	if err != nil || !slices.ContainsFunc(count.Notes, func(s string) bool { return strings.Contains(s, "does not count") }) {
		t.Errorf("a question for a number: %v, %+v, want a note", err, count)
	}
	if _, err := json.Marshal(run); err != nil {
		t.Errorf("the run cannot be written: %v", err)
	}
}

// trainedSaid are the answers of a run by name, sorted.
func trainedSaid(run *Run) []string {
	var names []string
	for _, it := range run.Answer.Items {
		names = append(names, it.Label)
	}
	slices.Sort(names)
	return names
}

func TestTrainedRefusesInWords(t *testing.T) {
	var b kg.Builder
	b.Add("Tangerine", "directed_by", "Sean Baker")
	b.Add("Anora", "directed_by", "Sean Baker")
	b.Add("Anora", "has_tags", "actors")
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	by := &neighbours{g: e.Graph()}
	putTrained(t, e, "mine", "", by)
	for question, want := range map[string]string{
		"who are the actors of Nosferatu?":      "Nosferatu",
		"who directed Nosferatu?":               "Nosferatu",
		"who is that?":                          "No name in the question is in this graph",
		"Anora was directed by Sean Baker.":     "claim",
		"Was Tangerine directed by Sean Baker?": "claim",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{Retriever: "gnn"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r := run.Answer.Refusal; r == nil || !strings.Contains(r.Reason, want) || len(run.Candidates) > 0 || run.Plan.Doubt == plan.Sure {
			t.Errorf("%s: answer %+v, want a refusal that says %q", question, run.Answer, want)
		}
	}
	if len(by.asked) > 0 {
		t.Errorf("the network was asked %+v, want nothing", by.asked)
	}
}

// TestNamesOfSeveral starts from all entities of one name, and from each name.
func TestNamesOfSeveral(t *testing.T) {
	var b kg.Builder
	b.Add("k1", "directed_by", "William Dieterle")
	b.Add("k2", "directed_by", "Vincente Minnelli")
	b.Add("Tangerine", "directed_by", "Sean Baker")
	b.Add("IT", "directed_by", "Somebody")
	b.SetLabel(b.Entity("k1"), "Kismet")
	b.SetLabel(b.Entity("k2"), "Kismet")
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string][]string{
		"who directed Kismet":                     {"k1", "k2"},
		"who directed both Tangerine and Kismet?": {"Tangerine", "k1", "k2"},
		"who directed it?":                        nil,
	} {
		seeds, names, err := e.now().named(t.Context(), question)
		var keys []string
		for _, id := range seeds {
			keys = append(keys, e.Graph().Key(id))
		}
		for _, s := range names {
			if name := question[s.Start:s.End]; name != "Kismet" && name != "Tangerine" {
				t.Errorf("%s: a name at %q", question, name)
			}
		}
		if err != nil || !slices.Equal(keys, want) {
			t.Errorf("Seeds(%s) = %q, %v, want %q", question, keys, err, want)
		}
	}
}

func TestStaleTrained(t *testing.T) {
	e := films(t)
	id := putTrained(t, e, "mine", "another version", nil)
	list, err := e.Trained(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != id || list[0].Stale == "" || !list[0].InUse || list[0].About.Data != "3 questions of films.csv" || list[0].Bytes != 7 {
		t.Errorf("Trained = %+v, %v, want one that is stale and in use", list, err)
	}
}

// scripted is a model that answers by what it is asked for.
type scripted struct {
	replies map[string]string // by purpose
	asked   []llm.Request
}

func (*scripted) Name() string { return "scripted" }

func (s *scripted) Ask(_ context.Context, req llm.Request) (llm.Reply, error) {
	s.asked = append(s.asked, req)
	reply, ok := s.replies[req.Purpose]
	if !ok {
		return llm.Reply{}, errors.New("the server is away")
	}
	return llm.Reply{Text: reply}, nil
}

// TestTrainedIsWorded has a model word reasoning paths, from what the question
// names to the answer.
func TestTrainedIsWorded(t *testing.T) {
	e := films(t)
	putTrained(t, e, "mine", "", &neighbours{g: e.Graph()})
	m := &scripted{replies: map[string]string{"answer": `{"sentences": [{"text": "Anora was directed by Sean Baker.", "citations": [1]}]}`}}
	e.SetModel(m)
	run, err := e.Ask(t.Context(), "who directed Anora?", AskOptions{Retriever: "gnn"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if run.Answer.Model != "scripted" || len(run.Exchanges) != 0 && run.Exchanges[0].Stage != StageAnswer || run.Answer.Sentences[0].Check != check.Covered {
		t.Errorf("answer %+v, exchanges %+v", run.Answer, run.Exchanges)
	}
	if len(m.asked) != 1 || !strings.Contains(m.asked[0].Prompt, "based on the given reasoning paths") || !strings.Contains(m.asked[0].Prompt, "Anora → directed by [T1] → Sean Baker") {
		t.Errorf("the model was asked %+v", m.asked)
	}
	m.asked = nil
	if run, err := e.Ask(t.Context(), "who directed Anora?", AskOptions{Retriever: "gnn", NoModel: true}, nil); err != nil || len(m.asked) > 0 || run.Answer.Model != "" {
		t.Errorf("without a model: %v, asked %+v", err, m.asked)
	}
}

func TestAugment(t *testing.T) {
	var b kg.Builder
	b.Add("Tangerine", "directed_by", "Sean Baker")
	b.Add("Anora", "directed_by", "Sean Baker")
	b.Add("Red Rocket", "directed_by", "Sean Baker")
	b.Add("Red Rocket", "written_by", "Sean Baker")
	b.Add("Tangerine", "starred_actors", "Mya Taylor")
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	putTrained(t, e, "mine", "", &neighbours{g: e.Graph()})
	m := &scripted{replies: map[string]string{
		"relation chains": `{"chains": [{"from": "Tangerine", "relations": ["directed by", "directed by"]}, {"from": "Tangerine", "relations": ["directed by"]}]}`,
	}}
	e.SetModel(m)
	e.SetPlanning(bymodel.Options{Chains: true})
	run, err := e.Ask(t.Context(), "which other films were made by the director of Tangerine?", AskOptions{Retriever: "gnn"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := e.Graph()
	var got []string
	for i, p := range run.Candidates {
		var names []string
		for _, x := range p.Nodes {
			names = append(names, g.Label(x))
		}
		got = append(got, p.Source+": "+strings.Join(names, ", "))
		for j := range p.Hops {
			for _, tr := range p.Hop(j) {
				x := g.Triple(tr)
				if ends := [2]kg.EntityID{p.Nodes[j], p.Nodes[j+1]}; ends != [2]kg.EntityID{x.Head, x.Tail} && ends != [2]kg.EntityID{x.Tail, x.Head} {
					t.Errorf("path %d, hop %d does not join its ends", i, j)
				}
			}
		}
	}
	want := []string{
		"relation chain of scripted: Tangerine, Sean Baker, Anora",
		"relation chain of scripted: Tangerine, Sean Baker, Red Rocket",
		"relation chain of scripted: Tangerine, Sean Baker",
		"graph network: Tangerine, Mya Taylor",
	}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	// Two thirds for the first chain, shared by two; one third for the second, where
	// the network's half is more.
	scores := map[string]float64{}
	for _, s := range run.Answers {
		scores[g.Label(s.Entity)] = s.Score.Value
	}
	for name, want := range map[string]float64{"Anora": 1. / 3, "Red Rocket": 1. / 3, "Sean Baker": .5, "Mya Taylor": .5} {
		if d := scores[name] - want; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s has %g, want %g", name, scores[name], want)
		}
	}
	if len(scores) != 4 || !slices.ContainsFunc(run.Stages[StageRetrieve].Details, func(s string) bool {
		return strings.Contains(s, "directed by → directed by (backwards) leads to 2 entities")
	}) {
		t.Errorf("answers %v, details %q", scores, run.Stages[StageRetrieve].Details)
	}
	e.SetPlanning(bymodel.Options{})
	if run, err := e.Ask(t.Context(), run.Question, AskOptions{Retriever: "gnn"}, nil); err != nil || len(run.Candidates) != 2 {
		t.Errorf("without asking for chains: %v, %+v, want the network's two paths", err, run)
	}
	e.SetPlanning(bymodel.Options{Chains: true})
	// A model that fails costs its chains, nothing else.
	m.replies = nil
	run, err = e.Ask(t.Context(), "who directed Tangerine?", AskOptions{Retriever: "gnn"}, nil)
	if err != nil || len(run.Candidates) != 2 || !slices.ContainsFunc(run.Stages[StageRetrieve].Details, func(s string) bool { return strings.Contains(s, "gave no relation chain") }) {
		t.Errorf("with a model that is away: %v, %+v", err, run)
	}
}

// TestTrainedThatCannotBeRead: it says so, and one that can be used takes its place.
func TestTrainedThatCannotBeRead(t *testing.T) {
	e := films(t)
	good := putTrained(t, e, "good", "", &neighbours{g: e.Graph()})
	bad, err := e.trainer.Keeper.PutTrained(t.Context(), kg.Trained{Kind: "gnn", Name: "bad", About: "{}"}, []byte("no model"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.Trained(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != bad || list[0].Problem == "" || list[0].InUse || !list[1].InUse || list[1].Problem != "" {
		t.Errorf("Trained = %+v, %v", list, err)
	}
	if err := e.UseTrained(t.Context(), bad); !errors.Is(err, retrieve.ErrModel) {
		t.Errorf("UseTrained of what cannot be read: %v, want ErrModel", err)
	}
	if err := e.UseTrained(t.Context(), 99); !errors.Is(err, kg.ErrNoTrained) {
		t.Errorf("UseTrained of what is not there: %v, want ErrNoTrained", err)
	}
	// It was chosen before it was damaged.
	if err := e.trainer.Keeper.SetSetting(t.Context(), "retriever gnn", strconv.FormatInt(bad, 10)); err != nil {
		t.Fatal(err)
	}
	run, err := e.Ask(t.Context(), "who directed Anora?", AskOptions{Retriever: "gnn"}, nil)
	if err != nil || !slices.ContainsFunc(run.Notes, func(s string) bool { return strings.Contains(s, "“bad” cannot be used, so “good” answered") }) {
		t.Errorf("Ask: %v, %+v, want a note of which one answered", err, run)
	}
	if err := e.DeleteTrained(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ask(t.Context(), "who directed Anora?", AskOptions{Retriever: "gnn"}, nil); !errors.Is(err, retrieve.ErrModel) || !strings.Contains(err.Error(), "“bad”") {
		t.Errorf("Ask with nothing that can be used: %v, want ErrModel", err)
	}
	if err := e.DeleteTrained(t.Context(), bad); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ask(t.Context(), "who directed Anora?", AskOptions{Retriever: "gnn"}, nil); !errors.Is(err, ErrUntrained) {
		t.Errorf("Ask after deleting all: %v, want ErrUntrained", err)
	}
}
