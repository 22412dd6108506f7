package present

import (
	"fmt"

	"cairn/engine/kg"
	"cairn/engine/retrieve/templates"
	"cairn/internal/wording"
)

// TemplateOrigin says where a template comes from, and what has become of it.
func TemplateOrigin(r *templates.Row) string {
	switch r.State {
	case templates.Own:
		return "yours"
	case templates.Changed:
		return "changed by you, learned " + learnedFrom(r.Was.From)
	case templates.Deleted:
		return "deleted by you, learned " + learnedFrom(r.From)
	case templates.Learned:
	}
	return "learned " + learnedFrom(r.From)
}

func learnedFrom(o templates.Origin) string {
	switch o {
	case templates.FromMade:
		return "from the graph"
	case templates.FromNames:
		return "from the name of a relation"
	case templates.FromQuestions, templates.FromUser:
	}
	return "from questions"
}

// TrialLines say what a template makes of a question, but for its query and its rows: at is
// the template that was tried, of ts.
func TrialLines(g *kg.Graph, t *templates.Trial, ts []templates.Template, at int) (lines []string) {
	for _, s := range t.Slots {
		line := "No slot is left for "
		if s.Name != "" {
			line = "{" + s.Name + "} is "
		}
		line += wording.Quote(OneLine(g.Label(s.Entities[0])))
		if n := len(s.Entities); n > 1 {
			line += fmt.Sprintf(", or %s of that name", Plural(n-1, "other", "others"))
		}
		lines = append(lines, line+".")
	}
	if t.Why != "" {
		lines = append(lines, t.Why)
	}
	if len(t.Unread) > 0 {
		lines = append(lines, "It ignores "+wording.Quotes(t.Unread)+".")
	}
	if t.Taken >= 0 && t.Taken != at {
		lines = append(lines, fmt.Sprintf("For this question, Cairn picks another template, whose questions are closer to it: “%s”.", ts[t.Taken].Asks[0]))
	}
	return lines
}
