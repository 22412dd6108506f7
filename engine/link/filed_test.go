package link

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/internal/arrays"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// fileAll makes every graph count as large.
func fileAll(t *testing.T) {
	t.Helper()
	was := filedFrom
	filedFrom = 1
	t.Cleanup(func() { filedFrom = was })
}

// manyNames is a graph with names of all kinds: shared ones, aliases, symbols,
// values, ones without a vector.
func manyNames() *kg.Graph {
	var b kg.Builder
	for i := range 3000 {
		e := b.Entity(fmt.Sprintf("http://example.org/%d", i))
		b.SetLabel(e, fmt.Sprintf("The %s of %c%d", []string{"King", "Québec", "Moon", "saints"}[i%4], 'A'+i%7, i/3))
		if i%5 == 0 {
			b.AddAlias(e, fmt.Sprintf("alias %d", i%50))
			b.AddAlias(e, "$")
		}
		if i%11 == 0 {
			b.SetLabel(e, fmt.Sprintf("%d-02-01", 1900+i/11))
		}
	}
	b.SetLabel(b.Entity("empty"), "")
	b.AddType(b.Entity("a"), "Thing")
	b.Add("a", "part_of", "b")
	return b.Graph()
}

func lexicalOf(t *testing.T, g *kg.Graph) *embed.Lexical {
	t.Helper()
	l, err := embed.OpenLexical(t.Context(), g.Entities(), func(i int) string { return g.Label(kg.EntityID(i)) }, lexicon.Builtin(), arrays.Folder{}, nil)
	if err != nil {
		t.Fatalf("OpenLexical: %v", err)
	}
	return l
}

func mustOpen(t *testing.T, g *kg.Graph, emb embed.Embedder, kept arrays.Folder) *Vocabulary {
	t.Helper()
	v, err := OpenVocabulary(t.Context(), g, emb, kept, nil)
	if err != nil {
		t.Fatalf("OpenVocabulary: %v", err)
	}
	return v
}

// counting counts what it embeds.
type counting struct {
	embed.Embedder
	names int
}

func (c *counting) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Document {
		c.names += len(texts)
	}
	return c.Embedder.Embed(ctx, kind, texts)
}

// TestFiledVocabulary: a vocabulary in files finds what one in memory does, up to
// the rounding of its vectors, is made once, and made anew for another state of
// the graph, another embedder, or damaged files.
func TestFiledVocabulary(t *testing.T) {
	g := manyNames()
	emb := &counting{Embedder: lexicalOf(t, g)}
	want, err := NewVocabulary(t.Context(), g, emb, nil)
	if err != nil {
		t.Fatalf("NewVocabulary: %v", err)
	}
	all := emb.names
	fileAll(t)
	kept := arrays.Folder{Dir: filepath.Join(t.TempDir(), "cache"), Version: "1"}
	made := func(what string, wantMade int, kept arrays.Folder) {
		t.Helper()
		emb.names = 0
		got := mustOpen(t, g, emb, kept)
		if emb.names != wantMade {
			t.Errorf("%s: %d names were embedded, want %d", what, emb.names, wantMade)
		}
		compareVocabularies(t, what, want, got)
	}
	few := g.Relations() + g.NumTypes()
	made("at first", all, kept)
	made("again", few, kept)
	for _, file := range files(t, kept.Dir) {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		bad := slices.Clone(whole)
		bad[len(bad)/2] ^= 1
		for what, b := range map[string][]byte{"damaged": bad, "cut": whole[:len(whole)/2], "empty": nil} {
			if err := os.WriteFile(file, b, 0o600); err != nil {
				t.Fatal(err)
			}
			made(what+" "+filepath.Ext(file), all, kept)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		made("no "+filepath.Ext(file), all, kept)
	}
	other := kept
	other.Version = "2"
	made("another version", all, other)
	if got := len(files(t, kept.Dir)); got != 2 {
		t.Errorf("%d files are kept, want those of the latest version alone", got)
	}
	// Files of another state under the name of this one are not used.
	for _, file := range files(t, kept.Dir) {
		if err := os.Rename(file, kept.Path("names", emb.ID(), strings.TrimPrefix(filepath.Ext(file), "."))); err != nil {
			t.Fatal(err)
		}
	}
	made("files of another version", all, kept)
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func compareVocabularies(t *testing.T, what string, want, got *Vocabulary) {
	t.Helper()
	texts := []string{"the king of A0", "Quebec", "alias 5", "$", "", "1907-02-01", "moons of B", "zzz"}
	for _, k := range []int{1, 7, 100} {
		a, errA := want.EntitiesAll(t.Context(), texts, k)
		b, errB := got.EntitiesAll(t.Context(), texts, k)
		if err := errors.Join(errA, errB); err != nil {
			t.Fatalf("%s: EntitiesAll: %v", what, err)
		}
		for i, text := range texts {
			if len(a[i]) != len(b[i]) {
				t.Fatalf("%s: %d neighbours of %q, want %d", what, len(b[i]), text, len(a[i]))
			}
			for j := range a[i] {
				// Rounding may swap neighbours that are about as near.
				if math.Abs(a[i][j].Distance-b[i][j].Distance) > 1e-4 {
					t.Errorf("%s: neighbour %d of %q is %v, want %v", what, j, text, b[i][j], a[i][j])
				}
			}
			one, err := got.Entities(t.Context(), text, k)
			if diff := cmp.Diff(b[i], one); err != nil || diff != "" {
				t.Errorf("%s: %q alone: %v\n%s", what, text, err, diff)
			}
		}
	}
}

// failing fails after some texts.
type failing struct {
	embed.Embedder
	left   int
	cancel func()
}

var errFailing = errors.New("no more")

func (f *failing) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if f.left -= len(texts); f.left < 0 {
		if f.cancel == nil {
			return nil, errFailing
		}
		f.cancel()
		return nil, context.Canceled
	}
	return f.Embedder.Embed(ctx, kind, texts)
}

// TestFiledVocabularyStopped: where embedding fails or is cancelled, nothing is
// left behind, and the next call makes it.
func TestFiledVocabularyStopped(t *testing.T) {
	fileAll(t)
	g := manyNames()
	emb := lexicalOf(t, g)
	kept := arrays.Folder{Dir: t.TempDir(), Version: "1"}
	if _, err := OpenVocabulary(t.Context(), g, &failing{emb, 500, nil}, kept, nil); !errors.Is(err, errFailing) {
		t.Errorf("OpenVocabulary = %v, want %v", err, errFailing)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := OpenVocabulary(ctx, g, &failing{emb, 500, cancel}, kept, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("OpenVocabulary = %v, want %v", err, context.Canceled)
	}
	if left := files(t, kept.Dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	mustOpen(t, g, emb, kept)
}

// TestFiledNowhere: where the folder cannot be written, names are kept in memory.
func TestFiledNowhere(t *testing.T) {
	fileAll(t)
	g := manyNames()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	kept := arrays.Folder{Dir: filepath.Join(file, "cache"), Version: "1"}
	if got := mustOpen(t, g, lexicalOf(t, g), kept); got.entities.index.Len() == 0 {
		t.Error("no names are found")
	}
	l, err := OpenLinker(t.Context(), g, nil, nil, kept, nil)
	if err != nil || len(l.Named("the moon of c0")) == 0 {
		t.Errorf("OpenLinker: %v", err)
	}
}

// TestFiledLinker: a linker from a file links as one in memory does, and the file
// is made anew where it is damaged or of another state.
func TestFiledLinker(t *testing.T) {
	fileAll(t)
	g := manyNames()
	want := NewLinker(g, nil, lexicon.Builtin())
	kept := arrays.Folder{Dir: t.TempDir(), Version: "1"}
	open := func(what string, kept arrays.Folder, wantMade bool) {
		t.Helper()
		made := false
		got, err := OpenLinker(t.Context(), g, nil, lexicon.Builtin(), kept, func(_, _ int64) { made = true })
		if err != nil {
			t.Fatalf("%s: OpenLinker: %v", what, err)
		}
		if made != wantMade {
			t.Errorf("%s: the tables were made: %v, want %v", what, made, wantMade)
		}
		for _, q := range []string{
			"Who is the king of A0?", "queen of Quebec of B4", "sains of D1", "moonofc14 and $", "what happened on 1 February 1907?",
			"TKOA0", "kings of the moon E", "alias 35 or Alais 45",
		} {
			a, errA := want.Link(t.Context(), q)
			b, errB := got.Link(t.Context(), q)
			if diff := cmp.Diff(a, b); diff != "" || errA != nil || errB != nil {
				t.Errorf("%s: Link(%q): %v, %v (-want +got)\n%s", what, q, errA, errB, diff)
			}
			c, errA := want.Lookup(t.Context(), q, 9)
			d, errB := got.Lookup(t.Context(), q, 9)
			if diff := cmp.Diff(c, d); diff != "" || errA != nil || errB != nil {
				t.Errorf("%s: Lookup(%q): %v, %v (-want +got)\n%s", what, q, errA, errB, diff)
			}
		}
	}
	open("at first", kept, true)
	open("again", kept, false)
	file := files(t, kept.Dir)[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	open("damaged", kept, true)
	open("mended", kept, false)
	kept.Version = "2"
	open("another version", kept, true)
	if left := files(t, kept.Dir); len(left) != 1 {
		t.Errorf("kept %v, want the file of the latest version alone", left)
	}
}

// TestUnsoundTables: tables whose checksums are right but whose numbers are not
// are refused.
func TestUnsoundTables(t *testing.T) {
	g := manyNames()
	for name, spoil := range map[string]func(*fullTables){
		"posting":  func(x *fullTables) { x.names.keys.items[3] = newPosting(kg.EntityID(g.Entities()), 0) },
		"form":     func(x *fullTables) { x.names.keys.items[3] |= 7 },
		"first":    func(x *fullTables) { x.names.keys.first[3] = 1 << 30 },
		"text":     func(x *fullTables) { x.parts.words.at[2] = 1 << 40 },
		"slot":     func(x *fullTables) { x.parts.initials.slots[0] |= 1 << 31 },
		"slots":    func(x *fullTables) { x.values.slots = x.values.slots[:len(x.values.slots)-1] },
		"longest":  func(x *fullTables) { x.names.longest = nil },
		"spelling": func(x *fullTables) { x.spelling.order[0] = 1 << 30 },
		"letters":  func(x *fullTables) { x.spelling.letters = x.spelling.letters[1:] },
		"lengths":  func(x *fullTables) { x.spelling.at[4] = 1 << 30 },
		"symbol":   func(x *fullTables) { x.names.symbols.items[0] = 1 << 30 },
	} {
		made, err := newFullTables(t.Context(), g, nil)
		if err != nil {
			t.Fatalf("newFullTables: %v", err)
		}
		path := filepath.Join(t.TempDir(), "linker")
		spoil(made)
		if err := arrays.Write(path, "", arrays.Sections(made.views())...); err != nil {
			t.Fatalf("Write: %v", err)
		}
		if _, err := openTables(path, "", g.Entities()); !errors.Is(err, arrays.ErrDamaged) {
			t.Errorf("%s: openTables = %v, want %v", name, err, arrays.ErrDamaged)
		}
	}
}

func TestOpenLinkerCancelled(t *testing.T) {
	fileAll(t)
	ctx, cancel := context.WithCancel(t.Context())
	kept := arrays.Folder{Dir: t.TempDir(), Version: "1"}
	_, err := OpenLinker(ctx, manyNames(), nil, nil, kept, func(_, _ int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("OpenLinker = %v, want %v", err, context.Canceled)
	}
	if left := files(t, kept.Dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// FuzzTables changes one number of the tables: they are refused, or a question is
// read by them as well as can be.
func FuzzTables(f *testing.F) {
	var b kg.Builder
	for i, name := range []string{"Moby Dick", "The Moon", "United States of America", "1907-02-01", "$", "Québec City", "Moons of Québec"} {
		b.AddAlias(b.Entity(name), fmt.Sprint("alias ", i))
	}
	g := b.Graph()
	made, err := newFullTables(f.Context(), g, nil)
	if err != nil {
		f.Fatalf("newFullTables: %v", err)
	}
	whole := arrays.Sections(made.views())
	for i := range whole {
		f.Add(uint8(i), uint16(0), uint8(1))
		f.Add(uint8(i), uint16(9), uint8(0x80))
	}
	f.Fuzz(func(t *testing.T, section uint8, at uint16, bits uint8) {
		sections := slices.Clone(whole)
		if s := sections[int(section)%len(sections)]; len(s) > 0 {
			// Where numbers are read they must lie at multiples of their size.
			bad := arrays.Bytes(make([]uint64, (len(s)+7)/8))[:len(s)]
			copy(bad, s)
			bad[int(at)%len(bad)] ^= bits
			sections[int(section)%len(sections)] = bad
		}
		x := &fullTables{&names{}, &wordTables{&parts{}, &spelling{}, &values{}}}
		if err := x.set(sections, g.Entities()); err != nil {
			if !errors.Is(err, arrays.ErrDamaged) {
				t.Errorf("set = %v, want %v", err, arrays.ErrDamaged)
			}
			return
		}
		l := newLinker(g, nil, lexicon.Builtin(), x.tables())
		for _, q := range []string{"Who wrote Moby Dik about Qebec of the USA?", "moons on 1 February 1907 for $", "alais 3"} {
			if _, err := l.Link(t.Context(), q); err != nil {
				t.Errorf("Link(%q): %v", q, err)
			}
			if _, err := l.Lookup(t.Context(), q, 5); err != nil {
				t.Errorf("Lookup(%q): %v", q, err)
			}
		}
	})
}
