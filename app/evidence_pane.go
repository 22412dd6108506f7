package app

import (
	"cmp"
	"maps"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/kg"
)

// evidencePane lists the triples of the evidence: everything that the canvas
// draws, reachable by keyboard. A row opens to show its share of the distance;
// below the list stands the source of the selected one.
type evidencePane struct {
	root      fyne.CanvasObject
	rows      []present.EvidenceRow
	sources   map[kg.TripleID]string // where a triple comes from, as far as known
	open      map[int]bool           // rows that show their parts
	list      *rowList
	sample    *evidenceRow // measures the others
	empty     *widget.Label
	help      *fyne.Container // what the ticks do
	inspector *fyne.Container
	where     *widget.Label // the source of the selected triple
	line      *widget.Label // the very line of its file
	onSelect  func(row int) // by the user
	onKeep    func(t kg.TripleID, keep bool)
	past      bool // of an answer of the history, which stays as it is
	hint      func(string)
	quiet     bool // selecting from code
}

// rowList is a list whose selection follows the arrow keys.
type rowList struct {
	widget.List
	selected int                                  // -1 for none
	height   func(row int, width float32) float32 // nil where all rows are alike
	lowest   float32                              // the least height of a row
	heights  map[int]float32                      // of the rows that had another one
	onOpen   func(row int)
	onKeep   func(row int)
	keyed    bool // it is a key that selects
}

func newEvidencePane(onSelect func(row int)) *evidencePane {
	p := &evidencePane{onSelect: onSelect, open: map[int]bool{}, sources: map[kg.TripleID]string{}}
	p.list = newRowList(func() int { return len(p.rows) }, newEvidenceRow, p.update)
	_, p.sample = newEvidenceRow()
	p.list.onOpen, p.list.onKeep, p.list.height, p.list.lowest = p.toggle, p.keep, p.height, p.sample.line.row.MinSize().Height
	p.list.OnSelected = func(id widget.ListItemID) {
		p.list.selected = id
		p.list.Refresh() // of the tags, which show it as well
		if !p.quiet && p.onSelect != nil {
			p.onSelect(id)
		}
	}
	p.list.HideSeparators = true
	p.empty = wrapped(widget.NewLabel(""))
	p.empty.Importance = widget.LowImportance
	p.where, p.line = clipped(bold("")), wrapped(widget.NewLabel(""))
	p.line.TextStyle.Monospace, p.line.SizeName, p.line.Selectable = true, sizeMono, true
	p.inspector = container.NewStack(newQuote(container.New(stacked, p.where, p.line)))
	p.inspector.Hide()
	help := clipped(caption(present.WhatIfHelp))
	help.Alignment = fyne.TextAlignTrailing
	p.help = container.New(margins{TopPadding: -8, BottomPadding: -8}, help)
	p.help.Hide()
	p.root = container.NewBorder(p.help, p.inspector, nil, nil, container.NewStack(p.list, p.empty))
	return p
}

func (p *evidencePane) show(rows []present.EvidenceRow, emptyText string) {
	p.rows, p.open, p.sources = rows, map[int]bool{}, map[kg.TripleID]string{}
	p.unselect()
	setLabel(p.empty, "")
	if len(rows) == 0 {
		setLabel(p.empty, emptyText)
	}
	p.list.fit()
	p.list.ScrollToTop()
}

// unselect leaves no row selected.
func (p *evidencePane) unselect() {
	p.list.selected = -1
	p.list.UnselectAll()
	p.inspector.Hide()
	show(p.help, len(p.rows) > 0 && !p.past)
	p.root.Refresh() // the list gets its room, and its tags
}

// selectTriple selects the row of a triple without telling anyone; none where it has
// no row.
func (p *evidencePane) selectTriple(t kg.TripleID) {
	for i, r := range p.rows {
		if r.ID == t {
			p.quiet = true
			p.list.Select(i)
			p.quiet = false
			p.list.reveal(i)
			return
		}
	}
	p.unselect()
}

// setSources fills in where triples come from.
func (p *evidencePane) setSources(sources map[kg.TripleID]string) {
	maps.Copy(p.sources, sources)
	p.list.Refresh()
}

// inspect shows the source of the selected triple, and its line.
func (p *evidencePane) inspect(where, line string) {
	p.where.SetText(where)
	setLabel(p.line, line)
	p.inspector.Show()
	p.help.Hide() // it makes room
	p.root.Refresh()
	if p.list.selected >= 0 {
		p.list.reveal(p.list.selected) // the list may be shorter now
	}
}

// toggle opens a row's parts, or closes them.
func (p *evidencePane) toggle(row int) {
	if row < 0 || row >= len(p.rows) {
		return
	}
	if p.open[row] {
		delete(p.open, row)
	} else {
		p.open[row] = true
	}
	p.list.fitRow(row)
	p.list.Refresh()
	p.list.reveal(row)
}

// keep puts a row's triple back that is left out, and leaves any other one out.
func (p *evidencePane) keep(row int) {
	if p.onKeep != nil && !p.past && row >= 0 && row < len(p.rows) {
		p.onKeep(p.rows[row].ID, p.rows[row].LeftOut)
	}
}

// height is how high a row is.
func (p *evidencePane) height(row int, width float32) float32 {
	if row >= len(p.rows) {
		return 0
	}
	r := p.rows[row]
	height := p.list.lowest + p.sample.line.more(width, r.Head, r.Relation, r.Tail)
	if p.open[row] {
		closed := p.sample.line.row.MinSize().Height
		p.sample.show(r, true)
		height += p.sample.line.row.MinSize().Height - closed
		p.sample.show(r, false)
	}
	return height
}

// show opens what a row's triple carries, or closes it.
func (r *evidenceRow) show(row present.EvidenceRow, open bool) {
	if open {
		r.opener.SetIcon(theme.MenuDropDownIcon())
		r.parts.SetText(strings.Join(partLines(row), "\n"))
	} else {
		r.opener.SetIcon(theme.MenuExpandIcon())
	}
	show(r.parts, open)
}

// partLines say what a row's triple carries.
func partLines(r present.EvidenceRow) []string {
	lines := r.Lines
	if len(lines) == 0 {
		lines = []string{"This triple adds nothing to the distance."}
	}
	if r.Said != "" {
		lines = append([]string{"Properties: " + r.Said + "."}, lines...)
	}
	return lines
}

type evidenceRow struct {
	tag    *chip
	line   *tripleLine
	source *widget.Label
	parts  *widget.Label
	opener *button
	tick   *widget.Icon // whether the graph has the triple
	keep   *pressable   // holds it
}

func newEvidenceRow() (fyne.CanvasObject, *evidenceRow) {
	r := &evidenceRow{
		tag: newChip("T1", nil), line: newTripleLine(), source: clipped(caption("")), parts: caption(""),
		opener: newIconButton("", theme.MenuExpandIcon(), nil), tick: widget.NewIcon(theme.CheckButtonCheckedIcon()),
	}
	r.keep = newPressable(r.tick, "", nil)
	r.keep.inset = 4
	r.parts.Hide()
	r.opener.Importance = widget.LowImportance
	return newTripleRow(r.tag, r.line, []fyne.CanvasObject{r.source, r.parts}, r.keep, r.opener), r
}

func (p *evidencePane) update(id int, r *evidenceRow) {
	if id >= len(p.rows) {
		return
	}
	row := p.rows[id]
	r.tag.text = "–"
	if row.Number > 0 {
		r.tag.text = present.Tag(row.Number)
	}
	r.tag.lit = id == p.list.selected
	r.tag.onTapped = func() { p.list.Select(id) }
	r.tag.Refresh()
	r.line.set(row.Head, row.Relation, row.Tail)
	source := cmp.Or(p.sources[row.ID], row.Said)
	r.source.Importance = widget.LowImportance
	if row.Extracted {
		r.source.Importance = widget.WarningImportance
		source = cmp.Or(source, present.Extracted)
	}
	tick, hint := theme.CheckButtonCheckedIcon(), "Ask again as if this triple were not in the graph (Delete)"
	switch {
	case row.LeftOut:
		source = strings.TrimSuffix("left out · "+source, " · ")
		tick, hint = theme.CheckButtonIcon(), "Put this triple back (Delete)"
	case row.Number == 0:
		source = strings.TrimPrefix(source+" · close, but not an answer", " · ")
	}
	r.source.SetText(source)
	show(r.keep, !p.past)
	r.tick.SetResource(tick)
	r.keep.onTapped, r.keep.hint, r.keep.onHint = func() { p.keep(id) }, hint, p.hint
	r.opener.OnTapped = func() { p.toggle(id) }
	r.show(row, p.open[id])
	r.line.settle()
}

// Resize implements fyne.CanvasObject: rows of another width may need other heights.
func (l *rowList) Resize(size fyne.Size) {
	changed := size.Width != l.Size().Width
	l.List.Resize(size)
	if changed {
		l.fit()
	}
}

// reveal scrolls to a row, to its beginning where the list is too low for all of it.
func (l *rowList) reveal(row int) {
	if width := l.Size().Width; l.height(row, width) > l.Size().Height {
		var top float32
		for above := range row {
			top += l.height(above, width) + theme.Padding()
		}
		l.ScrollToOffset(top)
		return
	}
	l.ScrollTo(row)
}

// fitRow gives a row the height that it needs. Setting one that it has would cost as much
// as another.
func (l *rowList) fitRow(row int) {
	needs := l.height(row, l.Size().Width)
	if has, set := l.heights[row]; has == needs || !set && needs == l.lowest {
		return
	}
	if l.heights == nil {
		l.heights = map[int]float32{}
	}
	l.heights[row] = needs
	l.SetItemHeight(row, needs)
}

// fit gives every row the height that it needs.
func (l *rowList) fit() {
	if l.height != nil {
		rows, create, offset := l.Length, l.CreateItem, l.GetScrollOffset()
		l.Length, l.CreateItem = func() int { return 0 }, nil // else Fyne draws the list again for each
		for row := range rows() {
			l.fitRow(row)
		}
		l.Length, l.CreateItem = rows, create
		defer l.ScrollToOffset(offset)
	}
	l.Refresh()
}

// FocusGained implements fyne.Focusable: the selection shows where the focus is.
func (l *rowList) FocusGained() {
	if l.selected < 0 && l.Length() > 0 {
		l.keyed = true
		l.Select(0)
		l.keyed = false
	}
}

func (l *rowList) FocusLost() {}

func (l *rowList) TypedKey(e *fyne.KeyEvent) {
	l.keyed = true
	defer func() { l.keyed = false }()
	last := l.Length() - 1
	switch e.Name {
	case fyne.KeyDown:
		l.Select(min(l.selected+1, last))
	case fyne.KeyUp:
		l.Select(max(l.selected-1, 0))
	case fyne.KeyPageDown:
		l.Select(min(l.selected+10, last))
	case fyne.KeyPageUp:
		l.Select(max(l.selected-10, 0))
	case fyne.KeyHome:
		l.Select(0)
	case fyne.KeyEnd:
		l.Select(last)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace, fyne.KeyRight, fyne.KeyLeft:
		if l.onOpen != nil {
			l.onOpen(l.selected)
		}
	case fyne.KeyDelete, fyne.KeyBackspace:
		if l.onKeep != nil {
			l.onKeep(l.selected)
		}
	default:
		gaveEscape(l, e)
	}
}
