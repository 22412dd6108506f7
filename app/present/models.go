package present

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/engine"
	"cairn/engine/ollama"
	"cairn/engine/outbound"
	"cairn/engine/selftest"
)

// ModelUse is what a model can be chosen for.
type ModelUse int

// The uses.
const (
	UseNothing ModelUse = iota
	UseQuestions
	UseNames
)

// ModelRow is a model that a server has, for people.
type ModelRow struct {
	Name string
	// Brief is its size in a few words: "2.6 GB · 4.0B · Q4_K_M".
	Brief string
	// Use is what it can be chosen for, as far as the server says.
	Use ModelUse
	// Suits says what it suits, by what is known without trying it.
	Suits string
	// Memory says whether it fits into this computer's memory; empty where that
	// is not known.
	Memory string
	// Context says how much it reads at once; empty where that is not known.
	Context string
}

// Model describes a model. d is what the server tells of it, or nil; memory is
// this computer's, in bytes, or 0 where it is not known or not the server's.
func Model(m ollama.ModelInfo, d *ollama.Details, memory int64) ModelRow {
	r := ModelRow{Name: m.Name}
	var brief []string
	if m.Size > 0 && m.Remote == "" { // else it is that of a note about it
		brief = append(brief, Bytes(m.Size))
		r.Memory = fits(m.Size, memory)
	}
	for _, s := range []string{m.Parameters, m.Quantization} {
		if s != "" {
			brief = append(brief, Shorten(OneLine(Printable(s)), 24))
		}
	}
	r.Brief = strings.Join(brief, " · ")
	r.Use, r.Suits = suits(m, d)
	if d != nil && d.Context > 0 {
		r.Context = fmt.Sprintf("reads up to %s tokens at once", Count(d.Context))
	}
	return r
}

// How many parameters, in billions, a model needs. Models of tiny size were measured
// (docs/benchmarks.md): none of their readings is right, and hardly a sentence. Below
// few a model hardly ever writes a pattern that holds, below enough now and then: these
// two are what people report of graph work with such models, not measured here.
const (
	tinyBillions   = 0.5
	fewBillions    = 1.5
	enoughBillions = 3.5
)

func suits(m ollama.ModelInfo, d *ollama.Details) (ModelUse, string) {
	switch {
	case m.Remote != "":
		return UseNothing, "Runs at " + Shorten(OneLine(Printable(m.Remote)), 60) + ", not here: questions and evidence would leave this computer."
	case d != nil && d.Embeds && !d.Completes, d == nil && embeds(m.Name):
		return UseNames, "Names: turns names into vectors to find similar ones."
	}
	thinks := ""
	if d != nil && d.Thinks {
		thinks = " It reasons before it answers, which takes longer."
	}
	n, known := billions(m.Parameters)
	switch {
	case !known:
		return UseQuestions, "Questions and answers; its size is unknown, so test it." + thinks
	case n < tinyBillions:
		return UseQuestions, "Too small to read questions or write answers." + thinks
	case n < fewBillions:
		return UseQuestions, "Probably too small to read questions; it may write answers. Test it." + thinks
	case n < enoughBillions:
		return UseQuestions, "Writing answers; it may read simple questions. Test it." + thinks
	}
	return UseQuestions, "Reading questions and writing answers." + thinks
}

// embeds guesses from a model's name, where an older server does not say, that
// it only makes vectors.
func embeds(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"embed", "minilm", "bge-", "-e5", "gte-"}, func(s string) bool { return strings.Contains(name, s) })
}

// billions reads a number of parameters as Ollama words it: "4.3B", "137M",
// "91.01K".
func billions(s string) (n float64, ok bool) {
	if s == "" {
		return 0, false
	}
	number, unit := s[:len(s)-1], s[len(s)-1]
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch unit {
	case 'B', 'b':
		return n, err == nil
	case 'M', 'm':
		return n / 1e3, err == nil
	case 'K', 'k':
		return n / 1e6, err == nil
	}
	return 0, false
}

// fits compares what a model takes with a computer's memory. A model is read
// whole; its context takes about a fifth more, and a program some 500 MB.
func fits(size, memory int64) string {
	if size <= 0 || memory <= 0 {
		return ""
	}
	need := size + size/5 + 500_000_000
	have := fmt.Sprintf("needs about %s of this computer's %s of memory", Bytes(need), Bytes(memory))
	switch {
	case need > memory:
		return have + ": too large; it would fail to load or be very slow"
	case 10*need > 7*memory:
		return have + ": fits if little else is open"
	}
	return have + ": fits"
}

// PullText says how far a pull has come, with the server's own words for the
// part it is at. perSecond 0 is unknown.
func PullText(p ollama.Pulling, perSecond float64) string {
	text := capitalFirst(Shorten(OneLine(Printable(p.Status)), 40))
	if p.Total <= 0 {
		return text
	}
	text += fmt.Sprintf(": %s of %s", Bytes(p.Done), Bytes(p.Total))
	if perSecond > 0 {
		text += fmt.Sprintf(", %s a second, %s left", Bytes(int64(perSecond)), TimeLeft(p.Total-p.Done, perSecond))
	}
	return text
}

// Embedded says by what the names of a graph are found now.
func Embedded(graph string, e engine.EmbedderInfo) string {
	by := "The built-in embedder"
	if e.Model != "" {
		by = e.Model
	}
	text := by + " finds similar names in " + graph + " now."
	if n := e.Report.Blank; n > 0 {
		text += " It has no vector for " + Plural(n, "name", "names") + ", which exact spelling still finds."
	}
	return text
}

// ModelSuggestion is a model that can be pulled.
type ModelSuggestion struct {
	Name, Size, For string
}

// ModelSuggestions are models that people name for this kind of work. They are
// an opinion: nothing of it was measured with Cairn. Sizes are those of the
// default quantisation, about.
var ModelSuggestions = []ModelSuggestion{
	{"qwen3:4b", "2.5 GB", "questions and answers, with 8 GB of memory"},
	{"gemma3:4b", "3.3 GB", "questions and answers, with 8 GB of memory"},
	{"qwen3:8b", "5.2 GB", "questions and answers, with 16 GB of memory"},
	{"qwen2.5:14b", "9 GB", "questions and answers, with 16 GB of memory; slow"},
	{"nomic-embed-text", "0.3 GB", "names, in English"},
	{"embeddinggemma", "0.6 GB", "names, in many languages"},
}

// Contacts says which addresses this program reached for since its start, one a
// line, and in a sentence what follows.
func Contacts(cs []outbound.Contact) (sentence string, lines []string) {
	away := 0
	for _, c := range cs {
		parts := []string{c.Address, "this computer", connections(c.Dialled)}
		if !c.Local {
			parts[1] = "another computer"
			if c.Dialled > 0 || c.LookedUp > 0 {
				away++
			}
		}
		if c.LookedUp > 0 {
			parts = append(parts, "name looked up "+times(c.LookedUp))
		}
		if c.Denied > 0 {
			parts = append(parts, "refused "+times(c.Denied))
		}
		lines = append(lines, strings.Join(append(parts, "last at "+c.Last.Local().Format("15:04:05")), " · "))
	}
	switch {
	case len(cs) == 0:
		return "Cairn has contacted nothing since it was started: no other computer, and no other program on this one.", nil
	case away == 0:
		return "Cairn has contacted nothing outside this computer since it was started.", lines
	case away == 1:
		return "1 address outside this computer has been contacted since Cairn was started, as you allowed.", lines
	}
	return Count(away) + " addresses outside this computer have been contacted since Cairn was started, as you allowed.", lines
}

func connections(n int) string {
	if n == 0 {
		return "no connection"
	}
	return Plural(n, "connection", "connections")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return Count(n) + " times"
}

// TrialText says how far a self-test has come.
func TrialText(p selftest.Progress) string {
	if p.Done >= p.Total {
		return "Done"
	}
	return fmt.Sprintf("%d of %d: %s", p.Done+1, p.Total, p.Doing)
}

// CheckText says one check of a self-test in a line.
func CheckText(c selftest.Check) string {
	if c.Passed {
		return "✓ " + capitalFirst(c.Name)
	}
	return "✗ " + capitalFirst(c.Name) + ". " + Shorten(Printable(c.Why), 300)
}

// ReportAbout says when a self-test was made, and how fast the model was.
func ReportAbout(r selftest.Report, when time.Time) string {
	parts := []string{"Tested on " + When(when) + " in " + Elapsed(r.Took)}
	if r.PerQuestion > 0 {
		parts = append(parts, "about "+Elapsed(r.PerQuestion)+" per question")
	}
	if r.TokensPerSecond >= 1 {
		parts = append(parts, Count(int64(r.TokensPerSecond))+" tokens per second")
	}
	if r.Dims > 0 {
		parts = append(parts, Plural(r.Dims, "dimension", "dimensions"))
	}
	if r.NamesPerSecond >= 1 {
		parts = append(parts, Count(int64(r.NamesPerSecond))+" names per second")
	}
	return strings.Join(parts, " · ") + "."
}
