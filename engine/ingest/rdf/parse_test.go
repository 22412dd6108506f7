package rdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest/rdf"
)

// parsers are the syntaxes that are read as documents.
var parsers = map[string]func(text string, h rdf.Handler) error{
	"turtle": func(text string, h rdf.Handler) error {
		return rdf.Turtle(strings.NewReader(text), true, rdf.Options{MaxTerm: 1 << 10}, h)
	},
	"xml": func(text string, h rdf.Handler) error {
		return rdf.XML(strings.NewReader(text), rdf.Options{MaxTerm: 1 << 10}, h)
	},
	"jsonld": func(text string, h rdf.Handler) error { return rdf.JSONLD(strings.NewReader(text), rdf.Options{}, h) },
}

// fuzz: no panic, lines ascend, and what is read prints to N-Quads that read back alike.
func fuzz(f *testing.F, parse func(string, rdf.Handler) error, seeds ...string) {
	f.Helper()
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := int64(0)
		ascend := func(next int64) {
			if next < line || next > int64(strings.Count(text, "\n"))+1 {
				t.Errorf("line %d after line %d of %d", next, line, strings.Count(text, "\n")+1)
			}
			line = next
		}
		_ = parse(text, rdf.Handler{
			Statement: func(st *rdf.Statement) error {
				ascend(st.Line)
				if st.Subject.Kind == rdf.None || st.Predicate.Kind != rdf.IRI || st.Object.Kind == rdf.None {
					t.Errorf("%q gives the statement %q", text, quadOf(st))
				}
				return nil
			},
			Reject: func(e *rdf.SyntaxError) error {
				if e.Column < 1 || e.What == "" {
					t.Errorf("%q: column %d, %q", text, e.Column, e.What)
				}
				return nil
			},
		})
	})
}

func FuzzTurtle(f *testing.F) {
	fuzz(f, parsers["turtle"], "@prefix : <http://x/> .\n:a :b [ :c ( 1 2.5 'x'@en ) ] , \"\"\"y\n\"\"\"^^:t {| :d :e |} .\n:g { << :a :b :c ~ :i >> :p <<( :a :b :c )>> . }\n",
		"PREFIX x: <http://x/>\nx:a.b x:c _:d.e, true;; .", "<rel> <http://x/p> <//h/./../x> .\n@base <http://x/y> .\n<#a> <b> <c> .", "{", "\"", "[] .")
}

func FuzzXML(f *testing.F) {
	const head = "<!DOCTYPE r [<!ENTITY e \"http://x/\">]><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://x/\" xml:base=\"http://x/\">"
	fuzz(f, parsers["xml"], head+"<a rdf:ID=\"i\" b=\"c\">\n<d rdf:parseType=\"Collection\"><e/><f/></d><g rdf:parseType=\"Literal\">x<h i=\"j\"/></g></a></rdf:RDF>", head+"<a", "<a xmlns=\"x:\">&e;</a>")
}

func FuzzJSONLD(f *testing.F) {
	fuzz(f, parsers["jsonld"], `{"@context":{"a":"http://x/a"},"@id":"http://x/i","a":["b",{"@list":[1,2.5,true]}]}`, `{"@context":"http://nowhere/"}`, `[`)
}

// TestLimits: what is too deep, too long or never ends is refused with a reason.
func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 2<<10)
	for _, tt := range []struct{ parser, text, say string }{
		{"turtle", "<http://x/a> <http://x/b> " + strings.Repeat("[ <http://x/b> ", 2000), "deep"},
		{"turtle", "<http://x/a> <http://x/b> " + strings.Repeat("( ", 2000), "deep"},
		{"turtle", "<http://x/a> <http://x/b> " + strings.Repeat("<<( <http://x/a> <http://x/b> ", 2000), "deep"},
		{"turtle", "<http://x/a> <http://x/b> \"" + long + "\" .", "limit"},
		{"turtle", "<http://x/" + long + "> <http://x/b> 1 .", "limit"},
		{"turtle", "<a> <b> <c> .", "base"},
		{"turtle", "x:a x:b x:c .", "@prefix x:"},
		{"xml", strings.Repeat("<a xmlns=\"x:\">", 2000), "deep"},
		{"xml", "<a xmlns=\"x:\"><b>" + strings.Repeat("y", 1<<20), "limit"},
		{"xml", "<!DOCTYPE a [<!ENTITY a \"yyyyyyyyyy\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">]><a xmlns=\"x:\"><b>&d;&d;</b></a>", "entities"},
		{"xml", "<a xmlns=\"x:\"><b></a>", "not open"},
		{"jsonld", strings.Repeat("[", 100000), "deep"},
		{"jsonld", "{\n\"a\": }", "well formed"},
		{"jsonld", `{"@context":"https://example.org/context","a":1}`, "does not fetch"},
	} {
		said := ""
		err := parsers[tt.parser](tt.text, rdf.Handler{Statement: func(*rdf.Statement) error { return nil }, Reject: func(e *rdf.SyntaxError) error {
			said += e.Error() + "\n"
			return nil
		}})
		if err != nil || !strings.Contains(said, tt.say) {
			t.Errorf("%s %.80q: %v, %.200q; want a rejection that says %q", tt.parser, tt.text, err, said, tt.say)
		}
	}
}

// TestBuiltInContexts: documents of schema.org, RO-Crate and Biolink are read without
// the network.
func TestBuiltInContexts(t *testing.T) {
	for _, tt := range []struct{ text, predicate string }{
		{`{"@context":"https://schema.org","@id":"http://x/a","name":"A"}`, "<http://schema.org/name>"},
		{`{"@context":"https://w3id.org/ro/crate/1.1/context","@id":"http://x/a","conformsTo":{"@id":"http://x/b"}}`, "<http://purl.org/dc/terms/conformsTo>"},
		{`{"@context":"https://w3id.org/biolink/context.jsonld","id":"MONDO:1","related_to":"x"}`, "<https://w3id.org/biolink/vocab/related_to>"},
	} {
		var got []quad
		err := parsers["jsonld"](tt.text, rdf.Handler{Statement: func(st *rdf.Statement) error { got = append(got, quadOf(st)); return nil }})
		if err != nil || len(got) != 1 || got[0].p != tt.predicate {
			t.Errorf("%s: %v, %v", tt.text, got, err)
		}
	}
}

// TestJSONLDHasOneOrder: a document is read in the same order every time.
func TestJSONLDHasOneOrder(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"@context":{"@vocab":"http://x/"},"@graph":[`)
	for i := range 50 {
		fmt.Fprintf(&b, `{"@id":"http://x/%d","@type":["A%d","B"],"r":{"@id":"http://x/%d"}},`, i, i%3, i+1)
	}
	b.WriteString(`{"@id":"http://x/end","r":{"@id":"http://x/0"}}]}`)
	var first string
	for range 5 {
		var got strings.Builder
		err := rdf.JSONLD(strings.NewReader(b.String()), rdf.Options{}, rdf.Handler{Statement: func(s *rdf.Statement) error {
			fmt.Fprintf(&got, "%s %s %s\n", s.Subject.Value, s.Predicate.Value, s.Object.Value)
			return nil
		}})
		if err != nil || got.Len() == 0 {
			t.Fatal(err)
		}
		if first == "" {
			first = got.String()
		} else if diff := cmp.Diff(first, got.String()); diff != "" {
			t.Fatalf("another order:\n%s", diff)
		}
	}
}
