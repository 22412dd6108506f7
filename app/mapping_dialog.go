package app

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/plan/words"
)

// showMapping shows what the built-in planner takes each relation to mean, and
// lets the user add words of their own.
func (w *window) showMapping() {
	consult(w, "The meanings cannot be shown", "read the meanings of the relations",
		func(ctx context.Context, g openGraph) (m knownWords, err error) {
			graph := g.Graph()
			m.triples = make([]int, graph.Relations())
			for t := range graph.Live() {
				m.triples[graph.Triple(t).Relation]++
			}
			if m.choices, err = g.Choices(ctx); err == nil {
				m.relations, err = g.Mappings(ctx)
			}
			return m, err
		}, w.editMapping)
}

// knownWords are what relations mean in a graph, and what words ask for by choice.
type knownWords struct {
	relations []words.Mapping
	triples   []int // of each relation
	choices   []words.Choice
}

func (w *window) editMapping(known knownWords) {
	rows, g := known.relations, w.session.Graph()
	shown := newList(func() int { return len(rows) }, newMappingRow, func(id int, r *mappingRow) {
		r.draw(g, &rows[id], known.triples[rows[id].Relation])
	})
	help := wrapped(caption("Cairn matches the words of a question to these: the meanings of each relation in the lexicon, and words of your own. Add the words your questions use, separated by commas. They are saved with this graph."))
	var top fyne.CanvasObject = help
	if len(known.choices) > 0 {
		top = container.NewVBox(help, w.choiceList(g, known.choices))
	}
	save := primary(newIconButton("Save", theme.DocumentSaveIcon(), func() {
		w.closeTop()
		w.saveMapping(g, rows)
	}))
	w.showDialog("meanings", large, w.newDialog("What the relations mean", container.NewBorder(top, nil, nil, nil, shown), w.closeButton("Cancel"), save))
}

// mappingRow is the look of one relation: its name, where the meaning comes from, and
// the two texts that can be changed.
type mappingRow struct {
	twoLines
	meanings, words *entry
	reset           *button
}

func newMappingRow() (fyne.CanvasObject, *mappingRow) {
	r := &mappingRow{
		meanings: newField("no meaning in the lexicon", "", nil), words: newField("no words of your own", "", nil), reset: newButton("Reset", nil),
	}
	r.reset.Importance = widget.LowImportance
	texts, lines := newTwoLines()
	r.twoLines = lines
	return container.NewBorder(nil, nil, container.New(fixedWidth(210), texts), r.reset,
		container.New(fynelayout.NewFormLayout(), caption("Meanings"), r.meanings, caption("Your words"), r.words)), r
}

func (row *mappingRow) draw(g *kg.Graph, r *words.Mapping, triples int) {
	source := func() {
		about, own := " · "+map[words.Source]string{words.FromName: "by its name", words.FromLexicon: "by the lexicon", words.FromUser: "by you"}[r.Source], r.Source == words.FromUser
		if own {
			about = " · yours"
		}
		enable(row.reset, own)
		if r.SameAs != r.Relation {
			about += " · means the same as “" + g.RelationText(r.SameAs) + "”"
		}
		row.about.SetText(present.Plural(triples, "triple", "triples") + about)
	}
	row.meanings.OnChanged, row.words.OnChanged = nil, nil
	row.name.SetText(r.Name)
	row.meanings.SetText(strings.Join(r.Concepts, ", "))
	row.words.SetText(strings.Join(r.Words, ", "))
	source()
	row.meanings.OnChanged = func(s string) { r.Concepts, r.Source = split(s), words.FromUser; source() }
	row.words.OnChanged = func(s string) { r.Words, r.Source = split(s), words.FromUser; source() }
	row.reset.OnTapped = func() {
		r.Source = words.FromLexicon
		source()
		row.about.SetText("resets to the lexicon when saved")
	}
}

// split divides a text at commas.
func split(text string) []string {
	var parts []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.ToLower(strings.TrimSpace(word)); word != "" && !slices.Contains(parts, word) {
			parts = append(parts, word)
		}
	}
	return parts
}

// saveMapping gives the graph the user's meanings and reads it anew with them.
func (w *window) saveMapping(g *kg.Graph, rows []words.Mapping) {
	var own []words.Override
	for _, r := range rows {
		if r.Source == words.FromUser {
			own = append(own, words.Override{RelationKey: g.RelationKey(r.Relation), Concepts: r.Concepts, Words: r.Words})
		}
	}
	w.status.say("Reading the graph with your words …")
	w.change("Your words were not saved", "save your words", func(ctx context.Context, g openGraph) error {
		return g.SetOverrides(ctx, own, &engine.Events{})
	}, func() { w.status.say("Your words are saved with this graph and used from now on.") })
}
