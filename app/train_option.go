package app

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// optionField lets one option of a training be chosen.
type optionField struct {
	retrieve.Option

	row   fyne.CanvasObject
	value func() string // empty for the default
	set   func(text string)
}

func optionRow(name string, field fyne.CanvasObject, about string) fyne.CanvasObject {
	return container.NewVBox(
		container.NewBorder(nil, nil, container.New(fixedWidth(190), widget.NewLabel(name)), nil, field), wrapped(caption(about)))
}

// choices shows all choices of an option with what they are about.
func (f *trainForm) choices(o retrieve.Option) *optionField {
	about := wrapped(caption(""))
	titles := titlesOf(o)
	r := newRadio(false, titles, nil)
	x := &optionField{Option: o}
	at := func() int { return max(slices.Index(titles, r.Selected), 0) }
	r.OnChanged = func(string) {
		about.SetText(o.Choices[at()].Help)
		f.changed()
	}
	x.value = func() string { return o.Choices[at()].Value }
	x.set = func(text string) { r.setSelected(present.ChoiceTitle(o, text)) }
	x.row = container.NewVBox(heading(o.Title), r.box, container.New(margins{LeftPadding: 26}, about))
	x.set(o.Default)
	return x
}

func (f *trainForm) field(o retrieve.Option) *optionField {
	x := &optionField{Option: o}
	if o.Embedders {
		if e := f.w.session.Embedder(); e.Model != "" && e.ID != "" {
			o.Choices = append(slices.Clone(o.Choices), retrieve.Choice{Value: e.ID, Title: present.Shorten(present.Printable(e.Model), 40) + ", by Ollama"})
		}
	}
	titles := titlesOf(o)
	var input fyne.CanvasObject
	switch {
	case len(titles) == 0:
		e := newField(o.Default, "", func(string) { f.changed() })
		x.value, x.set, input = func() string { return strings.TrimSpace(e.Text) }, e.SetText, e
	case o.Several:
		var all []*checkbox
		box := container.NewVBox()
		for _, title := range titles {
			one := newCheck(title, func(bool) { f.changed() })
			all = append(all, one)
			box.Add(one)
		}
		x.value = func() string {
			var chosen []string
			for i, one := range all {
				if one.Checked {
					chosen = append(chosen, o.Choices[i].Value)
				}
			}
			return strings.Join(chosen, ",")
		}
		x.set = func(text string) {
			for i, one := range all {
				one.SetChecked(slices.Contains(strings.Split(text, ","), o.Choices[i].Value))
			}
		}
		input = box
	default:
		s := newSelector(titles)
		x.value = func() string { return o.Choices[s.SelectedIndex()].Value }
		x.set = func(text string) { s.SetSelected(present.ChoiceTitle(o, text)) }
		x.set(o.Default)
		s.OnChanged = func(string) { f.changed() }
		input = s
	}
	if o.Several {
		x.set(o.Default)
	}
	x.row = optionRow(o.Title, input, o.Help)
	return x
}

func titlesOf(o retrieve.Option) []string {
	return wording.Each(o.Choices, func(c retrieve.Choice) string { return c.Title })
}
