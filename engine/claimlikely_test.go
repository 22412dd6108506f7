package engine

import (
	"testing"

	"cairn/engine/answer"
	"cairn/engine/plan"
	"cairn/internal/testing/testkg"
)

// TestClaimsThatAreLikely checks claims whose names are all joined as they say, in sentences
// that the check cannot follow to the end, beside such as are joined otherwise.
func TestClaimsThatAreLikely(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Old Mill|architect|Jana Roth", "Old Mill|completion date|1932", "Old Mill|location|Fenbury", "Fenbury|country|Ostland",
		"Ostland|leader|Piet Vos", "Jana Roth|birth place|Ostland", "Jana Roth|place of birth|Fenbury", "Jana Roth|place of birth|Ostland",
		"Mira Kahn|birth place|Fenbury", "New Mill|architect|Mira Kahn", "New Mill|completion date|1950", "New Mill|location|Ostland",
		"Jana Roth|death place|Fenbury", "Mira Kahn|award|Golden Compass", "Golden Compass|year|1961",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		// All is joined as it says, and what is said beside it no triple says.
		"Old Mill at Fenbury was completed in 1932.":                                 answer.Likely,
		"Jana Roth from Fenbury designed the Old Mill.":                              answer.Supported,
		"Jana Roth's place of birth was Ostland.":                                    answer.Supported,
		"The architect of Old Mill, Jana Roth, a quiet woman, died in Fenbury.":      answer.Likely,
		"Old Mill is located in Fenbury, Ostland, and the leader there is Piet Vos.": answer.Likely,
		// The other way round, by another relation, of another thing.
		"Ostland is in Fenbury.":                                   answer.NotFound,
		"Jana Roth murdered Old Mill.":                             answer.NotFound,
		"Mira Kahn at Fenbury was completed in 1932.":              answer.NotFound,
		"Old Mill and New Mill at Fenbury were completed in 1932.": answer.NotFound,
		"Mira Kahn died in Fenbury.":                               answer.NotFound,
		"Jana Roth is the place of birth of Ostland.":              answer.NotFound,
		"Old Mill at Fenbury was perhaps never completed in 1932.": answer.NotFound,
		// What is said of it beside that: a kind, a unit, that it is so today; that it has something.
		"The building Old Mill, a monument, was completed in 1932.": answer.Likely,
		"The current architect of Old Mill is Jana Roth.":           answer.Likely,
		"Jana Roth is a monument of Old Mill.":                      answer.NotFound,
		"Have you heard of Mira Kahn? She had an award.":            answer.Likely,
		"Mira Kahn was a leader.":                                   answer.NotFound,
		"Piet Vos was a leader.":                                    answer.Likely,
		"Zorro is an award of Mira Kahn.":                           answer.NotFound,
		"I have heard it's in Fenbury, the Old Mill.":               answer.NotFound,
		"It's the Golden Compass that Mira Kahn was awarded.":       answer.Likely,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s %v (%s; %s), want %v", claim, run.Answer.Verdict, reading(run), run.Answer.Sentences[0].Text, want)
		}
	}
}

// TestClaimsInMoreForms checks forms of sentences, and the same forms where they are not true.
func TestClaimsInMoreForms(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Old Mill|architect|Jana Roth", "Old Mill|completion date|1932", "Old Mill|location city|Fenbury", "Old Mill|owning company|Roth Group",
		"Hill Hall|architect|Mira Kahn", "Hill Hall|completion date|1950", "Hill Hall|location city|Norbury", "Hill Hall|owning company|Kahn Group",
		"Jana Roth|birth place|Norbury", "Mira Kahn|birth place|Fenbury",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"Completed in 1932, Old Mill has the architect Jana Roth.":      answer.Supported,
		"Completed in 1950, Old Mill has the architect Jana Roth.":      answer.NotFound,
		"Born in Norbury, Jana Roth is the architect of Old Mill.":      answer.Supported,
		"Born in Norbury, Mira Kahn is the architect of Old Mill.":      answer.NotFound,
		"Born in Fenbury, Jana Roth is the architect of Old Mill.":      answer.NotFound,
		"Old Mill is in the city of Fenbury.":                           answer.Supported,
		"Old Mill is in the city of Norbury.":                           answer.NotFound,
		"Old Mill is in the city of Fenbury and was completed in 1950.": answer.NotFound,
		"Old Mill is owned by the Roth Group.":                          answer.Supported,
		"The Roth Group is owned by Old Mill.":                          answer.NotFound,
		"Old Mill is owned by the Kahn Group.":                          answer.NotFound,
		"Jana Roth's place of birth is Norbury.":                        answer.Supported,
		"Norbury's place of birth is Jana Roth.":                        answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s %v (%s; %s), want %v", claim, run.Answer.Verdict, reading(run), run.Answer.Sentences[0].Text, want)
		}
	}
}

// TestClaimsAreAskedOpenly checks claims that hold, or likely hold, since an open question with one of
// their names left out has it for an answer, beside such as no question has.
func TestClaimsAreAskedOpenly(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Mill Bridge : bridge", "Ford Bridge : bridge", "Quay Bridge : bridge", "Rosa Lind : person", "Ada Holm : person",
		"Mill Bridge|inspections|I-1", "Ford Bridge|inspections|I-2", "Quay Bridge|inspections|I-3", "I-1 : inspection", "I-2 : inspection", "I-3 : inspection",
		"I-1|inspector|Rosa Lind", "I-2|inspector|Ada Holm", "I-3|inspector|Rosa Lind",
		"Benzene : substance", "Water : substance", "Brine : substance", "Benzene|hazard|carcinogenic", "Water|hazard|none", "Brine|hazard|irritant",
		"Ann Vale : fencer", "Bea Roth : fencer", "Cora Lund : fencer", "Ann Vale|DEFEATED|Bea Roth", "Bea Roth|DEFEATED|Cora Lund", "Cora Lund|DEFEATED|Ann Vale",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"Has Rosa Lind ever inspected Mill Bridge?": answer.Likely, "Rosa Lind inspected Quay Bridge.": answer.Likely, "Rosa Lind inspected Ford Bridge.": answer.NotFound,
		"Benzene is carcinogenic.": answer.Supported, "Brine is carcinogenic.": answer.NotFound,
		"Ann Vale beat Bea Roth.": answer.Likely, "Bea Roth beat Ann Vale.": answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s %v (%s; %s), want %v", claim, run.Answer.Verdict, reading(run), run.Answer.Sentences[0].Text, want)
		}
		if joined := claim == "Bea Roth beat Ann Vale."; joined && run.Plan.Doubt == plan.Sure {
			t.Errorf("%s is not found without a doubt, though the graph connects its names", claim)
		}
	}
}
