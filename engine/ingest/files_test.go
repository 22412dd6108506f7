package ingest_test

import (
	"archive/tar"
	stdzip "archive/zip"
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// archive makes a ZIP archive of names and texts.
func archive(t *testing.T, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := stdzip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err == nil {
			_, err = w.Write([]byte(members[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// tape makes a tape archive.
func tape(t *testing.T, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		err := w.WriteHeader(&tar.Header{Name: members[i], Mode: 0o600, Size: int64(len(members[i+1]))})
		if err == nil {
			_, err = w.Write([]byte(members[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// filed imports one file of the given content.
func filed(t *testing.T, name, content string, o ingest.Options) (*kg.Store, ingest.Report, error) {
	t.Helper()
	st := store(t)
	path := filepath.Join(t.TempDir(), name)
	write(t, path, content)
	r, err := ingest.File(t.Context(), st, path, o, nil)
	if bad := r.Check(); bad != nil {
		t.Error(bad)
	}
	return st, r, err
}

// TestPacked reads what is packed, whatever it is called.
func TestPacked(t *testing.T) {
	const text = "a|r|b\nc|r|d\n"
	bz2, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWY81/QAAAAFBgAAQPAAQBCAAIhpjUIYCPhLTKeLuSKcKEhHmv6AA")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"gzip": zip(t, text), "bzip2": string(bz2), "zstd": zstandard(t, text), "a ZIP archive": archive(t, "kb.txt", text),
		"a tape archive": tape(t, "kb.txt", text), "tar.gz": zip(t, tape(t, "kb.txt", text)), "tar.zst": zstandard(t, tape(t, "kb.txt", text)),
		"gzip in ZIP": archive(t, "kb.gz", zip(t, text)),
	} {
		if _, r, err := filed(t, "file", content, ingest.Options{}); err != nil || r.Added != 2 {
			t.Errorf("%s: %v, %v, want two triples", name, r, err)
		}
	}
}

// TestMembers reads an archive of nodes and edges as one layer: the members are named
// with their lines, and what is no graph is left out by name.
func TestMembers(t *testing.T) {
	st, r, err := filed(t, "my.zip", archive(t,
		"data/edges.csv", ":START_ID,:END_ID,:TYPE,since:int\n1,2,KNOWS,1999\n1,9,KNOWS,\n",
		"data/nodes.csv", ":ID,name,:LABEL\n1,Ann,Person\n2,Bob,Person\n2,Rob,Person\n",
		"README.md", "# What this is\n\nA graph.\n",
		"__MACOSX/._nodes.csv", "\x00\x05",
	), ingest.Options{})
	if err != nil || r.Added != 2 || r.Stubs != 1 || r.Repeated != 1 || r.Properties != 1 || r.Read != 7 {
		t.Fatalf("File = %+v, %v", r, err)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "README.md: it is prose") || !strings.Contains(notes, "“2” in line 4") {
		t.Errorf("Notes = %s", notes)
	}
	g := graph(t, st)
	first := g.Triple(0)
	if g.Label(first.Head) != "Ann" || g.Label(first.Tail) != "Bob" {
		t.Errorf("the first triple is %s – %s, want Ann – Bob", g.Label(first.Head), g.Label(first.Tail))
	}
	for ps := range g.Statements(0) {
		if len(ps) != 1 || ps[0].Name != "since" || ps[0].Value != "1999" {
			t.Errorf("it says %+v, want since 1999", ps)
		}
	}
	from, err := st.Provenance(t.Context(), 0)
	if err != nil || len(from) != 1 || !strings.HasSuffix(from[0].File, "my.zip/data/edges.csv") || from[0].Line != 2 {
		t.Errorf("Provenance = %+v, %v, want line 2 of my.zip/data/edges.csv", from, err)
	}
	if sources, err := st.Sources(t.Context()); err != nil || len(sources) != 1 {
		t.Errorf("Sources = %+v, %v, want one", sources, err)
	}
}

// TestSeveral imports several files as one layer, and again without adding anything.
func TestSeveral(t *testing.T) {
	dir, st := t.TempDir(), store(t)
	nodes, edges := filepath.Join(dir, "kb-nodes.csv"), filepath.Join(dir, "kb-edges.csv")
	write(t, nodes, "~id,~label,code:string,desc:string\n1,airport,ATL,Atlanta Airport\n2,airport,AUS,Austin Bergstrom\n3,airport,BNA,Nashville Field\n4,airport,BOS,Boston Logan\n")
	write(t, edges, "~id,~from,~to,~label,dist:int\n9,1,3,route,214\n")
	for again := range 2 {
		r, err := ingest.Files(t.Context(), st, []string{edges, nodes}, ingest.Options{}, nil)
		if err != nil || r.Check() != nil || again == 0 && r.Added != 5 || again == 1 && (r.Added != 0 || r.Duplicate != 5) {
			t.Fatalf("Files = %v, %v", r, err)
		}
	}
	all := strings.Join(facts(graph(t, st)), "\n")
	for _, want := range []string{"kb#1 | route | kb#3", "kb#4 | code | \"BOS\"", "Boston Logan"} {
		if !strings.Contains(all, want) {
			t.Errorf("the graph says %s, want %s", all, want)
		}
	}
}

// TestHostileArchives refuses archives by name and adds nothing.
func TestHostileArchives(t *testing.T) {
	whole := zip(t, tape(t, "kb.txt", strings.Repeat("some head|some relation|some tail\n", 1000)))
	tests := []struct {
		name, content string
		kind          error
		say           string
	}{
		{"a way out", archive(t, "../../kb.txt", "a|r|b\n"), ingest.ErrArchive, "“../../kb.txt”, which points outside the archive"},
		{"a way to the root", tape(t, "/etc/kb.txt", "a|r|b\n"), ingest.ErrArchive, "outside"},
		{"a way of Windows", archive(t, `..\kb.txt`, "a|r|b\n"), ingest.ErrArchive, "outside"},
		{"cut ZIP", archive(t, "kb.txt", "a|r|b\n")[:60], ingest.ErrCut, "truncated"},
		{"cut tar", tape(t, "kb.txt", strings.Repeat("a|r|b\n", 500))[:1500], ingest.ErrCut, "truncated"},
		{"cut tar.gz", whole[:len(whole)/2], ingest.ErrCut, "truncated"},
		{"nothing in it", archive(t), ingest.ErrEmpty, "empty"},
		{"an archive inside an archive", archive(t, "a.zip", archive(t, "kb.txt", "a|r|b\n")), ingest.ErrEmpty, ""},
	}
	for _, tt := range tests {
		_, r, err := filed(t, "my.archive", tt.content, ingest.Options{})
		if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.say) || !strings.Contains(err.Error(), "my.archive") || r.Added > 0 {
			t.Errorf("%s: %v, %v, want %v that says %q", tt.name, r, err, tt.kind, tt.say)
		}
	}
}

// TestBombs ends unpacking what grows beyond all measure.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks hundreds of MB")
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(bytes.Repeat([]byte("a|r|b\n"), 1<<16)); err != nil {
		t.Fatal(err)
	}
	blank := bytes.Repeat([]byte(" "), 1<<20)
	for range 300 {
		if _, err := w.Write(blank); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := filed(t, "bomb.gz", b.String(), ingest.Options{}); !errors.Is(err, ingest.ErrBomb) || !strings.Contains(err.Error(), "bomb.gz") {
		t.Errorf("File = %v, want ErrBomb", err)
	}
}

// workbookOf writes a workbook with merged cells, a date, a share, a code, a formula
// that nobody has computed, an error, and a hidden sheet.
func workbookOf(t *testing.T) string {
	t.Helper()
	f := excelize.NewFile()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(f.SetSheetName("Sheet1", "Owners"))
	must(f.SetSheetRow("Owners", "A1", &[]any{"source", "relation", "target", "since", "share", "total"}))
	must(f.SetSheetRow("Owners", "A2", &[]any{"Acme", "owns", "Foo Ltd", nil, 0.25, nil}))
	must(f.SetSheetRow("Owners", "A3", &[]any{nil, "owns", "Bar Ltd", nil, 0.5, nil}))
	must(f.SetSheetRow("Owners", "A4", &[]any{"Zed", "owns", "007", nil, nil, nil}))
	must(f.MergeCell("Owners", "A2", "A3"))
	must(f.SetCellValue("Owners", "D2", time.Date(2015, 3, 31, 0, 0, 0, 0, time.UTC)))
	percent, err := f.NewStyle(&excelize.Style{NumFmt: 9})
	must(err)
	must(f.SetCellStyle("Owners", "E2", "E3", percent))
	must(f.SetCellFormula("Owners", "F2", "1+2"))
	must(f.SetCellFormula("Owners", "F3", "1/0"))
	_, err = f.NewSheet("Notes")
	must(err)
	must(f.SetSheetVisible("Notes", false))
	var b bytes.Buffer
	_, err = f.WriteTo(&b)
	must(err)
	return b.String()
}

// statements lists the statements of a graph with what they say.
func statements(g *kg.Graph) []string {
	var out []string
	for i := range g.Triples() {
		t := g.Triple(kg.TripleID(i))
		line := g.Label(t.Head) + " | " + g.RelationKey(t.Relation) + " | " + g.Label(t.Tail)
		for ps := range g.Statements(kg.TripleID(i)) {
			for _, p := range ps {
				line += ", " + p.Name + " " + p.Value
			}
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func TestWorkbook(t *testing.T) {
	st, r, err := filed(t, "book.bin", workbookOf(t), ingest.Options{AcceptGuess: true})
	if err != nil || r.Read != 4 {
		t.Fatalf("File = %v, %v", r, err)
	}
	got := statements(graph(t, st))
	want := []string{"Acme | owns | Bar Ltd, share 50", "Acme | owns | Foo Ltd, since 2015-03-31, share 25, total 3", "Zed | owns | 007"}
	if !slices.Equal(got, want) {
		t.Errorf("the sheet says %q, want %q", got, want)
	}
	if notes := strings.Join(r.Notes, " "); !strings.Contains(notes, "Notes: the sheet is hidden") {
		t.Errorf("Notes = %s", notes)
	}
	from, err := st.Provenance(t.Context(), 0)
	if err != nil || len(from) != 1 || !strings.HasSuffix(from[0].File, "book.bin/Owners") || from[0].Line != 2 {
		t.Errorf("Provenance = %+v, %v, want row 2 of the sheet", from, err)
	}
}

// TestWorkbookParts reads what programs write in other ways: cells and rows without their
// place, rows that are left out, rich and inline texts, blocks that reach over both.
func TestWorkbookParts(t *testing.T) {
	const kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	book := func(rows string) string {
		return archive(t, "[Content_Types].xml", "<Types/>",
			"_rels/.rels", `<Relationships><Relationship Id="a" Type="`+kinds+`officeDocument" Target="/xl/book.xml"/></Relationships>`,
			"xl/book.xml", `<x:workbook xmlns:x="m" xmlns:r="r"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="C" sheetId="9" r:id="c"/><x:sheet name="One" sheetId="1" r:id="b"/></x:sheets></x:workbook>`,
			"xl/_rels/book.xml.rels", `<Relationships><Relationship Id="c" Type="`+kinds+`chartsheet" Target="c.xml"/><Relationship Id="b" Type="`+kinds+`worksheet" Target="s.xml"/>
				<Relationship Id="t" Type="`+kinds+`sharedStrings" Target="t.xml"/><Relationship Id="s" Type="`+kinds+`styles" Target="y.xml"/></Relationships>`,
			"xl/t.xml", `<sst><si><r><t>An</t></r><r><t>n_x0041_</t></r><rPh><t>an</t></rPh></si><si><t>knows</t></si></sst>`,
			"xl/y.xml", `<styleSheet><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
			"xl/s.xml", `<x:worksheet xmlns:x="m"><x:sheetData>`+rows+`</x:sheetData><x:mergeCells><x:mergeCell ref="A2:A5"/></x:mergeCells></x:worksheet>`)
	}
	const head = `<x:row><x:c t="inlineStr"><x:is><x:t>head</x:t></x:is></x:c><x:c t="str"><x:v>relation</x:v></x:c><x:c t="str"><x:v>tail</x:v></x:c><x:c t="str"><x:v>on</x:v></x:c></x:row>`
	text := book(head + `<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c><x:c t="str"><x:v>Bob</x:v></x:c><x:c s="1"><x:v>1</x:v></x:c></x:row>
		<x:row r="5"><x:c r="B5" t="s"><x:v>1</x:v></x:c><x:c t="str"><x:v>Cem</x:v></x:c></x:row>`)
	st, r, err := filed(t, "x", text, ingest.Options{})
	if got, want := statements(graph(t, st)), []string{"AnnA | knows | Bob, on 1904-01-02", "AnnA | knows | Cem"}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("File = %v, %v, %q, want %q", r, err, got, want)
	}
	if from, err := st.Provenance(t.Context(), 1); err != nil || len(from) != 1 || from[0].Line != 5 {
		t.Errorf("Provenance = %+v, %v, want row 5", from, err)
	}
	if _, _, err := filed(t, "x", book(head+"<x:row><x:c>"), ingest.Options{}); !errors.Is(err, ingest.ErrCut) {
		t.Errorf("a sheet that is cut: %v, want ErrCut", err)
	}
	if _, _, err := filed(t, "x", book(head+`<x:row r="999999999"/>`), ingest.Options{}); !errors.Is(err, ingest.ErrFormat) {
		t.Errorf("a row that no sheet has: %v, want ErrFormat", err)
	}
}

func TestOpenDocument(t *testing.T) {
	content := `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table table:name="One">
<table:table-row><table:table-cell><text:p>head</text:p></table:table-cell><table:table-cell><text:p>relation</text:p></table:table-cell><table:table-cell><text:p>tail</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3"/></table:table-row>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>Ann</text:p><office:annotation><text:p>remark</text:p></office:annotation></table:table-cell><table:table-cell><text:p>born</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="1999-12-31T00:00:00"><text:p>31.12.99</text:p></table:table-cell></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell><text:p>knows</text:p></table:table-cell><table:table-cell><text:p>Bob</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
</table:table></office:spreadsheet></office:body></office:document-content>`
	st, r, err := filed(t, "x", archive(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", content), ingest.Options{})
	if got, want := statements(graph(t, st)), []string{"Ann | born | 1999-12-31", "Ann | knows | Bob"}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("File = %v, %v, %q, want %q", r, err, got, want)
	}
	if from, err := st.Provenance(t.Context(), 0); err != nil || len(from) != 1 || from[0].Line != 4 {
		t.Errorf("Provenance = %+v, %v, want row 4", from, err)
	}
}

// TestOpenDocumentSheets reads one of two sheets, whose names hold what ends a tag, and
// refuses rows that no sheet has.
func TestOpenDocumentSheets(t *testing.T) {
	const row = `<t:table-row><t:table-cell><x:p>head</x:p></t:table-cell><t:table-cell><x:p>relation</x:p></t:table-cell><t:table-cell><x:p>tail</x:p></t:table-cell></t:table-row>` +
		`<t:table-row%s><t:table-cell><x:p>%s</x:p></t:table-cell><t:table-cell o:formula="a>b" ><x:p>knows</x:p></t:table-cell><t:table-cell><x:p>Bob</x:p></t:table-cell></t:table-row>`
	book := func(repeated string) string {
		return archive(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml",
			`<d xmlns:t="t" xmlns:x="x" xmlns:o="o"><t:table t:name="a>b"><t:table-column/>`+fmt.Sprintf(row, repeated, "Ann")+`</t:table><t:table t:name="c&gt;d">`+fmt.Sprintf(row, "", "Cid")+`</t:table></d>`)
	}
	for sheet, want := range map[string]string{"a>b": "Ann", "c>d": "Cid"} {
		st, r, err := filed(t, "x", book(""), ingest.Options{Table: sheet})
		if got := statements(graph(t, st)); err != nil || !slices.Equal(got, []string{want + " | knows | Bob"}) {
			t.Errorf("%s: %v, %v, %q", sheet, r, err, got)
		}
	}
	for _, n := range []string{"1048577", "9223372036854775807"} {
		if _, _, err := filed(t, "x", book(` t:number-rows-repeated="`+n+`"`), ingest.Options{Table: "a>b"}); !errors.Is(err, ingest.ErrFormat) {
			t.Errorf("%s rows: %v, want ErrFormat", n, err)
		}
	}
}

func TestParquet(t *testing.T) {
	type row struct {
		Source   string    `parquet:"source"`
		Relation string    `parquet:"relation"`
		Target   string    `parquet:"target"`
		Weight   float64   `parquet:"weight"`
		On       time.Time `parquet:"on,timestamp"`
		Units    []string  `parquet:"units,list"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	_, err := w.Write([]row{
		{"SCROOGE", "haunted by", "MARLEY", 9.5, time.Date(1843, 12, 19, 0, 0, 0, 0, time.UTC), []string{"u1", "u2"}},
		{"SCROOGE", "employs", "BOB CRATCHIT", 8, time.Date(1843, 12, 24, 7, 30, 0, 0, time.UTC), nil},
	})
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	st, r, err := filed(t, "x", b.String(), ingest.Options{AcceptGuess: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"SCROOGE | employs | BOB CRATCHIT, weight 8, on 1843-12-24T07:30:00", "SCROOGE | haunted by | MARLEY, weight 9.5, on 1843-12-19, units u1, units u2"}
	if got := statements(graph(t, st)); !slices.Equal(got, want) {
		t.Errorf("File = %v, %q, want %q", r, got, want)
	}
	if _, _, err := filed(t, "x", b.String()[:b.Len()/2], ingest.Options{}); !errors.Is(err, ingest.ErrCut) {
		t.Errorf("half of it: %v, want ErrCut", err)
	}
}

// databaseOf makes a database with a script.
func databaseOf(t *testing.T, script string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "my file #1.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), script)
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWholeDatabase reads tables that foreign keys join: things, relations, and tables
// that are relations themselves.
func TestWholeDatabase(t *testing.T) {
	path := databaseOf(t, `
		CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT);
		CREATE TABLE "ship's yards" (id INTEGER PRIMARY KEY, name TEXT, opened DATE, country_code TEXT REFERENCES countries);
		CREATE TABLE ships (id INTEGER PRIMARY KEY, yard_id INT REFERENCES "ship's yards" (id), tons REAL, plan BLOB, sister INT REFERENCES ships);
		CREATE TABLE ports (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
		CREATE TABLE calls_at (ship INT REFERENCES ships, port INT REFERENCES ports, since INT, PRIMARY KEY (ship, port));
		CREATE TABLE berths (port INT REFERENCES ports, number INT, PRIMARY KEY (port, number));
		CREATE TABLE moorings (id INTEGER PRIMARY KEY, port INT, number INT, buoy TEXT REFERENCES ports (name), FOREIGN KEY (port, number) REFERENCES berths);
		CREATE TABLE empty (x INT); CREATE VIEW seen AS SELECT * FROM ports;
		INSERT INTO countries VALUES ('NO', 'Norway');
		INSERT INTO "ship's yards" VALUES (1, 'Akers', '1841-05-01', 'NO'), (2, 'Nylands', NULL, NULL);
		INSERT INTO ships VALUES (1, 1, 900.5, x'00', NULL), (2, 7, NULL, NULL, 1);
		INSERT INTO ports VALUES (1, 'Bergen'), (2, 'Bodo');
		INSERT INTO calls_at VALUES (1, 1, 1901), (1, 2, NULL);
		INSERT INTO berths VALUES (1, 5);
		INSERT INTO moorings VALUES (1, 1, 5, 'Bodo');`)
	st := store(t)
	r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Akers | country | Norway", "Akers | opened | 1841-05-01",
		"berth 1/5 | port | Bergen",
		"mooring 1 | berth | berth 1/5", "mooring 1 | buoy | Bodo",
		"ship 1 | calls at | Bergen, since 1901", "ship 1 | calls at | Bodo", "ship 1 | tons | 900.5", "ship 1 | yard | Akers",
		"ship 2 | sister | ship 1", "ship 2 | yard | ship's yards 7",
	}
	if got := statements(graph(t, st)); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, note := range []string{"ships: Each row of “ships” is a ship.", "calls_at: Each row of “calls_at” joins a ship to a port: the relation is “calls at”.", "empty: it has no rows", "seen: it shows", "ships.plan: it contains binary data", "1 node appears only in edges. Its id is its name."} {
		if !strings.Contains(strings.Join(r.Notes, "\n"), note) {
			t.Errorf("the notes lack %q: %q", note, r.Notes)
		}
	}
	if r.Read != r.Used+r.Rejected+r.Skipped || r.Rejected > 0 {
		t.Errorf("%v", r)
	}
}

// TestUniqueKeys follows foreign keys to columns that are unique and no primary key.
func TestUniqueKeys(t *testing.T) {
	path := databaseOf(t, `
		CREATE TABLE stations (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT, zone INT);
		CREATE TABLE platforms (station INT, number TEXT, name TEXT, UNIQUE (number, station));
		CREATE TABLE staff (id INTEGER PRIMARY KEY, email TEXT, name TEXT, boss_email TEXT REFERENCES staff (email), zone INT REFERENCES stations (zone));
		CREATE UNIQUE INDEX mails ON staff (email);
		CREATE TABLE trains (id INTEGER PRIMARY KEY, home_code TEXT REFERENCES stations (Code), station INT, platform TEXT,
			FOREIGN KEY (station, platform) REFERENCES platforms (station, number));
		CREATE TABLE stops_at (train INT REFERENCES trains, code TEXT REFERENCES stations (code), minute INT);
		INSERT INTO stations VALUES (1, 'BGO', 'Bergen', 7), (2, 'VOS', 'Voss', 7);
		INSERT INTO platforms VALUES (1, '4b', 'East platform');
		INSERT INTO staff VALUES (1, 'a@x', 'Ann', NULL, 7), (2, 'b@x', 'Bob', 'a@x', NULL);
		INSERT INTO trains VALUES (61, 'BGO', 1, '4b'), (62, 'XXX', NULL, NULL);
		INSERT INTO stops_at VALUES (61, 'VOS', 12);`)
	st := store(t)
	if _, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Ann | email | a@x", "Ann | zone | 7", "Bergen | code | BGO", "Bergen | zone | 7", "Bob | boss | Ann", "Bob | email | b@x",
		"East platform | number | 4b", "East platform | station | 1", "Voss | code | VOS", "Voss | zone | 7",
		"train 61 | home | Bergen", "train 61 | platform | East platform", "train 61 | stops at | Voss, minute 12",
		"train 62 | home | Code XXX",
	}
	if got := statements(graph(t, st)); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestDatabase(t *testing.T) {
	path := databaseOf(t, `CREATE TABLE kb (head TEXT, relation TEXT, tail TEXT); INSERT INTO kb VALUES ('Ann', 'knows', 'Bob'), ('Bob', 'knows', 'Cem');
		CREATE TABLE other (x INT)`)
	if _, err := ingest.File(t.Context(), store(t), path, ingest.Options{}, nil); !errors.Is(err, ingest.ErrChoose) || !strings.Contains(err.Error(), "“kb”, “other”") {
		t.Errorf("File = %v, want ErrChoose", err)
	}
	for choice, want := range map[string]int{"kb": 2, "SELECT head, relation, tail FROM kb WHERE head = 'Ann'": 1} {
		st := store(t)
		if r, err := ingest.File(t.Context(), st, path, ingest.Options{Table: choice}, nil); err != nil || graph(t, st).Triples() != want {
			t.Errorf("%s: %v, %v, want %d", choice, r, err, want)
		}
	}
	if _, err := ingest.File(t.Context(), store(t), path, ingest.Options{Table: "SELECT 1; DROP TABLE kb"}, nil); err == nil {
		t.Error("a query with two statements was taken")
	}
}

// TestGraphFormats reads one graph in many formats.
func TestGraphFormats(t *testing.T) {
	for name, text := range map[string]string{
		"GraphML":  `<graphml><key id="n" for="node" attr.name="name"/><graph><node id="1"><data key="n">Ann</data></node><node id="2"><data key="n">Bob</data></node><edge source="1" target="2" label="knows"/></graph></graphml>`,
		"GEXF":     `<gexf><graph><nodes><node id="1" label="Ann"/><node id="2" label="Bob"/></nodes><edges><edge source="1" target="2" label="knows"/></edges></graph></gexf>`,
		"GML":      `graph [ node [ id 1 label "Ann" ] node [ id 2 label "Bob" ] edge [ source 1 target 2 label "knows" ] ]`,
		"JSON":     `{"nodes":[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}],"links":[{"source":1,"target":2,"type":"knows"}]}`,
		"APOC":     `{"type":"node","id":"1","properties":{"name":"Ann"}}` + "\n" + `{"type":"node","id":"2","properties":{"name":"Bob"}}` + "\n" + `{"type":"relationship","label":"knows","start":{"id":"1"},"end":{"id":"2"}}` + "\n",
		"no names": `{"nodes":[{"id":"Ann"},{"id":"Bob"}],"edges":[{"from":"Ann","to":"Bob","label":"knows"}]}`,
	} {
		st, r, err := filed(t, "x", text, ingest.Options{})
		if got := statements(graph(t, st)); err != nil || !slices.Equal(got, []string{"Ann | knows | Bob"}) || r.Stubs > 0 {
			t.Errorf("%s: %v, %v, %q", name, r, err, got)
		}
	}
	if _, r, err := filed(t, "x.sif", "Ann knows Bob Cem\n", ingest.Options{}); err != nil || r.Added != 2 {
		t.Errorf("SIF: %v, %v", r, err)
	}
	_, _, err := filed(t, "x", `{"nodes":[{"id":1,"name":"Ann"},`+"\n"+`{"id":2,"na`, ingest.Options{})
	if bad, ok := errors.AsType[*kg.FileError](err); !ok || bad.Line != 2 || bad.Remedy == "" {
		t.Errorf("a document that is cut: %v, want an error in line 2", err)
	}
}
