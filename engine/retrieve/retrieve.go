// Package retrieve is the seam between questions and the methods that look for
// evidence: one package below this one for each.
//
//	Method ─Open(World)─▶ Retriever ─Retrieve(Query)─▶ evidence.Found
//
// A method knows nothing of engines, windows and files, and these know a method by
// its Info alone: engine.Methods lists the methods, and the command's flags, the
// window's choice, the words of the steps and the evaluation are made from the list.
// Package retrievetest holds the tests that every method passes.
package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/engine/embed"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// ErrModel is returned by Open for weights that cannot be used: damaged, cut off, of
// a version that this program does not read, or trained on another graph.
var ErrModel = errors.New("the trained retriever cannot be used")

// Method is a way to look for evidence.
type Method interface {
	// Info describes the method. It is always the same.
	Info() Info
	// Open makes the method ready for questions over one graph.
	Open(ctx context.Context, w World) (Retriever, error)
}

// Retriever is a method that is ready for questions over one graph. It is safe for
// concurrent use.
type Retriever interface {
	// Retrieve looks for evidence; it may be asked with nothing to look for, and then
	// finds nothing. A cancelled context is an error; running out of time or over
	// another limit is not: what was found is returned, and Completeness says so.
	Retrieve(ctx context.Context, q Query) (evidence.Found, error)
}

// Reader is a Retriever that reads questions by itself: as chains of relations, say.
// Its readings stand in the plan where a planner's would, to be listed and chosen among.
type Reader interface {
	Retriever
	// Read returns the ways to understand a question that names something, the likeliest
	// first; none where it makes nothing of it. A reading's Score is its probability,
	// and its Explanation says step by step where that comes from, with what else the
	// step might have been. The Query has no Readings yet. Retrieve is then asked with
	// those of Read, the one to follow first; with none it reads for itself.
	Read(ctx context.Context, q Query) ([]plan.Reading, error)
}

// Info describes a method to people and programs.
type Info struct {
	// ID is the method's name in flags, preferences and kept runs. It stays, whatever
	// becomes of the Title.
	ID string
	// Title is how the method is chosen: "Pattern matching".
	Title string
	// Help says on one line what it does: "matches the pattern that the question is
	// read as".
	Help string
	// Who names it within a sentence: "pattern matching", "the trained network".
	Who string
	// Plan and Retrieve say what these steps do, for while they wait; Basis what an
	// answer is worded from: "what the pattern's nodes are bound to".
	Plan, Retrieve, Basis string
	// Seeded methods begin at the entities that a question names. The others match the
	// pattern that it is read as.
	Seeded bool
	// Reads says that a method which is Seeded reads questions by itself: what it opens is
	// a Reader.
	Reads bool
	// Trained methods need weights: see World.Weights.
	Trained bool
	// Claims and Counts say that it can check claims, and count answers. All methods
	// find answers.
	Claims, Counts bool
	// Baseline methods are there to compare others with, and to show what these are worth.
	// The automatic choice does not ask them, no operators are read for them, and what
	// they answer is never sure.
	Baseline bool
}

// MarshalText writes the method's ID, for kept runs.
func (i Info) MarshalText() ([]byte, error) { return []byte(i.ID), nil }

// UnmarshalText reads an ID; the rest of Info is for the reader to look up. An empty
// one is of a time when there was one method.
func (i *Info) UnmarshalText(text []byte) error {
	*i = Info{ID: string(text)}
	return nil
}

// World is what a method is opened on.
type World struct {
	Graph *kg.Graph
	// Names looks up names by their vectors; nil where nothing is to be looked up.
	Names Names
	// Paths returns what evaluates queries in which nothing is known, from an index that
	// lies beside the graph, or nil where there is none; it may be nil itself.
	Paths func() match.Engine
	// Embed returns the embedder with an id; the id "" is the built-in one.
	Embed func(ctx context.Context, id string) (embed.Embedder, error)
	// Weights are what a method that is trained has learned; nil for others.
	Weights []byte
	// Schema is that of the graph; nil where it was not read.
	Schema *schema.Schema
}

// Names finds the labels that are nearest to a text, nearest first, ties by id.
type Names interface {
	// EntitiesAll returns the k entities whose names are nearest to each of the
	// texts, in their order. All texts of a pattern come in one call, so that
	// millions of names need to be gone through only once.
	EntitiesAll(ctx context.Context, texts []string, k int) ([][]link.Neighbour[kg.EntityID], error)
	// Relations returns the k relations whose names are nearest to text.
	Relations(ctx context.Context, text string, k int) ([]link.Neighbour[kg.RelationID], error)
	// Types returns the k types whose names are nearest to text.
	Types(ctx context.Context, text string, k int) ([]link.Neighbour[kg.TypeID], error)
}

// Query is one question to a retriever.
type Query struct {
	Question string
	// Mentions are the names found in the question. A method that is Seeded gets those
	// that it may begin at, which do not overlap, in their order.
	Mentions []link.Mention
	// Seeds are the entities that the mentions mean most surely.
	Seeds []kg.EntityID
	// Readings are the ways to understand the question, the chosen one first; none for
	// a method that is Seeded, unless it is a Reader.
	Readings []plan.Reading
	Limits   Limits
}

// Pattern returns the pattern of the chosen reading, or nil.
func (q Query) Pattern() *pattern.Pattern {
	if len(q.Readings) == 0 {
		return nil
	}
	return q.Readings[0].Pattern
}

// Limits bound a retrieval. What is zero has the method's default value.
type Limits struct {
	// K is how many candidates to keep at least, the best ones.
	K int
	// Answers caps the answers, and the candidates at the best score.
	Answers int
	// WallTime is the soft deadline.
	WallTime time.Duration
	// AnyRelation takes what the pattern joins for joined whatever the relation is, where
	// the method can do that (SG-RAG's query edges have none).
	AnyRelation bool
	// Plain asks for the method's plain algorithm where it has an optimised one beside
	// it: the result is the same, only slower.
	Plain bool
}

// Near returns those of some neighbours, nearest first, that a text may stand for, and how
// far each is. One that is nearly as near as the nearest counts too ("film" for "movie" and
// "feature film"), one far behind it does not.
func Near[ID comparable](found []link.Neighbour[ID], limit float64) (ids []ID, distances []float64) {
	const slack = 0.1
	for _, n := range found {
		if n.Distance <= limit && n.Distance <= found[0].Distance+slack && !slices.Contains(ids, n.ID) {
			ids, distances = append(ids, n.ID), append(distances, n.Distance)
		}
	}
	return ids, distances
}

// Kinds returns the types that the hint of a variable stands for, or none, and says so.
func Kinds(g *kg.Graph, n pattern.Node, found []link.Neighbour[kg.TypeID], limit float64) (of []kg.TypeID, said string) {
	if of, _ = Near(found, limit); len(of) == 0 {
		return nil, fmt.Sprintf("No type in this graph is close to %q, so it does not restrict %s.", n.Type, n.Text)
	}
	names := wording.Each(of, func(t kg.TypeID) string { return strconv.Quote(g.TypeLabel(t)) })
	return of, fmt.Sprintf("The hint %q limits %s to the types %s.", n.Type, n.Text, strings.Join(names, ", "))
}
