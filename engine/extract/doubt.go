package extract

import (
	"fmt"
	"strings"

	"cairn/engine/lexicon"
)

// What makes a sentence doubtful as evidence: it denies, it hedges, it asks. The
// lists name the frequent words of English, German, French, Spanish and Chinese,
// folded; a sentence that hides its doubt better is not found out.
var (
	negations = lexicon.WordSet(`not no never neither nor none nobody nothing cannot without isn aren wasn weren don doesn didn hasn
		haven hadn won wouldn couldn shouldn false untrue wrong wrongly mistaken mistakenly denies denied deny denying
		refutes refuted rejects rejected disputes disputed disproved incorrect incorrectly myth
		nicht kein keine keinen keiner nie niemals pas jamais aucun aucune nunca ninguno ninguna
		不 没 沒 未 无 無 非`)
	hedges = lexicon.WordSet(`might could would should perhaps maybe possibly probably presumably supposedly allegedly reportedly
		apparently likely unlikely rumoured rumored suspected suspects believed thought said claimed claims suggests
		suggested seems seemed appears appeared expected hoped planned proposed hypothetical unclear uncertain unknown if
		vielleicht vermutlich angeblich wohl soll sollte konnte moglicherweise
		peut probablement selon serait vez quizas podria 疑 或 若`)
	// words that hedge only in lower case: May is a month.
	lowerHedges = lexicon.WordSet("may")
)

// doubt says why a sentence may not hold, or returns "".
func (d *Document) doubt(sentence span) string {
	ts := d.tokens(sentence)
	for _, t := range ts {
		if negations[t.word] {
			return fmt.Sprintf("the sentence has a negation (“%s”)", d.Text[t.start:t.end])
		}
	}
	for _, t := range ts {
		as := d.Text[t.start:t.end]
		if hedges[t.word] || lowerHedges[as] {
			return fmt.Sprintf("the sentence is hedged (“%s”)", as)
		}
	}
	end := strings.TrimRight(d.shown(sentence), " \t\r\n\"'”’»)]*_")
	if strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") {
		return "the sentence is a question"
	}
	return ""
}

// What a text says to a model rather than to a reader: an order, and what it is
// about, a few words further on.
var addresses = []struct{ orders, about map[string]bool }{
	{
		lexicon.WordSet("ignore disregard forget override bypass ignoriere vergiss ignorez oubliez ignora olvida"),
		lexicon.WordSet(`above previous prior preceding earlier instruction instructions prompt prompts rules everything
			obige vorherigen anweisung anweisungen precedentes consignes anteriores instrucciones`),
	},
	{
		lexicon.WordSet("add insert output print return respond reply write extract include emit append"),
		lexicon.WordSet("instruction instructions prompt prompts triple triples json schema"),
	},
	{lexicon.WordSet("system"), lexicon.WordSet("prompt")},
}

// orderReach is how many words lie between an order and what it is about at most.
const orderReach = 6

// address returns words by which a range speaks to a model, or "".
func (d *Document) address(in span) string {
	ts := d.tokens(in)
	for i, t := range ts {
		for _, a := range addresses {
			if !a.orders[t.word] {
				continue
			}
			for _, u := range ts[i+1 : min(len(ts), i+1+orderReach)] {
				if a.about[u.word] {
					return d.as(span{t.start, u.end}, t.word+" … "+u.word)
				}
			}
		}
	}
	return ""
}
