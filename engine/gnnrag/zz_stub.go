package gnnrag

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/qa"
)

// Stands in until the encoders land.

type vocabulary struct {
	Words     []string `json:"words"`
	Relations []string `json:"relations"`
}

func newVocabulary(train []qa.Example, g *kg.Graph) *vocabulary {
	n := map[string]int{}
	for _, x := range train {
		for _, w := range stubWords(x) {
			n[w]++
		}
	}
	v := &vocabulary{}
	for r := range kg.RelationID(g.Relations()) {
		v.Relations = append(v.Relations, g.RelationKey(r))
		for _, w := range strings.Fields(g.RelationText(r)) {
			n[w] += 2
		}
	}
	for w, c := range n {
		if c > 1 {
			v.Words = append(v.Words, w)
		}
	}
	slices.Sort(v.Words)
	return v
}

func stubWords(x qa.Example) []string {
	s := x.Text
	for i := len(x.Spans) - 1; i >= 0; i-- {
		s = s[:x.Spans[i].Start] + " \x01 " + s[x.Spans[i].End:]
	}
	if ws := strings.Fields(strings.ToLower(s)); len(ws) > 0 {
		return ws
	}
	return []string{"\x01"}
}

type stubEnc struct {
	v      *vocabulary
	g      *kg.Graph
	table  *nn.Param
	f, b   *nn.GRU
	wf, wi *nn.Param
	bf, bi *nn.Param
	id     map[string]int32
	rel    map[string]int32
}

func newEncoder(_ context.Context, p *nn.Params, _ string, v *vocabulary, w World, o Options) (encoder, error) {
	e := &stubEnc{v: v, g: w.Graph, id: map[string]int32{}, rel: map[string]int32{}}
	for i, w := range v.Words {
		e.id[w] = int32(i)
	}
	for i, w := range v.Relations {
		e.rel[w] = int32(i)
	}
	e.table = p.Table("table", len(v.Words)+2048, 64, .3)
	e.f, e.b = nn.NewGRU(p, "f", 64, o.Width/2), nn.NewGRU(p, "b", 64, o.Width/2)
	e.wf, e.wi = p.Normal("wf", 64, o.Width, nn.Fan(64)), p.Normal("wi", 64, o.Width, nn.Fan(64))
	e.bf, e.bi = p.Normal("bf", len(v.Relations), o.Width, .3), p.Normal("bi", len(v.Relations), o.Width, .3)
	return e, nil
}

func (e *stubEnc) feats(to int32, w string, scale float32, out []nn.Term) []nn.Term {
	if i, ok := e.id[w]; ok {
		out = append(out, nn.Term{To: to, From: i, Weight: scale})
	}
	if w == "\x01" {
		return out
	}
	s := "<" + w + ">"
	var hs []int32
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(s); i++ {
			h := fnv.New32a()
			h.Write([]byte(s[i : i+n]))
			hs = append(hs, int32(len(e.v.Words))+int32(h.Sum32()%2048))
		}
	}
	for _, h := range hs {
		out = append(out, nn.Term{To: to, From: h, Weight: scale / float32(len(hs))})
	}
	return out
}

func (e *stubEnc) words(_ context.Context, q qa.Example) (*words, error) {
	ws := stubWords(q)
	w := &words{n: len(ws)}
	for i, x := range ws {
		w.terms = e.feats(int32(i), x, 1, w.terms)
	}
	return w, nil
}

func (e *stubEnc) question(t *nn.Tape, w *words) (*nn.Tensor, *nn.Tensor) {
	x := t.Dropout(t.Combine(t.Param(e.table), w.n, w.terms), .1)
	a, b := e.f.Run(t, x, false), e.b.Run(t, x, true)
	return t.Concat(a, b), t.Concat(t.Rows(a, w.n-1, w.n), t.Rows(b, 0, 1))
}

func (e *stubEnc) relations(t *nn.Tape, ids []kg.RelationID) (*nn.Tensor, *nn.Tensor) {
	if ids == nil {
		for r := range kg.RelationID(e.g.Relations()) {
			ids = append(ids, r)
		}
	}
	var terms, free []nn.Term
	for i, r := range ids {
		ws := strings.Fields(e.g.RelationText(r))
		for _, w := range ws {
			terms = e.feats(int32(i), w, 1/float32(len(ws)), terms)
		}
		if row, ok := e.rel[e.g.RelationKey(r)]; ok {
			free = append(free, nn.Term{To: int32(i), From: row, Weight: 1})
		}
	}
	x := t.Combine(t.Param(e.table), len(ids), terms)
	return t.Add(t.MatMul(x, t.Param(e.wf)), t.Combine(t.Param(e.bf), len(ids), free)),
		t.Add(t.MatMul(x, t.Param(e.wi)), t.Combine(t.Param(e.bi), len(ids), free))
}

func newFlow(p *nn.Params, enc encoder, g *kg.Graph, o Options) network {
	return newReaRev(p, enc, g, o)
}
