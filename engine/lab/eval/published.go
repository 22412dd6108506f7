package eval

import (
	"maps"
	"slices"
)

// PublishedRow are the scores of answers that others published, counted by the
// same functions on the same questions. They were found on a larger graph than the
// one that lies in the set.
type PublishedRow struct {
	Part   string `json:"part"`
	Name   string `json:"name"`
	Scores Scores `json:"scores"`
}

// publishedNames say in words what is known of the predictions.
var publishedNames = map[string]string{
	"rearev-lmsr":  "published, GNN-RAG ReaRev with LM-SR",
	"rearev-sbert": "published, GNN-RAG ReaRev with SBERT",
}

// published scores the predictions that lie in a set.
func published(d *Dataset, parts []part, dir string) ([]PublishedRow, error) {
	if d.Published == nil {
		return nil, nil
	}
	predictions, err := d.Published(dir)
	if err != nil {
		return nil, err
	}
	var rows []PublishedRow
	for _, p := range parts {
		scores := map[string]*Scores{}
		for _, q := range p.questions {
			for name, answers := range predictions[q.ID] {
				if scores[name] == nil {
					scores[name] = &Scores{}
				}
				scores[name].Score(q.Gold, answers, false)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(scores)) {
			rows = append(rows, PublishedRow{p.Name, publishedNames[name], *scores[name]})
		}
	}
	return rows, nil
}
