package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/lexicon"
)

// webQSP is WebQSP (Yih et al. 2016) over a named subset of Freebase: questions
// that people typed into a search engine.
func webQSP() *Dataset {
	return &Dataset{
		Name:  "webqsp",
		About: "WebQSP test, every second question, natural wording; Freebase subset of 13,650 triples",
		KG:    []Source{{File: "webqsp-cwq/freebase_subset.tsv"}},
		Groups: []Group{{Name: "test half", Load: func(root string) ([]Question, error) {
			return loadNatural(root, "webqsp-cwq/webqsp_test.jsonl.gz")
		}}},
		Published: func(root string) (map[string]map[string][]string, error) {
			return loadPredictions(root, "webqsp-cwq/webqsp_test.jsonl.gz")
		},
	}
}

// cwq is ComplexWebQuestions (Talmor and Berant 2018) over the same graph.
func cwq() *Dataset {
	return &Dataset{
		Name:  "cwq",
		About: "ComplexWebQuestions test, every second question, natural wording; Freebase subset of 13,650 triples",
		KG:    []Source{{File: "webqsp-cwq/freebase_subset.tsv"}},
		Groups: []Group{{Name: "test half", Load: func(root string) ([]Question, error) {
			return loadNatural(root, "webqsp-cwq/cwq_test.jsonl.gz") // some with the kind contained
		}}},
	}
}

func loadNatural(root, file string) ([]Question, error) {
	type record struct {
		ID       string            `json:"id"`
		Question string            `json:"question"`
		Topics   []string          `json:"topic_entities"` // WebQSP
		Topic    map[string]string `json:"topic_entity"`   // CWQ: id → name
		Answers  []string          `json:"answers"`
		Type     string            `json:"type"`
		Query    string            `json:"sparql"` // CWQ
	}
	graph, err := readNeighbours(root, "webqsp-cwq/freebase_subset.tsv")
	if err != nil {
		return nil, err
	}
	var qs []Question
	err = records(root, file, func(_ int, r record) error {
		q := Question{ID: r.ID, Text: r.Question, Topics: r.Topics, Gold: r.Answers}
		q.Topics = append(q.Topics, slices.Sorted(maps.Values(r.Topic))...)
		if r.Type != "" {
			q.Kinds = []string{r.Type}
		}
		if r.Query != "" && graph.has(r.Query, r.Topic, r.Answers) {
			q.Kinds = append(q.Kinds, contained)
		}
		qs = append(qs, q)
		return nil
	})
	return qs, err
}

// loadPredictions reads the answers of published methods, by question and method.
func loadPredictions(root, file string) (map[string]map[string][]string, error) {
	type record struct {
		ID          string              `json:"id"`
		Predictions map[string][]string `json:"gnnrag_predictions"`
	}
	all := map[string]map[string][]string{}
	err := records(root, file, func(_ int, r record) error {
		all[r.ID] = r.Predictions
		return nil
	})
	return all, err
}

// factKG is FactKG (Kim et al. 2023): claims over DBpedia.
func factKG() *Dataset {
	return &Dataset{
		Name:  "factkg",
		About: "FactKG test, every second claim; DBpedia subset of 46,934 triples",
		KG:    []Source{{File: "factkg/dbpedia_subset.tsv"}},
		Groups: []Group{{Name: "test half", Load: func(root string) ([]Question, error) {
			type record struct {
				ID       string   `json:"id"`
				Claim    string   `json:"claim"`
				Label    bool     `json:"label"`
				Entities []string `json:"entity_set"`
				Types    []string `json:"types"`
			}
			var qs []Question
			err := records(root, "factkg/claims.jsonl", func(_ int, r record) error {
				// Values stand in quotes, which the importer takes off.
				for i, e := range r.Entities {
					r.Entities[i] = strings.Trim(e, `"`)
				}
				qs = append(qs, Question{
					ID: r.ID, Text: r.Claim, Topics: r.Entities, Label: &r.Label, Kinds: r.Types,
				})
				return nil
			})
			return qs, err
		}}},
	}
}

// erqa is FB-ERQA (SG-RAG, exact retrieval): questions with several conditions
// over the whole of FB15k-237. The questions whose subgraph is known are a part of
// their own, with topics: the entities of the subgraph that the question names.
func erqa() *Dataset {
	d := &Dataset{
		Name:  "erqa",
		About: "FB-ERQA, every second question, worded by a model; whole FB15k-237",
		Groups: []Group{
			{Name: "half", Load: func(root string) ([]Question, error) { return loadERQA(root, nil) }},
			{Name: "subgraph", Load: func(root string) ([]Question, error) {
				labels := map[string]string{}
				err := lines(root, erqaLabels, func(line string) error {
					key, label, _ := strings.Cut(line, "\t")
					labels[key] = label
					return nil
				})
				if err != nil {
					return nil, err
				}
				return loadERQA(root, labels)
			}},
		},
	}
	for _, part := range []string{"train", "valid", "test"} {
		d.KG = append(d.KG, Source{File: "fb15k-237/" + part + ".tsv.gz", Labels: erqaLabels})
	}
	return d
}

const erqaLabels = "fb15k-237/entity2text.txt"

// loadERQA reads FB-ERQA; with labels, by key, only the questions with a subgraph, and
// their topics.
func loadERQA(root string, labels map[string]string) ([]Question, error) {
	type record struct {
		ID       string      `json:"id"`
		Question string      `json:"question"`
		Answer   string      `json:"answer"`
		Answers  []string    `json:"answer_ids"`
		Subgraph [][3]string `json:"subgraph"` // null where it is not known
	}
	var qs []Question
	err := records(root, "erqa/questions.jsonl", func(i int, r record) error {
		if r.Answer == "" {
			return fmt.Errorf("question %d has no answer", i+1)
		}
		q := Question{ID: r.ID, Text: r.Question, Gold: []string{r.Answer}}
		if labels == nil {
			qs = append(qs, q)
			return nil
		}
		text := plainWords(r.Question)
		for _, t := range r.Subgraph {
			for _, key := range []string{t[0], t[2]} {
				if slices.Contains(r.Answers, key) || slices.Contains(q.Among, key) {
					continue
				}
				q.Among = append(q.Among, key)
				if strings.Contains(text, plainWords(labels[key])) {
					q.Topics = append(q.Topics, key)
				}
			}
		}
		if len(q.Topics) > 0 {
			qs = append(qs, q)
		}
		return nil
	})
	return qs, err
}

// plainWords returns the words of a text in lower case, each with a space on both sides.
func plainWords(s string) string {
	var words []string
	for _, t := range lexicon.Tokenize(s) {
		words = append(words, t.Lower)
	}
	return " " + strings.Join(words, " ") + " "
}
