package app

import (
	"fmt"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/canvas"
)

// figure is the graph view, as the window uses it.
type figure interface {
	fyne.CanvasObject
	SetModel(m canvas.Model)
	Highlight(edgeIDs []string)
	Fit()
	ZoomIn()
	ZoomOut()
	Undo()
	Redo()
	Relayout()
	CanUndo() bool
	CanRedo() bool
	// Close ends what it does in the background and waits. It may be called on any
	// goroutine.
	Close()
}

// picture is what a figure shows at one moment, as the user arranged it. It may
// be written on any goroutine.
type picture interface {
	WritePNG(w io.Writer, colours canvas.Palette) error
	WriteSVG(w io.Writer, colours canvas.Palette) error
}

// newFigure makes a figure, and the function that takes its picture.
type newFigure func(figureEvents) (figure, func() picture)

// figureEvents are what a figure tells the window.
type figureEvents struct {
	selectNode func(id string)
	selectEdge func(id string)
	changed    func() // the undo history moved
}

func newView(do figureEvents) (figure, func() picture) {
	v := canvas.NewView()
	v.OnSelectNode, v.OnSelectEdge, v.OnChanged = do.selectNode, do.selectEdge, do.changed
	v.OnFault = func(err error) { fault(err) }
	return v, func() picture { return v.Picture() }
}

// figurePane is the picture of the evidence with its tools.
type figurePane struct {
	root       fyne.CanvasObject
	figure     figure
	picture    func() picture
	model      canvas.Model
	title      *widget.Label
	empty      *widget.Label
	undo, redo *pressable
	tools      *fyne.Container
	views      []*pressable // the tools that need a picture
}

// figureActions are what the tools of the pane do outside it.
type figureActions struct {
	events figureEvents
	export func() // asks for a file
	hint   func(string)
}

func newFigurePane(makeFigure newFigure, do figureActions) *figurePane {
	p := &figurePane{title: clipped(caption("")), empty: wrapped(widget.NewLabel(""))}
	p.empty.Alignment, p.empty.Importance = fyne.TextAlignCenter, widget.LowImportance
	events := do.events
	events.changed = func() {
		p.drawHistory()
		if do.events.changed != nil {
			do.events.changed()
		}
	}
	p.figure, p.picture = makeFigure(events)
	p.undo = iconButton(theme.ContentUndoIcon(), "Undo the last change to the picture (Ctrl+Z)", do.hint, p.figure.Undo)
	p.redo = iconButton(theme.ContentRedoIcon(), "Redo (Ctrl+Y)", do.hint, p.figure.Redo)
	tool := func(icon fyne.Resource, hint string, press func()) *pressable {
		b := iconButton(icon, hint, do.hint, press)
		p.views = append(p.views, b)
		return b
	}
	p.tools = container.NewHBox(
		p.undo, p.redo, widget.NewSeparator(),
		tool(theme.ZoomOutIcon(), "Zoom out (Ctrl+−)", p.figure.ZoomOut),
		tool(theme.ZoomInIcon(), "Zoom in (Ctrl+=)", p.figure.ZoomIn),
		tool(theme.ZoomFitIcon(), "Fit the whole picture into view (Ctrl+0)", p.figure.Fit),
		tool(theme.ViewRefreshIcon(), "Lay out the picture again (F5)", p.figure.Relayout), widget.NewSeparator(),
		tool(theme.DownloadIcon(), "Export the picture as PNG or SVG (Ctrl+E)", do.export),
	)
	p.root = container.NewBorder(
		container.NewBorder(nil, nil, nil, p.tools, p.title), nil, nil, nil,
		container.NewStack(p.figure, container.NewCenter(container.New(fixedWidth(280), p.empty))),
	)
	p.show(canvas.Model{}, "", "")
	return p
}

// show draws a model. title says what it is; emptyText stands where it is empty.
func (p *figurePane) show(m canvas.Model, title, emptyText string) {
	p.model = m
	p.figure.SetModel(m)
	p.title.SetText(title)
	if len(m.Nodes) == 0 {
		p.figure.Hide()
		setLabel(p.empty, emptyText)
	} else {
		p.figure.Show()
		setLabel(p.empty, "")
	}
	for _, b := range p.views {
		b.setDisabled(len(m.Nodes) == 0)
	}
	p.drawHistory()
}

func (p *figurePane) drawHistory() {
	p.undo.setDisabled(!p.figure.CanUndo())
	p.redo.setDisabled(!p.figure.CanRedo())
}

// figureTitle says what the picture shows, and of how many triples.
func figureTitle(m canvas.Model, pattern bool, is present.Standing, all int) string {
	switch {
	case len(m.Nodes) == 0:
		return ""
	case pattern:
		return "What was looked for (not evidence)"
	case !is.IsEvidence():
		return is.String()
	}
	nodes, triples := 0, 0
	for _, n := range m.Nodes {
		if n.ID != present.MoreNodeID {
			nodes++
		}
	}
	for _, e := range m.Edges {
		if _, ok := present.TripleOf(e.ID); ok {
			triples++
		}
	}
	of := ""
	if triples < all {
		of = present.Count(triples) + " of "
		triples = all
	}
	return fmt.Sprintf("%s: %s, %s", is,
		present.Plural(nodes, "entity", "entities"), of+present.Plural(triples, "triple", "triples"))
}
