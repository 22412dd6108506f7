package propgraph

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// transcript is a Sink that writes down what it is given.
type transcript struct{ strings.Builder }

func (t *transcript) Node(n Node) error {
	fmt.Fprintf(t, "%d: (%s%s", n.Line, space(n.Ref), n.ID)
	if len(n.Kinds) > 0 {
		fmt.Fprintf(t, " :%s", strings.Join(n.Kinds, ":"))
	}
	fmt.Fprint(t, ")")
	if n.Name != "" {
		fmt.Fprintf(t, " “%s”", n.Name)
	}
	if len(n.Aliases) > 0 {
		fmt.Fprintf(t, " or “%s”", strings.Join(n.Aliases, "”, “"))
	}
	if n.Description != "" {
		fmt.Fprintf(t, " is %s", n.Description)
	}
	t.properties(n.Properties)
	return nil
}

func space(r Ref) string {
	if r.Space == "" {
		return ""
	}
	return r.Space + "/"
}

func (t *transcript) Edge(e Edge) error {
	arrow := "->"
	if e.Undirected {
		arrow = "--"
	}
	fmt.Fprintf(t, "%d: (%s%s) %s %s (%s%s)", e.Line, space(e.From), e.From.ID, e.Type, arrow, space(e.To), e.To.ID)
	if e.Source != "" {
		fmt.Fprintf(t, " by %s", e.Source)
	}
	t.properties(e.Properties)
	return nil
}

func (t *transcript) properties(ps []Property) {
	for _, p := range ps {
		fmt.Fprintf(t, " %s=%s", p.Name, p.Value)
		if i := strings.LastIndexByte(p.Datatype, '#'); i >= 0 {
			fmt.Fprintf(t, "^%s", p.Datatype[i+1:])
		}
	}
	fmt.Fprintln(t)
}

func (t *transcript) Reject(e *Error) error {
	fmt.Fprintf(t, "%d: rejected: %v\n", e.Line, e)
	return nil
}

func (t *transcript) LeaveOut(what string) { fmt.Fprintf(t, "left out: %s\n", what) }

// graphs are documents after the descriptions of their formats, and what they say.
var graphs = []struct {
	name   string
	format Format
	text   string
	want   string
}{
	{"APOC JSON lines", Lines, `{"type":"node","id":"0","labels":["User","Person"],"properties":{"born":"2015-07-04T19:32:24","name":"Adam","age":42,"male":true,"kids":["Sam","Anna"],"place":{"crs":"wgs-84","latitude":13.1}}}
{"type":"node","id":"1","labels":["User"],"properties":{"name":"Jim"}}

{"id":"5","type":"relationship","label":"KNOWS","properties":{"since":1993,"bffSince":"P5M1DT12H"},"start":{"id":"0","labels":["User"]},"end":{"id":"1","labels":["User"]}}
{"type":"node","id":
`, `1: (0 :User:Person) born=2015-07-04T19:32:24 name=Adam age=42^integer male=true^boolean kids=Sam kids=Anna place.crs=wgs-84 place.latitude=13.1^double
2: (1 :User) name=Jim
4: (0) KNOWS -> (1) since=1993^integer bffSince=P5M1DT12H
5: rejected: column 21: the document ends too early
`},
	{"JSON lines with remarks", Lines, "# from a server\n#\n" + `{"type":"node","id":"0","labels":["User"],"properties":{"name":"# Adam"}}
# page {"id":1}
{"type":"relationship","id":"5","label":"KNOWS","start":{"id":"0"},"end":{"id":"1"}}
`, `3: (0 :User) name=# Adam
5: (0) KNOWS -> (1)
`},
	{"APOC array", JSON, `[{"type":"node","id":"0","labels":["User"],"properties":{"name":"Adam"}},
{"id":"5","type":"relationship","label":"KNOWS","start":{"id":"0"},"end":{"id":"1"}}]`, `1: (0 :User) name=Adam
2: (0) KNOWS -> (1)
`},
	{"APOC JSON", JSON, `{"nodes":[
{"type":"node","id":"0","labels":["User"],"properties":{"name":"Adam"}}],
"rels":[{"id":"5","type":"relationship","label":"KNOWS","start":{"id":"0"},"end":{"id":"1"}}]}`, `2: (0 :User) name=Adam
3: (0) KNOWS -> (1)
`},
	{"APOC ids as keys", JSON, `{"nodes":{"0":{"type":"node","id":"0","labels":["User"],"properties":{"name":"Adam"}}},
"rels":{"5":{"type":"relationship","id":"5","label":"KNOWS","start":{"id":"0"},"end":{"id":"1"}}}}`, `1: (0 :User) name=Adam
2: (0) KNOWS -> (1)
`},
	{"NetworkX", JSON, `{"directed": false, "multigraph": false, "graph": {"name": "g"},
 "nodes": [{"club": "Mr. Hi", "id": 0}, {"id": 1}], "links": [{"weight": 4, "source": 0, "target": 1}]}`, `2: (0) club=Mr. Hi
2: (1)
2: (0)  -- (1) weight=4^integer
left out: graph
`},
	{"D3 with numbers", JSON, `{"nodes":[{"name":"Myriel","group":1},{"name":"Napoleon"}],"links":[{"source":1,"target":0,"value":1},{"source":"Myriel","target":"Napoleon"}]}`, `1: (0) name=Myriel group=1^integer
1: (1) name=Napoleon
1: (1)  -> (0) value=1^integer
1: (0)  -> (1)
`},
	{"Cytoscape", JSON, `{"elements":{"nodes":[{"data":{"id":"a","name":"BRCA1"},"position":{"x":1,"y":2}}],"edges":[{"data":{"id":"e","source":"a","target":"b","interaction":"binds"}}]}}`, `1: (a) name=BRCA1
1: (a) binds -> (b)
`},
	{"CX2", JSON, `[{"CXVersion":"2.0","hasFragments":false},{"metaData":[{"name":"nodes","elementCount":1}]},
{"attributeDeclarations":[{"nodes":{"name":{"d":"string","a":"n"}},"edges":{"interaction":{"a":"i","v":"binds"}}}]},
{"nodes":[{"id":1,"x":0.5,"v":{"n":"BRCA1","alias":["A","B"]}}]},
{"edges":[{"id":1,"s":1,"t":2,"v":{"i":"inhibits"}},{"id":2,"s":2,"t":1}]},{"status":[{"success":true}]}]`, `left out: metaData
left out: x
3: (1) name=BRCA1 alias=A alias=B
4: (1) inhibits -> (2)
4: (2) binds -> (1)
left out: status
`},
	{"KGX lines", Lines, `{"id":"HGNC:11603","name":"TBX4","category":["biolink:Gene"],"synonym":["SPS"]}
{"id":"x","subject":"HGNC:11603","predicate":"biolink:contributes_to","object":"MONDO:0005002","primary_knowledge_source":"infores:gwas","publications":["PMID:1","PMID:2"]}
{"subject":"","predicate":"p","object":"o"}
`, `1: (HGNC:11603 :biolink:Gene) or “SPS” name=TBX4
2: (HGNC:11603) biolink:contributes_to -> (MONDO:0005002) by infores:gwas publications=PMID:1 publications=PMID:2
3: rejected: an end of the edge is empty
`},
	{"GraphML", GraphML, `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
 <key id="d0" for="node" attr.name="colour" attr.type="string"><default>yellow</default></key>
 <key id="d1" for="edge" attr.name="weight" attr.type="double"/>
 <key id="d5" for="node" yfiles.type="nodegraphics"/>
 <graph edgedefault="undirected">
  <node id="n0"><data key="d0">green</data></node>
  <node id="n1"><data key="d5"><y:ShapeNode><y:Fill color="#FF"/><y:NodeLabel>A
    &lt;label&gt;</y:NodeLabel></y:ShapeNode></data>
    <graph><node id="n1::n0"/></graph></node>
  <edge source="n0" target="n1"><data key="d1">1.5</data></edge>
  <edge source="n0" target="n2" directed="true"><data key="d9"><y:PolyLineEdge><y:EdgeLabel>owns</y:EdgeLabel></y:PolyLineEdge></data></edge>
  <edge source="n0"/>
  <hyperedge><endpoint node="n0"/></hyperedge>
 </graph>
</graphml>`, `7: (n0) colour=green
8: (n1) “A <label>” colour=yellow
10: (n1::n0) colour=yellow
11: (n0)  -- (n1) weight=1.5^double
12: (n0) owns -> (n2)
13: rejected: the edge does not have two ends
left out: hyperedge
`},
	{"GraphML of APOC and TinkerPop", GraphML, `<graphml><key id="labels" for="node" attr.name="labels"/><key id="label" for="edge" attr.name="label"/><key id="tags" for="node" attr.name="tags" attr.type="string" attr.list="string"/><graph>
<node id="n0" labels=":User:Admin"><data key="labels">:User:Admin</data><data key="tags">["a","b"]</data></node>
<edge source="n0" target="n0" label="KNOWS"><data key="label">KNOWS</data></edge>
<node id="1"><data key="labelV">airport</data></node><edge source="1" target="n0"><data key="labelE">route</data></edge></graph></graphml>`, `2: (n0 :User:Admin) tags=a tags=b
3: (n0) KNOWS -> (n0)
4: (1 :airport)
4: (1) route -> (n0)
`},
	{"GEXF", GEXF, `<gexf xmlns="http://gexf.net/1.3" version="1.3"><meta><creator>x</creator></meta>
<graph defaultedgetype="directed"><attributes class="node"><attribute id="0" title="url" type="string"/><attribute id="1" title="indegree" type="float"><default>1</default></attribute></attributes>
<attributes class="edge"><attribute id="0" title="tags" type="liststring"/></attributes>
<nodes><node id="0" label="Gephi" start="2009"><attvalues><attvalue for="0" value="https://gephi.org"/></attvalues><viz:size value="3"/><nodes><node id="1" label="Part"/></nodes></node></nodes>
<edges><edge id="0" source="0" target="1" weight="2.5" label="links to"><attvalues><attvalue for="0" value="[a, b]"/></attvalues></edge><edge source="1" target="0" type="undirected" kind="k" label="l"/></edges></graph></gexf>`, `left out: meta
left out: size
4: (0) “Gephi” start=2009 url=https://gephi.org indegree=1^double
4: (1) “Part” indegree=1^double
5: (0) links to -> (1) weight=2.5^double tags=a tags=b
5: (1) k -- (0) label=l
`},
	{"GML", GML, `Creator "someone"
# a remark
graph [
  directed 1
  label "the graph"
  node [ id 1 label "Caf&#233; &amp; Bar" place [ city "Wien" ] tag "a" tag "b" graphics [ x 1 ] ]
  node [ label "no id" ]
  edge [
    source 1
    target 2
    label "near" weight 0.5
  ]
]`, `left out: the graph's label
left out: graphics
6: (1) “Café & Bar” place.city=Wien tag=a tag=b
7: rejected: the node has no id
8: (1) near -> (2) weight=0.5^double
`},
	{"SIF", SIF, "nodeA lives_with nodeB nodeC\nalone\nA B\tis near\tC\nx y\n", `1: (nodeA) lives_with -> (nodeB)
1: (nodeA) lives_with -> (nodeC)
2: (alone)
3: (A B) is near -> (C)
4: rejected: a SIF line must be a node, a relation and one or more nodes
`},
	{"vertices and edges", Vertices, "t # 0\nv 0 C 2\nv 1\ne 0 1 2\nx\nt # 1\nv 0 N\ne 0 0\n", `2: (0/0 :vertex) “vertex 0” label=C degree=2^integer
3: (0/1 :vertex) “vertex 1”
4: (0/0) 2 -- (0/1)
5: rejected: a line must begin with t, v or e: a graph, a vertex with its label, or an edge with two vertices
7: (1/0 :vertex) “vertex 0” label=N
8: (1/0)  -- (1/0)
`},
}

func TestRead(t *testing.T) {
	for _, test := range graphs {
		t.Run(test.name, func(t *testing.T) {
			var got transcript
			if err := Read(strings.NewReader(test.text), test.format, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got.String()); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
			if f, line := Detect([]byte(test.text)); test.format != SIF && (f != test.format || line == 0) {
				t.Errorf("Detect = %q, %d, want %q", f, line, test.format)
			}
		})
	}
}

// TestReadBroken holds that a damaged file is an error with its place, and that none
// takes more memory or stack than is its due.
func TestReadBroken(t *testing.T) {
	deep := strings.Repeat
	tests := []struct {
		name   string
		format Format
		text   string
		want   string
	}{
		{"cut JSON", JSON, "{\"nodes\":[\n{\"id\":1},\n{\"id\":", "3: column 7: the document ends too early"},
		{"bad JSON", JSON, "{\"nodes\":[\n{\"id\":1]}", "2: column 8: it is not JSON: invalid character ']' after object key:value pair"},
		{"deep JSON", JSON, `{"nodes":[{"id":1,"x":` + deep("[", 1000), "1: column 223: it is nested more than 200 levels deep"},
		{"cut XML", GraphML, "<graphml>\n<graph><node id='1'>", "2: column 21: the document ends too early"},
		{"entity bomb", GraphML, `<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><graphml><graph><node id="&b;"/></graph></graphml>`, "1: column 83: invalid character entity &b; (entities of a DOCTYPE are not expanded)"},
		{"deep XML", GEXF, "<gexf>" + deep("<graph>", 1000), "1: column 1407: it is nested more than 200 levels deep"},
		{"cut GML", GML, "graph [\n node [ id 1", "2: column 12: the file ends too early: a bracket is not closed"},
		{"GML without a value", GML, "graph [\n node [ id ] ]", "2: column 12: a key has no value"},
		{"deep GML", GML, "graph [ node [ " + deep("a [ ", 1000), "1: column 814: it is nested more than 200 levels deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := Read(strings.NewReader(test.text), test.format, &transcript{})
			bad, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("Read = %v, want an *Error", err)
			}
			if got := fmt.Sprintf("%d: %v", bad.Line, bad); got != test.want {
				t.Errorf("Read = %q, want %q", got, test.want)
			}
		})
	}
}

// endless is a text that never ends.
type endless struct{ begin, rest string }

func (e *endless) Read(b []byte) (int, error) {
	if e.begin != "" {
		n := copy(b, e.begin)
		e.begin = e.begin[n:]
		return n, nil
	}
	for i := range b {
		b[i] = e.rest[i%len(e.rest)]
	}
	return len(b), nil
}

// TestReadEndless reads values that never end: each is refused.
func TestReadEndless(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of MB")
	}
	for name, test := range map[string]struct {
		format Format
		text   endless
	}{
		"JSON string":   {JSON, endless{`{"nodes":[{"id":"`, "a"}},
		"JSON members":  {JSON, endless{`{"nodes":[{"id":1,"a":[1`, ",1"}},
		"XML text":      {GraphML, endless{"<graphml><graph><node id='1'><data key='k'>", "a"}},
		"XML attribute": {GEXF, endless{"<gexf a='", "a"}},
		"GML text":      {GML, endless{`graph [ node [ id "`, "a"}},
		"GML list":      {GML, endless{`graph [ node [ id 1 `, "a 1 "}},
	} {
		t.Run(name, func(t *testing.T) {
			err := Read(&test.text, test.format, &transcript{})
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("Read = %v, want an *Error", err)
			}
		})
	}
}

// tables are rows after the descriptions of their conventions, and what they say.
var tables = []struct{ name, text, title, want string }{
	{
		"Neo4j nodes", "personId:ID(Person),name,age:int,tags:string[],:LABEL,secret:IGNORE\n1,Keanu,60,a;b,Actor;Person,x\n,y,,,,\n1,2,3,4,5,6,7\n", "Neo4j",
		"2: (Person/1 :Actor:Person) personId=1 name=Keanu age=60^integer tags=a tags=b\n3: rejected: the node has no id\n4: rejected: it has 7 columns, but the header has 6\n",
	},
	{
		"Neo4j edges", ":START_ID(Person),role,since:date,:END_ID(Film),:TYPE\n1,Neo,1999-03-31,7,ACTED_IN\n1,,,,X\n", "Neo4j",
		"2: (Person/1) ACTED_IN -> (Film/7) role=Neo since=1999-03-31^date\n3: rejected: the edge has no end\n",
	},
	{
		"Neo4j nodes and edges", "_id,_labels,name,born,_start,_end,_type,since\n0,:Person:Actor,Anna,1980,,,,\n2,:Company,Acme,,,,,\n,,,,0,2,WORKS_AT,2015\n", "Neo4j",
		"2: (0 :Person:Actor) name=Anna born=1980\n3: (2 :Company) name=Acme\n4: (0) WORKS_AT -> (2) since=2015\n",
	},
	{"Neptune nodes", "~id,~label,code:string,runways:int,tags:String[]\n1,airport;place,ATL,5,a;b\n", "Neptune", "2: (1 :airport:place) code=ATL runways=5^integer tags=a tags=b\n"},
	{"Neptune edges", "~id,~from,~to,~label,dist:int\n9,1,3,route,809\n", "Neptune", "2: (1) route -> (3) dist=809^integer\n"},
	{"Bloom edges", "~id,~start_node_id,~end_node_id,~relationship_type,since\n9,1,3,KNOWS,1999\n", "Neptune", "2: (1) KNOWS -> (3) since=1999\n"},
	{
		"KGX nodes", "id,category,name,synonym,xref,description\nHGNC:1,biolink:Gene|biolink:NamedThing,TBX4,SPS|TB4,A:1|B:2,a gene\n", "KGX",
		"2: (HGNC:1 :biolink:Gene:biolink:NamedThing) “TBX4” or “SPS”, “TB4” is a gene xref=A:1 xref=B:2\n",
	},
	{
		"KGX edges", "id,subject,predicate,object,primary_knowledge_source,publications\nu,HGNC:1,biolink:affects,MONDO:1,infores:x,PMID:1|PMID:2\n", "KGX",
		"2: (HGNC:1) biolink:affects -> (MONDO:1) by infores:x publications=PMID:1 publications=PMID:2\n",
	},
	{"Gephi edges", "Source,Target,Type,Id,Label,Weight\na,b,Directed,0,likes,1.5\nb,c,Undirected,1,,\n", "Gephi", "2: (a) likes -> (b) Weight=1.5^double\n3: (b)  -- (c)\n"},
	{"Gephi nodes", "Id,Label,timeset,modularity_class\na,Anna,,3\n", "Gephi", "2: (a) “Anna” modularity_class=3\n"},
}

func TestTable(t *testing.T) {
	for _, test := range tables {
		t.Run(test.name, func(t *testing.T) {
			var rows [][]string
			for line := range strings.Lines(test.text) {
				rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), ","))
			}
			table, ok := NewTable(rows[0], rows[1:], ',')
			if !ok || table.Title != test.title {
				t.Fatalf("NewTable(%q) = %+v, %v, want %s", rows[0], table, ok, test.title)
			}
			var got transcript
			for i, row := range rows[1:] {
				if err := table.Row(row, int64(i)+2, &got); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(test.want, got.String()); diff != "" {
				t.Errorf("Row (-want +got):\n%s", diff)
			}
		})
	}
	for _, header := range []string{"head,relation,tail", "source,target,weight", "id,label", "id,name,category", "subject,predicate,object", "name,city,age", "a:b,c"} {
		if table, ok := NewTable(strings.Split(header, ","), [][]string{{"a", "b", "c"}}, ','); ok {
			t.Errorf("NewTable(%q) is %s, want none", header, table.Title)
		}
	}
}

// FuzzRead holds that no text breaks a reader, and that places lie in the text.
func FuzzRead(f *testing.F) {
	for _, g := range graphs {
		f.Add(string(g.format), g.text)
	}
	f.Fuzz(func(t *testing.T, format, text string) {
		var got transcript
		lines := int64(strings.Count(text, "\n")) + 1
		err := Read(strings.NewReader(text), Format(format), &checked{&got, t, lines})
		if bad, ok := errors.AsType[*Error](err); ok && (bad.Line < 1 || bad.Line > lines) {
			t.Errorf("Read(%q, %q) fails in line %d of %d", text, format, bad.Line, lines)
		}
		Detect([]byte(text))
	})
}

// checked is a transcript that looks at the lines.
type checked struct {
	Sink
	t     *testing.T
	lines int64
}

func (c *checked) check(line int64) {
	if line < 1 || line > c.lines {
		c.t.Errorf("line %d of %d", line, c.lines)
	}
}

func (c *checked) Node(n Node) error {
	c.check(n.Line)
	if n.ID == "" {
		c.t.Error("a node without an id")
	}
	return c.Sink.Node(n)
}

func (c *checked) Edge(e Edge) error {
	c.check(e.Line)
	if e.From.ID == "" || e.To.ID == "" {
		c.t.Error("an edge without an end")
	}
	return c.Sink.Edge(e)
}

var _ io.Reader = (*endless)(nil)

// TestCodeNames: where ids are bare numbers, as those of Neo4j are, a code that each node has names it.
func TestCodeNames(t *testing.T) {
	for id, want := range map[string]string{"%d": "CH14", "Ada's account %c": ""} {
		var n Naming
		node := func(i int) *Node {
			x := &Node{Kinds: []string{"Account"}, Properties: []Property{{Name: "number", Value: fmt.Sprintf("CH%d", 10+i)}}}
			x.ID = fmt.Sprintf(id, 'a'+i)
			return x
		}
		for i := range 6 {
			n.Learn(node(i))
		}
		n.Decide()
		x := node(4)
		if n.Apply(x); x.Name != want {
			t.Errorf("the account %s is named %q, want %q", x.ID, x.Name, want)
		}
	}
}
