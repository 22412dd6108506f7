package builtin

// Weights are the numbers that rank readings; all in points of one scale, in
// which a relation word that fits is worth Cue. Rewards and penalties are both
// written as positive numbers.
//
// Provenance: set by hand, not fitted. Chains: on MetaQA dev 1/2/3-hop and
// PathQuestion 2-hop, then PathQuestion 3-hop without change. Stars and the
// worth of asked nouns: after reading errors on WorldCup2014. Comparisons:
// on the sample graph. UncuedHalf: on the half of WebQSP. None of these sets
// is therefore an unseen test of the weights.
//
// Weights fitted by ranking on generated questions (TestFit) were tried and not
// taken: of questions generated from a graph that the fit had not seen they
// answer 3 to 12 points more on three of eight graphs and up to 10 fewer on
// others; on published ones, CWQ gains 1 to 3 points, WebQSP 1, and PathQuestion loses 8
// to 22. The tables are in docs/decisions/20261121-planner-weights.md.
type Weights struct {
	// Mention is the worth of one point of a mention's strength.
	Mention float64
	// MentionRank is lost for every candidate that a mention has before the one
	// taken: same-name entities are tried in order.
	MentionRank float64
	// MentionMore is lost for every mention after the first, so that a long
	// name is not read as two short ones.
	MentionMore float64
	// MentionUnused is lost for a sure mention that the reading leaves out.
	MentionUnused float64

	// Qualified is gained where a name next to the one used tells it apart from
	// others: "Paris Texas".
	Qualified float64

	// Hop is lost for every hop: of two readings that use the same words the
	// shorter is better.
	Hop float64
	// HopMore is lost besides for every hop of a leg after the first.
	HopMore float64
	// Cue is the worth of the best word for a hop, times the word's own weight.
	Cue float64
	// CueMore is the worth of every further word for the same hop.
	CueMore float64
	// CueRepeated replaces Cue where the chain has used the relation before:
	// "what year was it released" has two words for one hop.
	CueRepeated float64
	// Voice is gained where the grammar says the same of who does and who is done
	// to as the first hop of a leg, and lost where it says the opposite; VoiceSame is
	// lost instead where both ends are things of one kind.
	Voice, VoiceSame float64
	// OutOfOrder is lost for every two words whose order in the question is
	// not that of their hops.
	OutOfOrder float64

	// Uncued is lost for a hop with no word of its own; UncuedNamed is lost
	// instead where a word names the kind of thing that it leads to, and
	// UncuedBack where it goes back along the hop before.
	Uncued, UncuedNamed, UncuedBack float64
	// Shared is the worth of going back along a hop where the question says
	// "same", "share" or the like; SharedFar is lost for every token between
	// that word and the hop's own, up to 10; SharedUnused is lost where nothing
	// goes back.
	Shared, SharedFar, SharedUnused float64

	// Unused is lost for a strong relation word that no hop takes; UnusedKind
	// is lost instead where the word names the kind of a thing on the chain,
	// and UnusedAsked where that thing is the answer.
	Unused, UnusedKind, UnusedAsked float64
	// StrayKind is lost for a kind of thing that is named and not on the chain.
	StrayKind float64

	// AskedStep, AskedKind and AskedBoth are the worth of an asked noun that
	// names the last hop, only the kind of the answer, or the kind where it
	// could name a hop too; AskedMiss is lost where it names neither.
	AskedStep, AskedKind, AskedBoth, AskedMiss float64
	// WhKind is gained where the answer is what who, when, where or how many
	// asks for, and lost where it is not.
	WhKind float64
	// Clause is lost where a reading leads only to the thing that a clause of the
	// question tells: "where is the company that X owns".
	Clause float64
	// Against is lost where the answer cannot be what is asked for: a number is nobody.
	Against float64
	// Anchor is gained where the word next to the question word belongs to the
	// last hop, and lost where it does not.
	Anchor float64
	// Incoherent is lost where two hops meet in things of different kinds.
	Incoherent float64

	// Misread is lost where the grammar says that other steps are asked for, and MisreadLacks
	// as well where it says that more are.
	Misread, MisreadLacks float64

	// TopicAnswer is lost where a reading leads only to the names that the
	// question has, NamelessAnswer where only to things without names.
	TopicAnswer, NamelessAnswer float64

	// Compared is the worth of a value that the question's comparing word
	// means; ComparedLoose where only the kind of value fits.
	Compared, ComparedLoose float64
	// CompareUnused is lost where a comparison is left out.
	CompareUnused float64
}

// DefaultWeights returns the weights that the program ships with.
func DefaultWeights() Weights {
	return Weights{
		Mention: 2, MentionRank: 0.2, MentionMore: 1.2, MentionUnused: 1.5, Qualified: 0.4,
		Hop: 0.4, HopMore: 0.3, Cue: 2, CueMore: 0.2, CueRepeated: 0.3, Voice: 0.6, VoiceSame: 1.5, OutOfOrder: 0.8,
		Uncued: 2, UncuedNamed: 0.7, UncuedBack: 0.5,
		Shared: 0.8, SharedFar: 0.04, SharedUnused: 1.2,
		Unused: 1, UnusedKind: 0.6, UnusedAsked: 0.1, StrayKind: 0.5,
		AskedStep: 1.5, AskedKind: 1.2, AskedBoth: 0.8, AskedMiss: 1.5,
		WhKind: 1, Against: 6, Clause: 1.5, Anchor: 0.8, Incoherent: 1.5,
		Misread: 1, MisreadLacks: 1.5, TopicAnswer: 2, NamelessAnswer: 3,
		Compared: 2, ComparedLoose: 1, CompareUnused: 2.5,
	}
}
