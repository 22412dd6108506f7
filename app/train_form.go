package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// questionEndings are the endings of files with questions.
var questionEndings = []string{".csv", ".tsv", ".txt", ".json", ".jsonl", ".gz"}

// The choices of what a training learns from.
const (
	fromGraph = "Questions generated from this graph"
	fromFile  = "A file of questions with answers"
)

// How many questions a training learns from at most; 0 is all of a file.
var (
	madeCounts = []int{500, 1000, 2000, 5000, 10000}
	fileCounts = []int{0, 500, 1000, 5000, 20000}
)

const usualMade = 5000

// trainForm says what is to be trained: on what, which method, and how.
//
//	learn from   ● questions made from the graph      [5,000]
//	             ○ a file                             [Choose …]
//	retriever    [where there are several]
//	network      ● quick   ○ thorough                 the method's first option
//	▸ Advanced                                        its other options
//	how long that may take
type trainForm struct {
	w        *window
	root     fyne.CanvasObject
	onChange func()

	source   *radio
	made     *selector
	assist   *checkbox // has the model help with the questions
	ofGraph  *fyne.Container
	ofFile   *fyne.Container
	file     string
	path     *widget.Label
	facts    *widget.Label // what the file holds
	bad      bool          // the file cannot be learned from
	found    int           // questions in it
	reads    latest        // looks at files
	format   *selector
	most     *selector
	choose   func(id string) // a method; the first where there is none of that ID
	method   retrieve.Trainable
	first    *fyne.Container // the method's first option
	others   *fyne.Container
	fields   []*optionField
	seed     *optionField
	held     string
	heldPath *widget.Label
	estimate *widget.Label
}

// newTrainForm makes a form below what is said on top of it.
func newTrainForm(w *window, onChange func(), top ...fyne.CanvasObject) *trainForm {
	f := &trainForm{w: w, onChange: onChange, first: container.NewVBox(), others: container.NewVBox()}
	f.estimate = wrapped(widget.NewLabel(""))
	source := f.buildSource()
	body := container.NewVBox(append(top, source, f.buildMethods(), f.first, newFolded("Advanced", f.buildAdvanced()))...)
	f.root = container.NewBorder(nil, newQuote(f.estimate), nil, nil, scrolled(body))
	f.source.setSelected(fromGraph)
	f.choose(f.w.retriever().ID)
	return f
}

// countSelect is a choice of how many.
func countSelect(counts []int, chosen int, do func()) *selector {
	return newChoice(counts, func(n int) string {
		if n == 0 {
			return "All"
		}
		return present.Count(n)
	}, chosen, func(int) { do() })
}

func (f *trainForm) buildSource() fyne.CanvasObject {
	f.source = newRadio(false, []string{fromGraph, fromFile}, func(string) { f.changed() })
	f.made = countSelect(madeCounts, usualMade, f.changed)
	f.assist = newCheck("", func(bool) { f.changed() })
	show(f.assist, f.w.prefs.model() != "")
	f.ofGraph = container.NewHBox(widget.NewLabel("Generate at most"), f.made, widget.NewLabel("questions"))
	names := make([]string, len(present.QuestionFormats))
	for i, x := range present.QuestionFormats {
		names[i] = x.Name
	}
	f.format = newSelector(names)
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
		container.NewHBox(widget.NewLabel("Format"), f.format, widget.NewLabel("Use at most"), f.most),
		wrapped(caption(present.QuestionFileHelp)))
	return container.NewVBox(heading("Learn from"), f.source.box, container.New(margins{LeftPadding: 26}, container.NewVBox(f.ofGraph, f.ofFile, f.assist)))
}

// assistText says what a model can do for the questions.
func (f *trainForm) assistText() string {
	m := present.Shorten(present.Printable(f.w.prefs.model()), 40)
	switch {
	case f.source.Selected != fromFile:
		return "Have " + m + " reword them: slower, and closer to how people ask"
	case f.method.Info().Reads:
		return "Have " + m + " word questions about each relation, and say which relations a question of the file asks for: slower"
	}
	return "Have " + m + " word questions about each relation: slower"
}

// buildMethods offers the methods that can be trained, where there are several: first
// that which questions go to.
func (f *trainForm) buildMethods() fyne.CanvasObject {
	methods := f.w.trainings.methods
	titles := wording.Each(methods, func(m retrieve.Trainable) string { return m.Info().Title + ": " + m.Info().Help })
	s := newRadio(false, titles, func(title string) { f.setMethod(methods[slices.Index(titles, title)]) })
	f.choose = func(id string) {
		s.setSelected(titles[max(slices.IndexFunc(methods, func(m retrieve.Trainable) bool { return m.Info().ID == id }), 0)])
	}
	box := container.NewVBox(heading("Retriever"), s.box)
	if len(titles) < 2 {
		box.Hide()
	}
	return box
}

func (f *trainForm) buildAdvanced() fyne.CanvasObject {
	f.seed = f.field(retrieve.Option{Name: "seed", Title: "Seed", Help: "The same seed, questions and graph give the same retriever.", Default: "0", Max: maxSeed})
	f.heldPath = clipped(widget.NewLabel(heldBack))
	unhold := newButton("Hold back", func() { f.setHeld("") })
	choose := newButton("Choose a file …", func() { f.w.chooseData(questionEndings, f.setHeld) })
	return container.NewVBox(f.others, f.seed.row,
		optionRow("Measure on", container.NewBorder(nil, nil, choose, unhold, f.heldPath), "Questions held back from training. They show how good the retriever is."))
}

const (
	maxSeed = 1_000_000
	// heldBack stands where no file is measured on.
	heldBack = "one in ten questions is held back"
)

// setMethod shows the options of a method.
func (f *trainForm) setMethod(m retrieve.Trainable) {
	f.method, f.fields = m, nil
	f.first.RemoveAll()
	f.others.RemoveAll()
	for i, o := range m.Options() {
		if o.Hidden {
			continue
		}
		var x *optionField
		if i == 0 && len(o.Choices) > 0 && !o.Several {
			x = f.choices(o)
			f.first.Add(x.row)
		} else {
			x = f.field(o)
			f.others.Add(x.row)
		}
		f.fields = append(f.fields, x)
	}
	f.changed()
}

// setHeld takes a file to measure on; empty to hold questions back.
func (f *trainForm) setHeld(path string) {
	f.held = path
	f.heldPath.SetText(heldBack)
	if path != "" {
		f.heldPath.SetText(filepath.Base(path))
	}
}

// setFile takes a file of questions, and looks into it.
func (f *trainForm) setFile(path string) {
	f.file = path
	f.path.SetText(present.Path(path))
	f.look()
}

// look reads the file that was chosen, and says what it holds.
func (f *trainForm) look() {
	current, path := f.reads.begin(), f.file
	if path == "" {
		return
	}
	f.bad = true
	f.facts.Importance = widget.LowImportance
	setLabel(f.facts, "Checking …")
	format := present.QuestionFormats[f.format.SelectedIndex()].ID
	f.w.use(func(ctx context.Context, _ openGraph, post func(func())) {
		qs, problems, err := questions.Read(ctx, path, format)
		if ctx.Err() != nil {
			return
		}
		lines := present.QuestionFile(qs, problems)
		post(func() {
			if !current() {
				return
			}
			f.bad, f.found = err != nil, len(qs)
			if err != nil {
				f.facts.Importance = widget.WarningImportance
				lines = []string{f.w.said("read a file of questions", err)}
			}
			setLabel(f.facts, strings.Join(lines, "\n"))
			f.changed()
		})
	})
	f.changed()
}

// changed shows what belongs to the choices, and how long they may take.
func (f *trainForm) changed() {
	if f.method == nil {
		return // not built yet
	}
	show(f.ofFile, f.source.Selected == fromFile)
	show(f.ofGraph, f.source.Selected != fromFile)
	f.assist.SetText(f.assistText())
	for _, x := range f.fields {
		show(x.row, f.applies(x))
	}
	o, err := f.options()
	if err != nil {
		f.estimate.Importance = widget.WarningImportance
		f.estimate.SetText(present.Sentence(err.Error()))
	} else {
		f.estimate.Importance = widget.MediumImportance
		n := min(o.Questions, f.w.session.Graph().Triples()) // about as many as can be made
		if o.File != "" {
			n = f.found
			if o.Questions > 0 {
				n = min(n, o.Questions)
			}
		}
		text := present.TrainEstimate(f.method, o.Chosen, n, f.w.trainings.known)
		if o.Assist {
			text += " The model's help takes extra time."
		}
		f.estimate.SetText(text)
	}
	if f.onChange != nil {
		f.onChange()
	}
}

func show(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

// applies reports whether an option says anything to what is chosen.
func (f *trainForm) applies(x *optionField) bool {
	if len(x.Only) == 0 {
		return true
	}
	first := f.fields[0]
	value := cmp.Or(first.value(), first.Default)
	return slices.Contains(x.Only, value)
}

func (f *trainForm) ready() bool {
	_, err := f.options()
	return err == nil
}

// errNoFile and errBadFile are said where the file is not ready.
var (
	errNoFile  = errors.New("choose a file of questions first")
	errBadFile = errors.New("the file cannot be used for training")
)

// options are the choices, or what is wrong with them.
func (f *trainForm) options() (engine.TrainOptions, error) {
	o := engine.TrainOptions{Method: f.method.Info().ID, Questions: madeCounts[f.made.SelectedIndex()], Held: f.held, Chosen: retrieve.Values{}}
	if f.source.Selected == fromFile {
		o.Questions, o.File = fileCounts[f.most.SelectedIndex()], f.file
		o.Format = present.QuestionFormats[f.format.SelectedIndex()].ID
		switch {
		case f.file == "":
			return o, errNoFile
		case f.bad:
			return o, errBadFile
		}
	}
	o.Assist = f.assist.Visible() && f.assist.Checked
	for _, x := range f.fields {
		if v := x.value(); (v != "" || x.Several) && v != x.Default && f.applies(x) {
			o.Chosen[x.Name] = v
		}
	}
	under := func(o retrieve.Option) string { return o.Title + ", under Advanced," }
	seed := retrieve.Values{}
	if text := f.seed.value(); text != "" {
		seed["seed"] = text
	}
	o.Seed = uint64(seed.Int("seed")) //nolint:gosec // checked below
	_, together := f.method.Settings(o.Chosen)
	return o, errors.Join(
		retrieve.CheckValues(f.method.Options(), o.Chosen, under), retrieve.CheckValues([]retrieve.Option{f.seed.Option}, seed, under), together)
}

func (f *trainForm) title() string {
	if len(f.fields) > 0 && len(f.fields[0].Choices) > 0 {
		return present.ChoiceTitle(f.fields[0].Option, f.fields[0].value())
	}
	return f.method.Info().Title
}
