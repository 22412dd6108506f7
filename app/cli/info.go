package cli

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

type infoCommand struct {
	Graph string `arg:"" optional:"" help:"A .cairn file (default: the built-in sample)."`
	All   bool   `help:"List every relation and type."`
}

type infoResult struct {
	engine.Info
	setsResult

	Trained        []engine.TrainedModel `json:"trained"`
	RelationCounts []countResult         `json:"relation_counts"`
	TypeCounts     []countResult         `json:"type_counts"`
}

type countResult struct {
	Name    string `json:"name"`
	Key     string `json:"key,omitempty"`
	Count   int    `json:"count"`
	Example string `json:"example,omitempty"`
}

func (c *infoCommand) Run(ctx context.Context, s *session) error {
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	info, err := e.Info(ctx)
	if err != nil {
		return err
	}
	sets, err := e.EmbeddingSets(ctx)
	if err != nil {
		return err
	}
	trained, err := e.Trained(ctx)
	if err != nil {
		return err
	}
	r := infoResult{Info: info, setsResult: setsResult{e.Embedder(), sets}, Trained: append([]engine.TrainedModel{}, trained...), RelationCounts: relationCounts(e.Graph()), TypeCounts: typeCounts(e.Graph())}
	return s.Result(r, func() {
		s.Printf("%s\n", info.Name)
		s.Table("  ", [][]string{
			{"file", info.Path},
			{"triples", present.Count(info.Triples)},
			{"entities", present.Count(info.Entities)},
			{"relations", present.Count(info.Relations)},
			{"types", present.Count(info.Types)},
			{"vectors", cmp.Or(r.Embedder.Model, "built in")},
		})
		if r.Embedder.Notice != "" {
			s.Printf("\n%s\n", r.Embedder.Notice)
		}
		s.printCounts("Relations", r.RelationCounts, c.All)
		s.printCounts("Types", r.TypeCounts, c.All)
		if len(info.Sources) > 0 {
			s.Printf("\nSources\n")
			var rows [][]string
			for _, x := range info.Sources {
				state := ""
				if x.Model != "" {
					state = x.Mapping
				}
				if !x.Complete {
					state = "incomplete; import it again to complete it"
				}
				rows = append(rows, []string{x.Name, present.Plural(x.Added, "triple", "triples"), x.Imported.UTC().Format(time.DateTime), state})
			}
			s.Table("  ", rows)
		}
		if len(sets) > 0 {
			s.Printf("\nVectors from models\n")
			s.Table("  ", setRows(sets))
		}
		if len(trained) > 0 {
			s.Printf("\nTrained retrievers\n")
			s.tableTrained(trained)
		}
	})
}

// shownCounts is how many relations and types are listed without --all.
const shownCounts = 15

func (s *session) printCounts(title string, cs []countResult, all bool) {
	if len(cs) == 0 {
		return
	}
	s.Printf("\n%s\n", title)
	rows := wording.Each(cs, func(c countResult) []string { return []string{present.Count(c.Count), c.Name, c.Example} })
	s.first(rows, shownCounts, all, "more", "more")
}

func relationCounts(g *kg.Graph) []countResult {
	cs := make([]countResult, g.Relations())
	for t := range g.Live() {
		c := &cs[g.Triple(t).Relation]
		if c.Count++; c.Count == 1 {
			c.Example = "such as " + present.TripleText(g, t)
		}
	}
	for r := range cs {
		cs[r].Name = g.RelationText(kg.RelationID(r))
		cs[r].Key = g.RelationKey(kg.RelationID(r))
	}
	return byCount(cs)
}

func typeCounts(g *kg.Graph) []countResult {
	cs := make([]countResult, g.NumTypes())
	for t := range cs {
		es := g.OfType(kg.TypeID(t))
		cs[t] = countResult{Name: g.TypeLabel(kg.TypeID(t)), Count: len(es)}
		if len(es) > 0 {
			cs[t].Example = "such as " + present.OneLine(g.Label(es[0]))
		}
	}
	return byCount(cs)
}

func byCount(cs []countResult) []countResult {
	slices.SortStableFunc(cs, func(a, b countResult) int { return cmp.Compare(b.Count, a.Count) })
	return cs
}
