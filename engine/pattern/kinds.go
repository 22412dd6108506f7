package pattern

import (
	"strings"

	"cairn/internal/wording"
)

// Kinds is what the type of a node says: its things are of some of Any, of some of Also too where
// there are any, and of none of No.
//
//	ferry or tanker            ship that is a ferry            ship but no ferry or tanker
type Kinds struct{ Any, Also, No []string }

const (
	thatIs = " that is a "
	butNo  = " but no "
)

// String writes kinds as the type of a node.
func (k Kinds) String() string {
	text := wording.Choice(k.Any)
	if len(k.Also) > 0 {
		text += thatIs + wording.Choice(k.Also)
	}
	if len(k.No) > 0 {
		text += butNo + wording.Choice(k.No)
	}
	return text
}

// IsOne reports whether they are a single kind.
func (k Kinds) IsOne() bool { return len(k.Any) <= 1 && len(k.Also)+len(k.No) == 0 }

// ReadKinds reads the type of a node.
func ReadKinds(text string) (k Kinds) {
	is, no, _ := strings.Cut(text, butNo)
	some, also, _ := strings.Cut(is, thatIs)
	return Kinds{choices(some), choices(also), choices(no)}
}

func choices(text string) (list []string) {
	for part := range strings.SplitSeq(strings.ReplaceAll(text, " or ", ", "), ", ") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
