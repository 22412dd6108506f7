package app

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/ollama"
	"cairn/engine/selftest"
)

type modelDetail struct {
	name, brief  *widget.Label
	facts        *widget.Label
	use, test    *button
	verdict      *widget.Label
	about        *widget.Label
	checks       *fyne.Container
	checksOf     string // what checks shows, so that it is made anew only when that changes
	checksHolder fyne.CanvasObject
}

func (d *modelDetail) build() fyne.CanvasObject {
	d.name, d.brief = wrapped(heading("")), wrapped(caption(""))
	d.facts = wrapped(widget.NewLabel(""))
	d.use, d.test = newButton("", nil), newButton("Test", nil)
	d.verdict, d.about = wrapped(bold("")), wrapped(caption(""))
	d.checks = container.New(stacked)
	d.checksHolder = newQuote(container.New(stacked, d.verdict, d.checks, d.about))
	return page(
		container.New(stacked, d.name, d.brief, d.facts),
		container.New(margins{LeftPadding: 8}, container.NewHBox(d.use, d.test)),
		d.checksHolder,
	)
}

// page stacks what may be longer than the panel.
func page(parts ...fyne.CanvasObject) fyne.CanvasObject { return scrolled(container.NewVBox(parts...)) }

// refreshDetail shows the selected model.
func (v *modelsView) refreshDetail() {
	d := &v.detail
	if v.selected == "" {
		v.showBuiltIn()
		return
	}
	info, there := v.m.info(v.selected)
	d.name.SetText(present.Printable(v.selected))
	if !there {
		setLabel(d.brief, "")
		d.facts.SetText("It is unavailable. Start Ollama and check again, pull the model again, or use the built-in one.")
		if v.m.server.looked && v.m.server.sentence == "" {
			d.facts.SetText("Ollama no longer has it. Pull it again, or use the built-in one.")
		}
		d.test.Hide()
		v.showUse("Stop using it", true, func() { v.stopUsing(v.selected) })
		d.checksHolder.Hide()
		return
	}
	row := v.m.row(info)
	setLabel(d.brief, row.Brief)
	lines := []string{row.Suits}
	for _, s := range []string{row.Context, row.Memory} {
		if s != "" {
			lines = append(lines, present.Sentence(s))
		}
	}
	d.facts.SetText(strings.Join(lines, "\n"))
	v.refreshUse(info, row)
	d.test.Show()
	d.test.OnTapped = func() { v.m.runTest(info, row.Use) }
	enable(d.test, row.Use != present.UseNothing && !v.m.test.running())
	v.refreshReport(info)
}

func (v *modelsView) showBuiltIn() {
	d := &v.detail
	d.name.SetText("Built-in")
	setLabel(d.brief, "always available, needs no model")
	d.facts.SetText("Reads questions using the graph's own words and a lexicon, writes answers from the triples, and finds similar names by spelling and synonyms.\nA model in Ollama can read more free-form questions and write more natural answers; each of its sentences is checked against the triples it cites.")
	d.test.Hide()
	d.checksHolder.Hide()
	p := v.m.w.prefs
	if p.model() == "" && v.m.embedder() == "" {
		v.showUse("Used for everything", false, nil)
		return
	}
	v.showUse("Use it for everything", true, func() {
		v.m.useForQuestions("")
		if v.m.embedder() != "" {
			v.m.useForNames("")
		}
	})
}

func (v *modelsView) showUse(text string, on bool, do func()) {
	v.detail.use.SetText(text)
	v.detail.use.OnTapped = do
	enable(v.detail.use, on)
	v.detail.use.Show()
}

// stopUsing puts the built-in one in a model's place.
func (v *modelsView) stopUsing(name string) {
	if same(v.m.w.prefs.model(), name) {
		v.m.useForQuestions("")
	}
	if same(v.m.embedder(), name) {
		v.m.useForNames("")
	}
}

func (v *modelsView) refreshUse(info ollama.ModelInfo, row present.ModelRow) {
	switch {
	case row.Use == present.UseNothing:
		v.showUse("Runs on another computer", false, nil)
	case v.inUse(info.Name) != "":
		v.showUse("Stop using it", true, func() { v.stopUsing(info.Name) })
	case row.Use == present.UseNames:
		v.showUse("Use for names", v.m.w.session != nil && !v.m.embed.running(), func() { v.m.useForNames(info.Name) })
	default:
		v.showUse("Use for questions and answers", true, func() { v.m.useForQuestions(info.Name) })
	}
	v.detail.use.Importance = widget.MediumImportance
	if v.inUse(info.Name) == "" {
		v.detail.use.Importance = widget.HighImportance
	}
	v.detail.use.Refresh()
}

// refreshReport shows what the last self-test of a model found.
func (v *modelsView) refreshReport(info ollama.ModelInfo) {
	d := &v.detail
	t, ok := v.m.report(info)
	if !ok {
		d.checksHolder.Hide()
		return
	}
	d.checksHolder.Show()
	key := info.Name + t.When.String()
	if d.checksOf == key {
		return
	}
	d.checksOf = key
	d.verdict.SetText(t.Report.Sentence())
	d.about.SetText(present.ReportAbout(t.Report, t.When))
	d.checks.RemoveAll()
	for _, c := range t.Report.Checks {
		d.checks.Add(checkLine(c))
	}
	d.checks.Refresh()
	d.checksHolder.Refresh()
}

// checkLine is one check: passed or not, and why not.
func checkLine(c selftest.Check) fyne.CanvasObject {
	l := wrapped(widget.NewLabel(present.CheckText(c)))
	if !c.Passed {
		l.Importance = widget.WarningImportance
	}
	return l
}

// taskRow shows something that is under way, or how it ended.
type taskRow struct {
	root fyne.CanvasObject
	kind string
	text *widget.Label
	bar  *widget.ProgressBar
	slim fyne.CanvasObject // holds the bar
	stop *button
}

func newTaskRow(kind string) *taskRow {
	r := &taskRow{kind: kind, text: wrapped(widget.NewLabel(""))}
	r.bar, r.slim = newSlim()
	r.stop = newIconButton("Stop", theme.CancelIcon(), nil)
	r.root = container.NewBorder(nil, nil, nil, r.stop, container.NewVBox(r.text, r.slim))
	r.root.Hide()
	return r
}

// show shows a task; quiet ones are hidden once they ended well.
func (r *taskRow) show(t *modelTask, quiet bool) {
	if t == nil || quiet && !t.running() && !t.failed {
		r.root.Hide()
		return
	}
	running := t.running()
	r.text.Importance = widget.MediumImportance
	if t.failed {
		r.text.Importance = widget.WarningImportance
	}
	about := t.ended
	if running {
		about = t.doing
		r.stop.OnTapped = t.stop
		r.stop.Show()
	} else {
		r.stop.Hide()
	}
	if !strings.Contains(about, t.name) {
		about = t.name + " · " + about
	}
	r.text.SetText(r.kind + " · " + about)
	if running && t.total > 0 {
		r.bar.SetValue(float64(t.done) / float64(t.total))
		r.slim.Show()
	} else {
		r.slim.Hide()
	}
	r.root.Show()
}
