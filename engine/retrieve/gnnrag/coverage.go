package gnnrag

import (
	"context"
	"fmt"
	"math"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// coverageSteps caps the adjacency entries that one question may cost to find out
// why an answer of it is not inside.
const coverageSteps = 200_000

// MeasureCoverage cuts the regions of examples out and looks which of their answers
// are inside. Examples without topics or answers do not count; with none left, all
// is 0. It fails with the context's error only.
func MeasureCoverage(ctx context.Context, g *kg.Graph, examples []questions.Example, o RegionOptions) (Coverage, error) {
	examples = slices.DeleteFunc(slices.Clone(examples), func(x questions.Example) bool {
		return len(x.Topics) == 0 || len(x.Answers) == 0
	})
	c := NewCutter(g, o)
	measured := make([]Coverage, len(examples))
	err := learn.Each(ctx, len(examples), func(i int) {
		measured[i], _ = c.coverage(ctx, examples[i]) // cancelled, which each reports
	}, nil)
	if err != nil {
		return Coverage{}, err
	}
	// In the order of the examples, whichever worker was quicker.
	var sum Coverage
	for _, x := range measured {
		sum.add(x, 1/float64(len(measured)))
	}
	return sum, nil
}

func (c *Coverage) add(x Coverage, share float64) {
	c.Any += share * x.Any
	c.All += share * x.All
	c.Share += share * x.Share
	c.Entities += share * x.Entities
	c.Facts += share * x.Facts
	c.Far += share * x.Far
	c.Hubs += share * x.Hubs
	c.Crowded += share * x.Crowded
}

// coverage measures that of one question, each share of 0 or 1 but Share.
func (c *Cutter) coverage(ctx context.Context, x questions.Example) (Coverage, error) {
	r, err := c.Cut(ctx, x.Topics)
	if err != nil {
		return Coverage{}, err
	}
	missing := slices.DeleteFunc(slices.Clone(x.Answers), func(e kg.EntityID) bool { return slices.Contains(r.Entities, e) })
	v := Coverage{
		Share:    float64(len(x.Answers)-len(missing)) / float64(len(x.Answers)),
		Entities: float64(len(r.Entities)), Facts: float64(len(r.Facts)),
	}
	if len(missing) < len(x.Answers) {
		v.Any = 1
	}
	if len(missing) == 0 {
		v.All = 1
		return v, nil
	}
	f := newPathFinder(c.g, nil, coverageSteps)
	if !c.o.PageRank {
		f.within = c.o.Hops
	}
	for _, e := range missing {
		joined, err := f.joins(ctx, x.Topics, e)
		switch {
		case err != nil:
			return Coverage{}, err
		case !joined:
			v.Far = 1
		case r.Completeness == evidence.CutByBudget || c.o.Hub == noHub:
			v.Crowded = 1
		default:
			v.Hubs = 1
		}
	}
	return v, nil
}

// joins reports whether a path leads from one of the seeds to an answer. Where that
// cannot be found out in time, it does: only hubs are so many steps apart.
func (f *pathFinder) joins(ctx context.Context, seeds []kg.EntityID, answer kg.EntityID) (bool, error) {
	for _, seed := range seeds {
		f.start(seed)
		meet, err := f.between(ctx, answer)
		if err != nil || len(meet) > 0 {
			return true, err
		}
	}
	return f.cut, nil
}

// text says how much of the answers regions hold.
func (c Coverage) text() string {
	return fmt.Sprintf("%.0f%% of the right answers lie within the regions the network searches (on average %s and %s). The others cannot be found.",
		math.Floor(100*c.Share), wording.Count(int(math.Round(c.Entities)), "entity", "entities"), wording.Count(int(math.Round(c.Facts)), "triple", "triples"))
}

// notes say in sentences which answers cannot be found in regions and what to do
// about it, where that is so of one question in a hundred or more.
func (c Coverage) notes(g *kg.Graph, o RegionOptions) []string {
	o = o.on(g)
	var notes []string
	note := func(share float64, why string) {
		if percent := int(math.Round(100 * share)); percent > 0 {
			notes = append(notes, fmt.Sprintf("%d%% of the questions have answers %s.", percent, why))
		}
	}
	note(c.Hubs, fmt.Sprintf("reached only through entities with more than %s triples; raise the hub limit to include them", wording.Number(o.Hub)))
	if o.PageRank {
		note(c.Crowded, fmt.Sprintf("ranked too low to be among the %s entities examined; select regions by hops instead", wording.Number(o.Entities)))
		note(c.Far, "with no path to the entities they name")
	} else {
		note(c.Crowded, fmt.Sprintf("that do not fit into the %s entities examined; raise that limit, or lower the hub limit", wording.Number(o.Entities)))
		note(c.Far, fmt.Sprintf("more than %s away from the entities they name, or not connected to them; raise the number of hops", hops(o.Hops)))
	}
	return notes
}
