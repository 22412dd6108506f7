// Package eval measures how well Cairn answers, on published question sets.
//
//	Dataset   where a set's graph lies and how its questions are read
//	Question  one question or claim with its gold answers
//	Scores    the metrics of methods papers, by their own definitions
//	Run       asks every question and prints a Table
//
// The sets are not part of the project: their folder is an option. Topic
// entities that a set supplies (MetaQA's brackets) are taken out of the
// question first: linking is part of the task. Leaving them in is a mode of its
// own, marked "leaked" in every table.
package eval

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/ingest"
)

// Question is one question or claim of a set.
type Question struct {
	ID   string
	Text string // without marks around the topic
	// Marked is Text with the topic in brackets, for the leaked mode; empty
	// where the set does not mark topics.
	Marked string
	Topics []string // gold topic entities, by label; nil where unknown
	// Among are the entities that the names of the question are some of, by key; nil where
	// unknown. Topics are those of them that it names letter by letter.
	Among []string
	Gold  []string // gold answers, by label
	// Label is the truth of a claim; nil for a question.
	Label *bool
	// Chains are the gold relation chains, one a topic; nil where the set has
	// none. They feed the oracle planner and the error breakdown.
	Chains []Chain
	// Kinds are the set's own words for what the question is ("one-hop").
	Kinds []string
}

// Chain is a gold path from a topic: relation keys, each walked forwards or
// backwards.
type Chain struct {
	Topic string
	Steps []Step
}

// Step is one hop of a chain.
type Step struct {
	Relation string // key in the graph
	Inverse  bool   // walked from tail to head
}

// Group is one part of a set that is reported on its own, such as a hop count.
type Group struct {
	Name string
	Load func(dir string) ([]Question, error)
	// Train reads the questions that networks may learn from, and TrainName says
	// which: parts with the same name have the same. Nil and empty where the set has
	// none apart from those of Load.
	Train     func(dir string) ([]Question, error)
	TrainName string
	// KG is the group's graph where it differs from the set's.
	KG []Source
	// Made says that its questions are made out of the graph: nothing loads them.
	Made bool
}

// MadePart names the part that every set has besides its own: questions made out of its
// graph, in words that no made question has that is learned from.
const MadePart = "made"

func madePart() Group {
	return Group{Name: MadePart, Made: true, Load: func(string) ([]Question, error) {
		return nil, fmt.Errorf("the questions of the part %q are made out of the graph, and only measured", MadePart)
	}}
}

// Source is one file of a set's graph.
type Source struct {
	File    string // below the data folder
	Labels  string // a file of labels for its keys, below the data folder; or empty
	Options ingest.Options
}

// Dataset is one question set.
type Dataset struct {
	Name   string
	About  string // one line for tables: what the set is, which split
	KG     []Source
	Groups []Group
	// Published reads what others answered, by question and method; nil where the
	// set does not have it.
	Published func(dir string) (map[string]map[string][]string, error)
	// Templated says that questions were made from templates.
	Templated bool
}

// Select returns the named parts, of MetaQA also by their number, and MadePart; no names
// means all of the set's own.
func (d *Dataset) Select(names []string) ([]Group, error) {
	if len(names) == 0 {
		return d.Groups, nil
	}
	var gs []Group
	for _, name := range names {
		if name == MadePart {
			gs = append(gs, madePart())
			continue
		}
		i := slices.IndexFunc(d.Groups, func(g Group) bool {
			return g.Name == name || g.Name == name+"-hop"
		})
		if i < 0 {
			var have []string
			for _, g := range d.Groups {
				have = append(have, g.Name)
			}
			return nil, fmt.Errorf("%s has no part %q: choose from %s", d.Name, name, strings.Join(have, ", "))
		}
		gs = append(gs, d.Groups[i])
	}
	return gs, nil
}

// Datasets are the sets that can be run, by name.
func Datasets() []*Dataset {
	return []*Dataset{
		metaQA(), pathQuestion(), worldCup(), webQSP(), cwq(), factKG(), erqa(),
	}
}

// Find returns the set with the given name.
func Find(name string) (*Dataset, error) {
	var names []string
	for _, d := range Datasets() {
		if strings.EqualFold(d.Name, name) {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return nil, fmt.Errorf("no question set %q: choose from %s", name, strings.Join(names, ", "))
}
