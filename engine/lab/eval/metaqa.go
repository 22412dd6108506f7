package eval

import (
	"errors"
	"fmt"
	"strings"

	"cairn/engine/questions"
)

// metaQA is MetaQA (Zhang et al. 2018): films, 1 to 3 hops, the official dev
// split, and the machine-paraphrased 1-hop questions.
func metaQA() *Dataset {
	d := &Dataset{
		Name:      "metaqa",
		About:     "MetaQA, official dev split, templated; ntm = 1-hop paraphrased by machine translation",
		KG:        []Source{{File: "metaqa/kb.txt"}},
		Templated: true,
	}
	for hop := 1; hop <= 3; hop++ {
		dir := fmt.Sprintf("metaqa/%d-hop/", hop)
		d.Groups = append(d.Groups, Group{
			Name: fmt.Sprintf("%d-hop", hop),
			Load: func(root string) ([]Question, error) {
				return loadMetaQA(root, dir+"qa_dev.txt", dir+"qa_dev_qtype.txt")
			},
			Train: func(root string) ([]Question, error) {
				return loadMetaQA(root, dir+"qa_train.txt.gz", dir+"qa_train_qtype.txt")
			},
			TrainName: fmt.Sprintf("%d-hop", hop),
		})
	}
	// The paraphrased questions are never learnt from.
	d.Groups = append(d.Groups, Group{
		Name: "ntm",
		Load: func(root string) ([]Question, error) {
			return loadMetaQA(root, "metaqa/1-hop/qa_dev_ntm.txt", "metaqa/1-hop/qa_dev_qtype.txt")
		},
		Train: d.Groups[0].Train, TrainName: d.Groups[0].TrainName,
	})
	return d
}

func loadMetaQA(root, file, types string) ([]Question, error) {
	var qtypes []string
	if err := lines(root, types, func(l string) error {
		qtypes = append(qtypes, l)
		return nil
	}); err != nil {
		return nil, err
	}
	var qs []Question
	err := lines(root, file, func(l string) error {
		q, err := questions.MetaQALine(l)
		if err != nil {
			return err
		}
		if len(qs) == len(qtypes) {
			return errors.New("more questions than question types")
		}
		steps, err := metaQASteps(qtypes[len(qs)])
		if err != nil {
			return err
		}
		marked, _, _ := strings.Cut(l, "\t")
		qs = append(qs, Question{
			ID:     fmt.Sprintf("%s:%d", file, len(qs)+1),
			Text:   q.Text,
			Marked: marked,
			Topics: q.Topics,
			Gold:   q.Answers,
			Chains: []Chain{{Topic: q.Topics[0], Steps: steps}},
			Kinds:  []string{qtypes[len(qs)]},
		})
		return nil
	})
	return qs, err
}

// metaQARelation is the relation between a film and each end of a question
// type; the film is the head of all of them.
var metaQARelation = map[string]string{
	"actor":      "starred_actors",
	"director":   "directed_by",
	"writer":     "written_by",
	"year":       "release_year",
	"genre":      "has_genre",
	"language":   "in_language",
	"tags":       "has_tags",
	"tag":        "has_tags",
	"imdbrating": "has_imdb_rating",
	"imdbvotes":  "has_imdb_votes",
}

// metaQASteps turns a question type such as actor_to_movie_to_director into the
// gold chain.
func metaQASteps(qtype string) ([]Step, error) {
	ends := strings.Split(qtype, "_to_")
	var steps []Step
	for i := range len(ends) - 1 {
		from, to := ends[i], ends[i+1]
		step := Step{Relation: metaQARelation[to]}
		if to == "movie" {
			step = Step{Relation: metaQARelation[from], Inverse: true}
		}
		if step.Relation == "" {
			return nil, fmt.Errorf("unknown question type %q", qtype)
		}
		steps = append(steps, step)
	}
	return steps, nil
}
