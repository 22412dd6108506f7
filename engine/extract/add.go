package extract

import (
	"context"
	"fmt"
	"time"

	"cairn/engine/kg"
)

// Added is what adding a document's statements did.
type Added struct {
	Added     int           `json:"added"`     // triples that are new in the graph
	Duplicate int           `json:"duplicate"` // that were there; they gained a source
	Entities  int           `json:"entities"`  // new ones
	Relations int           `json:"relations"` // new ones
	Left      int           `json:"left"`      // statements that nobody has decided on
	Took      time.Duration `json:"took"`
}

// Add adds the accepted statements of a document to its graph as a layer of its
// own, all of them or, where it fails or is cancelled, none.
func Add(ctx context.Context, st *kg.Store, g *kg.Graph, d kg.Document, statements []kg.Statement, proposals []Proposal, progress func(done, total int64)) (Added, error) {
	began := time.Now()
	var out Added
	accepted := 0
	for i := range statements {
		switch statements[i].State {
		case kg.StatementAccepted:
			accepted++
		case kg.StatementProposed:
			out.Left++
		case kg.StatementDeclined, kg.StatementInvalid, kg.StatementAdded:
		}
	}
	if accepted == 0 {
		return out, nil
	}
	w, err := st.NewWriter(ctx, kg.Layer{
		Name: d.Name, File: d.File, Hash: d.Hash, Bytes: d.Bytes, Model: d.Model, Mapping: "extracted by " + d.Model,
	}, progress)
	if err != nil {
		return out, err
	}
	defer w.Close()
	a := adder{w: w, document: d, names: map[named]string{}, turned: map[string]bool{}, kinds: map[string]string{}, types: map[string]string{}}
	keys, err := st.TypeKeys(ctx)
	if err != nil {
		return out, err
	}
	for t, key := range keys[:min(len(keys), g.NumTypes())] {
		a.types[fold(g.TypeLabel(kg.TypeID(t)))] = key
	}
	// What is made for a new name is settled before anything is added, so that
	// whatever happens in between, the name is never made twice.
	namings := a.settle(statements, proposals)
	if err := st.Decide(ctx, d.ID, nil, namings); err != nil {
		return out, err
	}
	entities, relations := w.Entities(), w.Relations()
	for i := range statements {
		if x := &statements[i]; x.State == kg.StatementAccepted {
			if a.add(x) {
				out.Added++
			} else {
				out.Duplicate++
			}
		}
	}
	counts := kg.Counts{Read: int64(accepted), Added: int64(out.Added), Duplicate: int64(out.Duplicate)}
	if err := w.Commit(ctx, 0, true, counts); err != nil {
		return Added{Left: out.Left}, err
	}
	out.Entities, out.Relations = w.Entities()-entities, w.Relations()-relations
	out.Took = time.Since(began)
	return out, nil
}

// adder makes triples of statements.
type adder struct {
	w        *kg.Writer
	document kg.Document
	names    map[named]string  // the keys that names stand for
	turned   map[string]bool   // relation names, as NameKey has them, whose ends are exchanged
	kinds    map[string]string // what the model says that names are, by NameKey
	types    map[string]string // the key of each type, by folded name
}

// settle gives every name of an accepted statement its key and returns what was
// settled for new ones.
func (a *adder) settle(statements []kg.Statement, proposals []Proposal) []kg.Naming {
	used := map[named]bool{}
	for i := range statements {
		if x := &statements[i]; x.State == kg.StatementAccepted {
			used[named{kg.EntityName, NameKey(x.Head)}] = true
			used[named{kg.RelationName, NameKey(x.Relation)}] = true
			used[named{kg.EntityName, NameKey(x.Tail)}] = true
		}
	}
	taken := map[named]bool{}
	var list []kg.Naming
	for i := range proposals {
		p := &proposals[i]
		n := named{p.Kind, NameKey(p.Name)}
		if !used[n] {
			continue
		}
		if p.Kind == kg.EntityName {
			a.kinds[n.name] = p.Type
		}
		key, isNew := p.Meaning()
		if key == "" {
			key = a.newKey(p, taken)
			list = append(list, kg.Naming{Kind: p.Kind, Name: n.name, Made: key})
		}
		if isNew {
			taken[named{p.Kind, key}] = true
		} else if p.Kind == kg.RelationName {
			a.turned[n.name] = p.Decided && p.Turned
		}
		a.names[n] = key
	}
	return list
}

// newKey returns a key that nothing has yet: the name, or, where something else
// has that, the name with the document's.
func (a *adder) newKey(p *Proposal, taken map[named]bool) string {
	key := p.Name
	for n := 1; a.has(p.Kind, key) || taken[named{p.Kind, key}]; n++ {
		key = fmt.Sprintf("%s (%s)", p.Name, a.document.Name)
		if n > 1 {
			key = fmt.Sprintf("%s (%s, %d)", p.Name, a.document.Name, n)
		}
	}
	return key
}

func (a *adder) has(kind kg.NameKind, key string) bool {
	if kind == kg.RelationName {
		_, ok := a.w.FindRelation(key)
		return ok
	}
	_, ok := a.w.Find(key)
	return ok
}

func (a *adder) add(x *kg.Statement) bool {
	t := kg.Triple{
		Head:     a.entity(x.Head),
		Relation: a.relation(x.Relation),
		Tail:     a.entity(x.Tail),
	}
	if a.turned[NameKey(x.Relation)] {
		t.Head, t.Tail = t.Tail, t.Head
	}
	return a.w.AddExtracted(t, x.ID, x.Spans)
}

// entity returns the entity that a name stands for. Only a new one gets the type
// that the model gave: what a graph says of its own entities a text does not
// change.
func (a *adder) entity(name string) kg.EntityID {
	n := named{kg.EntityName, NameKey(name)}
	if e, ok := a.w.Find(a.names[n]); ok {
		return e
	}
	e := a.w.Entity([]byte(a.names[n]), name)
	if kind := a.kinds[n.name]; kind != "" {
		key, ok := a.types[fold(kind)]
		if !ok {
			key = kind
			a.types[fold(kind)] = kind
		}
		a.w.Type(e, []byte(key))
	}
	return e
}

func (a *adder) relation(name string) kg.RelationID {
	key := a.names[named{kg.RelationName, NameKey(name)}]
	if r, ok := a.w.FindRelation(key); ok {
		return r
	}
	r := a.w.Relation([]byte(key))
	a.w.LabelRelation(r, name)
	return r
}
