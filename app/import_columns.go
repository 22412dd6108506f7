package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/ingest"
	"cairn/internal/guard"
)

// columnsPage is the page of an import on which the user says what each column of a
// table is. What the first row then says is read aloud as a sentence.
type columnsPage struct {
	d       *importDialog
	file    string
	choices ingest.Options // how the file is cut into rows
	format  ingest.Format  // with the reading as it stands
	other   *ingest.Reading
	mapping string // a kept mapping for files of this shape; empty for none
	asks    string // why the user is asked

	says   *flow
	wrong  *widget.Label // what the reading lacks
	detail *fyne.Container
	next   []*button // that need a whole reading
}

// The most of a table that is shown.
const (
	previewRows    = 20
	previewColumns = 40
	factsSaid      = 12
	cellSaid       = 120 // characters
)

// columns opens the page for a file; asks says why, where the user did not ask for it.
func (d *importDialog) columns(file, asks string, choices ingest.Options) {
	p := &columnsPage{d: d, file: file, choices: choices, asks: asks}
	d.showProgress("Reading the first rows of "+filepath.Base(file), "Reading …", "")
	d.cancel = d.w.jobs.start(func(ctx context.Context, post func(func())) {
		look, err := guard.Get(func() (fileLook, error) { return d.w.opener.Sniff(ctx, []string{file}, choices) })
		post(func() {
			d.cancel = nil
			if len(look.Format.Preview) == 0 {
				d.refused(err)
				return
			}
			p.take(look, err)
		})
	})
}

// refused says why a file has no columns to choose from.
func (d *importDialog) refused(err error) {
	said := "This file has no columns to choose from."
	if err != nil {
		said = d.w.said("read a table", err)
	}
	back := primary(newButton("Back", d.choose))
	d.show(container.NewVBox(heading("This file cannot be read as a table"), wrapped(widget.NewLabel(said))), back)
}

// take shows a table as it was found to be.
func (p *columnsPage) take(look fileLook, err error) {
	p.format, p.other, p.mapping = look.Format, look.Format.RunnerUp, look.Mapping
	if err != nil {
		p.asks = present.WhatIsWrong(err)
	}
	if len(p.format.Columns) == 0 {
		columns := make([]ingest.Column, p.format.Width)
		for i := range columns {
			columns[i].Role = ingest.LeftOut
			if i < len(p.format.Names) {
				columns[i].Name = p.format.Names[i]
			}
		}
		p.format = p.format.As(ingest.Reading{Columns: columns})
	}
	p.draw()
}

// again reads the file anew, cut into rows in another way.
func (p *columnsPage) again(change func(o *ingest.Options)) {
	change(&p.choices)
	p.choices.Reading = nil
	p.d.columns(p.file, "", p.choices)
}

func (p *columnsPage) draw() {
	d := p.d
	d.dialog.Resize(d.w.sizeOf(largest))
	p.says = newFlow(theme.SizeNameText)
	p.wrong = wrapped(widget.NewLabel(""))
	p.wrong.Importance = widget.WarningImportance
	top := container.New(stacked, heading("What the columns of "+filepath.Base(p.file)+" are"))
	if p.asks != "" {
		top.Add(wrapped(widget.NewLabel(p.asks + " Check below what each column is.")))
	}
	offers := container.NewVBox()
	if p.other != nil {
		other := p.format.As(*p.other)
		said := other.Say(p.firstRow())
		offers.Add(container.NewBorder(nil, nil, newButton("Use the other interpretation", func() {
			p.other, p.asks = nil, ""
			p.format = other
			p.draw()
		}), nil, clipped(widget.NewLabel(said.String()))))
	}
	if p.mapping != "" && p.choices.Reading == nil {
		offers.Add(container.NewBorder(nil, nil, newButton("Read it the same way", p.useMapping), nil,
			clipped(caption("A file with the same columns was read with "+p.mapping))))
	}
	head := container.NewVBox(top, offers, p.cutting(), newQuote(container.New(stacked, inset(7, p.says), p.wrong)))
	p.detail = container.NewStack()
	details := newFolded("More about one column", p.detail)
	p.details(0)
	back := newButton("Back", func() {
		d.dialog.Resize(d.w.sizeOf(large))
		d.choose()
	})
	try := newButton("Try the first 10,000 rows", p.try)
	use := p.importButton()
	p.next = []*button{try, use}
	d.show(container.NewBorder(head, details, nil, nil, p.preview()), back, try, use)
	p.tell()
}

// firstRow is the first row below the header.
func (p *columnsPage) firstRow() []string {
	rows := p.rows()
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
}

// rows are those below the header.
func (p *columnsPage) rows() [][]string {
	rows := p.format.Preview
	if p.format.Header && len(rows) > 0 {
		rows = rows[1:]
	}
	return rows[:min(len(rows), previewRows)]
}

// cutting are the choices of how the file is cut into rows and cells, and what all rows
// have in common.
func (p *columnsPage) cutting() fyne.CanvasObject {
	delimiter := newChoice([]string{"\t", ",", ";", "|"}, func(s string) string {
		return map[string]string{"\t": "tabs", ",": "commas", ";": "semicolons", "|": "|"}[s]
	}, p.format.Delimiter, func(s string) {
		p.again(func(o *ingest.Options) { o.Delimiter = []rune(s)[0] })
	})
	encodings := []string{"utf-8", "utf-16", "windows-1252"}
	if !slices.Contains(encodings, p.format.Encoding) {
		encodings = append(encodings, p.format.Encoding)
	}
	encoding := newChoice(encodings, func(s string) string { return s }, p.format.Encoding, func(s string) {
		p.again(func(o *ingest.Options) { o.Encoding = s })
	})
	header := newCheck("The first row names the columns", nil)
	header.Checked = p.format.Header
	header.OnChanged = func(on bool) {
		p.again(func(o *ingest.Options) {
			if o.Header = ingest.HeaderNo; on {
				o.Header = ingest.HeaderYes
			}
		})
	}
	languages := newField("en, de (best first)", strings.Join(p.choices.Languages, ", "), func(s string) { p.choices.Languages = split(s) })
	relation := p.ofEveryRow("none: it is in a column", p.format.Relation, func(r *ingest.Reading, s string) { r.Relation = s })
	headType := p.ofEveryRow("none, such as film", p.format.HeadType, func(r *ingest.Reading, s string) { r.HeadType = s })
	return container.NewVBox(
		container.NewHBox(caption("Separator"), delimiter, caption("Encoding"), encoding, header),
		container.NewGridWithColumns(3,
			captioned("Each row is a", headType),
			captioned("Relation for every row", relation),
			captioned("Languages of names", languages)))
}

// ofEveryRow is an entry for what a reading says of all rows alike.
func (p *columnsPage) ofEveryRow(hint, now string, set func(r *ingest.Reading, s string)) *entry {
	return newField(hint, now, func(s string) {
		r := p.format.Reading
		set(&r, strings.TrimSpace(s))
		p.format = p.format.As(r)
		p.tell()
	})
}

// preview is the table: over each column what it is, below it its first cells.
func (p *columnsPage) preview() fyne.CanvasObject {
	const width = 216 // for the longest role
	table := container.NewHBox()
	for i := range p.format.Columns[:min(len(p.format.Columns), previewColumns)] {
		role := newChoice(ingest.Roles, ingest.Role.Text, p.format.Columns[i].Role, func(r ingest.Role) {
			p.change(i, func(c *ingest.Column) { c.Role = r })
			p.details(i)
		})
		cells := container.New(stacked, clipped(bold(p.nameOf(i))))
		for _, row := range p.rows() {
			text := ""
			if i < len(row) {
				text = present.OneLine(row[i])
			}
			cells.Add(clipped(caption(text)))
		}
		table.Add(container.New(fixedWidth(width), container.NewBorder(role, nil, nil, nil, cells)))
	}
	if more := len(p.format.Columns) - previewColumns; more > 0 {
		table.Add(wrapped(caption(fmt.Sprintf("and %s, read as Cairn suggests. A mapping file can set their roles.", present.Plural(more, "more column", "more columns")))))
	}
	return container.NewScroll(table)
}

func (p *columnsPage) nameOf(i int) string {
	if name := present.OneLine(p.format.Columns[i].Name); name != "" {
		return name
	}
	return fmt.Sprintf("column %d", i+1)
}

// change changes one column, and what is said.
func (p *columnsPage) change(i int, how func(c *ingest.Column)) {
	r := p.format.Reading
	r.Columns = slices.Clone(r.Columns)
	how(&r.Columns[i])
	p.format = p.format.As(r)
	p.tell()
}

// tell says the first row aloud, or what the reading lacks.
func (p *columnsPage) tell() {
	err := p.format.Check()
	for _, b := range p.next {
		enable(b, err == nil)
	}
	p.says.words = nil
	p.wrong.Hide()
	p.says.Show()
	if err != nil {
		p.wrong.SetText(present.Sentence(err.Error()))
		p.wrong.Show()
		p.says.Hide()
	} else if row := p.firstRow(); row != nil {
		said := p.format.Say(row)
		more := len(said.Facts) - factsSaid
		said.Facts = said.Facts[:min(len(said.Facts), factsSaid)]
		before := "The first row says: "
		p.says.add(before, fyne.TextStyle{}, theme.ColorNameForeground)
		for _, piece := range said.Pieces() {
			glued := !strings.HasSuffix(before, " ") && !strings.HasPrefix(piece.Text, " ")
			p.says.addMarked(present.Shorten(piece.Text, cellSaid), fyne.TextStyle{Bold: piece.Name}, theme.ColorNameForeground, false, glued)
			before = piece.Text
		}
		if more > 0 {
			p.says.add("and "+present.Plural(more, "more value", "more values"), fyne.TextStyle{}, colorMuted)
		}
	}
	p.says.Refresh()
}

// details shows what else is said of one column.
func (p *columnsPage) details(i int) {
	if p.detail == nil || i >= len(p.format.Columns) {
		return
	}
	c := p.format.Columns[i]
	numbers := make([]int, min(len(p.format.Columns), previewColumns))
	for n := range numbers {
		numbers[n] = n
	}
	which := newChoice(numbers, func(n int) string { return fmt.Sprintf("%d: %s", n+1, p.nameOf(n)) }, i, p.details)
	text := func(hint, value string, set func(c *ingest.Column, s string)) fyne.CanvasObject {
		e := newField("", value, func(s string) { p.change(i, func(c *ingest.Column) { set(c, strings.TrimSpace(s)) }) })
		return captioned(hint, e)
	}
	holds := newChoice([]ingest.Holds{"", ingest.HoldsEntities, ingest.HoldsText, ingest.HoldsNumbers, ingest.HoldsDates}, func(h ingest.Holds) string {
		if h == "" {
			return "automatic"
		}
		return string(h)
	}, c.Holds, func(h ingest.Holds) { p.change(i, func(c *ingest.Column) { c.Holds = h }) })
	p.detail.Objects = []fyne.CanvasObject{container.NewVBox(
		container.NewGridWithColumns(3, which,
			text("Called", c.Says, func(c *ingest.Column, s string) { c.Says = s }),
			captioned("Cells contain", holds)),
		container.NewGridWithColumns(4,
			text("Unit", c.Unit, func(c *ingest.Column, s string) { c.Unit = s }),
			text("Split values at", c.Split, func(c *ingest.Column, s string) { c.Split = s }),
			text("Language", c.Language, func(c *ingest.Column, s string) { c.Language = s }),
			text("ID prefix", c.Prefix, func(c *ingest.Column, s string) { c.Prefix = s })),
	)}
	p.detail.Refresh()
}

// useMapping reads the file by the mapping that is kept.
func (p *columnsPage) useMapping() {
	m, err := ingest.ReadMapping(p.mapping)
	if err != nil {
		p.asks, p.mapping = present.WhatIsWrong(err), ""
		p.draw()
		return
	}
	m.Apply(&p.choices)
	p.d.columns(p.file, "", p.choices)
}

// importButton imports by the page's reading.
func (p *columnsPage) importButton() *button {
	return primary(newIconButton("Import", theme.ConfirmIcon(), func() {
		p.d.readings[p.file] = p.format.Saved(p.file, p.choices.Languages)
		delete(p.d.looks, p.file)
		p.d.start()
	}))
}

// try imports the first rows into a graph of their own and shows what comes of it.
func (p *columnsPage) try() {
	d := p.d
	var o ingest.Options
	m := p.format.Saved(p.file, p.choices.Languages)
	m.Apply(&o)
	d.showProgress("Trying the first 10,000 rows of "+filepath.Base(p.file), "Reading …", "Nothing is imported yet.")
	d.cancel = d.w.jobs.start(func(ctx context.Context, post func(func())) {
		r, err := guard.Get(func() (ingest.Report, error) { return d.w.opener.Trial(ctx, p.file, o) })
		post(func() {
			d.cancel = nil
			body := container.NewVBox(heading("What the first rows give"))
			if err != nil {
				body.Add(wrapped(widget.NewLabel(d.w.said("try the import", err))))
			} else {
				body.Add(reportRows(r))
			}
			back := newButton("Back", p.draw)
			use := p.importButton()
			enable(use, err == nil)
			d.show(scrolled(body), back, use)
		})
	})
}

// reportRows are the counts of an import, the first lines that could not be read, and
// samples of each relation.
func reportRows(r ingest.Report) fyne.CanvasObject {
	table := container.New(stacked)
	for _, row := range present.ImportRows(r) {
		table.Add(countRow(row))
	}
	body := container.NewVBox(newQuote(table))
	for _, x := range r.Rejects[:min(len(r.Rejects), 5)] {
		body.Add(warning(caption(fmt.Sprintf("%s, line %d: %s", filepath.Base(x.File), x.Line, present.Sentence(x.Reason)))))
	}
	if lines := present.RelationLines(r); len(lines) > 0 {
		samples := container.New(stacked)
		for _, line := range lines {
			samples.Add(wrapped(widget.NewLabel(line)))
		}
		body.Add(newQuote(samples))
	}
	return body
}
