package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// object is a part of a record whose form may be an earlier one.
type object map[string]any

// migrate brings a record into the form that is written today, and tells whether it
// was of the first one.
//
// Records without a form are the first ones. Their enumerations are words for people,
// or numbers; what a network found may be in a part of its own, and what a
// pattern's matches answer is in the answer alone.
func migrate(record []byte) (now []byte, first bool, err error) {
	var run object
	d := json.NewDecoder(bytes.NewReader(record))
	d.UseNumber() // ids and scores stay as they are written
	if err := d.Decode(&run); err != nil {
		return nil, false, err
	}
	if run == nil {
		return nil, false, errors.New("it is empty")
	}
	switch form, ok := run["form"].(json.Number); {
	case !ok:
		fromFirst(run)
		now, err = json.Marshal(run)
		return now, true, err
	case form.String() != fmt.Sprint(recordForm):
		return nil, false, fmt.Errorf("it has form %s, and this program reads up to %d", form, recordForm)
	}
	return record, false, nil
}

// The words of the first form, by their tokens of today.
var (
	firstCompleteness = map[string]string{
		"only the best were kept": "best_only", "cut off at a size limit": "size_limit", "cut off by time": "time_limit",
		"with conditions relaxed": "relaxed", "found by a simpler method": "fallback",
	}
	firstChecks = map[string]string{
		"not checked": "unchecked", "supported": "covered", "partly supported": "partly", "cites the wrong triple": "misattributed",
		"joined from parts": "joined", "not in the evidence": "not_in_evidence", "not in the graph": "not_in_graph",
	}
	firstVerdicts = map[string]string{"not found in this graph": "not_found"}
	firstMethods  = map[string]string{
		"exact name": "exact", "same but for case, accents or punctuation": "folded", "likely misspelling": "typo", "similar name": "near",
	}
	firstScales     = map[string]string{"conditions met": "conditions"}
	firstDoubts     = []string{"sure", "ambiguous", "unsure", "no_mention", "no_relation", "not_supported"}
	firstReuses     = []string{"none", "variables", "all"}
	firstDirections = []string{"either", "forward"}
	firstOps        = []string{"<", "<=", "=", ">=", ">"}
)

// fromFirst brings a record of the first form into that of today.
func fromFirst(run object) {
	run.reword("completeness", firstCompleteness)
	plan, answer := run.part("plan"), run.part("answer")
	if _, ok := run["retriever"]; !ok {
		run["retriever"] = "pattern"
	}
	moveNetwork(run, plan)
	run.part("region").reword("completeness", firstCompleteness)

	plan.renumber("doubt", firstDoubts)
	for _, m := range plan.parts("mentions") {
		for _, c := range m.parts("candidates") {
			c.reword("method", firstMethods)
		}
	}
	if len(plan) > 0 {
		run["mentions"] = plan["mentions"]
	}
	for _, reading := range plan.parts("readings") {
		p := reading.part("pattern")
		p.renumber("reuse", firstReuses)
		for _, e := range p.parts("edges") {
			e.renumber("direction", firstDirections)
		}
		for _, f := range p.parts("filters") {
			f.renumber("op", firstOps)
		}
	}
	if i, ok := run["reading"].(json.Number); ok {
		if at, err := i.Int64(); err == nil && at >= 0 && int(at) < len(plan.parts("readings")) {
			run["task"] = plan.parts("readings")[at].part("pattern")["task"]
		}
	}
	if run["task"] == nil {
		run["task"] = "find"
	}

	answer.reword("verdict", firstVerdicts)
	for _, s := range slices.Concat(answer.parts("sentences"), answer.parts("direct")) {
		s.reword("check", firstChecks)
	}
	for _, a := range slices.Concat(run.parts("answers"), run.parts("weighed")) {
		a.part("score").reword("scale", firstScales)
	}
	if _, ok := run["answers"]; !ok && answer["refusal"] == nil && answer["verdict"] == nil {
		var answers []any
		for _, it := range answer.parts("items") {
			answers = append(answers, object{
				"entity": it["entity"], "score": object{"value": it["distance"], "scale": "distance"}, "matches": it["matches"],
			})
		}
		run["answers"] = answers
	}
	for _, s := range run.parts("stages") {
		delete(s, "details") // the steps are worded from the run
	}
}

// moveNetwork moves what a network found to where all methods have it.
func moveNetwork(run, plan object) {
	ranking := run.part("ranking")
	if len(ranking) == 0 {
		return
	}
	scored := func(name string) []any {
		var list []any
		for _, s := range ranking.parts(name) {
			list = append(list, object{"entity": s["entity"], "score": object{"value": s["probability"], "scale": "probability"}})
		}
		return list
	}
	var paths []any
	for _, p := range ranking.parts("paths") {
		var edges, hops []any
		steps, _ := p["hops"].([]any)
		for _, step := range steps {
			parallel, _ := step.([]any)
			edges, hops = append(edges, parallel...), append(hops, len(parallel))
		}
		paths = append(paths, object{"nodes": p["entities"], "edges": edges, "hops": hops, "source": p["source"], "distance": 0})
	}
	run["by"], run["steps"], run["notes"] = ranking["retriever"], ranking["steps"], ranking["notes"]
	run["answers"], run["weighed"], run["candidates"] = scored("answers"), scored("nodes"), paths
	if region := plan.part("region"); len(region) > 0 {
		plan["seeds"], run["region"] = region["seeds"], map[string]any(region)
	}
	delete(run, "ranking")
}

// part returns the object at a key; an empty one where there is none.
func (o object) part(key string) object {
	m, _ := o[key].(map[string]any)
	return m
}

// parts returns the objects of the list at a key.
func (o object) parts(key string) []object {
	list, _ := o[key].([]any)
	var all []object
	for _, x := range list {
		switch m := x.(type) {
		case map[string]any:
			all = append(all, m)
		case object:
			all = append(all, m)
		}
	}
	return all
}

// reword puts the token of today in the place of a word; others stay.
func (o object) reword(key string, tokens map[string]string) {
	if word, ok := o[key].(string); ok && tokens[word] != "" {
		o[key] = tokens[word]
	}
}

// renumber puts the token of today in the place of a number.
func (o object) renumber(key string, tokens []string) {
	if n, ok := o[key].(json.Number); ok {
		if i, err := n.Int64(); err == nil && i >= 0 && int(i) < len(tokens) {
			o[key] = tokens[i]
		}
	}
}
