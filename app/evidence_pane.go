package app

import (
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
	empty     *widget.Label
	inspector *fyne.Container
	where     *widget.Label // the source of the selected triple
	line      *widget.Label // the very line of its file
	onSelect  func(row int) // by the user
	quiet     bool          // selecting from code
}

// rowList is a list whose selection follows the arrow keys.
type rowList struct {
	widget.List
	selected int // -1 for none
	onOpen   func(row int)
	keyed    bool // it is a key that selects
}

func newEvidencePane(onSelect func(row int)) *evidencePane {
	p := &evidencePane{onSelect: onSelect, open: map[int]bool{}, sources: map[kg.TripleID]string{}}
	p.list = &rowList{selected: -1, onOpen: p.toggle}
	p.list.ExtendBaseWidget(p.list)
	p.list.Length = func() int { return len(p.rows) }
	p.list.CreateItem = func() fyne.CanvasObject { return newEvidenceRow().root }
	p.list.UpdateItem = func(id widget.ListItemID, o fyne.CanvasObject) { p.update(id, o) }
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
	p.root = container.NewBorder(nil, p.inspector, nil, nil, container.NewStack(p.list, p.empty))
	return p
}

// show replaces the rows.
func (p *evidencePane) show(rows []present.EvidenceRow, emptyText string) {
	for row := range p.open {
		p.list.SetItemHeight(row, p.rowHeight(nil))
	}
	p.rows, p.open, p.sources = rows, map[int]bool{}, map[kg.TripleID]string{}
	p.unselect()
	setLabel(p.empty, "")
	if len(rows) == 0 {
		setLabel(p.empty, emptyText)
	}
	p.list.Refresh()
	p.list.ScrollToTop()
}

// unselect leaves no row selected.
func (p *evidencePane) unselect() {
	p.list.selected = -1
	p.list.UnselectAll()
	p.list.Refresh() // of the tags
	p.inspector.Hide()
}

// selectTriple selects the row of a triple without telling anyone; none where it has
// no row.
func (p *evidencePane) selectTriple(t kg.TripleID) {
	for i, r := range p.rows {
		if r.Triple == t {
			p.quiet = true
			p.list.Select(i)
			p.quiet = false
			p.list.ScrollTo(i)
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
	p.root.Refresh()
	if p.list.selected >= 0 {
		p.list.ScrollTo(p.list.selected) // the list may be shorter now
	}
}

// toggle opens a row's parts, or closes them.
func (p *evidencePane) toggle(row int) {
	if row < 0 || row >= len(p.rows) {
		return
	}
	if p.open[row] {
		delete(p.open, row)
		p.list.SetItemHeight(row, p.rowHeight(nil))
	} else {
		p.open[row] = true
		p.list.SetItemHeight(row, p.rowHeight(partLines(p.rows[row])))
	}
	p.list.Refresh()
}

func (p *evidencePane) rowHeight(lines []string) float32 {
	r := newEvidenceRow()
	if len(lines) > 0 {
		r.parts.SetText(strings.Join(lines, "\n"))
		r.parts.Show()
	}
	return r.root.MinSize().Height
}

// partLines say what a row's triple carries.
func partLines(r present.EvidenceRow) []string {
	if len(r.Lines) == 0 {
		return []string{"This triple adds nothing to the distance."}
	}
	return r.Lines
}

// evidenceRow is the look of one row. Lists give back only the root, so the
// parts are found again by their places in it.
type evidenceRow struct {
	root   *fyne.Container
	tag    *chip
	line   *tripleLine
	source *widget.Label
	parts  *widget.Label
	opener *button
}

func newEvidenceRow() *evidenceRow {
	r := &evidenceRow{
		tag: newChip("T1", nil), line: newTripleLine(), source: clipped(caption("")), parts: caption(""),
		opener: newIconButton("", theme.MenuExpandIcon(), nil),
	}
	r.parts.Hide()
	r.opener.Importance = widget.LowImportance
	r.root = container.New(evidenceRowLayout{}, r.tag, r.line, r.source, r.parts, r.opener)
	return r
}

func evidenceRowOf(o fyne.CanvasObject) *evidenceRow {
	c := o.(*fyne.Container) //nolint:errcheck // made by newEvidenceRow
	return &evidenceRow{
		root: c, tag: c.Objects[0].(*chip), line: c.Objects[1].(*tripleLine), //nolint:errcheck // as above
		source: c.Objects[2].(*widget.Label), parts: c.Objects[3].(*widget.Label), //nolint:errcheck // as above
		opener: c.Objects[4].(*button), //nolint:errcheck // as above
	}
}

func (p *evidencePane) update(id int, o fyne.CanvasObject) {
	if id >= len(p.rows) {
		return
	}
	row, r := p.rows[id], evidenceRowOf(o)
	r.tag.text = "–"
	if row.Number > 0 {
		r.tag.text = present.Tag(row.Number)
	}
	r.tag.lit = id == p.list.selected
	r.tag.onTapped = func() { p.list.Select(id) }
	r.tag.Refresh()
	r.line.set(row.Head, row.Relation, row.Tail)
	source := p.sources[row.Triple]
	r.source.Importance = widget.LowImportance
	if row.Extracted {
		r.source.Importance = widget.WarningImportance
		if source == "" {
			source = present.Extracted
		}
	}
	if row.Number == 0 {
		source = strings.TrimPrefix(source+" · close, but not an answer", " · ")
	}
	r.source.SetText(source)
	r.opener.OnTapped = func() { p.toggle(id) }
	if p.open[id] {
		r.opener.SetIcon(theme.MenuDropDownIcon())
		r.parts.SetText(strings.Join(partLines(row), "\n"))
		r.parts.Show()
	} else {
		r.opener.SetIcon(theme.MenuExpandIcon())
		r.parts.Hide()
	}
}

// evidenceRowLayout: tag and opener at the sides, lines between.
type evidenceRowLayout struct{}

const (
	rowInset   = 5
	rowTag     = 44 // width of the tag's column
	rowOpener  = 30
	sourceDrop = 8 // by how much the caption's own padding overlaps the line above
)

// Layout implements fyne.Layout.
func (evidenceRowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	tag, line, source, parts, open := objects[0], objects[1], objects[2], objects[3], objects[4]
	lineHeight := line.MinSize().Height
	m := tag.MinSize()
	tag.Resize(m)
	tag.Move(fyne.NewPos(rowInset, rowInset+(lineHeight-m.Height)/2))
	width := size.Width - rowTag - rowOpener - rowInset
	line.Move(fyne.NewPos(rowTag, rowInset))
	line.Resize(fyne.NewSize(width, lineHeight))
	pad := float32(7)
	y := rowInset + lineHeight - sourceDrop + 2
	source.Move(fyne.NewPos(rowTag-pad, y))
	source.Resize(fyne.NewSize(width+pad, source.MinSize().Height))
	y += source.MinSize().Height - 2*sourceDrop + 4
	parts.Move(fyne.NewPos(rowTag-pad, y))
	parts.Resize(fyne.NewSize(size.Width-rowTag, parts.MinSize().Height))
	open.Move(fyne.NewPos(size.Width-rowOpener, rowInset))
	open.Resize(fyne.NewSize(rowOpener, lineHeight+6))
}

// MinSize implements fyne.Layout.
func (evidenceRowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	line, source, parts := objects[1].MinSize(), objects[2].MinSize(), objects[3]
	h := rowInset + line.Height - sourceDrop + 2 + source.Height - sourceDrop + 4
	if parts.Visible() {
		h += parts.MinSize().Height - sourceDrop
	}
	return fyne.NewSize(rowTag+line.Width+rowOpener, h)
}

// FocusGained implements fyne.Focusable: the selection shows where the focus is.
func (l *rowList) FocusGained() {
	if l.selected < 0 && l.Length() > 0 {
		l.keyed = true
		l.Select(0)
		l.keyed = false
	}
}

// FocusLost implements fyne.Focusable.
func (l *rowList) FocusLost() {}

// TypedKey implements fyne.Focusable.
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
	default:
		gaveEscape(l, e)
	}
}
