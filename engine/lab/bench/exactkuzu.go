package bench

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/engine/kg"
	"cairn/engine/match"
)

//go:embed kuzu/kuzu_count.py
var kuzuProgram string

// kuzuTime is how long kuzu may take for all queries: planning large ones takes it
// minutes, and is not ended by a limit.
const kuzuTime = 90 * time.Second

// countTask is what the programs of the folders kuzu and oxigraph read.
type countTask struct {
	Database string   `json:"database"` // a file or folder that is not there yet
	Load     []string `json:"load"`     // statements of kuzu, files of oxigraph
	Queries  []string `json:"queries"`
	LimitMS  int64    `json:"limit_ms"` // of each query, but for planning it
	Seconds  float64  `json:"seconds"`  // after which no more are asked
	BestOf   int      `json:"best_of"`  // how often a query is asked, unless it takes long
}

// countReply is what they write.
type countReply struct {
	Version     string  `json:"version"`
	LoadSeconds float64 `json:"load_seconds"`
	Size        int64   `json:"size"`
	Answers     []struct {
		Count       float64 `json:"count"`
		Nanoseconds int64   `json:"nanoseconds"`
		Error       string  `json:"error"`
	} `json:"answers"`
}

// kuzu counts the same patterns with kuzu, in a process of its own. It is given the
// relations that queries ask for, each as a table.
func (b *exactBench) kuzu(ctx context.Context) (e ExactEngine, err error) {
	e.Name = "kuzu"
	dir, err := os.MkdirTemp("", "cairn-bench-")
	if err != nil {
		return e, fmt.Errorf("make a folder for kuzu: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b.o.Progress(b.set.Name+": kuzu", 0, 0)
	task := countTask{Database: filepath.Join(dir, "db"), LimitMS: b.o.Limit.Milliseconds(), Seconds: kuzuTime.Seconds(), BestOf: 1}
	if task.Load, err = b.writeKuzu(ctx, dir); err != nil {
		return e, err
	}
	for _, q := range b.queries {
		task.Queries = append(task.Queries, b.cypher(q.query))
	}
	var r countReply
	if err := askPython(ctx, b.o.Kuzu, kuzuProgram, task, &r); err != nil {
		return e, fmt.Errorf("ask kuzu: %w", err)
	}
	return e, b.ofKuzu(&e, &r)
}

// ofKuzu is what a reply says.
func (b *exactBench) ofKuzu(e *ExactEngine, r *countReply) error {
	if len(r.Answers) != len(b.queries) {
		return fmt.Errorf("kuzu answers %d of %d queries", len(r.Answers), len(b.queries))
	}
	e.Name, e.Size, e.Build = "kuzu "+r.Version, r.Size, time.Duration(r.LoadSeconds*float64(time.Second))
	counts := make([]counted, len(b.queries))
	for i, a := range r.Answers {
		counts[i] = counted{n: int(a.Count), took: time.Duration(a.Nanoseconds)}
		switch {
		case strings.Contains(a.Error, "nterrupted"):
			counts[i].ranOut = true
		case a.Error != "":
			counts[i].failed = true
			e.About = "of queries that failed, the last one's reason: " + a.Error
		}
	}
	e.Rows = b.rows(counts)
	return nil
}

// writeKuzu writes the entities, and the triples of relations that queries ask for, and
// returns the statements that load them.
func (b *exactBench) writeKuzu(ctx context.Context, dir string) ([]string, error) {
	asked := map[kg.RelationID]bool{}
	for _, q := range b.queries {
		for _, r := range relationsOf(q.query) {
			asked[r] = true
		}
	}
	return kuzuTables(ctx, dir, b.g, asked, "label INT64", func(e kg.EntityID) string {
		if b.labels == nil {
			return "0"
		}
		return strconv.Itoa(b.labels[e])
	})
}

// kuzuTables writes a graph for kuzu: the entities with further columns, and each
// relation that is asked for as a table.
func kuzuTables(ctx context.Context, dir string, g *kg.Graph, asked map[kg.RelationID]bool, columns string, row func(kg.EntityID) string) (load []string, err error) {
	entities := filepath.Join(dir, "entities.csv")
	err = writeLines(entities, func(w *bufio.Writer) {
		for e := range kg.EntityID(g.Entities()) {
			fmt.Fprintf(w, "%d,%s\n", e, row(e))
		}
	})
	if err != nil {
		return nil, err
	}
	load = append(load, "CREATE NODE TABLE N(id INT64 PRIMARY KEY, "+columns+")", fmt.Sprintf("COPY N FROM %q", entities))
	files := map[kg.RelationID]*bytes.Buffer{}
	for t := range g.Live() {
		x := g.Triple(t)
		if t%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !asked[x.Relation] {
			continue
		}
		if files[x.Relation] == nil {
			files[x.Relation] = &bytes.Buffer{}
		}
		fmt.Fprintf(files[x.Relation], "%d,%d\n", x.Head, x.Tail)
	}
	for r := range kg.RelationID(g.Relations()) {
		if files[r] == nil {
			continue
		}
		path := filepath.Join(dir, fmt.Sprintf("r%d.csv", r))
		if err := os.WriteFile(path, files[r].Bytes(), 0o600); err != nil {
			return nil, err
		}
		load = append(load, fmt.Sprintf("CREATE REL TABLE R%d(FROM N TO N)", r), fmt.Sprintf("COPY R%d FROM %q", r, path))
	}
	return load, nil
}

// askPython gives a program a task and reads its reply.
func askPython(ctx context.Context, python, program string, task, reply any) error {
	in, err := json.Marshal(task)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, python, "-c", program)
	c.Stdin = bytes.NewReader(in)
	out, err := c.Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
			lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
			err = errors.New(lines[len(lines)-1])
		}
		return fmt.Errorf("run it with %s: %w", python, err)
	}
	if err := json.Unmarshal(out, reply); err != nil {
		return fmt.Errorf("read what its program writes: %w", err)
	}
	return nil
}

func writeLines(path string, write func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	write(w)
	return errors.Join(w.Flush(), f.Close())
}

// relationsOf are the relations that a query asks for; the first one stands for any in
// the protein graph, which has no other.
func relationsOf(q *match.Query) (rs []kg.RelationID) {
	for _, e := range q.Edges {
		rs = append(rs, slices.Concat(e.Relations, []kg.RelationID{0})[0])
	}
	return rs
}

// cypher writes a query so that kuzu counts its bindings.
func (b *exactBench) cypher(q *match.Query) string {
	var edges, where []string
	for i, r := range relationsOf(q) {
		e := q.Edges[i]
		arrow := "->"
		if e.Either {
			arrow = "-"
		}
		edges = append(edges, fmt.Sprintf("(n%d:N)-[:R%d]%s(n%d:N)", e.From, r, arrow, e.To))
	}
	label := func(i int) int {
		if b.labels == nil || len(q.Nodes[i].In) == 0 {
			return -1
		}
		return b.labels[q.Nodes[i].In[0]]
	}
	for i, n := range q.Nodes {
		switch {
		case label(i) >= 0:
			where = append(where, fmt.Sprintf("n%d.label = %d", i, label(i)))
		case len(n.In) == 1:
			where = append(where, "n"+strconv.Itoa(i)+".id = "+strconv.Itoa(int(n.In[0])))
		}
		for j := range i {
			if label(i) < 0 || label(i) == label(j) {
				where = append(where, fmt.Sprintf("id(n%d) <> id(n%d)", j, i))
			}
		}
	}
	return "MATCH " + strings.Join(edges, ", ") + " WHERE " + strings.Join(where, " AND ") + " RETURN count(*)"
}
