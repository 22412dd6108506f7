package app

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/kg"
)

// statementList lists statements with their places, to accept and to decline by
// button or key. Only the rows in view are drawn.
type statementList struct {
	rowList
	review *extractReview
}

func newStatementList(r *extractReview) *statementList {
	l := &statementList{rowList: rowList{selected: -1}, review: r}
	_, sample := newStatementRow()
	l.lowest = sample.line.row.MinSize().Height
	l.height = func(id int, width float32) float32 {
		s := r.rows[r.shown[id]]
		return l.lowest + sample.line.more(width, s.Head, s.Relation, s.Tail)
	}
	setRows(&l.List, func() int { return len(r.shown) }, newStatementRow, func(id int, row *statementRow) {
		if id < len(r.shown) {
			row.draw(r, id)
		}
	})
	l.OnSelected = func(id widget.ListItemID) {
		l.selected = id
		r.inspect(id)
	}
	l.HideSeparators = true
	l.ExtendBaseWidget(l)
	return l
}

func (l *statementList) TypedRune(r rune) {
	switch r {
	case 'a', 'A':
		l.review.decide(l.selected, kg.StatementAccepted)
	case 'd', 'D':
		l.review.decide(l.selected, kg.StatementDeclined)
	case 'u', 'U':
		l.review.decide(l.selected, kg.StatementProposed)
	default:
	}
}

type statementRow struct {
	icon            *widget.Icon
	line            *tripleLine
	about           *widget.Label
	accept, decline *button
}

func newStatementRow() (fyne.CanvasObject, *statementRow) {
	r := &statementRow{
		icon: widget.NewIcon(theme.RadioButtonIcon()), line: newTripleLine(), about: clipped(caption("")),
		accept: newIconButton("", theme.ConfirmIcon(), nil), decline: newIconButton("", theme.CancelIcon(), nil),
	}
	return newTripleRow(r.icon, r.line, []fyne.CanvasObject{r.about}, r.accept, r.decline), r
}

// draw shows the statement listed at a place.
func (r *statementRow) draw(v *extractReview, at int) {
	s := v.rows[v.shown[at]]
	r.line.set(s.Head, s.Relation, s.Tail)
	r.icon.SetResource(statementIcon(s))
	about := statementWord(s)
	if s.Quote != "" {
		about += fmt.Sprintf(" · line %s: “%s”", present.Count(s.Line), present.Shorten(s.Quote, 160))
	}
	r.about.Importance = widget.LowImportance
	if s.Note != "" {
		r.about.Importance = widget.WarningImportance
	}
	r.about.SetText(about)
	r.accept.OnTapped = func() { v.decide(at, toggled(s.State, kg.StatementAccepted)) }
	r.decline.OnTapped = func() { v.decide(at, toggled(s.State, kg.StatementDeclined)) }
	for b, state := range map[*button]kg.StatementState{r.accept: kg.StatementAccepted, r.decline: kg.StatementDeclined} {
		b.Importance = widget.LowImportance
		if s.State == state {
			b.Importance = widget.HighImportance
		}
		enable(b, s.Open())
		b.Refresh()
	}
	r.line.settle()
}

// toggled is what pressing the button of a state makes of a statement.
func toggled(now, pressed kg.StatementState) kg.StatementState {
	if now == pressed {
		return kg.StatementProposed
	}
	return pressed
}

// statementWord says in a word what became of a statement.
func statementWord(s present.StatementRow) string {
	switch s.State {
	case kg.StatementAccepted:
		return "Accepted"
	case kg.StatementDeclined:
		return "Declined"
	case kg.StatementInvalid:
		return "Not in the text"
	case kg.StatementAdded:
		return "In the graph"
	case kg.StatementProposed:
	}
	if s.Note != "" {
		return "Doubtful"
	}
	return "Undecided"
}

// statementIcon tells states apart by shape.
func statementIcon(s present.StatementRow) fyne.Resource {
	switch s.State {
	case kg.StatementAccepted, kg.StatementAdded:
		return theme.NewSuccessThemedResource(theme.ConfirmIcon())
	case kg.StatementDeclined, kg.StatementInvalid:
		return theme.NewErrorThemedResource(theme.CancelIcon())
	case kg.StatementProposed:
	}
	if s.Note != "" {
		return theme.NewWarningThemedResource(theme.WarningIcon())
	}
	return theme.NewDisabledResource(theme.RadioButtonIcon())
}
