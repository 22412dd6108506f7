package present

import (
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/report"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// What a card shows of the text and the other names of a thing at most.
const (
	maxCardText  = 1000 // characters
	maxCardNames = 12
)

// Cards shows what a run describes, a card each: what it is, its values, and then what it
// is related to. It is nil for any other run.
func Cards(g *kg.Graph, run *engine.Run) (cards []report.Card) {
	if run == nil || run.Answer == nil || run.Pattern() == nil || run.Task != pattern.Describe || len(run.Groups) == 0 {
		return nil
	}
	for _, a := range run.Answers {
		c := report.Card{Name: OneLine(g.Label(a.Entity)), Text: Shorten(OneLine(a.Text), maxCardText)}
		c.Kinds = wording.Each(g.Types(a.Entity), func(t kg.TypeID) string { return OneLine(g.TypeLabel(t)) })
		names := g.Aliases(a.Entity)
		c.Names = wording.Each(names[:min(len(names), maxCardNames)], OneLine)
		if more := len(names) - maxCardNames; more > 0 {
			c.Names = append(c.Names, Count(more)+" more")
		}
		if key := OneLine(g.Key(a.Entity)); key != c.Name {
			c.Key = key
		}
		var related []report.CardRow
		facts, relations := 0, 0
		for _, x := range run.Groups {
			if x.Entity != a.Entity {
				continue
			}
			relations++
			facts += x.Count
			if row, values := cardRow(g, run, x); values {
				c.Rows = append(c.Rows, row)
			} else {
				related = append(related, row)
			}
		}
		c.Rows = append(c.Rows, related...)
		c.Heading = Plural(facts, "fact", "facts") + " by " + Plural(relations, "relation", "relations")
		cards = append(cards, c)
	}
	return cards
}

// cardRow is what a thing has by one relation, and whether that is values.
func cardRow(g *kg.Graph, run *engine.Run, x evidence.Group) (row report.CardRow, values bool) {
	row = report.CardRow{Relation: OneLine(g.RelationText(x.Relation)), Inward: x.Inward, Count: x.Count, More: x.Count - len(x.Triples)}
	values = !x.Inward
	for _, t := range x.Triples {
		e := g.Triple(t).Tail
		if x.Inward {
			e = g.Triple(t).Head
		}
		value := g.IsLiteral(e) || say.IsValue(g, e)
		thing := report.Thing{Name: Shorten(OneLine(g.Label(e)), maxQuote), Said: StatementsText(g, t), Citations: citation(run, t)}
		// What is only at the end of this one triple, a code say, has nothing more to tell.
		if last := !x.Inward && g.Degree(e) == 1 && len(g.Types(e)) == 0 && len(g.Aliases(e)) == 0; !value && !last {
			thing.Asks = "Tell me about " + OneLine(g.Label(e))
		}
		values = values && value
		row.Things = append(row.Things, thing)
	}
	return row, values
}
