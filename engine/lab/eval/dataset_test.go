package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/testing/shared"

	"github.com/google/go-cmp/cmp"
)

func TestMetaQASteps(t *testing.T) {
	got, err := metaQASteps("writer_to_movie_to_director")
	want := []Step{{Relation: "written_by", Inverse: true}, {Relation: "directed_by"}}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("metaQASteps = %v, %v, want %v", got, err, want)
	}
	if _, err := metaQASteps("cook_to_meal"); err == nil {
		t.Error("an unknown question type gave no error")
	}
}

func TestLoadPathQuestion(t *testing.T) {
	dir := t.TempDir()
	line := "what is ann 's couple 's faith ?\tx(x/y/)\tann#spouse#bob#religion#x#<end>#x\n"
	if err := os.WriteFile(filepath.Join(dir, "q.txt"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := loadPathQuestion(dir, "q.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := []Question{{
		ID: "q.txt:1", Text: "what is ann 's couple 's faith ?", Topics: []string{"ann"}, Gold: []string{"x", "y"},
		Chains: []Chain{{Topic: "ann", Steps: []Step{{Relation: "spouse"}, {Relation: "religion"}}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("loadPathQuestion (-want +got):\n%s", diff)
	}
}

func TestLoadErrorsNameTheLine(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "q.txt"), []byte("a\tb(b/)\ta#r#b\nbroken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := loadPathQuestion(dir, "q.txt")
	if err == nil || !strings.Contains(err.Error(), "q.txt:2:") {
		t.Errorf("error = %v, want it to name q.txt:2", err)
	}
}

// TestDatasetsLoad reads every real set whole: their sizes are published.
func TestDatasetsLoad(t *testing.T) {
	root := shared.Data(t, ".")
	want := map[string][]int{
		"metaqa":       {9992, 14872, 14274, 9992},
		"pathquestion": {1908, 5198},
		"worldcup":     {3241, 736, 1104},
		"webqsp":       {814},
		"cwq":          {1765},
		"factkg":       {4520},
		"erqa":         {1076, 304},
	}
	for _, d := range Datasets() {
		var got []int
		for _, g := range d.Groups {
			qs, err := g.Load(root)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, len(qs))
		}
		if !cmp.Equal(got, want[d.Name]) {
			t.Errorf("%s has parts of %v questions, want %v", d.Name, got, want[d.Name])
		}
	}
}
