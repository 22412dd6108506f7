package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"cairn/assets/prompts"
	"cairn/engine/kg"
)

// How much of a graph's schema the prompt names, and how many examples it
// draws from the graph: enough to show its vocabulary, few enough for a small
// model's context.
const (
	maxRelations = 80
	maxCounted   = 1_000_000 // triples looked at, about
	maxTypes     = 40
	maxLabel     = 80 // characters of a name within a prompt
	maxQuestion  = 2000
)

// schema holds the reply to the form of the prompt. Bounds stay far below 2000,
// above which servers crash; they make any model finish.
const schema = `{
"type": "object",
"properties": {
	"divided": {"type": "array", "maxItems": 8, "items": {"type": "string", "maxLength": 200}},
	"triples": {"type": "array", "minItems": 1, "maxItems": 8, "items": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "string", "maxLength": 200}}},
	"asked": {"type": "string", "maxLength": 100},
	"task": {"type": "string", "enum": ["find", "count", "verify"]},
	"negated": {"type": "boolean"}
},
"required": ["divided", "triples", "asked", "task", "negated"]
}`

// promptData is what the template of the prompt shows.
type promptData struct {
	Relations, Types []string
	Examples         []example
	Question         string
}

type example struct {
	Query  string
	Output string // JSON
}

// newTemplate parses the embedded prompt, which is known to parse.
func newTemplate() *template.Template {
	inc := template.FuncMap{"inc": func(i int) int { return i + 1 }}
	return template.Must(template.New(prompts.Pattern).Funcs(inc).Parse(prompts.Text(prompts.Pattern)))
}

// prompt writes the prompt for a question.
func (p *Planner) prompt(question string) (string, error) {
	d := p.schemaData
	d.Question = clean(question, maxQuestion)
	var b strings.Builder
	if err := p.template.Execute(&b, d); err != nil {
		return "", fmt.Errorf("write the prompt: %w", err)
	}
	return b.String(), nil
}

// clean makes a text of the user's or the graph's safe to stand in a prompt: on
// one line, bounded, unable to close its delimiters.
func clean(s string, limit int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	s = strings.NewReplacer("<<<", "‹‹‹", ">>>", "›››").Replace(s)
	if rs := []rune(s); len(rs) > limit {
		s = string(rs[:limit]) + "…"
	}
	return s
}

// describe collects what the prompt says of a graph: its most frequent
// relations and types, and examples.
func describe(g *kg.Graph) promptData {
	count := make([]int, g.Relations())
	first := make([]kg.TripleID, g.Relations()) // an example of each relation
	// A sample of a large graph shows what is frequent well enough.
	stride := max(1, g.Triples()/maxCounted)
	for i := 0; i < g.Triples(); i += stride {
		r := g.Triple(kg.TripleID(i)).Relation
		if count[r] == 0 {
			first[r] = kg.TripleID(i)
		}
		count[r]++
	}
	var relations []kg.RelationID
	for r := range count {
		if count[r] > 0 {
			relations = append(relations, kg.RelationID(r))
		}
	}
	slices.SortStableFunc(relations, func(a, b kg.RelationID) int { return cmp.Compare(count[b], count[a]) })
	var d promptData
	for _, r := range relations[:min(maxRelations, len(relations))] {
		d.Relations = append(d.Relations, clean(g.RelationText(r), maxLabel))
	}
	types := make([]kg.TypeID, g.NumTypes())
	for t := range types {
		types[t] = kg.TypeID(t)
	}
	slices.SortStableFunc(types, func(a, b kg.TypeID) int { return cmp.Compare(len(g.OfType(b)), len(g.OfType(a))) })
	for _, t := range types[:min(maxTypes, len(types))] {
		d.Types = append(d.Types, clean(g.TypeLabel(t), maxLabel))
	}
	d.Examples = append(paperExamples(), graphExamples(g, relations, first)...)
	return d
}

// paperExamples are the examples that the paper prints (Tables 10 and 11), and
// two of the kinds that its code shows.
func paperExamples() []example {
	return []example{
		newExample("the actor in Flashpoint also appears in which films", "find", "UNKNOWN film 1", false,
			[]string{"the actor in Flashpoint", "this actor also appears in other films"},
			[3]string{"UNKNOWN actor 1", "actor of", "Flashpoint"}, [3]string{"UNKNOWN actor 1", "actor of", "UNKNOWN film 1"}),
		newExample("The College of William and Mary is the owner of the Alan B. Miller Hall, that is situated in Virginia.", "verify", "", false,
			[]string{"The College of William and Mary is the owner of the Alan B. Miller Hall", "Alan B. Miller Hall is situated in Virginia"},
			[3]string{"The College of William and Mary", "owner", "Alan B. Miller Hall"}, [3]string{"Alan B. Miller Hall", "situated in", "Virginia"}),
		newExample("how many books did the author of Emma write", "count", "UNKNOWN book 1", false,
			[]string{"the author of Emma", "this author wrote books"},
			[3]string{"Emma", "author", "UNKNOWN person 1"}, [3]string{"UNKNOWN book 1", "author", "UNKNOWN person 1"}),
		newExample("Sydney is not the capital of Australia.", "verify", "", true,
			[]string{"Sydney is not the capital of Australia"}, [3]string{"Australia", "capital", "Sydney"}),
	}
}

// graphExamples draws examples from the graph itself, in its own words: a hop,
// two hops, and two conditions on one thing.
func graphExamples(g *kg.Graph, relations []kg.RelationID, first []kg.TripleID) []example {
	if g.Triples() == 0 {
		return nil
	}
	unknown := func(e kg.EntityID, id int) string {
		kind := "thing"
		if ts := g.Types(e); len(ts) > 0 {
			kind = strings.ToLower(clean(g.TypeLabel(ts[0]), maxLabel))
		}
		return fmt.Sprintf("UNKNOWN %s %d", kind, id)
	}
	label := func(e kg.EntityID) string { return clean(g.Label(e), maxLabel) }
	text := func(r kg.RelationID) string { return clean(g.RelationText(r), maxLabel) }

	t := g.Triple(first[relations[0]])
	x := unknown(t.Tail, 1)
	what := "the " + text(t.Relation) + " of " + label(t.Head)
	es := []example{newExample("what is "+what+"?", "find", x, false, []string{what}, [3]string{label(t.Head), text(t.Relation), x})}

	for _, r := range relations {
		t := g.Triple(first[r])
		for _, next := range g.Out(t.Tail) {
			if next.Relation == t.Relation || next.Entity == t.Head {
				continue
			}
			x, y := unknown(t.Tail, 1), unknown(next.Entity, 2)
			a, b := "the "+text(r)+" of "+label(t.Head), "the "+text(next.Relation)+" of it"
			es = append(es, newExample("what is the "+text(next.Relation)+" of "+a+"?", "find", y, false, []string{a, b},
				[3]string{label(t.Head), text(r), x}, [3]string{x, text(next.Relation), y}))
			return append(es, conjunction(g, t.Head, label, text, unknown)...)
		}
	}
	return es
}

// conjunction makes an example of two conditions on e.
func conjunction(g *kg.Graph, e kg.EntityID, label func(kg.EntityID) string, text func(kg.RelationID) string, unknown func(kg.EntityID, int) string) []example {
	out := g.Out(e)
	for _, second := range out {
		if second.Relation != out[0].Relation && second.Entity != out[0].Entity {
			x := unknown(e, 1)
			a := "has the " + text(out[0].Relation) + " " + label(out[0].Entity)
			b := "has the " + text(second.Relation) + " " + label(second.Entity)
			return []example{newExample("what "+a+" and "+b+"?", "find", x, false, []string{a, b},
				[3]string{x, text(out[0].Relation), label(out[0].Entity)}, [3]string{x, text(second.Relation), label(second.Entity)})}
		}
	}
	return nil
}

func newExample(query, task, asked string, negated bool, divided []string, triples ...[3]string) example {
	out, err := json.Marshal(struct {
		Divided []string    `json:"divided"`
		Triples [][3]string `json:"triples"`
		Asked   string      `json:"asked"`
		Task    string      `json:"task"`
		Negated bool        `json:"negated"`
	}{divided, triples, asked, task, negated})
	if err != nil {
		panic("plan/model: " + err.Error()) // strings always marshal
	}
	return example{query, string(out)}
}
