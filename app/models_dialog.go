package app

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/evidence"
	"cairn/engine/ollama"
)

// modelsView is the panel of the models while it is open.
//
//	┌ address of Ollama                    [Look again] ┐
//	│ ● what it says                                    │
//	├ Models │ Get a model │ Advanced ──────────────────┤
//	│ built-in    │ one model: facts, what it suits,    │
//	│ qwen3:4b    │ [use] [test], what the test found   │
//	├───────────────────────────────────────────────────┤
//	│ what is under way                          [Stop] │
//	└───────────────────────────────────────────────────┘
type modelsView struct {
	m      *models
	dialog *dialog.CustomDialog

	host   *entry
	remote *checkbox
	why    *widget.Label // what allowing another computer means
	state  *widget.Label

	names    []string // of the rows after the built-in one
	list     *rowList
	selected string // the name of the model that is shown; "" is the built-in one
	detail   modelDetail
	tabs     *tabs
	pullName *selectEntry
	pull     *button
	tasks    []*taskRow
	closed   func() // is told, if set
}

// showModels opens the panel of the models, unless it is open.
func (w *window) showModels() *modelsView {
	if w.models.view != nil {
		return w.models.view
	}
	w.models.forget()
	v := &modelsView{m: w.models, selected: w.prefs.model()}
	v.dialog = w.newDialog("Models", v.build())
	v.m.view = v
	v.dialog.SetOnClosed(func() {
		v.m.view = nil
		if v.host.Text != w.prefs.host() {
			v.setHost()
		}
		if v.closed != nil {
			v.closed()
		}
	})
	w.showDialog("models", large, v.dialog)
	v.m.look()
	w.win.Canvas().Focus(v.list)
	return v
}

func (v *modelsView) build() fyne.CanvasObject {
	v.tabs = newTabs([]string{"Models", "Get a model", "Advanced"}, v.buildModels(), v.buildPull(), v.buildAdvanced())
	tasks := container.NewVBox()
	for _, kind := range []string{"Test", "Pull", "Names"} {
		row := newTaskRow(kind)
		v.tasks = append(v.tasks, row)
		tasks.Add(row.root)
	}
	return quiet(container.NewBorder(v.buildServer(), tasks, nil, nil, v.tabs.root))
}

// buildServer is the address, and what answers there.
func (v *modelsView) buildServer() fyne.CanvasObject {
	v.host = newField("", v.m.w.prefs.host(), func(string) { v.refreshRemote() })
	v.host.OnSubmitted = func(string) { v.setHost() }
	v.remote = newCheck("Allow this other computer", func(on bool) {
		v.m.w.prefs.setRemote(strings.TrimSpace(v.host.Text), on)
		v.setHost()
	})
	v.why = wrapped(caption("Your questions and their evidence would be sent to it."))
	v.state = wrapped(widget.NewLabel(""))
	v.refreshRemote()
	return container.NewVBox(
		container.NewBorder(nil, nil, widget.NewLabel("Ollama at"), newButton("Check again", v.setHost), v.host),
		container.New(stacked, v.remote, v.why, v.state))
}

// refreshRemote shows the permission where the address asks for one.
func (v *modelsView) refreshRemote() {
	_, local, err := ollama.Host(v.host.Text)
	if err != nil || local {
		v.remote.Hide()
		v.why.Hide()
		return
	}
	changed := v.remote.OnChanged
	v.remote.OnChanged = nil
	v.remote.SetChecked(v.m.w.prefs.remoteAllowed(strings.TrimSpace(v.host.Text)))
	v.remote.OnChanged = changed
	v.remote.Show()
	v.why.Show()
}

// setHost takes the address over and looks there.
func (v *modelsView) setHost() {
	v.m.w.prefs.setHost(strings.TrimSpace(v.host.Text))
	v.m.missing = ""
	v.m.w.applyModel()
	v.m.look()
}

func (v *modelsView) buildModels() fyne.CanvasObject {
	v.list = newRowList(func() int { return len(v.names) + 1 }, newTwoLines, v.updateRow)
	v.list.OnSelected = func(id widget.ListItemID) {
		v.list.selected = id
		v.selected = v.nameOf(id)
		v.refreshDetail()
	}
	v.list.HideSeparators = true
	split := container.NewHSplit(v.list, container.New(margins{LeftPadding: 6}, v.detail.build()))
	split.SetOffset(0.4)
	return split
}

func (v *modelsView) nameOf(id int) string {
	if id < 1 || id > len(v.names) {
		return ""
	}
	return v.names[id-1]
}

// inUse says what a model is chosen for.
func (v *modelsView) inUse(name string) string {
	var uses []string
	if same(v.m.w.prefs.model(), name) {
		uses = append(uses, "questions")
	}
	if same(v.m.embedder(), name) {
		uses = append(uses, "names")
	}
	if len(uses) == 0 {
		return ""
	}
	return "used for " + present.List(uses)
}

// same reports whether two choices are one: "" is the built-in one.
func same(a, b string) bool { return a == b || a != "" && b != "" && ollama.SameName(a, b) }

func (v *modelsView) updateRow(id int, row twoLines) {
	model := v.nameOf(id)
	var parts []string
	if use := v.inUse(model); use != "" {
		parts = append(parts, use)
	}
	if model == "" {
		row.name.SetText("Built-in")
		if len(parts) == 0 {
			parts = append(parts, "always available")
		}
	} else {
		row.name.SetText(present.Printable(model))
		if info, ok := v.m.info(model); ok {
			parts = append(parts, v.m.row(info).Brief)
		} else {
			parts = append(parts, "unavailable")
		}
	}
	row.about.SetText(strings.Join(parts, " · "))
}

func (v *modelsView) buildPull() fyne.CanvasObject {
	var names []string
	lines := container.New(stacked)
	for _, s := range present.ModelSuggestions {
		names = append(names, s.Name)
		lines.Add(container.NewBorder(nil, nil, container.New(fixedWidth(170), clipped(bold(s.Name))), nil,
			clipped(widget.NewLabel("about "+s.Size+" · "+s.For))))
	}
	v.pullName = newSelectEntry(names)
	v.pullName.SetPlaceHolder("model name, such as " + names[0])
	start := func() { v.m.fetch(v.pullName.Text) }
	v.pullName.OnSubmitted = func(string) { start() }
	v.pull = primary(newButton("Pull", start))
	return page(
		wrapped(widget.NewLabel("When you pull a model, Ollama downloads it from the internet; Cairn itself contacts only the address above. A stopped download resumes with the next pull.")),
		container.NewBorder(nil, nil, nil, v.pull, v.pullName),
		container.New(stacked, heading("Suggestions"),
			wrapped(caption("These are often recommended but were not measured here. Any other model from Ollama's library works too; the self-test shows what it can do on this computer."))),
		lines,
	)
}

// The choices of how many patterns a model is asked for, and of its context in
// tokens.
var (
	sampleCounts = []int{1, 3, 5}
	contexts     = []int{4096, 8192, 16384, 32768}
)

func (v *modelsView) buildAdvanced() fyne.CanvasObject {
	p := v.m.w.prefs
	samples := newChoice(sampleCounts, present.Count[int], p.samples(), func(n int) {
		p.setSamples(n)
		v.m.w.applyModel()
	})
	size := newChoice(contexts, present.Count[int], p.context(), func(n int) {
		p.setContext(n)
		v.m.w.applyModel()
	})
	kind := newChoice([]bool{false, true}, func(chains bool) string {
		if chains {
			return "Relations to follow"
		}
		return "Patterns to match"
	}, p.chains(), func(chains bool) {
		p.setChains(chains)
		v.m.w.applyModel()
	})
	style := newChoice(evidence.Styles, styleWords, p.style(), p.setStyle)
	return page(
		optionRow("A model writes", kind, "A pattern covers everything a question asks. Relations to follow, from the named entities to the answer, are simpler and may suit a small model better."),
		optionRow("Attempts per question", samples, "The model reads the question this many times, and Cairn uses the reading with the best evidence. Each attempt takes as long as the first."),
		optionRow("Evidence is shown as", style, "How the triples are presented to the model that writes the answer."),
		optionRow("Context, in tokens", size, "How much a model reads at once. A larger context fits more evidence but needs more memory."),
	)
}

func styleWords(s evidence.Style) string {
	switch s {
	case evidence.Paths:
		return "Paths: Vienna → capital of → Austria"
	case evidence.Sets:
		return "Sets: Vienna, capital of, Austria"
	case evidence.Ends:
		return "Sets, second-best match last"
	case evidence.Sentences:
		return "Sentences: Vienna is the capital of Austria."
	case evidence.Tuples:
	}
	return "Tuples: (Vienna, capital of, Austria)"
}

// refresh shows everything as it is now.
func (v *modelsView) refresh() {
	v.refreshState()
	v.names = v.names[:0]
	for _, info := range v.m.found {
		v.names = append(v.names, info.Name)
	}
	for _, chosen := range []string{v.m.w.prefs.model(), v.m.embedder()} {
		if chosen != "" && !slices.ContainsFunc(v.names, func(n string) bool { return ollama.SameName(n, chosen) }) {
			v.names = append(v.names, chosen)
		}
	}
	v.list.Refresh()
	at := 1 + slices.IndexFunc(v.names, func(n string) bool { return same(n, v.selected) })
	if v.list.selected != at {
		v.list.Select(at)
	}
	v.refreshDetail()
	running := v.m.pull.running()
	enable(v.pull, !running && v.m.server.sentence == "")
	for i, t := range []*modelTask{v.m.test, v.m.pull, v.m.embed} {
		v.tasks[i].show(t, i == 0)
	}
}

func (v *modelsView) refreshState() {
	s := v.m.server
	switch {
	case !s.looked:
		v.state.Importance = widget.LowImportance
		v.state.SetText("Looking for Ollama …")
	case s.sentence != "":
		v.state.Importance = widget.WarningImportance
		v.state.SetText("● " + strings.TrimSpace(s.sentence+" "+s.remedy))
	default:
		v.state.Importance = widget.SuccessImportance
		v.state.SetText("● " + v.answers())
	}
}

// answers says what a server that answers is.
func (v *modelsView) answers() string {
	text := "Ollama"
	if v.m.server.version != "" {
		text += " " + present.Shorten(present.Printable(v.m.server.version), 20)
	}
	where := " runs on this computer"
	if _, local, err := ollama.Host(v.m.w.prefs.host()); err == nil && !local {
		where = " runs on another computer, which you allowed"
	}
	if len(v.m.found) == 0 {
		return text + where + ", but has no model yet. See “Get a model”; Cairn also works without one."
	}
	return text + where + ", with " + present.Plural(len(v.m.found), "model", "models") + "."
}
