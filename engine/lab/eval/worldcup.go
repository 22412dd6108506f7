package eval

import (
	"fmt"
	"strings"

	"cairn/engine/questions"
)

// worldCup is WorldCup2014 (Zhang et al. 2016): football players, one and two
// hops, and questions with two conditions.
func worldCup() *Dataset {
	group := func(name string) Group {
		file := "worldcup2014/" + name + ".txt"
		return Group{Name: name, Load: func(root string) ([]Question, error) { return loadWorldCup(root, file) }}
	}
	return &Dataset{
		Name:      "worldcup",
		About:     "WorldCup2014, every second question, templated",
		KG:        []Source{{File: "worldcup2014/kb.txt"}},
		Templated: true,
		Groups:    []Group{group("path1"), group("path2"), group("conjunctive")},
	}
}

func loadWorldCup(root, file string) ([]Question, error) {
	var qs []Question
	err := lines(root, file, func(l string) error {
		line, err := questions.WorldCupLine(l)
		if err != nil {
			return err
		}
		q := Question{ID: fmt.Sprintf("%s:%d", file, len(qs)+1), Text: line.Text, Topics: line.Topics, Gold: line.Answers}
		for path := range strings.SplitSeq(strings.Split(l, "\t")[2], "*") {
			chain, err := goldChain(path)
			if err != nil {
				return err
			}
			q.Chains = append(q.Chains, chain)
		}
		qs = append(qs, q)
		return nil
	})
	return qs, err
}
