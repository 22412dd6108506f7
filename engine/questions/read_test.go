package questions

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

func TestReadFormats(t *testing.T) {
	kismet := Question{Text: "who directed Kismet", Topics: []string{"Kismet"}, Answers: []string{"William Dieterle", "Vincente Minnelli"}, Line: 1}
	on := func(line int) []Question {
		q := kismet
		q.Line = line
		return []Question{q}
	}
	for _, test := range []struct {
		name, text string
		want       []Question
	}{
		{"metaqa", "who directed [Kismet]\tWilliam Dieterle|Vincente Minnelli\n", on(1)},
		{"metaqa begins with its topic", "[Kismet] was directed by whom\tWilliam Dieterle", []Question{
			{Text: "Kismet was directed by whom", Topics: []string{"Kismet"}, Answers: []string{"William Dieterle"}, Line: 1},
		}},
		{"brackets of a name", "who directed [[REC] 2]\tJaume Balagueró", []Question{
			{Text: "who directed [REC] 2", Topics: []string{"[REC] 2"}, Answers: []string{"Jaume Balagueró"}, Line: 1},
		}},
		{"two topics", "what joins [Oslo] and [Rome]\tEurope", []Question{
			{Text: "what joins Oslo and Rome", Topics: []string{"Oslo", "Rome"}, Answers: []string{"Europe"}, Line: 1},
		}},
		{"pathquestion", "the nation of ann_lee 's couple ?\tuk(uk/us/)\tann_lee#spouse#abe#nationality#uk#<end>#uk", []Question{
			{Text: "the nation of ann_lee 's couple ?", Topics: []string{"ann_lee"}, Answers: []string{"uk", "us"}, Line: 1},
		}},
		{"worldcup", "name a Forward from Mexico ?\tPULIDO\tForward#plays_inverse#PULIDO#<end>#PULIDO*Mexico#from_inverse#PULIDO#<end>#PULIDO\tPERALTA/PULIDO/", []Question{
			{Text: "name a Forward from Mexico ?", Topics: []string{"Forward", "Mexico"}, Answers: []string{"PERALTA", "PULIDO"}, Line: 1},
		}},
		{"csv", "question,topics,answers\nwho directed Kismet,Kismet,William Dieterle|Vincente Minnelli\n", on(2)},
		{"csv of Windows", "\ufeffQuestion;Topic Entity;Gold answers\r\n\"who directed Kismet\";\"Kismet\";\"William Dieterle;; Vincente Minnelli\"\r\n", on(2)},
		{"old Macintosh", "question,topics,answers\rwho directed Kismet,Kismet,William Dieterle|Vincente Minnelli", on(2)},
		{"tsv", "id\tanswer 1\tanswer 2\tquestion\ttopic\n7\tWilliam Dieterle\tVincente Minnelli\twho directed Kismet\tKismet\n", on(2)},
		{"marked in a table", "question,answer\nwho directed [Kismet],William Dieterle|Vincente Minnelli\n", on(2)},
		{"names with commas, quotes and line ends", "question,topic,answer\n\"who wrote \"\"Oh, Susanna\"\"\nthat year\",\"Oh, Susanna\",\"Foster, Stephen\"\n\"Pimpernel\" Smith is by whom,\"\"\"Pimpernel\"\" Smith\",Howard\n", []Question{
			{Text: `who wrote "Oh, Susanna" that year`, Topics: []string{"Oh, Susanna"}, Answers: []string{"Foster, Stephen"}, Line: 2},
			{Text: `"Pimpernel" Smith is by whom`, Topics: []string{`"Pimpernel" Smith`}, Answers: []string{"Howard"}, Line: 4},
		}},
		{"a list in a cell", "question\tanswers\nwho directed Kismet\t[\"William Dieterle\", \"Vincente Minnelli\"]", []Question{
			{Text: "who directed Kismet", Answers: kismet.Answers, Line: 2},
		}},
		{"no topics", "question,answer\nwho directed Kismet,William Dieterle\n", []Question{
			{Text: "who directed Kismet", Answers: []string{"William Dieterle"}, Line: 2},
		}},
		{"json lines", `{"question": "who directed Kismet", "topic_entities": ["Kismet"], "answers": ["William Dieterle", "Vincente Minnelli", "Vincente Minnelli"]}`, on(1)},
		{"json array", "[\n{\"question\": \"who directed Kismet\", \"topic_entity\": {\"m.1\": \"Kismet\"},\n\"answers\": [{\"kb_id\": \"m.2\", \"text\": \"William Dieterle\"}, {\"kb_id\": \"m.3\", \"text\": \"Vincente Minnelli\"}]}\n]", on(2)},
		{
			"published WebQSP",
			`{"Version": "1.0", "Questions": [
{"QuestionId": "1", "RawQuestion": "who directed Kismet", "Parses": [{"TopicEntityName": "Kismet", "TopicEntityMid": "m.1", "Answers": [
	{"AnswerArgument": "m.2", "EntityName": "William Dieterle"}, {"AnswerArgument": "m.3", "EntityName": "Vincente Minnelli"}, {"AnswerArgument": "m.2", "EntityName": "William Dieterle"}]}]}]}`,
			on(2),
		},
		{"years are answers", `{"question": "when", "answers": [1944, "1955"], "entities": [{"kb_id": "m.1", "text": null}]}`, []Question{
			{Text: "when", Topics: []string{"m.1"}, Answers: []string{"1944", "1955"}, Line: 1},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, problems, err := parse(t.Context(), "q", test.text, "")
			if err != nil || len(problems) > 0 {
				t.Fatalf("Parse: %v, %v", problems, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
			// The same in a packed file, and in UTF-16.
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			if _, err := z.Write(utf16(test.text)); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "questions")
			if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			again, _, err := Read(t.Context(), path, "")
			if diff := cmp.Diff(got, again); err != nil || diff != "" {
				t.Errorf("Read of the packed file: %v (-plain +packed):\n%s", err, diff)
			}
		})
	}
}

// utf16 writes text of the basic plane in UTF-16 with a mark.
func utf16(s string) []byte {
	b := []byte{0xfe, 0xff}
	for _, r := range strings.TrimPrefix(s, "\ufeff") {
		b = append(b, byte(r>>8), byte(r))
	}
	return b
}

func TestUnmark(t *testing.T) {
	for _, test := range []struct {
		in, plain string
		topics    []string
	}{
		{"what movies did [Temuera Morrison] act in", "what movies did Temuera Morrison act in", []string{"Temuera Morrison"}},
		{"who directed [[REC]]", "who directed [REC]", []string{"[REC]"}},
		{"[A] and [B]", "A and B", []string{"A", "B"}},
		{"a smile :] is in [Up]", "a smile :] is in Up", []string{"Up"}},
		{"[a [b]", "a [b", []string{"a [b"}},
		{"no topic", "no topic", nil},
		{"] no [", "] no [", nil},
	} {
		if plain, topics := unmark(test.in); plain != test.plain || !cmp.Equal(topics, test.topics) {
			t.Errorf("unmark(%q) = %q, %q, want %q, %q", test.in, plain, topics, test.plain, test.topics)
		}
	}
}

func TestReadProblems(t *testing.T) {
	for _, test := range []struct {
		name, text string
		questions  int
		want       []Problem
	}{
		{"metaqa", "who made [A]\tB\nwho made [A]\nwho made A\tB\n\nwho made [A]\t|\nx [A]\xff\tB\n", 1, []Problem{
			{2, "No tab between the question and its answers."},
			{3, "No [topic] in the question."},
			{5, "The question has no answer."},
			{6, "It is not valid UTF-8."},
		}},
		{"csv", "question,answer\nwho,B\n,C\nwhat,\n\"never closed,D\nwhere,E\n", 2, []Problem{
			{3, "It has no question."},
			{4, "The question has no answer."},
			{5, "A quotation mark is not closed."},
		}},
		{"json lines", "{\"question\": \"who\", \"answer\": \"B\"}\n{\"question\": \"who\", \"answer\n7\n{\"question\": \"what\", \"answers\": []}\n{\"question\": \"where\", \"answers\": \"E\"}\n", 2, []Problem{
			{2, "The JSON cannot be read: invalid character '\\n' in string literal."},
			{3, "It is not a JSON object with a question and its answers."},
			{4, "The question has no answer."},
		}},
		{"json array", "[{\"question\": \"who\", \"answer\": \"B\"},\n{\"question\": \"what\"", 1, []Problem{
			{2, "The JSON is truncated; the rest was not read."},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			qs, problems, err := parse(t.Context(), "q", test.text, "")
			if err != nil || len(qs) != test.questions {
				t.Fatalf("Parse = %v, %v; want %d questions", qs, err, test.questions)
			}
			if diff := cmp.Diff(test.want, problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for _, test := range []struct {
		name, text, format string
		kind               error
		line               int64
		want               string
	}{
		{"empty", " \n\n", "", ingest.ErrEmpty, 0, "read q: the file is empty; choose a file with one question and its answers per line"},
		{"header only", "question,topics,answers\n\n", "", ingest.ErrEmpty, 0, "it has no questions, only a header"},
		{"empty array", "[]", "", ingest.ErrEmpty, 0, "it has no questions"},
		{"no answers", "question,answers\nwho,\nwhat,\n", "", ingest.ErrFormat, 2, "none of its 2 questions can be used. The first: The question has no answer"},
		{"one question without an answer", "who made [A]\t\n", "", ingest.ErrFormat, 1, "none of its questions can be used. The question has no answer; correct"},
		{"triples", "Kismet|directed_by|William Dieterle\n", "", ingest.ErrFormat, 1, "it is not in a known question format; it begins with \"Kismet|"},
		{"another format", "who made [A]\tB\n", "worldcup", ingest.ErrFormat, 1, "Fewer than 4 columns"},
		{"no such format", "who made [A]\tB\n", "xml", ingest.ErrFormat, 0, "unknown format \"xml\"; choose one of csv, metaqa"},
		{"bytes", "PK\x03\x04\n\x00", "", ingest.ErrBinary, 2, "it is not text"},
		{"csv without a header", "who made A,B\n", "csv", ingest.ErrFormat, 1, "first row question,topics,answers"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := parse(t.Context(), "q", test.text, test.format)
			file, ok := errors.AsType[*kg.FileError](err)
			if !ok || !errors.Is(err, test.kind) || file.Line != test.line || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Parse = %v, want %v of line %d that says %q", err, test.kind, test.line, test.want)
			}
		})
	}
	packed := filepath.Join(t.TempDir(), "questions.gz")
	if err := os.WriteFile(packed, []byte("\x1f\x8b\x08\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(t.Context(), packed, ""); !errors.Is(err, ingest.ErrCut) || !strings.HasSuffix(err.Error(), "; download it again") {
		t.Errorf("Read of half a packed file = %v, want %v", err, ingest.ErrCut)
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none.csv")} {
		if _, _, err := Read(t.Context(), path, ""); err == nil || !strings.HasPrefix(err.Error(), "read "+path+": it ") {
			t.Errorf("Read(%s) = %v, want an error that names it", path, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := parse(ctx, "q", strings.Repeat("who made [A]\tB\n", 2*checkEvery), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Parse when cancelled = %v, want context.Canceled", err)
	}
}

func TestReadDataSets(t *testing.T) {
	for _, test := range []struct {
		file      string
		questions int
		first     Question
	}{
		{"metaqa/1-hop/qa_dev.txt", 9992, Question{Text: "what movies did Temuera Morrison act in", Topics: []string{"Temuera Morrison"}}},
		{"metaqa/2-hop/qa_train.txt.gz", 118_980, Question{Text: "which person wrote the films directed by Károly Makk", Topics: []string{"Károly Makk"}}},
		{"pathquestion/PQ-3H.txt", 5198, Question{Text: "the place of birth of sylvia_brett 's other half 's father ?", Topics: []string{"sylvia_brett"}}},
		{"worldcup2014/path2.txt", 736, Question{Text: "name a soccer club that has a player from Mexico ?", Topics: []string{"Mexico"}}},
		{"worldcup2014/conjunctive.txt", 1104, Question{Text: "name a player who plays at Forward from Mexico ?", Topics: []string{"Forward", "Mexico"}}},
		{"webqsp-cwq/webqsp_test.jsonl.gz", 814, Question{Text: "what did james k polk do before he was president", Topics: []string{"James K. Polk"}}},
		{"webqsp-cwq/cwq_test.jsonl.gz", 1765, Question{Text: `Where did the "Country Nation World Tour" concert artist go to college?`, Topics: []string{"Bachelor's degree", "Country Nation World Tour"}}},
		{"biokgqa/dataset/PcQA.json", 405, Question{Text: "Which types of cancer are associated with MET?"}},
	} {
		qs, problems, err := Read(t.Context(), shared.Data(t, test.file), "")
		if err != nil || len(qs) != test.questions || len(problems) > 0 {
			t.Errorf("Read(%s) = %d questions, %d problems, %v; want %d", test.file, len(qs), len(problems), err, test.questions)
			continue
		}
		if diff := cmp.Diff(test.first, qs[0], cmpopts.IgnoreFields(Question{}, "Answers", "Line")); diff != "" {
			t.Errorf("Read(%s)[0] (-want +got):\n%s", test.file, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"who directed [Kismet]\tWilliam Dieterle|Vincente Minnelli\n[[REC] 2]\tx\n[a]]\tb",
		"the nation of ann_lee ?\tuk(uk/us/)\tann_lee#spouse#abe#<end>#abe",
		"name ?\tPULIDO\tForward#r#PULIDO*Mexico#r#PULIDO\tPERALTA/PULIDO/",
		"question,topics,answers\n\"a \"\"b\"\",\nc\",d|e,f;;g\n\"open,\n\"\"\"x\",y,z\"",
		"question\tanswer\n\"a\tb\n",
		`[{"question": "who", "topic_entity": {"m.1": "Kismet"}, "answers": [{"text": "x"}, 7, null]}, {"Questions": []}]`,
		`{"Questions": [{"RawQuestion": "w", "Parses": [{"TopicEntityName": "K", "Answers": [{"EntityName": "W"}]}]}]}`,
		"\ufeff{}\n{\"question\": 7}", "\x1f\x8b\x08", "\xfe\xff\x00q",
	} {
		f.Add(s, "")
		f.Add(s, Formats[len(s)%len(Formats)])
	}
	f.Fuzz(func(t *testing.T, text, format string) {
		qs, problems, err := parse(t.Context(), "q", text, format)
		if err != nil {
			if _, ok := errors.AsType[*kg.FileError](err); !ok || len(qs) > 0 {
				t.Fatalf("parse(%q, %q) = %d questions, %v", text, format, len(qs), err)
			}
			return
		}
		last := 0
		lines := 1 + strings.Count(text, "\n") + strings.Count(text, "\r")
		g := NewGrounder(fuzzGraph)
		for _, q := range qs {
			if q.Text == "" || len(q.Answers) == 0 || q.Line < last || q.Line > lines && !strings.HasPrefix(text, "\x1f") {
				t.Errorf("parse(%q, %q) has %+v", text, format, q)
			}
			last = q.Line
			x, problem, err := g.Ground(t.Context(), q)
			if err != nil || (problem == nil) == (len(x.Answers) == 0) {
				t.Errorf("Ground(%+v) = %+v, %v, %v", q, x, problem, err)
			}
		}
		for _, p := range problems {
			if p.Line < 1 || !strings.HasSuffix(p.Why, ".") {
				t.Errorf("parse(%q, %q) has the problem %+v", text, format, p)
			}
		}
	})
}

// readAll returns the text of a data set's file.
func readAll(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(shared.Data(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
