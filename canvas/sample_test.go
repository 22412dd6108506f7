package canvas

import (
	"fmt"
	"math/rand/v2"
)

// Sample models that the tests share.

// pathModel is a line of reasoning with three nodes.
func pathModel() Model {
	return Model{
		Tags: "cited triple",
		Nodes: []Node{
			{ID: "tolkien", Label: "J. R. R. Tolkien", Type: "Writer", Hue: 1, Role: Known},
			{ID: "lotr", Label: "The Lord of the Rings", Type: "Book", Hue: 2, Role: Variable},
			{ID: "film", Label: "The Fellowship of the Ring", Type: "Film", Hue: 3, Role: Answer},
		},
		Edges: []Edge{
			{ID: "e1", From: 0, To: 1, Label: "wrote", Tag: "T1"},
			{ID: "e2", From: 2, To: 1, Label: "based on", Tag: "T2"},
		},
		Layered: true,
		Title:   "Which film is based on a book that J. R. R. Tolkien wrote?",
		Note:    "Sample graph · 2,914 triples · sha256 4f1c…",
	}
}

// weighedModel is pathModel with what a retriever made of its nodes.
func weighedModel() Model {
	m := pathModel()
	m.Level = "probability, 0 to 1"
	m.Nodes[1].Mark, m.Nodes[1].Level = "0.05", 0.05
	m.Nodes[2].Mark, m.Nodes[2].Level = "0.93", 0.93
	return m
}

// starModel is one known node with n answers.
func starModel(n int) Model {
	m := Model{Layered: true, Title: "Which countries are members of the European Union?", Note: "Sample graph"}
	m.Nodes = append(m.Nodes, Node{ID: "eu", Label: "European Union", Type: "Organisation", Role: Known})
	names := []string{"Austria", "Belgium", "Bulgaria", "Croatia", "Cyprus", "Czech Republic", "Denmark", "Estonia", "Finland", "France", "Germany", "Greece", "Hungary", "Ireland", "Italy", "Latvia", "Lithuania", "Luxembourg", "Malta", "Netherlands", "Poland", "Portugal", "Romania", "Slovakia", "Slovenia", "Spain", "Sweden"}
	for i := range n {
		name := names[i%len(names)]
		if i >= len(names) {
			name += fmt.Sprintf(" %d", i/len(names)+1)
		}
		m.Nodes = append(m.Nodes, Node{ID: fmt.Sprint("c", i), Label: name, Type: "Country", Role: Answer})
		m.Edges = append(m.Edges, Edge{ID: fmt.Sprint("e", i), From: i + 1, To: 0, Label: "member of", Tag: fmt.Sprint("T", i+1)})
	}
	return m
}

// conjunctionModel has three conditions on one answer and a context node.
func conjunctionModel() Model {
	return Model{
		Nodes: []Node{
			{ID: "at", Label: "Austria", Type: "Country", Role: Known},
			{ID: "hu", Label: "Hungary", Type: "Country", Role: Known},
			{ID: "eur", Label: "Euro", Type: "Currency", Role: Known},
			{ID: "si", Label: "Slovenia", Type: "Country", Role: Answer},
			{ID: "sk", Label: "Slovakia", Type: "Country", Role: Answer},
			{ID: "eu", Label: "Europe", Type: "Continent"},
		},
		Edges: []Edge{
			{ID: "1", From: 3, To: 0, Label: "borders", Tag: "T1"},
			{ID: "2", From: 3, To: 1, Label: "borders", Tag: "T2"},
			{ID: "3", From: 3, To: 2, Label: "currency", Tag: "T3"},
			{ID: "4", From: 4, To: 0, Label: "borders", Tag: "T4"},
			{ID: "5", From: 4, To: 1, Label: "borders", Tag: "T5"},
			{ID: "6", From: 4, To: 2, Label: "currency", Tag: "T6"},
			{ID: "7", From: 0, To: 5, Label: "continent"},
			{ID: "8", From: 3, To: 5, Label: "continent"},
		},
		Layered: true,
		Title:   "Which country borders Austria and Hungary and uses the euro?",
	}
}

// asthmaModel has several paths of three hops, as in a drug question.
func asthmaModel() Model {
	m := Model{Layered: true, Title: "Which drugs relieve asthma, and by what mechanism?"}
	node := func(id, label, kind string, r Role) {
		m.Nodes = append(m.Nodes, Node{ID: id, Label: label, Type: kind, Role: r})
	}
	node("asthma", "Asthma", "Disease", Known)
	node("bronch", "Bronchospasm", "Symptom", Variable)
	node("inflam", "Airway inflammation", "Process", Variable)
	node("mast", "Mast cell", "Cell type", Variable)
	node("b2", "β2-adrenergic receptor", "Protein", Variable)
	node("gr", "Glucocorticoid receptor", "Protein", Variable)
	node("il6", "IL-6", "Protein", Plain)
	node("tnf", "TNF-α", "Protein", Plain)
	node("ltc4", "Leukotriene C4", "Compound", Variable)
	node("ige", "IgE", "Protein", Variable)
	node("salb", "Salbutamol", "Drug", Answer)
	node("flut", "Fluticasone", "Drug", Answer)
	node("mont", "Montelukast", "Drug", Answer)
	node("omal", "Omalizumab", "Drug", Answer)
	edge := func(from, to int, label, tag string) {
		m.Edges = append(m.Edges, Edge{ID: fmt.Sprint("e", len(m.Edges)), From: from, To: to, Label: label, Tag: tag})
	}
	edge(0, 1, "presents", "T1")
	edge(0, 2, "involves", "T2")
	edge(0, 3, "involves", "T3")
	edge(1, 4, "mediated by", "T4")
	edge(2, 5, "suppressed via", "T5")
	edge(2, 6, "marker", "")
	edge(2, 7, "marker", "")
	edge(3, 8, "releases", "T6")
	edge(3, 9, "binds", "T7")
	edge(10, 4, "agonises", "T8")
	edge(11, 5, "activates", "T9")
	edge(12, 8, "blocks", "T10")
	edge(13, 9, "neutralises", "T11")
	return m
}

// oddModel has what breaks pictures: parallel edges both ways, an edge to
// itself, long words, other scripts, nothing at all.
func oddModel(layered bool) Model {
	return Model{
		Nodes: []Node{
			{ID: "a", Label: "Österreichisch-Ungarische Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen und mehr davon", Type: "A type with a very long name that nobody would read to the end", Role: Known},
			{ID: "b", Label: "東京都庁舎第一本庁舎北展望室から見た富士山と夕焼けの風景写真集", Type: "地名", Role: Variable},
			{ID: "c", Label: "مدينة القاهرة 1952", Type: "مكان", Role: Answer},
			{ID: "d", Label: "<b>\"A&B\"</b>\x01 'x'", Type: "", Role: Plain},
			{ID: "e", Label: "", Type: "Thing", Role: Plain},
			{ID: "f", Label: "Convention on International Trade in Endangered Species of Wild Fauna and Flora", Type: "Treaty", Role: Answer},
		},
		Edges: []Edge{
			{ID: "1", From: 0, To: 1, Label: "first relation", Tag: "T1"},
			{ID: "2", From: 0, To: 1, Label: "second relation", Tag: "T2"},
			{ID: "3", From: 1, To: 0, Label: "back again"},
			{ID: "4", From: 1, To: 2, Label: "leads to <here> & there \"now\"", Tag: "T3"},
			{ID: "5", From: 1, To: 1, Label: "equals itself"},
			{ID: "6", From: 3, To: 1, Label: ""},
			{ID: "7", From: 3, To: 4, Label: "a relation whose name is far too long to be shown in full"},
			{ID: "8", From: 1, To: 5, Label: "party", Tag: "T4"},
			{ID: "9", From: 2, To: 5, Label: "signed"},
		},
		Layered: layered,
		Title:   "Odd & <unusual> labels",
		Note:    "Nothing here is real",
	}
}

// webModel is a neighbourhood of n nodes with hubs.
func webModel(n int) Model {
	r := rand.New(rand.NewPCG(7, 7))
	kinds := []string{"Person", "Film", "Genre", "Year", "Language", "Country", "Award", "Tag", "Company"}
	words := []string{"Asthma", "Salbutamol", "Histamine H1", "Corticosteroid", "Mast cell", "Bronchospasm", "Fluticasone", "IL-6 receptor", "Inflammation", "β2 agonist"}
	m := Model{Title: fmt.Sprintf("A neighbourhood of %d nodes", n), Note: "Made up"}
	ends := []int{0}
	for i := range n {
		m.Nodes = append(m.Nodes, Node{ID: fmt.Sprint("n", i), Label: words[i%len(words)] + fmt.Sprint(" ", i), Type: kinds[(i*7)%len(kinds)]})
		if i == 0 {
			continue
		}
		hub := ends[r.IntN(len(ends))]
		add := func(from, to int) {
			m.Edges = append(m.Edges, Edge{ID: fmt.Sprint("e", len(m.Edges)), From: from, To: to, Label: "related to"})
			ends = append(ends, from, to)
		}
		add(hub, i)
		if r.Float64() < 0.6 {
			add(i, ends[r.IntN(len(ends))])
		}
	}
	m.Nodes[0].Role = Known
	if n > 20 {
		m.Nodes[5].Role, m.Nodes[9].Role, m.Nodes[12].Role = Variable, Answer, Answer
	}
	return m
}

// threeHopModel is a question of three hops with many ways.
func threeHopModel() Model {
	m := Model{Layered: true, Title: "Which films share a director with films that Tom Hanks starred in?", Note: "MetaQA"}
	m.Nodes = append(m.Nodes, Node{ID: "hanks", Label: "Tom Hanks", Type: "Person", Role: Known})
	edge := func(from, to int, label string) {
		m.Edges = append(m.Edges, Edge{ID: fmt.Sprint("e", len(m.Edges)), From: from, To: to, Label: label, Tag: fmt.Sprint("T", len(m.Edges)+1)})
	}
	for i := range 8 {
		m.Nodes = append(m.Nodes, Node{ID: fmt.Sprint("f", i), Label: fmt.Sprint("Film starring Tom Hanks no. ", i+1), Type: "Film", Role: Variable})
		edge(i+1, 0, "starred_actors")
	}
	for i := range 5 {
		m.Nodes = append(m.Nodes, Node{ID: fmt.Sprint("d", i), Label: fmt.Sprint("Director ", i+1), Type: "Person", Role: Variable})
	}
	for i := range 8 {
		edge(i+1, 9+i%5, "directed_by")
	}
	for i := range 22 {
		m.Nodes = append(m.Nodes, Node{ID: fmt.Sprint("a", i), Label: fmt.Sprint("Another film ", i+1), Type: "Film", Role: Answer})
		edge(14+i, 9+(i*3)%5, "directed_by")
	}
	return m
}

// claimModel is a claim about two known things, with two triples that speak of
// it and one more about the object.
func claimModel() Model {
	return Model{
		Layered: true, Title: "Claim: Paris is the capital of Germany.",
		Nodes: []Node{
			{ID: "p", Label: "Paris", Type: "City", Role: Known},
			{ID: "d", Label: "Germany", Type: "Country", Role: Known},
			{ID: "f", Label: "France", Type: "Country"},
			{ID: "b", Label: "Berlin", Type: "City"},
		},
		Edges: []Edge{
			{ID: "1", From: 0, To: 2, Label: "capital of", Tag: "T1"},
			{ID: "2", From: 3, To: 1, Label: "capital of", Tag: "T2"},
			{ID: "3", From: 2, To: 1, Label: "borders", Tag: "T3"},
		},
	}
}

// bordersModel is two answers that share three known things, as the window shows
// them.
func bordersModel() Model {
	m := Model{Layered: true, Title: "Which country borders Austria and Hungary and uses the euro?"}
	for i, label := range []string{"Austria", "Hungary", "euro", "Slovakia", "Slovenia"} {
		n := Node{ID: label, Label: label, Type: "country", Role: Known}
		if i > 2 {
			n.Role = Answer
		}
		m.Nodes = append(m.Nodes, n)
	}
	for i, e := range [][2]int{{0, 3}, {1, 3}, {3, 2}, {0, 4}, {1, 4}, {4, 2}} {
		m.Edges = append(m.Edges, Edge{ID: fmt.Sprint(i), From: e[0], To: e[1], Label: []string{"borders", "borders", "currency"}[i%3], Tag: fmt.Sprint("T", i+1)})
	}
	return m
}
