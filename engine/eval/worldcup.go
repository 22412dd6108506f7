package eval

import (
	"errors"
	"fmt"
	"strings"
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
		f := strings.Split(l, "\t")
		if len(f) < 4 {
			return errors.New("fewer than 4 columns")
		}
		q := Question{ID: fmt.Sprintf("%s:%d", file, len(qs)+1), Text: f[0], Gold: answers(f[3])}
		for path := range strings.SplitSeq(f[2], "*") {
			chain, err := goldChain(path)
			if err != nil {
				return err
			}
			q.Chains = append(q.Chains, chain)
			q.Topics = append(q.Topics, chain.Topic)
		}
		qs = append(qs, q)
		return nil
	})
	return qs, err
}
