package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/testing/golden"
)

// TestTranscriptOfImports shows what an import says of tables that it reads only
// in part, is not sure of, or cannot read.
func TestTranscriptOfImports(t *testing.T) {
	dir := home(t)
	files := map[string]string{
		"edges.csv":   "source,target,relation,from,to\nAnn,Oslo,lives in,2001-01-01,2003-01-01\nBob,Rome,works in,2002-02-01,2004-01-01\nCem,Lima,lives in,2005-01-01,2008-01-01\n",
		"people.csv":  "name,city,age\nAnn,Berlin,34\nBob,Paris,28\n",
		"plain.csv":   "source,target,weight\nAnn,Bob,0.3\nBob,Cem,0.4\nCem,Ann,0.5\n",
		"cities.csv":  "Ann,Berlin,Germany\nBob,Paris,France\nCem,Rome,Italy\n",
		"excel.csv":   "sep=;\nsubject;predicate;object\nAnn;knows;Bob\nBob;knows;Cem\n",
		"latin.tsv":   "Caf\xe9\tin\tM\xfcnchen\nCaf\xe9\tin\tK\xf6ln\n",
		"bands.tsv":   "U2\tlabel\tIsland\nU2\tgenre\trock\nToto\tlabel\tColumbia\nToto\tgenre\trock\nDevo\tgenre\tpop\n",
		"curie.csv":   "head,relation,tail,from,to,source\nMarie Curie,director of,Radium Institute,1914,1934,biography.pdf\nMarie Curie,director of,Radium Institute,1919,1920,letters.pdf\n",
		"roles.csv":   "film,performer,character\nAlien,Weaver,Ripley\nAlien,Hurt,Kane\nHeat,Pacino,Hanna\nHeat,De Niro,McCauley\nAlien,Holm,Ash\nHeat,Kilmer,Shiherlis\n",
		"coached.csv": "film,performer,coach\nAlien,Weaver,Ripley\nAlien,Hurt,Kane\nHeat,Pacino,Hanna\nHeat,De Niro,McCauley\nAlien,Holm,Ash\nHeat,Kilmer,Shiherlis\n",
		"towns.csv":   "name,city,age\nCem,Rome,51\n",
		"ids.tsv":     "id\tlabel\nToto\tToto of Los Angeles\nQ9\tNine\n",
		"staff.csv":   "Staff list 2024\n\nPerson,Address,,Contact,\n,street,city,phone,email\nAnn,Ring 1,Bonn,0301,a@x\nBob,Allee 2,Ulm,0302,b@x\n",
		"jobs.csv":    "person,w\nAnn,Acme\nBob,Beta\nCem,Acme\n",
		"names.tsv":   "id\tlabel\nQ1\tOne\nQ2\tTwo\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	for i, args := range [][]string{
		{"edges.csv"},
		{"people.csv"},
		{"plain.csv"},
		{"plain.csv", "--head", "source", "--tail", "target", "--relation", "=knows"},
		{"curie.csv"},
		{"roles.csv"},
		{"coached.csv"},
		{"coached.csv", "--columns", "head,tail,property", "--relation", "=performer"},
		{"coached.csv", "towns.csv"},
		{"coached.csv", "towns.csv", "--columns", "coached.csv=head,tail,property,relation=performer,type=film"},
		{"people.csv", "--dry-run"},
		{"curie.csv", "--dry-run"},
		{"people.csv", "--columns", "head,value", "--save-map", "people.import.toml"},
		{"towns.csv", "--dry-run"},
		{"towns.csv", "--map", "people.import.toml"},
		{"curie.csv", "--map", "people.import.toml"},
		{"cities.csv", "--columns", "head,queen,value"},
		{"cities.csv"},
		{"cities.csv", "--yes"},
		{"excel.csv"},
		{"latin.tsv"},
		{"bands.tsv"},
		{"names.tsv"},
		{"bands.tsv", "--labels", "names.tsv"},
		{"bands.tsv", "--labels", "ids.tsv", "--dry-run"},
		{"ids.tsv", "bands.tsv", "--dry-run"},
		{"jobs.csv"},
		{"staff.csv"},
	} {
		line := []string{"import"}
		for _, a := range args {
			if _, ok := files[a]; ok || a == "people.import.toml" {
				a = filepath.Join(dir, a)
			}
			line = append(line, a)
		}
		line = append(line, "--into", filepath.Join(dir, "g"+string(rune('a'+i))+".cairn"))
		b.WriteString(cairn(t, dir, line...))
	}
	golden.Compare(t, "testdata/imports.txt", b.String())
}
