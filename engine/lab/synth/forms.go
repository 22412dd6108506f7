package synth

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// form is a way of writing a world: one file or several, each in sections.
type form struct {
	name     string
	sections []section
}

// section is one walk over the entities, in the order of their places. The texts are
// formats of fmt, where node and end take
//
//	%[1]d the place of the entity, %[2]s its name, %[3]s its type, %[4]d a number
//
// and edge takes
//
//	%[1]d and %[2]d the places of head and tail, %[3]s the relation,
//	%[4]d a year, %[5]d a percentage, %[6]d which edge it is, from 1
type section struct {
	file            string // begins a new one; empty where the last goes on
	head, foot      string
	node, edge, end string
	between         string // two records
}

// Beginnings and lines that several forms share.
const (
	rdfPrefixes = "@prefix e: <http://example.org/e/> .\n@prefix o: <" + ontology + "> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
	turtleNode  = "e:%[1]d a o:%[3]s ;\n rdfs:label \"%[2]s\"@en ;\n o:size %[4]d .\n"
	turtleEdge  = "e:%[1]d o:%[3]s e:%[2]d .\n"
	lineNode    = "<http://example.org/e/%[1]d> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <" + ontology + "%[3]s>%[5]s .\n" +
		"<http://example.org/e/%[1]d> <http://www.w3.org/2000/01/rdf-schema#label> \"%[2]s\"@en%[5]s .\n" +
		"<http://example.org/e/%[1]d> <" + ontology + "size> \"%[4]d\"^^<http://www.w3.org/2001/XMLSchema#integer>%[5]s .\n"
	lineEdge = "<http://example.org/e/%[1]d> <" + ontology + "%[3]s> <http://example.org/e/%[2]d>"
	xmlHead  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	rdfHead  = xmlHead + `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:o="` + ontology + "\">\n"
	apocNode = `{"type":"node","id":"%[1]d","labels":["%[3]s"],"properties":{"name":"%[2]s","size":%[4]d}}`
	apocEdge = `{"type":"relationship","id":"%[6]d","label":"%[3]s","properties":{"since":%[4]d,"share":%[5]d},"start":{"id":"%[1]d"},"end":{"id":"%[2]d"}}`
)

// forms are all ways of writing a world.
var forms = []form{
	{"ntriples", []section{{file: "graph.nt", node: withGraph(""), edge: lineEdge + " .\n"}}},
	{"nquads", []section{{file: "graph.nq", node: withGraph(" <http://example.org/g>"), edge: lineEdge + " <http://example.org/g> .\n"}}},
	{"turtle", []section{{file: "graph.ttl", head: rdfPrefixes, node: turtleNode, edge: turtleEdge}}},
	{"turtle-properties", []section{{file: "graph.ttl", head: rdfPrefixes, node: turtleNode, edge: "e:%[1]d o:%[3]s e:%[2]d {| o:since %[4]d ; o:share %[5]d |} .\n"}}},
	{"trig", []section{{file: "graph.trig", head: rdfPrefixes + "e:g {\n", node: turtleNode, edge: turtleEdge, foot: "}\n"}}},
	{"rdfxml", []section{{
		file: "graph.rdf", head: rdfHead, foot: "</rdf:RDF>\n", end: "</o:%[3]s>\n",
		node: "<o:%[3]s rdf:about=\"http://example.org/e/%[1]d\">\n<rdfs:label xml:lang=\"en\">%[2]s</rdfs:label>\n<o:size rdf:datatype=\"http://www.w3.org/2001/XMLSchema#integer\">%[4]d</o:size>\n",
		edge: "<o:%[3]s rdf:resource=\"http://example.org/e/%[2]d\"/>\n",
	}}},
	{"jsonld", []section{{
		file: "graph.jsonld", between: ",\n",
		head: `{"@context":{"@base":"http://example.org/e/","@vocab":"` + ontology + `","label":"http://www.w3.org/2000/01/rdf-schema#label"},"@graph":[` + "\n", foot: "]}\n",
		node: `{"@id":"%[1]d","@type":"%[3]s","label":"%[2]s","size":%[4]d}`, edge: `{"@id":"%[1]d","%[3]s":{"@id":"%[2]d"}}`,
	}}},
	{"owl", []section{{
		file: "graph.owl", head: rdfHead + "<owl:Ontology rdf:about=\"http://example.org/e\"/>\n", foot: "</rdf:RDF>\n", end: "</owl:Class>\n",
		node: "<owl:Class rdf:about=\"http://example.org/e/%[1]d\">\n<rdfs:label xml:lang=\"en\">%[2]s</rdfs:label>\n<rdfs:subClassOf rdf:resource=\"" + ontology + "%[3]s\"/>\n",
		edge: "<rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource=\"" + ontology + "%[3]s\"/>\n<owl:someValuesFrom rdf:resource=\"http://example.org/e/%[2]d\"/></owl:Restriction></rdfs:subClassOf>\n",
	}}},
	{"obo", []section{{file: "graph.obo", head: "format-version: 1.4\n\n", node: "[Term]\nid: E:%[1]d\nname: %[2]s\nis_a: T:%[3]s\n", edge: "relationship: %[3]s E:%[2]d\n", end: "\n"}}},
	{"csv", []section{{file: "graph.csv", head: "head,relation,tail\n", edge: "N%[1]d,%[3]s,N%[2]d\n"}}},
	{"csv-properties", []section{{file: "graph.csv", head: "source,relation,target,since,share\n", edge: "N%[1]d,%[3]s,N%[2]d,%[4]d,%[5]d%%\n"}}},
	{"csv-wide", []section{{file: "graph.csv", head: "id,name,type,size,first,second\n", node: "N%[1]d,%[2]s,%[3]s,%[4]d,N%[6]d,N%[7]d\n"}}},
	{"csv-nodes-edges", []section{
		{file: "nodes.csv", head: "Id,Label,size\n", node: "N%[1]d,%[2]s,%[4]d\n"},
		{file: "edges.csv", head: "Source,Target,Type,Label,since\n", edge: "N%[1]d,N%[2]d,Directed,%[3]s,%[4]d\n"},
	}},
	{"neo4j-admin", []section{
		{file: "nodes.csv", head: "id:ID,name,size:int,:LABEL\n", node: "%[1]d,%[2]s,%[4]d,%[3]s\n"},
		{file: "edges.csv", head: ":START_ID,:END_ID,:TYPE,since:int,share:int\n", edge: "%[1]d,%[2]d,%[3]s,%[4]d,%[5]d\n"},
	}},
	{"apoc-lines", []section{{file: "graph.jsonl", node: apocNode + "\n"}, {edge: apocEdge + "\n"}}},
	{"apoc-json", []section{
		{file: "graph.json", head: `{"nodes":[` + "\n", node: apocNode, between: ",\n"},
		{head: `],"rels":[` + "\n", edge: apocEdge, between: ",\n", foot: "]}\n"},
	}},
	{"kgx-tsv", []section{
		{file: "graph_nodes.tsv", head: "id\tcategory\tname\tsize\n", node: "E:%[1]d\tbiolink:%[3]s\t%[2]s\t%[4]d\n"},
		{file: "graph_edges.tsv", head: "id\tsubject\tpredicate\tobject\tknowledge_level\tsince\n", edge: "%[6]d\tE:%[1]d\tbiolink:%[3]s\tE:%[2]d\tnot_provided\t%[4]d\n"},
	}},
	{"kgx-lines", []section{
		{file: "graph_nodes.jsonl", node: `{"id":"E:%[1]d","category":["biolink:%[3]s"],"name":"%[2]s","size":%[4]d}` + "\n"},
		{file: "graph_edges.jsonl", edge: `{"id":"%[6]d","subject":"E:%[1]d","predicate":"biolink:%[3]s","object":"E:%[2]d","since":%[4]d}` + "\n"},
	}},
	{"graphml", []section{
		{
			file: "graph.graphml", node: "<node id=\"n%[1]d\"><data key=\"n\">%[2]s</data><data key=\"s\">%[4]d</data></node>\n",
			head: xmlHead + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="n" for="node" attr.name="name" attr.type="string"/><key id="s" for="node" attr.name="size" attr.type="int"/><key id="y" for="edge" attr.name="since" attr.type="int"/>` + "\n<graph edgedefault=\"directed\">\n",
		},
		{edge: "<edge source=\"n%[1]d\" target=\"n%[2]d\" label=\"%[3]s\"><data key=\"y\">%[4]d</data></edge>\n", foot: "</graph></graphml>\n"},
	}},
	{"gexf", []section{
		{
			file: "graph.gexf", node: "<node id=\"%[1]d\" label=\"%[2]s\"><attvalues><attvalue for=\"0\" value=\"%[4]d\"/></attvalues></node>\n",
			head: xmlHead + "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\"><graph defaultedgetype=\"directed\"><attributes class=\"node\"><attribute id=\"0\" title=\"size\" type=\"integer\"/></attributes>\n<nodes>\n", foot: "</nodes><edges>\n",
		},
		{edge: "<edge id=\"%[6]d\" source=\"%[1]d\" target=\"%[2]d\" label=\"%[3]s\" weight=\"%[5]d\"/>\n", foot: "</edges></graph></gexf>\n"},
	}},
	{"gml", []section{
		{file: "graph.gml", head: "graph [\ndirected 1\n", node: "node [ id %[1]d label \"%[2]s\" size %[4]d ]\n"},
		{edge: "edge [ source %[1]d target %[2]d label \"%[3]s\" since %[4]d ]\n", foot: "]\n"},
	}},
	{"sif", []section{{file: "graph.sif", edge: "N%[1]d\t%[3]s\tN%[2]d\n"}}},
	{"cx2", []section{
		{
			file: "graph.cx2", node: `{"id":%[1]d,"v":{"n":"%[2]s","size":%[4]d}}`, between: ",\n", foot: "]},\n",
			head: `[{"CXVersion":"2.0","hasFragments":false},{"attributeDeclarations":[{"nodes":{"name":{"d":"string","a":"n"},"size":{"d":"integer"}},"edges":{"interaction":{"a":"i"},"since":{"d":"integer"}}}]},` + "\n" + `{"nodes":[` + "\n",
		},
		{head: `{"edges":[` + "\n", edge: `{"id":%[6]d,"s":%[1]d,"t":%[2]d,"v":{"i":"%[3]s","since":%[4]d}}`, between: ",\n", foot: `]},{"status":[{"success":true}]}]` + "\n"},
	}},
	{"node-link", []section{
		{file: "graph.json", head: `{"directed":true,"multigraph":true,"nodes":[` + "\n", node: `{"id":%[1]d,"name":"%[2]s","size":%[4]d}`, between: ",\n"},
		{head: `],"links":[` + "\n", edge: `{"source":%[1]d,"target":%[2]d,"type":"%[3]s","since":%[4]d}`, between: ",\n", foot: "]}\n"},
	}},
}

func withGraph(g string) string { return strings.ReplaceAll(lineNode, "%[5]s", g) }

// Forms lists the names of the forms in which WriteForm writes.
func Forms() []string {
	var names []string
	for _, f := range forms {
		names = append(names, f.name)
	}
	return names
}

// WriteForm writes the world into the folder, in one of Forms, and returns the files and
// how many lines they have. Literals are left out; instead every entity has a number, and
// every edge a year and a percentage where the form can hold them. So that every form can
// hold the names, they lose the signs that some form quotes.
func (w *World) WriteForm(ctx context.Context, name, dir string) (files []string, lines int, err error) {
	at := slices.IndexFunc(forms, func(f form) bool { return f.name == name })
	if at < 0 {
		return nil, 0, fmt.Errorf("%w: there is no form %q; there are %s", ErrOptions, name, strings.Join(Forms(), ", "))
	}
	var out *os.File
	counted := &lineCounter{}
	buffered := bufio.NewWriterSize(counted, 1<<20)
	closeLast := func() error {
		if out == nil {
			return nil
		}
		return errors.Join(buffered.Flush(), out.Close())
	}
	for _, s := range forms[at].sections {
		if s.file != "" {
			if err := closeLast(); err != nil {
				return nil, 0, err
			}
			files = append(files, filepath.Join(dir, s.file))
			if out, err = os.Create(files[len(files)-1]); err != nil {
				return nil, 0, err
			}
			counted.out = out
		}
		if err := w.writeSection(ctx, buffered, s); err != nil {
			return nil, 0, errors.Join(err, closeLast())
		}
	}
	err = closeLast()
	return files, counted.lines, err
}

// lineCounter counts the lines of what goes through it.
type lineCounter struct {
	out   io.Writer
	lines int
}

func (c *lineCounter) Write(b []byte) (int, error) {
	c.lines += bytes.Count(b, []byte{'\n'})
	return c.out.Write(b)
}

// writeSection writes a section. Errors of out are kept by it until it is flushed.
func (w *World) writeSection(ctx context.Context, out *bufio.Writer, s section) error {
	walk, nth, first := w.newWalker(), 0, true
	var edges []edge
	var label []byte
	write := func(format string, args ...any) {
		if format == "" {
			return
		}
		if !first {
			_, _ = out.WriteString(s.between)
		}
		if first = false; !strings.Contains(format, "%") {
			_, _ = out.WriteString(format)
			return
		}
		fmt.Fprintf(out, format, args...)
	}
	_, _ = out.WriteString(s.head)
	for place := range w.subjects {
		if place%blockSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		label = slices.DeleteFunc(w.appendLabel(label[:0], place), func(c byte) bool { return strings.IndexByte("\"'&<>\\,;|[]{}", c) >= 0 })
		of := w.types[w.typeOf(place)].name
		number := mix(uint64(place))
		write(s.node, place, label, of, number%100_000, "", number>>20%uint64(w.subjects), number>>40%uint64(w.subjects))
		if s.edge != "" {
			edges = walk.edges(edges[:0], place)
		}
		for _, e := range edges {
			if e.tail >= w.subjects {
				continue
			}
			nth++
			draw := mix(uint64(nth))
			write(s.edge, place, e.tail, w.relations[e.relation], 1850+draw%170, draw>>32%100, nth)
		}
		write(s.end, place, label, of)
	}
	_, err := out.WriteString(s.foot)
	return err
}
