package eval

import (
	"fmt"
	"strings"

	"cairn/engine/questions"
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
		q, err := questions.PathQuestionLine(l)
		if err != nil {
			return err
		}
		chain, err := goldChain(strings.Split(l, "\t")[2])
		if err != nil {
			return err
		}
		qs = append(qs, Question{
			ID:     fmt.Sprintf("%s:%d", file, len(qs)+1),
			Text:   q.Text,
			Topics: q.Topics,
			Gold:   q.Answers,
			Chains: []Chain{chain},
		})
		return nil
	})
	return qs, err
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
