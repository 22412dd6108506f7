package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/engine/answer"
	"cairn/engine/extract"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/internal/wording"
)

// Texts become triples in two steps. Extract lets a model read documents and
// keeps what they say as statements in the graph's file; nothing of it is in the
// graph yet. A person looks at Statements and Proposals and decides; AddExtracted
// adds what was accepted, as a layer of its own.

// ErrNoModel is returned where a model is needed and none was given.
var ErrNoModel = errors.New("reading a text needs a language model, and none is set; choose one under Models, or with --model")

// ExtractOptions are the choices of Extract; the zero value is the default.
type ExtractOptions struct {
	extract.Options

	// Again forgets what the same model read in the same documents before, and
	// what was decided on it, and reads them anew. What was added stays.
	Again bool
}

// ExtractReport is what Extract did.
type ExtractReport struct {
	// Documents are as they stand now, in the order of the files; those before the
	// one where it ended, and that one.
	Documents []kg.Document `json:"documents"`
	// Parts, Statements and the tokens are those of this run alone.
	Parts        int           `json:"parts"`
	Statements   int           `json:"statements"`
	PromptTokens int64         `json:"prompt_tokens"`
	ReplyTokens  int64         `json:"reply_tokens"`
	Problems     []string      `json:"problems,omitempty"` // of parts that failed, a sentence each
	Left         []string      `json:"left,omitempty"`     // what was left out of prompts, a sentence each
	Took         time.Duration `json:"took"`
}

// Extract lets a model read documents, part by part, and keeps what they say. A
// part that was read is not read again: the same call after a cancel, a crash or
// a failure goes on where it was. A part on which the model failed does not end
// it; it is tried again with the next call. The report says how far it came, also
// with an error.
func (e *Engine) Extract(ctx context.Context, files []string, m llm.Model, o ExtractOptions, ev *Events) (_ ExtractReport, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	began := time.Now()
	var report ExtractReport
	switch {
	case e.store == nil:
		return report, ErrInMemory
	case m == nil:
		return report, ErrNoModel
	}
	// All files are looked at before the first is read: hours lie between.
	docs := make([]*extract.Document, 0, len(files))
	for _, f := range files {
		d, err := extract.Open(f)
		if err != nil {
			return report, err
		}
		docs = append(docs, d)
	}
	outer := ctx
	ctx = llm.WithTrace(outer, func(x llm.Exchange) {
		if x.Left != "" && !slices.Contains(report.Left, x.Left) {
			report.Left = append(report.Left, x.Left)
		}
		llm.Trace(outer, x)
	})
	o.Logger = e.opts.Logger
	x := extract.NewExtractor(m, e.Graph(), o.Options)
	for _, d := range docs {
		before, err := e.reading(ctx, d, m)
		if err == nil && o.Again && before.ID != 0 {
			// What was decided is not given up for a server that is away.
			if _, err = x.Beginning(ctx, d); err == nil || ctx.Err() == nil && !llm.Lasting(err) {
				err = e.store.ForgetDocument(ctx, before.ID)
			}
			before = kg.Document{}
		}
		if err != nil {
			return report, err
		}
		after, err := x.Run(ctx, e.store, d, ev.progress(fmt.Sprintf("read %s with %s", d.Name, m.Name())))
		if err != nil && before.ID == 0 && after.Read+after.Failed == 0 {
			// The server is away, or has no such model: there is nothing to go on from.
			if after.ID != 0 {
				err = errors.Join(err, e.store.ForgetDocument(context.WithoutCancel(ctx), after.ID))
			}
			return report, err
		}
		if after.ID != 0 {
			report.add(before, after)
			report.Problems = append(report.Problems, e.problems(ctx, after)...)
		}
		report.Took = time.Since(began)
		if err != nil {
			return report, err
		}
	}
	return report, nil
}

// reading returns how far a model has read a document before.
func (e *Engine) reading(ctx context.Context, d *extract.Document, m llm.Model) (kg.Document, error) {
	all, err := e.store.Documents(ctx)
	if err != nil {
		return kg.Document{}, err
	}
	i := slices.IndexFunc(all, func(x kg.Document) bool { return x.Hash == d.Hash && x.Model == m.Name() })
	if i < 0 {
		return kg.Document{}, nil
	}
	return all[i], nil
}

func (r *ExtractReport) add(before, after kg.Document) {
	r.Documents = append(r.Documents, after)
	r.Parts += after.Read - before.Read
	r.PromptTokens += after.PromptTokens - before.PromptTokens
	r.ReplyTokens += after.ReplyTokens - before.ReplyTokens
	for _, n := range after.Statements {
		r.Statements += n
	}
	for _, n := range before.Statements {
		r.Statements -= n
	}
}

// problems says why parts of a document failed, each reason once.
func (e *Engine) problems(ctx context.Context, d kg.Document) []string {
	if d.Failed == 0 {
		return nil
	}
	chunks, err := e.store.Chunks(context.WithoutCancel(ctx), d.ID)
	if err != nil {
		return nil // the count of failed parts stands in the document
	}
	var order []string
	count := map[string]int{}
	for _, c := range chunks {
		if c.State != kg.ChunkFailed {
			continue
		}
		if count[c.Problem] == 0 {
			order = append(order, c.Problem)
		}
		count[c.Problem]++
	}
	for i, p := range order {
		order[i] = fmt.Sprintf("%s of %s: %s", wording.Count(count[p], "part", "parts"), d.Name, strings.TrimSuffix(p, "."))
	}
	return order
}

// Extractions returns the texts that models have read, or begun to, the oldest
// first.
func (e *Engine) Extractions(ctx context.Context) ([]kg.Document, error) {
	if e.store == nil {
		return nil, nil
	}
	return e.store.Documents(ctx)
}

// Statements returns what a document says, in the order in which it was found.
func (e *Engine) Statements(ctx context.Context, document int64) ([]kg.Statement, error) {
	if e.store == nil {
		return nil, ErrInMemory
	}
	return e.store.Statements(ctx, document)
}

// Proposals returns what each name of a document may mean in the graph.
func (e *Engine) Proposals(ctx context.Context, document int64) ([]extract.Proposal, error) {
	_, _, proposals, err := e.propose(ctx, document, nil)
	return proposals, err
}

// propose returns what a document says, and what its names may mean in a graph.
func (e *Engine) propose(ctx context.Context, document int64, ev *Events) (s *state, statements []kg.Statement, proposals []extract.Proposal, err error) {
	if statements, err = e.Statements(ctx, document); err != nil {
		return nil, nil, nil, err
	}
	if s, err = e.awaitReady(ctx, ev); err != nil {
		return nil, nil, nil, err
	}
	namings, err := e.store.Namings(ctx, document)
	if err != nil {
		return nil, nil, nil, err
	}
	proposals, err = extract.NewResolver(s.graph, s.linker, s.lexicon).Propose(ctx, statements, namings)
	return s, statements, proposals, err
}

// Decisions are what a person decided about a document.
type Decisions struct {
	// States are proposed, accepted or declined, by id of the statement.
	States map[int64]kg.StatementState
	// Names say what names mean: Existing is a key of the graph, or empty for
	// something new. Names without a decision mean what is suggested.
	Names []kg.Naming
}

// errNoSuchKey is returned for a decision that names what the graph does not have.
var errNoSuchKey = errors.New("the graph has nothing with this key")

// Decide keeps decisions about a document.
func (e *Engine) Decide(ctx context.Context, document int64, d Decisions) error {
	if e.store == nil {
		return ErrInMemory
	}
	if _, err := e.store.Document(ctx, document); err != nil {
		return err
	}
	names := slices.Clone(d.Names)
	for i := range names {
		n := &names[i]
		if n.Existing != "" {
			has, err := e.store.Has(ctx, n.Kind, n.Existing)
			if err != nil {
				return err
			}
			if !has {
				return fmt.Errorf("%s %q means %q: %w", n.Kind, n.Name, n.Existing, errNoSuchKey)
			}
		}
		n.Name, n.Made = extract.NameKey(n.Name), ""
	}
	return e.store.Decide(ctx, document, d.States, names)
}

// AcceptAll accepts every statement of a document that nobody has decided on and
// that nothing speaks against, and returns how many. Those with a doubt are left
// for a person to decide, one by one.
func (e *Engine) AcceptAll(ctx context.Context, document int64) (accepted, doubtful int, err error) {
	statements, err := e.Statements(ctx, document)
	if err != nil {
		return 0, 0, err
	}
	states := map[int64]kg.StatementState{}
	for i := range statements {
		x := &statements[i]
		switch {
		case x.State != kg.StatementProposed:
		case x.Doubt() != "":
			doubtful++
		default:
			states[x.ID] = kg.StatementAccepted
		}
	}
	return len(states), doubtful, e.Decide(ctx, document, Decisions{States: states})
}

// AddExtracted adds the accepted statements of a document to the graph, as a layer
// that says which model extracted it, all of them or none; then it reads the graph
// anew. It can be called again after more was accepted.
func (e *Engine) AddExtracted(ctx context.Context, document int64, ev *Events) (extract.Added, error) {
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	if e.store == nil {
		return extract.Added{}, ErrInMemory
	}
	d, err := e.store.Document(ctx, document)
	if err != nil {
		return extract.Added{}, err
	}
	s, statements, proposals, err := e.propose(ctx, document, ev)
	if err != nil {
		return extract.Added{}, err
	}
	added, err := extract.Add(ctx, e.store, s.graph, d, statements, proposals, ev.progress("add what "+d.Name+" says"))
	if err != nil || added.Added+added.Duplicate == 0 {
		return added, err
	}
	return added, e.reload(context.WithoutCancel(ctx), ctx, ev)
}

// ForgetExtraction forgets a text and what it says. What was added to the graph
// stays there: ids are never given twice, so that nothing is taken out of a graph.
func (e *Engine) ForgetExtraction(ctx context.Context, document int64) error {
	if e.store == nil {
		return ErrInMemory
	}
	return e.store.ForgetDocument(ctx, document)
}

// noteExtracted says below an answer which of its triples only a model vouches
// for.
func (e *Engine) noteExtracted(ctx context.Context, g *kg.Graph, run *Run) error {
	if run.Answer == nil || run.Answer.Refusal != nil || !g.HasExtracted() {
		return nil
	}
	pack := run.Answer.Pack.Triples
	read := slices.DeleteFunc(slices.Clone(pack), func(t kg.TripleID) bool { return !g.Extracted(t) })
	n := len(read)
	if n == 0 {
		return nil
	}
	sources, err := e.Sources(ctx, read)
	if err != nil {
		return err
	}
	var models []string
	for _, t := range read {
		for _, s := range sources[t] {
			if x := s.Extraction; x != nil && !slices.Contains(models, x.Model) {
				models = append(models, x.Model)
			}
		}
	}
	which := fmt.Sprintf("%d of the %s that support this", n, wording.Count(len(pack), "triple", "triples"))
	switch {
	case n == 1 && len(pack) == 1:
		which = "The only triple that supports this"
	case n == len(pack):
		which = fmt.Sprintf("All %d triples that support this", n)
	}
	by := "a model"
	if len(models) > 0 {
		slices.Sort(models)
		by = wording.First(models, 3)
	}
	verb := "were"
	if n == 1 {
		verb = "was"
	}
	run.Answer.Sentences = append(run.Answer.Sentences, answer.Sentence{
		Text: which + " " + verb + " read from a text by " + by + "; the quotes show where.", Citations: []int{}, Note: true,
	})
	return nil
}
