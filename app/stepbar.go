package app

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
)

// stepBar shows the steps of a question as they happen: state, time and result
// of each. A step opens to show its details.
type stepBar struct {
	root    fyne.CanvasObject
	steps   []present.Step
	tiles   []*stepTile
	stop    *button
	prompts *button         // shown for a step that asked a model
	details *fyne.Container // hidden while no step is open
	title   *widget.Label
	lines   *widget.Label
	opened  int // index into steps; -1 for none
}

type stepTile struct {
	press   *pressable
	icon    *widget.Icon
	title   *widget.Label
	time    *widget.Label
	head    *fyne.Container // icon, title and time
	summary *brief
}

// ifRoom shows its second object at the end of the first one's line, where there is room.
type ifRoom struct{}

func (ifRoom) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

func (ifRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	first, second := objects[0].MinSize(), objects[1].MinSize()
	objects[0].Resize(size)
	objects[1].Resize(second)
	objects[1].Move(fyne.NewPos(size.Width-second.Width, (size.Height-second.Height)/2))
	show(objects[1], first.Width+second.Width <= size.Width)
}

// brief shows a text, or where that has no room in a narrow place, a short form of it. A wide
// place has most of the text.
type brief struct {
	root        *fyne.Container
	label       *widget.Label
	text, short string
}

func newBrief() *brief {
	b := &brief{label: clipped(caption(""))}
	b.root = container.New(b, b.label)
	return b
}

// say sets the text, and its short form; empty where there is none.
func (b *brief) say(text, short string) {
	b.text, b.short = text, short
	b.Layout(nil, b.root.Size())
}

// MinSize implements fyne.Layout.
func (b *brief) MinSize([]fyne.CanvasObject) fyne.Size { return b.label.MinSize() }

// Layout implements fyne.Layout.
func (b *brief) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const narrow = 170
	text := b.text
	if room := size.Width - 2*theme.InnerPadding(); b.short != "" && size.Width < narrow && fyne.MeasureText(text, theme.CaptionTextSize(), b.label.TextStyle).Width > room {
		text = b.short
	}
	if b.label.Text != text {
		b.label.SetText(text)
	}
	b.label.Resize(size)
}

// newStepBar makes a bar, for a run by first; onPrompts is asked to show what a step asked a model.
func newStepBar(first retrieve.Info, onStop func(), onPrompts func(engine.Stage)) *stepBar {
	b := &stepBar{opened: -1, steps: present.NewSteps(first)}
	row := make([]fyne.CanvasObject, 0, len(b.steps))
	for i := range b.steps {
		t := newStepTile(func() { b.toggle(i) })
		b.tiles = append(b.tiles, t)
		row = append(row, t.press)
	}
	b.stop = newIconButton("Stop", theme.MediaStopIcon(), onStop)
	b.stop.Disable()

	b.title, b.lines = bold(""), wrapped(widget.NewLabel(""))
	b.lines.Selectable = true
	shut := newIconButton("Close", theme.CancelIcon(), func() { b.toggle(b.opened) })
	shut.Importance = widget.LowImportance
	b.prompts = newIconButton("", theme.DocumentIcon(), func() { onPrompts(b.steps[b.opened].Stage) })
	b.details = container.New(fixedHeight(150), newPane(container.NewBorder(
		container.NewBorder(nil, nil, nil, container.NewHBox(b.prompts, shut), b.title), nil, nil, nil, scrolled(b.lines),
	)))
	b.details.Hide()

	b.root = container.NewVBox(
		container.NewBorder(nil, nil, nil, b.stop, container.NewGridWithColumns(len(row), row...)),
		b.details,
	)
	b.draw()
	return b
}

func newStepTile(onTapped func()) *stepTile {
	t := &stepTile{
		icon: widget.NewIcon(theme.RadioButtonIcon()), title: bold(""), time: caption(""), summary: newBrief(),
	}
	t.head = container.New(ifRoom{}, container.New(tight, t.icon, t.title), t.time)
	t.press = newPressable(container.New(stacked, t.head, t.summary.root), colorSurface, onTapped)
	t.press.inset = 3
	return t
}

// begin puts every step back to waiting.
func (b *stepBar) begin(m retrieve.Info) {
	b.steps = present.NewSteps(m)
	b.stop.Enable()
	b.draw()
}

// stageBegin marks a step as running.
func (b *stepBar) stageBegin(s engine.Stage) {
	b.step(s).State = present.Running
	b.draw()
}

// stageEnd shows what a step left.
func (b *stepBar) stageEnd(st present.Step) {
	*b.step(st.Stage) = st
	b.draw()
}

// progress says how far the running step has come.
func (b *stepBar) progress(text string) {
	for i := range b.steps {
		if b.steps[i].State == present.Running {
			b.steps[i].Summary, b.steps[i].Short = text, ""
		}
	}
	b.draw()
}

// finish shows a finished run with all details.
func (b *stepBar) finish(g *kg.Graph, run *engine.Run) {
	b.steps = present.Steps(g, run)
	b.stop.Disable()
	b.draw()
}

// halt ends the steps in flight without a result.
func (b *stepBar) halt(state present.StepState) {
	for i := range b.steps {
		if b.steps[i].State == present.Running {
			b.steps[i].State = state
		}
	}
	b.stop.Disable()
	b.draw()
}

// clear forgets the last run; the next one is by m.
func (b *stepBar) clear(m retrieve.Info) {
	b.steps = present.NewSteps(m)
	b.stop.Disable()
	b.opened = -1
	b.draw()
}

func (b *stepBar) step(s engine.Stage) *present.Step {
	for i := range b.steps {
		if b.steps[i].Stage == s {
			return &b.steps[i]
		}
	}
	panic(badStage)
}

const badStage = "app: stage without a step"

// toggle opens the details of a step, or closes them.
func (b *stepBar) toggle(i int) {
	if i == b.opened {
		i = -1
	}
	b.opened = i
	b.draw()
}

func (b *stepBar) draw() {
	for i, s := range b.steps {
		b.tiles[i].draw(s)
		b.tiles[i].press.setChosen(i == b.opened)
	}
	if b.opened < 0 {
		b.details.Hide()
		return
	}
	s := b.steps[b.opened]
	b.title.SetText(s.Title + ": " + s.Hint)
	text := strings.Join(s.Details, "\n")
	switch {
	case text != "":
	case s.State == present.Done || s.State == present.Empty || s.State == present.Doubted || s.State == present.Failed:
		text = present.Sentence(s.Summary)
	default:
		text = "Nothing to show yet: this step is " + s.State.String() + "."
	}
	b.lines.SetText(text)
	b.prompts.SetText("Prompts (" + present.Count(s.Prompts) + ")")
	show(b.prompts, s.Prompts > 0)
	b.details.Show()
}

func (t *stepTile) draw(s present.Step) {
	t.icon.SetResource(stateIcon(s.State))
	t.title.SetText(s.Title)
	t.time.SetText(s.Time)
	t.head.Refresh()
	switch {
	case s.Summary != "":
		t.summary.say(s.Summary, s.Short)
	case s.State == present.Running, s.State == present.Stopped:
		t.summary.say(s.State.String(), "")
	default:
		t.summary.say(s.Hint, "")
	}
}

// stateIcon tells states apart by shape; the tile says them in words too.
func stateIcon(s present.StepState) fyne.Resource {
	switch s {
	case present.Waiting:
		return theme.NewDisabledResource(theme.RadioButtonIcon())
	case present.Running:
		return theme.NewPrimaryThemedResource(theme.MediaPlayIcon())
	case present.Done:
		return theme.NewSuccessThemedResource(theme.ConfirmIcon())
	case present.Empty:
		return theme.NewWarningThemedResource(theme.ContentRemoveIcon())
	case present.Doubted:
		return theme.NewWarningThemedResource(theme.QuestionIcon())
	case present.Failed:
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	case present.Stopped:
		return theme.NewWarningThemedResource(theme.MediaStopIcon())
	}
	return theme.QuestionIcon()
}
