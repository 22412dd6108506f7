package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cairn/app/cli/command"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/plan/words"
	"cairn/engine/report"
	"cairn/internal/testing/fakeollama"
	"cairn/internal/testing/golden"
	"cairn/internal/testing/transcript"
)

// The tests of this package write them short.
var (
	home = transcript.Home
)

// cairn runs a command and returns its transcript: exit code, standard output
// and standard error, without what changes from run to run.
func cairn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	code, out, errs := start(t.Context(), args...)
	return transcript.Of(dir, "cairn", args, code, out, errs)
}

var rates = regexp.MustCompile(`\b\d+ per second`)

func start(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Program{Args: args, Stdin: strings.NewReader("What is the capital of Austria?\n"), Stdout: &out, Stderr: &errs}.Run(ctx)
	return code, out.String(), errs.String()
}

func smallGraph(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "small.cairn")
	tsv := filepath.Join(dir, "small.tsv")
	b, err := os.ReadFile("testdata/small.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tsv, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := start(t.Context(), "import", tsv, "--into", path); code != 0 {
		t.Fatalf("import: exit code %d\n%s%s", code, out, errs)
	}
	return path
}

func TestTranscript(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	var b strings.Builder
	for _, args := range [][]string{
		{"import", filepath.Join(dir, "small.tsv"), "--into", small},
		{"info", small},
		{"ask", small, "What is the capital of Austria?"},
		{"ask", small, "Vienna", "is the capital of Austria."},
		{"ask", small, "--pattern", "(Austria) -borders-> (?country:Country) -currency-> (euro)"},
		{"ask", small, "--pattern", "(Austria) -borders-> (?c) -capital-> (?city) | count ?city"},
		{"ask", small, "-"},
		{"ask", small, "What is the capital of Austria?", "--without", "Austria|capital|Vienna"},
		{"ask", small, "Which countries border Austria?", "--without", "Austria | borders | Hungary", "--without", "Hungary | borders | Austria"},
	} {
		b.WriteString(cairn(t, dir, args...))
	}
	golden.Compare(t, "testdata/transcript.txt", b.String())
}

func TestTranscriptOfErrors(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	damaged := filepath.Join(dir, "damaged.cairn")
	binary := filepath.Join(dir, "binary.tsv")
	empty := filepath.Join(dir, "empty.tsv")
	for path, content := range map[string]string{damaged: strings.Repeat("no database ", 1000), binary: "\x7fELF\x00\x00\x01\x00\x02\x00", empty: ""} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	for _, args := range [][]string{
		{},
		{"inport", "x"},
		{"nonsense"},
		{"ask"},
		{"ask", small},
		{"ask", small, "--wrong"},
		{"ask", small, "--pattern", "(Austria) borders (?x)"},
		{"ask", small, "--reading", "9", "What is the capital of Austria?"},
		{"ask", small, "--without", "Austria|capital|Linz", "What is the capital of Austria?"},
		{"ask", small, "--without", "Austria, capital, Vienna", "What is the capital of Austria?"},
		{"ask", small, "--without", "Austria|capital|Vienna", "--reading", "1", "--remember", "What is the capital of Austria?"},
		{"ask", filepath.Join(dir, "none.cairn"), "Who?"},
		{"ask", damaged, "Who?"},
		{"ask", small, "--model", "m", "--host", "192.0.2.1", "Who?"},
		{"import", filepath.Join(dir, "none.tsv"), "--into", small},
		{"import", binary, "--into", small},
		{"import", empty, "--into", small},
		{"import", empty, "--into", "small.txt"},
		{"info", filepath.Join(dir, "none.cairn")},
	} {
		b.WriteString(cairn(t, dir, args...))
	}
	golden.Compare(t, "testdata/errors.txt", b.String())
}

func TestAskJSON(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	code, out, errs := start(t.Context(), "--json", "ask", small, "What is the capital of Austria?")
	var r runResult
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || errs != "" {
		t.Fatalf("exit code %d, %v, stderr %q:\n%s", code, err, errs, out)
	}
	if r.Outcome != "answered" || len(r.Answers) != 1 || r.Answers[0].Label != "Vienna" {
		t.Errorf("outcome %s, answers %+v; want answered, Vienna", r.Outcome, r.Answers)
	}
	want := []report.Triple{{Number: 1, Head: "Austria", Relation: "capital", Tail: "Vienna", Sources: []string{"small.tsv:5"}}}
	if diff := cmp.Diff(want, r.Evidence); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if strings.Contains(out, "null") {
		t.Errorf("the JSON has null where a list is promised:\n%s", out)
	}
}

// TestAskAll: all answers are listed, and what says that some are not shown widens no column.
func TestAskAll(t *testing.T) {
	dir := home(t)
	var table strings.Builder
	table.WriteString("hen\trelation\tcoop\n")
	for i := range 50 {
		fmt.Fprintf(&table, "Hen %d\tcoop\tBarn\n", i)
	}
	file, path := filepath.Join(dir, "hens.tsv"), filepath.Join(dir, "hens.cairn")
	if err := os.WriteFile(file, []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cairn(t, dir, "import", file, "--into", path, "--header", "yes", "--yes")
	_, few, _ := start(t.Context(), "ask", path, "What is in the coop Barn?")
	_, all, _ := start(t.Context(), "ask", path, "What is in the coop Barn?", "--all")
	if !strings.Contains(few, "Hen 0   coop  Barn") || strings.Contains(few, "\n  Hen 49 [T") {
		t.Errorf("without --all:\n%s", few)
	}
	if !strings.Contains(all, "\n  Hen 49 [T") {
		t.Errorf("with --all:\n%s", all)
	}
}

func TestAskExitCodes(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	for _, test := range []struct {
		want int
		text string
	}{
		{command.ExitDone, "Vienna is the capital of Austria."},
		{command.ExitNoAnswer, "Who directed Atlantis?"},
		{command.ExitNoAnswer, "---"},
		{command.ExitNoAnswer, strings.Repeat("why ", 2500)},
		{command.ExitNoAnswer, "Какая столица?"},
	} {
		if code, out, errs := start(t.Context(), "ask", small, "--", test.text); code != test.want {
			t.Errorf("ask %.40q: exit code %d, want %d\n%s%s", test.text, code, test.want, out, errs)
		}
	}
}

func TestAskWritesFiles(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	page, png, svg := filepath.Join(dir, "a.html"), filepath.Join(dir, "a.png"), filepath.Join(dir, "a.svg")
	if code, out, errs := start(t.Context(), "ask", small, "What is the capital of Austria?", "--html", page, "--png", png, "--svg", svg); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	for path, want := range map[string]string{page: "small.tsv:5", png: "\x89PNG", svg: "<svg"} {
		b, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(b, []byte(want)) {
			t.Errorf("%s does not hold %q (%v)", filepath.Base(path), want, err)
		}
	}
	if code, _, errs := start(t.Context(), "ask", small, "What is the capital of Austria?", "--html", filepath.Join(dir, "no", "a.html")); code != command.ExitInput || strings.Contains(errs, "CreateTemp") {
		t.Errorf("to a folder that does not exist: exit code %d, %s; want %d and words", code, errs, command.ExitInput)
	}
}

func TestCancel(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"ask", small, "What is the capital of Austria?"}, {"tour", "--out", filepath.Join(dir, "out")}, {"import", filepath.Join(dir, "small.tsv"), "--into", filepath.Join(dir, "new.cairn")}} {
		code, _, errs := start(ctx, args...)
		if code != command.ExitInterrupted || errs != "cairn: Stopped.\n" {
			t.Errorf("cairn %s, interrupted: exit code %d, stderr %q; want %d and a word", args[0], code, errs, command.ExitInterrupted)
		}
	}
}

func TestModelAbsentIsSaidAndDoneWithout(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	code, out, errs := start(t.Context(), "ask", small, "What is the capital of Austria?", "--model", "m", "--host", gone.URL)
	if code != 0 || !strings.Contains(out, "Vienna") || !strings.Contains(out, "no Ollama server responds") {
		t.Errorf("exit code %d\n%s%s\nwant Vienna, and that no server answers", code, out, errs)
	}
}

func TestModelAnswers(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Answer: func(c fakeollama.Chat) fakeollama.Answer {
		if strings.Contains(string(c.Schema), `"sentences"`) {
			return fakeollama.Answer{Text: `{"sentences": [{"text": "The capital of Austria is Vienna.", "citations": [1]}, {"text": "The capital of Austria is Graz.", "citations": [1]}]}`}
		}
		return fakeollama.Answer{Text: `{"divided": [], "triples": [["Austria", "capital", "UNKNOWN city 1"]], "asked": "UNKNOWN city 1", "task": "find", "negated": false}`}
	}})
	code, out, errs := start(t.Context(), "ask", small, "Name Austria's capital", "--model", "m", "--host", fake.URL)
	for _, want := range []string{"The capital of Austria is Vienna. [T1]\n", "! not in the graph", `"Graz"`, "written by m"} {
		if !strings.Contains(strings.ToLower(out), strings.ToLower(want)) {
			t.Errorf("exit code %d: the answer lacks %q:\n%s%s", code, want, out, errs)
		}
	}
}

func TestDoctor(t *testing.T) {
	home(t)
	fake := fakeollama.New(t).
		Model("qwen3:4b", fakeollama.Script{Size: 2_500_000_000, Parameters: "4.0B", Context: 40960}).
		Model("big:cloud", fakeollama.Script{Remote: "https://ollama.com"})
	code, out, errs := start(t.Context(), "doctor", "--host", fake.URL)
	for _, want := range []string{
		"Cairn", "SQLite", "data folder", "version 0.17.4, with 2 models", "qwen3:4b · 2.5 GB", "40,960 tokens", "Runs at https://ollama.com",
		strings.TrimPrefix(fake.URL, "http://") + " · this computer", "DISPLAY",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("doctor lacks %q:\n%s%s", want, out, errs)
		}
	}
	if code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	for _, r := range fake.Received("/api/show") {
		if strings.Contains(string(r.Body), "big:cloud") {
			t.Error("a model that runs elsewhere was asked about")
		}
	}
	if _, out, _ := start(t.Context(), "doctor", "--host", "192.0.2.1"); !strings.Contains(out, "not contacted") || !strings.Contains(out, "--allow-remote") || strings.Contains(out, "192.0.2.1:11434") {
		t.Errorf("doctor of another machine: %s", out)
	}
}

func TestTour(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the sample graph and answers all its questions")
	}
	dir := home(t)
	out := filepath.Join(dir, "out")
	code, text, errs := start(t.Context(), "tour", "--out", out)
	if code != 0 || !strings.Contains(text, "Ulaanbaatar. [T1]") || !strings.Contains(text, "world.tsv:") {
		t.Fatalf("exit code %d\n%s%s", code, text, errs)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllSubmatch(index, -1)
	if len(links) < 12 {
		t.Errorf("the index has %d links", len(links))
	}
	for _, l := range links {
		if _, err := os.Stat(filepath.Join(out, string(l[1]))); err != nil {
			t.Errorf("the index leads nowhere: %v", err)
		}
	}
	if code, text, _ := start(t.Context(), "ask", "What is the capital of Mongolia?"); code != 0 || !strings.Contains(text, "Ulaanbaatar") {
		t.Errorf("ask without a graph: exit code %d\n%s", code, text)
	}
}

func TestHelpAndVersion(t *testing.T) {
	home(t)
	if code, out, _ := start(t.Context(), "--help"); code != 0 || !strings.Contains(out, "Exit codes") {
		t.Errorf("--help: exit code %d\n%s", code, out)
	}
	if code, out, _ := start(t.Context(), "--version"); code != 0 || out != "Cairn "+command.Version+"\n" {
		t.Errorf("--version: exit code %d, %q", code, out)
	}
	toml, err := os.ReadFile("../../FyneApp.toml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(toml), `Version = "`+command.Version+`"`) {
		t.Errorf("FyneApp.toml has another version than %s", command.Version)
	}
}

func TestWindow(t *testing.T) {
	home(t)
	t.Setenv("DISPLAY", ":0")
	var got WindowOptions
	p := Program{Args: []string{"--question", "Why?"}, Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, Window: func(_ context.Context, o WindowOptions) error {
		got = o
		return nil
	}}
	if code := p.Run(t.Context()); code != 0 || got.Question != "Why?" || got.Paths != nil {
		t.Errorf("exit code %d, window opened with %+v; want the question", code, got)
	}
	// A path is remembered for the next start, which may be in another folder.
	t.Chdir(t.TempDir())
	p.Args = []string{"cows.csv", "groups.csv"}
	for _, name := range p.Args {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code := p.Run(t.Context()); code != 0 || len(got.Paths) != 2 || !filepath.IsAbs(got.Paths[1]) || filepath.Base(got.Paths[1]) != "groups.csv" {
		t.Errorf("exit code %d, window opened with %+v; want the absolute paths", code, got)
	}
}

// TestLexicon gives a graph words of its own and takes them away.
func TestLexicon(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	graph := filepath.Join(dir, "drugs.cairn")
	do := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		code := Program{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}.Run(t.Context())
		if code != want {
			t.Fatalf("cairn %v: exit code %d, want %d: %s", args, code, want, errs.String())
		}
		return out.String() + errs.String()
	}
	do(0, "import", write("drugs.csv", "head,relation,tail\nAspirin,manufactured by,Bayer\n"), "--into", graph)
	own := "concept concoction\n  relation manufactured by\n  answer org\n  tail concoctor\n  ask concoct\n"
	// Without lines of its own it says so, in a line that may be kept in a lexicon.
	none := do(0, "lexicon", graph)
	if !strings.HasPrefix(none, "# This graph knows only the built-in words") {
		t.Errorf("lexicon of a graph without words of its own prints %q", none)
	}
	do(0, "lexicon", graph, write("none.txt", none))
	var set map[string]string
	if got := do(0, "lexicon", graph, write("own.txt", own), "--json"); json.Unmarshal([]byte(got), &set) != nil || set["lexicon"] != own {
		t.Errorf("lexicon --json of a file prints %q", got)
	}
	if got := do(0, "lexicon", graph); got != own {
		t.Errorf("lexicon prints %q, want %q", got, own)
	}
	if got := do(3, "ask", graph, "who concocted Aspirin?"); !strings.Contains(got, "Bayer") {
		t.Errorf("ask by the graph's own word: %s", got)
	}
	if got := do(7, "lexicon", graph, write("bad.txt", "concept x\n  relatio foo\n")); !strings.Contains(got, "bad.txt:2: ") {
		t.Errorf("a bad line is not named: %s", got)
	}
	if got := do(0, "lexicon", graph); got != own {
		t.Errorf("a bad lexicon replaced the good one: %q", got)
	}

	// Words that nobody taught stand for relations by what they mean, unless that is off.
	do(0, "import", write("towns.csv", "head,relation,tail\nVienna,weather,Mild\nVienna,mayor,Ludwig\n"), "--into", graph)
	const asked = "What is the climate of Vienna?"
	if got := do(3, "ask", graph, asked); !strings.Contains(got, "Mild") || !strings.Contains(got, "“climate” to mean “weather”") {
		t.Errorf("ask by what a word means: %s", got)
	}
	do(0, "lexicon", graph, "--meanings", "off")
	var out bytes.Buffer
	Program{Args: []string{"ask", graph, asked}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}.Run(t.Context())
	if strings.Contains(out.String(), "for “weather”") {
		t.Errorf("ask by what a word means, which is off: %s", &out)
	}
}

// TestRemember keeps what the choice of a reading teaches, lists it, and takes it back.
func TestRemember(t *testing.T) {
	dir := t.TempDir()
	table, graph := filepath.Join(dir, "films.csv"), filepath.Join(dir, "films.cairn")
	if err := os.WriteFile(table, []byte("head,relation,tail\nJaws,directed by,Steven Spielberg\nJaws,produced by,Richard Zanuck\nAlien,directed by,Ridley Scott\nAlien,produced by,Walter Hill\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := (Program{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}).Run(t.Context()); code != want {
			t.Fatalf("cairn %v: exit code %d, want %d: %s", args, code, want, &out)
		}
		return out.String()
	}
	do(0, "import", table, "--into", graph)
	do(3, "ask", graph, "Who made Alien?")
	reading := func(text string) string {
		t.Helper()
		for line := range strings.Lines(do(3, "ask", graph, "Who made Jaws?", "--explain")) {
			if number, of, ok := strings.Cut(strings.Trim(line, " *\n"), ". "); ok && of == text {
				return number
			}
		}
		t.Fatalf("there is no reading %q", text)
		return ""
	}
	if got := do(3, "ask", graph, "Who made Jaws?", "--reading", reading("Jaws —produced by→ ←produced by—"), "--remember"); !strings.Contains(got, "Nothing was saved: ") {
		t.Errorf("a reading with the same relation is remembered: %s", got)
	}
	got := do(3, "ask", graph, "Who made Jaws?", "--reading", reading("Jaws —directed by→"), "--remember")
	if !strings.Contains(got, "From now on, “made” asks for “directed by” in this graph. cairn lexicon "+graph+" lists such choices and undoes them.") {
		t.Errorf("it is not said what is remembered: %s", got)
	}
	if got := do(0, "ask", graph, "Who made Alien?"); !strings.Contains(got, "Ridley Scott") {
		t.Errorf("the choice is not used: %s", got)
	}
	var kept struct{ Choices []words.Choice }
	want := []words.Choice{{Word: "made", RelationKey: "directed by"}}
	if got := do(0, "lexicon", graph, "--json"); json.Unmarshal([]byte(got), &kept) != nil || !slices.Equal(kept.Choices, want) {
		t.Errorf("lexicon --json prints %s", got)
	}
	if got := do(0, "lexicon", graph); !strings.HasPrefix(got, "# “made” asks for “directed by”, by your choice.") {
		t.Errorf("lexicon prints %q", got)
	}
	if got := do(0, "lexicon", graph, "--forget", "make"); strings.Contains(got, "“made”") {
		t.Errorf("what was taken back is listed: %q", got)
	}
	do(3, "ask", graph, "Who made Alien?")
	if got := do(7, "lexicon", graph, "--forget", "make"); !strings.Contains(got, "No choice is saved for “make”") {
		t.Errorf("what is not kept is taken back: %s", got)
	}
	var run struct{ Remembered *words.Choice }
	var out bytes.Buffer
	Program{Args: []string{"ask", graph, "Who made Jaws?", "--reading", "1", "--remember", "--json"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard}.Run(t.Context())
	if err := json.Unmarshal(out.Bytes(), &run); err != nil || run.Remembered == nil || *run.Remembered != (words.Choice{Word: "made", RelationKey: "produced by"}) {
		t.Errorf("ask --json: remembered is %+v, %v", run.Remembered, err)
	}
	do(2, "ask", graph, "Who made Jaws?", "--remember")
	do(2, "ask", "Who made Jaws?", "--reading", "1", "--remember")
}

// TestContextIsGiven: what the remedy for a prompt that is too long speaks of is
// there, and reaches the model.
func TestContextIsGiven(t *testing.T) {
	dir := home(t)
	small, text := smallGraph(t, dir), filepath.Join(dir, "notes.md")
	if err := os.WriteFile(text, []byte(notes), 0o600); err != nil {
		t.Fatal(err)
	}
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Context: 40960})
	for _, args := range [][]string{{"ask", small, "What is the capital of Austria?"}, {"extract", small, text}} {
		with := func(size string) []string {
			return slices.Concat(args, []string{"--model", "m", "--host", fake.URL, "--context", size})
		}
		_, out, errs := start(t.Context(), with("600")...)
		if want := "raise the context size under Models › Advanced, or with --context"; !strings.Contains(strings.ToLower(out+errs), strings.ToLower(want)) {
			t.Errorf("%s with a small context: %s%s\nwant %q", args[0], out, errs, want)
		}
		if code, _, errs := start(t.Context(), with("5")...); code != command.ExitUsage || !strings.Contains(errs, "at least 512 tokens") {
			t.Errorf("%s --context 5: %d %s", args[0], code, errs)
		}
	}
}
