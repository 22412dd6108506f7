package eval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// pathQuestion is PathQuestion (Zhou et al. 2018): people of Freebase-13, 2 and
// 3 hops, each with a graph of its own.
func pathQuestion() *Dataset {
	group := func(name, kb, file string) Group {
		return Group{
			Name: name,
			KG:   []Source{{File: "pathquestion/" + kb}},
			Load: func(root string) ([]Question, error) { return loadPathQuestion(root, "pathquestion/"+file) },
		}
	}
	return &Dataset{
		Name:      "pathquestion",
		About:     "PathQuestion, whole sets, templated with paraphrases",
		Templated: true,
		Groups:    []Group{group("2-hop", "2H-kb.txt", "PQ-2H.txt"), group("3-hop", "3H-kb.txt", "PQ-3H.txt")},
	}
}

func loadPathQuestion(root, file string) ([]Question, error) {
	var qs []Question
	err := lines(root, file, func(l string) error {
		f := strings.Split(l, "\t")
		if len(f) < 3 {
			return errors.New("fewer than 3 columns")
		}
		// answer(answer1/answer2/…): the set in brackets is the gold.
		_, set, ok := strings.Cut(f[1], "(")
		if !ok {
			return errors.New("no (answers) in the second column")
		}
		chain, err := goldChain(f[2])
		if err != nil {
			return err
		}
		qs = append(qs, Question{
			ID:     fmt.Sprintf("%s:%d", file, len(qs)+1),
			Text:   f[0],
			Topics: []string{chain.Topic},
			Gold:   answers(strings.TrimSuffix(set, ")")),
			Chains: []Chain{chain},
		})
		return nil
	})
	return qs, err
}

// answers splits "a/b/" at its slashes.
func answers(s string) []string {
	return slices.DeleteFunc(strings.Split(s, "/"), func(a string) bool { return a == "" })
}

// goldChain reads "topic#relation#entity#relation#entity#<end>#answer".
func goldChain(s string) (Chain, error) {
	f := strings.Split(s, "#")
	if len(f) < 3 {
		return Chain{}, fmt.Errorf("gold path %q is too short", s)
	}
	c := Chain{Topic: f[0]}
	for i := 1; i+1 < len(f) && f[i] != "<end>"; i += 2 {
		c.Steps = append(c.Steps, Step{Relation: f[i]})
	}
	return c, nil
}
