package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
)

// questionEndings are the endings of files with questions.
var questionEndings = []string{".csv", ".tsv", ".txt", ".json", ".jsonl", ".gz"}

// The choices of what a training learns from.
const (
	fromGraph = "Questions that Cairn makes out of this graph"
	fromFile  = "A file of questions with their answers"
)

// How many questions a training learns from at most; 0 is all of a file.
var (
	madeCounts = []int{500, 1000, 2000, 5000, 10000}
	fileCounts = []int{0, 500, 1000, 5000, 20000}
)

const usualMade = 5000

// trainForm says what is to be trained: on what, which network, and for those who
// know, how.
//
//	learn from   ● questions made out of the graph    [5,000]
//	             ○ a file                             [Choose …]
//	network      ● quick   ○ thorough
//	▸ Advanced
//	how long that may take
type trainForm struct {
	w        *window
	root     fyne.CanvasObject
	onChange func()

	source   *radio
	made     *selector
	reword   *check // has the model word made questions again
	ofGraph  *fyne.Container
	ofFile   *fyne.Container
	file     string
	path     *widget.Label
	facts    *widget.Label // what the file holds
	bad      bool          // the file cannot be learnt from
	found    int           // questions in it
	reading  int           // counts looks at files; a late one is dropped
	format   *selector
	most     *selector
	network  *radio
	about    *widget.Label
	kind     *selector
	encoders *checks
	embedder string // the id of the graph's own embedder; empty for the built-in one
	hub      *entry
	hops     *entry
	turns    *entry
	seed     *entry
	held     string
	heldPath *widget.Label
	estimate *widget.Label
	quiet    bool // a choice is being set from code
}

// newTrainForm makes a form below what is said on top of it.
func newTrainForm(w *window, onChange func(), top ...fyne.CanvasObject) *trainForm {
	f := &trainForm{w: w, onChange: onChange}
	f.estimate = wrapped(widget.NewLabel(""))
	body := container.NewVBox(append(top,
		f.buildSource(), f.buildNetwork(),
		newFolded("Advanced", f.buildAdvanced()),
	)...)
	f.root = container.NewBorder(nil, newQuote(f.estimate), nil, nil, container.NewVScroll(container.New(margins{RightPadding: 12}, body)))
	f.source.SetSelected(fromGraph)
	f.network.SetSelected(present.Networks[0].Name)
	f.changed()
	return f
}

// countSelect is a choice of how many.
func countSelect(counts []int, chosen int, do func()) *selector {
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = present.Count(n)
		if n == 0 {
			words[i] = "All"
		}
	}
	s := newSelector(words, nil)
	s.SetSelectedIndex(slices.Index(counts, chosen))
	s.OnChanged = func(string) { do() }
	return s
}

func (f *trainForm) buildSource() fyne.CanvasObject {
	f.source = newRadio(stacked, []string{fromGraph, fromFile}, func(string) { f.changed() })
	f.made = countSelect(madeCounts, usualMade, f.changed)
	f.reword = newCheck("", func(bool) { f.changed() })
	f.ofGraph = container.NewVBox(
		container.NewHBox(widget.NewLabel("Make at most"), f.made, widget.NewLabel("questions, drawn at random")), f.reword)
	if m := f.w.prefs.model(); m != "" {
		f.reword.SetText("Have " + present.Shorten(present.Printable(m), 40) + " reword them: closer to how people ask, and slower")
	} else {
		f.reword.Hide()
	}
	names := make([]string, len(present.QuestionFormats))
	for i, x := range present.QuestionFormats {
		names[i] = x.Name
	}
	f.format = newSelector(names, nil)
	f.format.SetSelectedIndex(0)
	f.format.OnChanged = func(string) { f.look() }
	f.most = countSelect(fileCounts, 0, f.changed)
	f.path, f.facts = clipped(widget.NewLabel("No file chosen yet")), wrapped(caption(""))
	f.facts.Hide()
	choose := newIconButton("Choose a file …", theme.FolderOpenIcon(), func() {
		f.w.chooseData(questionEndings, f.setFile)
	})
	f.ofFile = container.NewVBox(
		container.NewBorder(nil, nil, choose, nil, f.path), f.facts,
		container.NewHBox(widget.NewLabel("Form"), f.format, widget.NewLabel("Use at most"), f.most),
		wrapped(caption(present.QuestionFileHelp)))
	return container.NewVBox(heading("Learn from"), f.source.box, container.New(margins{LeftPadding: 26}, container.NewVBox(f.ofGraph, f.ofFile)))
}

func (f *trainForm) buildNetwork() fyne.CanvasObject {
	f.network = newRadio(stacked, []string{present.Networks[0].Name, present.Networks[1].Name}, func(name string) { f.setKind(name) })
	f.about = wrapped(caption(""))
	return container.NewVBox(heading("Network"), f.network.box, container.New(margins{LeftPadding: 26}, f.about))
}

// The encoders in words.
const (
	byTokens  = "Vectors of words that it learns itself (usual)"
	byLexical = "Vectors of the built-in embedder"
)

func (f *trainForm) buildAdvanced() fyne.CanvasObject {
	names := make([]string, len(present.Networks))
	for i, n := range present.Networks {
		names[i] = n.Name
	}
	f.kind = newSelector(names, func(name string) { f.setKind(name) })
	readers := []string{byTokens, byLexical}
	if e := f.w.session.Embedder(); e.Model != "" && e.ID != "" {
		f.embedder = e.ID
		readers = append(readers, f.byEmbedder())
	}
	f.encoders = newChecks(readers, f.changed)
	f.encoders.all[0].Checked = true
	field := func(place string) *entry {
		e := newEntry()
		e.SetPlaceHolder(place)
		e.OnChanged = func(string) { f.changed() }
		return e
	}
	f.hub, f.hops = field("found from the graph"), field("3")
	f.turns, f.seed = field("by the network and the questions"), field("0")
	f.heldPath = clipped(widget.NewLabel(heldBack))
	unhold := newButton("Hold back", func() { f.setHeld("") })
	row := func(name string, field fyne.CanvasObject, about string) fyne.CanvasObject {
		return container.NewVBox(
			container.NewBorder(nil, nil, container.New(fixedWidth(190), widget.NewLabel(name)), nil, field), wrapped(caption(about)))
	}
	return container.NewVBox(
		row("Network", f.kind, "NSM and GraftNet are older, for comparison."),
		row("Reads words by", f.encoders.box, "With several, one network is trained for each, and they answer together. Each takes its own time."),
		row("Limit of hubs", f.hub, "Entities with more triples than this are not expanded. Not for the quick network, which looks at everything."),
		row("Hops", f.hops, "How many hops the region reaches from what a question names. Not for the quick network, which takes 3 steps."),
		row("Turns at most", f.turns, "How many times it goes through the questions. It stops early once it no longer improves."),
		row("Seed", f.seed, "The same seed, questions and graph give the same network."),
		row("Measure on", container.NewBorder(nil, nil, newButton("Choose a file …", func() {
			f.w.chooseData(questionEndings, f.setHeld)
		}), unhold, f.heldPath), "Questions that it does not learn from, which say how good it is."),
	)
}

// heldBack stands where no file is measured on.
const heldBack = "one question in ten is held back"

// setHeld takes a file to measure on; empty to hold questions back.
func (f *trainForm) setHeld(path string) {
	f.held = path
	f.heldPath.SetText(heldBack)
	if path != "" {
		f.heldPath.SetText(filepath.Base(path))
	}
}

func (f *trainForm) byEmbedder() string {
	return "Vectors of " + present.Shorten(present.Printable(f.w.session.Embedder().Model), 40) + ", by Ollama"
}

// setKind chooses a network, wherever that was done.
func (f *trainForm) setKind(name string) {
	if f.quiet {
		return
	}
	f.quiet = true
	defer func() { f.quiet = false }()
	i := slices.IndexFunc(present.Networks, func(n present.Network) bool { return n.Name == name })
	f.kind.SetSelected(name)
	if i < len(f.network.rows) {
		f.network.SetSelected(name)
	} else {
		f.network.SetSelected("")
	}
	f.about.SetText(present.Networks[i].About)
	f.changed()
}

// setFile takes a file of questions, and looks into it.
func (f *trainForm) setFile(path string) {
	f.file = path
	f.path.SetText(present.Path(path))
	f.look()
}

// look reads the file that was chosen, and says what it holds.
func (f *trainForm) look() {
	f.reading++
	turn, path := f.reading, f.file
	if path == "" {
		return
	}
	f.bad = true
	f.facts.Importance = widget.LowImportance
	setLabel(f.facts, "Looking …")
	format := present.QuestionFormats[f.format.SelectedIndex()].ID
	f.w.use(func(ctx context.Context, _ openGraph, post func(func())) {
		qs, problems, err := questions.Read(ctx, path, format)
		if ctx.Err() != nil {
			return
		}
		lines := present.QuestionFile(qs, problems)
		post(func() {
			if f.reading != turn {
				return
			}
			f.bad, f.found = err != nil, len(qs)
			if err != nil {
				sentence, remedy := f.w.explain("read a file of questions", err)
				f.facts.Importance = widget.WarningImportance
				lines = []string{strings.TrimSpace(sentence + " " + remedy)}
			}
			setLabel(f.facts, strings.Join(lines, "\n"))
			f.changed()
		})
	})
	f.changed()
}

// changed shows what belongs to the choices, and how long they may take.
func (f *trainForm) changed() {
	if f.heldPath == nil {
		return // not built yet
	}
	show := func(o fyne.CanvasObject, on bool) {
		if on {
			o.Show()
		} else {
			o.Hide()
		}
	}
	show(f.ofFile, f.source.Selected == fromFile)
	show(f.ofGraph, f.source.Selected != fromFile)
	for _, e := range []*entry{f.hub, f.hops} { // of regions, which the quick network has none of
		if f.kind.SelectedIndex() <= 0 {
			e.Disable()
		} else {
			e.Enable()
		}
	}
	o, err := f.options()
	if err != nil {
		f.estimate.Importance = widget.WarningImportance
		f.estimate.SetText(present.Sentence(err.Error()))
	} else {
		f.estimate.Importance = widget.MediumImportance
		n := madeAtMost(f.w.session.Graph(), o.Questions)
		if o.File != "" {
			n = f.found
			if o.Questions > 0 {
				n = min(n, o.Questions)
			}
		}
		text := present.TrainEstimate(o.Options, n, f.w.networks.known)
		if o.Paraphrase {
			text += " The time that the model takes to reword questions is extra."
		}
		f.estimate.SetText(text)
	}
	if f.onChange != nil {
		f.onChange()
	}
}

// ready reports whether a training can be begun.
func (f *trainForm) ready() bool {
	_, err := f.options()
	return err == nil
}

// errFile are said where the file is not ready.
var (
	errNoFile  = errors.New("choose a file of questions first")
	errBadFile = errors.New("the file cannot be used for training")
)

// options are the choices, or what is wrong with them.
func (f *trainForm) options() (engine.TrainOptions, error) {
	o := engine.TrainOptions{Questions: madeCounts[f.made.SelectedIndex()], Held: f.held}
	if f.source.Selected == fromFile {
		o.Questions, o.File = fileCounts[f.most.SelectedIndex()], f.file
		o.Format = present.QuestionFormats[f.format.SelectedIndex()].ID
		switch {
		case f.file == "":
			return o, errNoFile
		case f.bad:
			return o, errBadFile
		}
	} else {
		o.Paraphrase = f.reword.Visible() && f.reword.Checked
	}
	if i := f.kind.SelectedIndex(); i >= 0 {
		o.Options.Kind = present.Networks[i].Kind
	}
	for _, name := range f.encoders.Selected() {
		switch name {
		case byTokens:
			o.Options.Encoders = append(o.Options.Encoders, "tokens")
		case byLexical:
			o.Options.Encoders = append(o.Options.Encoders, "lexical")
		default:
			o.Options.Encoders = append(o.Options.Encoders, f.embedder)
		}
	}
	if len(o.Options.Encoders) == 0 {
		return o, errors.New("choose at least one way to read words, under Advanced")
	}
	slices.Sort(o.Options.Encoders)
	return o, f.numbers(&o.Options)
}

// maxSetting bounds the numbers that are typed in.
const maxSetting = 1_000_000

// numbers fills in what was typed in.
func (f *trainForm) numbers(o *gnnrag.Options) error {
	seed := 0
	for _, x := range []struct {
		name  string
		entry *entry
		into  *int
		least int
		most  int
	}{
		{"the limit of hubs", f.hub, &o.Region.Hub, 1, maxSetting},
		{"the number of hops", f.hops, &o.Region.Hops, 1, 9},
		{"the number of turns", f.turns, &o.Epochs, 1, 10_000},
		{"the seed", f.seed, &seed, 0, maxSetting},
	} {
		text := strings.TrimSpace(x.entry.Text)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < x.least || n > x.most {
			return fmt.Errorf("%s, under Advanced, must be a whole number from %s to %s", x.name, present.Count(x.least), present.Count(x.most))
		}
		*x.into = n
	}
	o.Seed = uint64(seed) //nolint:gosec // not negative
	return nil
}
