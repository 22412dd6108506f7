package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
)

// explainer says why something is an answer, or why not.
type explainer interface {
	present.Explainer
	// Called returns what a name means, or else the nearest names.
	Called(ctx context.Context, name string) (es []kg.EntityID, named bool, err error)
}

// tickColors are those of the marks of conditions.
var tickColors = map[string]fyne.ThemeColorName{"✓": theme.ColorNameSuccess, "✗": theme.ColorNameError, "?": theme.ColorNameWarning}

// conditions lists how something stands to what a question asks. A tick that is pressed
// lights its triples up.
func (p *answerPane) conditions(rows []present.ConditionRow) fyne.CanvasObject {
	box := container.New(stacked)
	for _, r := range rows {
		f := newFlow(theme.SizeNameCaptionText)
		f.add(r.Mark, fyne.TextStyle{Bold: true}, tickColors[r.Mark])
		f.add(r.Text, fyne.TextStyle{}, theme.ColorNameForeground)
		f.add("("+r.Status+")", fyne.TextStyle{}, colorMuted)
		press := newPressable(f, "", func() { p.do.edges(r.Edges) })
		press.inset, press.onHint = 4, p.do.hint
		if len(r.Edges) > 0 {
			press.hint = "Highlight the evidence"
		}
		box.Add(press)
		for _, t := range r.Instead {
			box.Add(indented("instead: " + t))
		}
	}
	return container.New(margins{LeftPadding: 14}, box)
}

// indented is a small line below another one.
func indented(text string) fyne.CanvasObject {
	return container.New(margins{LeftPadding: 18}, wrapped(caption(text)))
}

// explainer asks for a name, and has room for what is said of it.
func (p *answerPane) explainer() fyne.CanvasObject {
	name := newField("Why, or why not …? Type a name", "", nil)
	name.OnSubmitted = p.do.explain
	ask := newButton("Explain", func() { p.do.explain(name.Text) })
	p.reasons = container.New(stacked)
	return container.NewVBox(container.NewBorder(nil, nil, nil, ask, name), p.reasons)
}

// showReasons shows why something is an answer, or why not.
func (p *answerPane) showReasons(s present.Reasons) {
	objects := []fyne.CanvasObject{wrapped(bold(s.Headline))}
	for _, l := range s.Lines {
		objects = append(objects, wrapped(caption(l)))
	}
	objects = append(objects, p.conditions(s.Conditions))
	list := func(title string, texts []string) {
		if len(texts) == 0 {
			return
		}
		objects = append(objects, wrapped(caption(title)))
		for _, t := range texts {
			objects = append(objects, indented(t))
		}
	}
	for _, l := range s.Lists() {
		list(l.Title, l.Texts)
	}
	if s.More != "" {
		objects = append(objects, wrapped(caption(s.More)))
	}
	p.setReasons(objects...)
}

// sayNoReasons says why there is nothing to show, and offers names to ask of instead.
func (p *answerPane) sayNoReasons(why string, names []string) {
	objects := []fyne.CanvasObject{warning(wrapped(caption(why)))}
	for _, n := range names {
		objects = append(objects, newPressable(caption("▸ "+n), "", func() { p.do.explain(n) }).hinted(4, "Explain "+n, p.do.hint))
	}
	p.setReasons(objects...)
}

func (p *answerPane) setReasons(objects ...fyne.CanvasObject) {
	if p.reasons == nil {
		return
	}
	p.reasons.Objects = []fyne.CanvasObject{newQuote(container.New(stacked, objects...))}
	p.reasons.Refresh()
	p.box.Refresh()
	p.scroll.Refresh()
	p.scroll.ScrollToBottom()
}

// whyNot finds out why what a name means is an answer to the question on view, or why
// not.
func (w *window) whyNot(name string) {
	run := w.run
	if run == nil || name == "" {
		return
	}
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		say := func(show func()) {
			post(func() {
				if w.run == run {
					show()
				}
			})
		}
		es, named, err := g.Called(ctx, name)
		if err == nil && (!named || len(es) != 1) {
			why, names := present.NamesFor(g.Graph(), name, es, named)
			say(func() { w.answer.sayNoReasons(why, names) })
			return
		}
		var reasons present.Reasons
		if err == nil {
			reasons, err = present.FindReasons(ctx, g, run, es[0])
		}
		switch {
		case errors.Is(err, engine.ErrNoConditions):
			say(func() { w.answer.sayNoReasons(present.NoConditions, nil) })
		case err != nil:
			w.log.WarnContext(ctx, "explain an entity", slog.Any("error", err))
			say(func() { w.answer.sayNoReasons(fmt.Sprintf("Nothing could be found out about “%s”.", name), nil) })
		default:
			say(func() { w.answer.showReasons(reasons) })
		}
	})
}
