package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

// chainsReply writes chains, each "from: relation, relation".
func chainsReply(chains ...string) string {
	var said struct {
		Chains []saidChain `json:"chains"`
	}
	for _, c := range chains {
		from, rest, _ := strings.Cut(c, ": ")
		said.Chains = append(said.Chains, saidChain{from, strings.Split(rest, ", ")})
	}
	b, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// mentioning is a world in which names are found, and nothing is read.
func mentioning(t *testing.T) World {
	t.Helper()
	w := around(t, films())
	w.Fallback = newWithMentions(w)
	return w
}

func TestChains(t *testing.T) {
	w := mentioning(t)
	for _, test := range []struct {
		name, question string
		chains         []string
		want           []string // as written below
	}{
		{"one hop", "Who directed Heat?", []string{"Heat: directed by"}, []string{"Heat >directed by"}},
		{
			"back and forth", "When were the films with Tom Cruise released?",
			[]string{"Tom Cruise: starred actors, release year"},
			[]string{"Tom Cruise <starred actors >release year"},
		},
		{"another name of the relation", "Who directed Heat?", []string{"Heat: Director"}, []string{"Heat >directed by"}},
		{
			"in the model's order", "Who made Heat?",
			[]string{"Heat: starred_actors", "Heat: directed by"},
			[]string{"Heat >starred actors", "Heat >directed by"},
		},
		{"both ways, forwards first", "Who is family of Al Pacino?", []string{"Al Pacino: child"}, []string{"Al Pacino >child", "Al Pacino <child"}},
		{"either way at once", "Who is family of Al Pacino?", []string{"Al Pacino: sibling"}, []string{"Al Pacino >sibling"}},
		{"there and back, for what is shared", "Which films share an actor with Scarface?", []string{"Scarface: starred actors, starred actors"}, []string{"Scarface >starred actors <starred actors"}},
		{"there and back is no answer otherwise", "Who acted in Scarface?", []string{"Scarface: starred actors, starred actors", "Scarface: starred actors"}, []string{"Scarface >starred actors"}},
		{"what cannot be followed is left out", "Who directed Heat?", []string{"Heat: child", "Heat: plot of the thing xyz", "Casino: directed by, release year, child, sibling, child", "Heat: directed by"}, []string{"Heat >directed by"}},
		{"two topics", "Which films of Michael Mann starred Al Pacino?", []string{"Michael Mann: directed by", "Al Pacino: starred actors"}, []string{"Michael Mann <directed by", "Al Pacino <starred actors"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := replies(chainsReply(test.chains...))
			got, err := New(m, w, Options{}).chainsOf(t.Context(), test.question, nil)
			if err != nil {
				t.Fatalf("Chains: %v", err)
			}
			var texts []string
			for i, c := range got {
				text := w.Graph.Label(c.From)
				for _, s := range c.Steps {
					text += map[bool]string{false: " >", true: " <"}[s.Inverse] + w.Graph.RelationText(s.Relation)
				}
				if i > 0 && c.Rank < got[i-1].Rank {
					t.Errorf("chain %d has rank %d, after %d", i, c.Rank, got[i-1].Rank)
				}
				texts = append(texts, text)
			}
			if diff := cmp.Diff(test.want, texts); diff != "" {
				t.Errorf("chains (-want +got):\n%s", diff)
			}
			if r := m.got[0]; r.Purpose != "relation chains" || r.Temperature != 0 || !strings.Contains(string(r.Schema), "chains") {
				t.Errorf("request %+v, want one for relation chains, held to their form", r)
			}
		})
	}
}

func TestChainsPlan(t *testing.T) {
	w := mentioning(t)
	for _, test := range []struct {
		name, question, reply string
		task                  pattern.Task
		want                  []string
		readings              int
	}{
		{"one chain", "Who directed Heat?", chainsReply("Heat: directed by"), pattern.Find, []string{"Michael Mann"}, 1},
		{"prose around", "Who directed Heat?", "Sure! {braces} Here: ```json\n" + chainsReply("Heat: directed by") + "\n``` Hope it helps.", pattern.Find, []string{"Michael Mann"}, 1},
		{"the first is followed", "Who made Heat?", chainsReply("Heat: starred actors", "Heat: directed by"), pattern.Find, []string{"Al Pacino", "Robert De Niro"}, 2},
		{"two topics meet", "Which films of Michael Mann starred Al Pacino?", chainsReply("Michael Mann: directed by", "Al Pacino: starred actors"), pattern.Find, []string{"Heat"}, 3},
		{"two topics that do not meet", "Which films of Brian De Palma starred Tom Cruise?", chainsReply("Brian De Palma: directed by", "Tom Cruise: starred actors"), pattern.Find, []string{"Scarface"}, 2},
		{"a number", "How many films did Michael Mann direct?", chainsReply("Michael Mann: directed by"), pattern.Count, []string{"Collateral", "Heat"}, 1},
		{"shared", "Which films share an actor with Scarface?", chainsReply("Scarface: starred actors, starred actors"), pattern.Find, []string{"Heat"}, 1},
		{"the same twice", "Who directed Heat?", chainsReply("Heat: directed by", "Heat: directed_by"), pattern.Find, []string{"Michael Mann"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := planned(t, w, replies(test.reply), Options{Chains: true, Alone: true}, test.question)
			if got.Planner != "model script" || len(got.Readings) != test.readings {
				t.Fatalf("planner %s, %d readings (%s); want the model, %d", got.Planner, len(got.Readings), got.StoodIn, test.readings)
			}
			names := answers(t, w, got)
			slices.Sort(names)
			if diff := cmp.Diff(test.want, names); diff != "" || got.Readings[0].Pattern.Task != test.task {
				t.Errorf("%s (-want +got):\n%s", got.Readings[0].Text, diff)
			}
			if !strings.Contains(got.Readings[0].Explanation.Message, "relation chain") || len(got.Mentions) == 0 {
				t.Errorf("explanation %q, mentions %v; want the chain and its start", got.Readings[0].Explanation.Message, got.Mentions)
			}
		})
	}
}

// TestChainsThatDoNotMeet: one of two conditions is not what was asked.
func TestChainsThatDoNotMeet(t *testing.T) {
	w := mentioning(t)
	m := replies(chainsReply("Brian De Palma: directed by", "Tom Cruise: starred actors"))
	got := planned(t, w, m, Options{Chains: true}, "Which films of Brian De Palma starred Tom Cruise?")
	if got.Planner != "built-in" || got.Doubt != plan.NoRelation || len(got.Readings) != 2 {
		t.Errorf("Plan = %+v, want a refusal with both chains to choose", got)
	}
}

func TestChainsFallBack(t *testing.T) {
	w := mentioning(t)
	for reply, why := range map[string]string{
		"I would follow the director.":                "no relation chains",
		`{"chains": []}`:                              "no relation chains",
		chainsReply("Heat: child"):                    "nothing is connected to “Heat” in this way",
		chainsReply("Heat: "):                         "no relation like “”",
		`{"chains": [{"from": 3, "relations": 4}]}`:   "no relation chains",
		chainsReply("Heat: directed by, directed by"): "goes back along the same relation",
	} {
		got := planned(t, w, replies(reply), Options{Chains: true}, "Who directed Heat?")
		if got.Planner != "built-in" || !strings.Contains(got.StoodIn, why) {
			t.Errorf("%s: planner %s, reason %q; want the fallback, since %s", reply, got.Planner, got.StoodIn, why)
		}
	}
	if _, err := New(replies("-"), w, Options{}).chainsOf(t.Context(), "What is love?", nil); !errors.Is(err, errNoChain) {
		t.Errorf("Chains of a question without a name: %v, want errNoChain", err)
	}
	if _, err := New(&script{err: llm.ErrNotRunning}, w, Options{}).chainsOf(t.Context(), "Who directed Heat?", nil); !errors.Is(err, llm.ErrNotRunning) {
		t.Errorf("Chains: %v, want llm.ErrNotRunning", err)
	}
	w = around(t, films())
	got := planned(t, w, replies(chainsReply("Heat: directed by")), Options{Chains: true}, "Heat was directed by Michael Mann.")
	if got.Planner != "built-in" || !strings.Contains(got.StoodIn, "it is a claim, which leads to no answer") || got.Doubt != plan.Sure {
		t.Errorf("a claim by chains: %s, %q; want the built-in planner's", got.Planner, got.StoodIn)
	}
}

// TestChainsOfAHub does not walk everything, and finds the same every time.
func TestChainsOfAHub(t *testing.T) {
	w := mentioning(t)
	var first []chain
	for range 3 {
		got, err := New(replies(chainsReply("1995: release year, starred actors, starred actors, release year")), w, Options{}).chainsOf(t.Context(), "Films with the same actors as those of 1995?", nil)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" || len(got) > maxTurns {
			t.Errorf("%d chains (-first +now):\n%s", len(got), diff)
		}
	}
	if fmt.Sprint(first) == "[]" {
		t.Error("no chain was found")
	}
}
