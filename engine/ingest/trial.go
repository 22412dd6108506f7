package ingest

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"cairn/engine/kg"
)

// TrialRows is how many rows a trial reads.
const TrialRows = 10_000

// Trials imports the beginnings of files, one after the other, into a graph of its own.
type Trials struct {
	dir string
	st  *kg.Store
	cut bool // of a file only the beginning was read
	all []string
}

// Among tells which files an import would read together: tables are joined by their ids.
func (t *Trials) Among(paths []string) { t.all = paths }

// NewTrials makes the graph, which Close removes again.
func NewTrials(ctx context.Context) (*Trials, error) {
	dir, err := os.MkdirTemp("", "cairn-trial-")
	if err != nil {
		return nil, err
	}
	st, err := kg.OpenStore(ctx, filepath.Join(dir, "trial"+kg.Ext))
	if err != nil {
		return nil, cmp.Or(os.RemoveAll(dir), err)
	}
	return &Trials{dir: dir, st: st}, nil
}

// Close removes the graph.
func (t *Trials) Close() error {
	return cmp.Or(t.st.Close(), os.RemoveAll(t.dir))
}

// File reports what an import of a file would do after those before; Options.Labels is a
// file of its own here. Of names whose keys are not there it can only tell where what was
// to have them is read whole.
func (t *Trials) File(ctx context.Context, path string, o Options) (Report, error) {
	o.Rows, o.Labels, o.AnyNames = TrialRows, "", t.cut
	o.setDefaults()
	all := t.all
	if !slices.Contains(all, path) {
		all = []string{path}
	}
	fs, err := openFiles(ctx, all, &o)
	if err != nil {
		return Report{File: path}, err
	}
	if len(all) > 1 {
		fs.only = path
	}
	r, err := importFiles(ctx, t.st, fs, o, nil)
	if err != nil {
		return r, err
	}
	r.RejectsFile = "" // it goes with the graph
	if r.Unknown > 0 && t.cut {
		r.Notes = append(r.Notes, "Only the first "+itoa(TrialRows)+" lines of the files were read, so an import may find more of the "+itoa(r.Unknown)+" keys.")
	}
	t.cut = t.cut || r.Read >= TrialRows
	g, err := t.st.Graph(ctx, nil)
	if err != nil {
		return r, err
	}
	r.Describe(g)
	return r, nil
}

// Trial imports the beginning of a file into a graph of its own, which is removed
// again, and reports what an import of it would do.
func Trial(ctx context.Context, path string, o Options) (r Report, err error) {
	t, err := NewTrials(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = cmp.Or(err, t.Close()) }()
	return t.File(ctx, path, o)
}

// RelationCount is how many statements of a relation an import read, and some of them.
type RelationCount struct {
	Name       string   `json:"name"`
	Statements int64    `json:"statements"`
	Samples    []string `json:"samples,omitempty"` // as sentences

	relation kg.RelationID
	kept     []keptStatement
}

type keptStatement struct {
	triple     kg.Triple
	properties []kg.Property
}

const (
	relationsCounted = 10_000
	samplesKept      = 3
)

// sample counts a statement under its relation, and keeps the first ones.
func (im *importer) sample(t kg.Triple, properties []kg.Property) {
	at, ok := im.relations[t.Relation]
	if !ok {
		if len(im.relations) >= relationsCounted {
			return
		}
		at = len(im.report.ByRelation)
		im.relations[t.Relation] = at
		im.report.ByRelation = append(im.report.ByRelation, RelationCount{relation: t.Relation})
	}
	c := &im.report.ByRelation[at]
	c.Statements++
	if len(c.kept) < samplesKept {
		c.kept = append(c.kept, keptStatement{t, slices.Clone(properties)})
	}
}

// Describe names the relations and their samples as the graph does that the import
// went into.
func (r *Report) Describe(g *kg.Graph) {
	for i := range r.ByRelation {
		c := &r.ByRelation[i]
		c.Name, c.Samples = g.RelationText(c.relation), nil
		for _, k := range c.kept {
			fact := Fact{Relation: c.Name, Tail: g.Label(k.triple.Tail)}
			for _, p := range k.properties {
				fact.With = append(fact.With, Given{g.PropertyText(p.Name), g.PropertyValue(p)})
			}
			said := Said{Head: g.Label(k.triple.Head), Facts: []Fact{fact}}
			c.Samples = append(c.Samples, said.String())
		}
	}
	slices.SortStableFunc(r.ByRelation, func(a, b RelationCount) int { return cmp.Compare(b.Statements, a.Statements) })
}
