package questions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/internal/testing/fakeollama"
)

// asked finds the questions of a prompt: number and text.
var asked = regexp.MustCompile(`(?m)^(\d+)\. (.*)$`)

// modelSaying is a model that words each question by words, given its text without marks.
func modelSaying(t *testing.T, words func(text string) []string) llm.Model {
	t.Helper()
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Answer: func(c fakeollama.Chat) fakeollama.Answer {
		_, task, _ := strings.Cut(c.Prompt, "Your task)")
		type one struct {
			Number   json.Number `json:"number"`
			Wordings []string    `json:"wordings"`
		}
		var reply struct {
			Questions []one `json:"questions"`
		}
		for _, m := range asked.FindAllStringSubmatch(task, -1) {
			reply.Questions = append(reply.Questions, one{json.Number(m[1]), words(strings.NewReplacer("[[", "", "]]", "").Replace(m[2]))})
		}
		b, err := json.Marshal(reply)
		if err != nil {
			t.Errorf("Marshal: %v", err)
		}
		return fakeollama.Answer{Text: string(b)}
	}})
	return at(t, fake)
}

// at is the model m of a server.
func at(t *testing.T, fake *fakeollama.Server) llm.Model {
	t.Helper()
	server, err := ollama.NewServer(fake.URL, ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := server.Model("m", ollama.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// filmQuestions are questions about the directors of films.
func filmQuestions(t *testing.T, n int) (*kg.Graph, []Example) {
	t.Helper()
	var b kg.Builder
	var made []Generated
	for i := range n {
		film, director := fmt.Sprintf("Film No. %d", i), fmt.Sprintf("Director %d", i)
		b.Add(film, "directed_by", director)
		made = append(made, generated("who directed "+film+"?", b.Entity(film), b.Entity(director), "directed_by"))
	}
	g := b.Graph()
	xs, _ := FromGraph(g, made, 0, 1)
	if len(xs) != n {
		t.Fatalf("FromGraph made %d examples, want %d", len(xs), n)
	}
	return g, xs
}

func TestParaphrase(t *testing.T) {
	g, xs := filmQuestions(t, 20)
	m := modelSaying(t, func(text string) []string {
		name := strings.TrimSuffix(strings.TrimPrefix(text, "who directed "), "?")
		switch name {
		case "Film No. 3":
			return []string{"who is behind film no. 3", "who is behind Film No. 33", "Who directed Film No. 3"} // all to be dropped
		case "Film No. 4":
			return []string{"did Director 4 make Film No. 4"} // modelSaying the answer
		}
		return []string{"whose film is " + name, "Whose film is " + name + "?", "  the one behind\n[[" + name + "]] is"}
	})
	var told []int64
	got, err := Paraphrase(t.Context(), m, g, xs, InquiryOptions{}, func(done, total int64) { told = append(told, done, total) })
	if err != nil {
		t.Fatalf("Paraphrase: %v", err)
	}
	if len(got.Examples) != 36 || got.Stopped != "" {
		t.Errorf("Paraphrase = %d examples, %q; want 36", len(got.Examples), got.Stopped)
	}
	if diff := cmp.Diff([]int64{0, 20, 8, 20, 16, 20, 20, 20}, told); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	want := xs[0]
	want.Text, want.Spans = "the one behind Film No. 0 is", []Span{{15, 25}}
	if diff := cmp.Diff(want, got.Examples[1]); diff != "" {
		t.Errorf("Examples[1] (-want +got):\n%s", diff)
	}
	for i, x := range got.Examples {
		if name := g.Label(x.Topics[0]); len(x.Spans) != 1 || x.Text[x.Spans[0].Start:x.Spans[0].End] != name {
			t.Errorf("Examples[%d] = %+v, want a span of %q", i, x, name)
		}
	}
}

// Small models lose replies: a batch that cannot be done is asked for in halves.
func TestParaphraseHalves(t *testing.T) {
	g, xs := filmQuestions(t, 8)
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Answer: func(c fakeollama.Chat) fakeollama.Answer {
		_, task, _ := strings.Cut(c.Prompt, "Your task)")
		switch found := asked.FindAllStringSubmatch(task, -1); {
		case len(found) > 2:
			return fakeollama.Answer{Text: `{"questions": [{"number": 1, "wordings": ["long`, Fault: fakeollama.Limit}
		case strings.Contains(task, "No. 5"):
			return fakeollama.Answer{Text: "I cannot do that."}
		default:
			return fakeollama.Answer{Text: `Sure: {"questions": [{"number": ` + found[len(found)-1][1] + `, "wordings": ["by whom is ` + strings.NewReplacer("who directed [[", "", "]]?", "").Replace(found[len(found)-1][2]) + `"]}, {"number": 9, "wordings": ["x"]}]}`}
		}
	}})
	got, err := Paraphrase(t.Context(), at(t, fake), g, xs, InquiryOptions{}, nil)
	if err != nil {
		t.Fatalf("Paraphrase: %v", err)
	}
	var texts []string
	for _, x := range got.Examples {
		texts = append(texts, x.Text)
	}
	if diff := cmp.Diff([]string{"by whom is Film No. 1", "by whom is Film No. 3", "by whom is Film No. 4", "by whom is Film No. 7"}, texts); diff != "" {
		t.Errorf("Paraphrase (-want +got):\n%s", diff)
	}
}

func TestParaphraseEnds(t *testing.T) {
	g, xs := filmQuestions(t, 400)
	m := modelSaying(t, func(string) []string { return nil })
	// Nothing that the model says is of use.
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Reply: "no"})
	useless := at(t, fake)
	got, err := Paraphrase(t.Context(), useless, g, xs, InquiryOptions{}, nil)
	if n := len(fake.Chats()); err != nil || n != 116 || got.Stopped != "Too many of m's replies could not be used." || len(got.Examples) > 0 {
		t.Errorf("Paraphrase by a useless model = %+v, %v after %d requests; want it to stop after 116", got, err, n)
	}
	if got, err = Paraphrase(t.Context(), m, g, xs, InquiryOptions{MaxWallTime: 1}, nil); err != nil || got.Stopped != "It ran out of time." || len(got.Examples) > 0 {
		t.Errorf("Paraphrase out of time = %+v, %v", got, err)
	}
	// What was there before the context ended stays.
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	m = modelSaying(t, func(text string) []string {
		if n++; n == 20 {
			cancel()
		}
		return []string{strings.Replace(text, "who directed", "by whom is", 1)}
	})
	if got, err = Paraphrase(ctx, m, g, xs, InquiryOptions{}, nil); !errors.Is(err, context.Canceled) || len(got.Examples) != 16 {
		t.Errorf("Paraphrase when cancelled = %d examples, %v; want 16 and context.Canceled", len(got.Examples), err)
	}
	fake.Stop()
	if got, err = Paraphrase(t.Context(), useless, g, xs, InquiryOptions{}, nil); !errors.Is(err, llm.ErrNotRunning) || len(got.Examples) != 0 {
		t.Errorf("Paraphrase without a server = %d examples, %v; want ErrNotRunning", len(got.Examples), err)
	}
	// Questions that do not hold their topics' names, and none at all.
	nameless := []Example{{Text: "who made it", Topics: xs[0].Topics, Answers: xs[0].Answers}, {Text: "a >>> b Film No. 1", Topics: xs[1].Topics, Spans: []Span{{8, 18}}}}
	if got, err = Paraphrase(t.Context(), m, g, nameless, InquiryOptions{}, nil); err != nil || len(got.Examples) > 0 {
		t.Errorf("Paraphrase without names = %+v, %v; want none", got, err)
	}
}
