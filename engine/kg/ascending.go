package kg

import (
	"cmp"
	"slices"
)

// Sets of ids are ascending lists.

// Distinct sorts a list and leaves out what is in it again. It changes the list.
func Distinct[E cmp.Ordered](list []E) []E {
	slices.Sort(list)
	return slices.Compact(list)
}

// IsAscending reports whether every element is larger than the one before.
func IsAscending[E cmp.Ordered](list []E) bool {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			return false
		}
	}
	return true
}

// Ascending returns a list as it is where it is ascending, and else a copy that is.
func Ascending[E cmp.Ordered](list []E) []E {
	if IsAscending(list) {
		return list
	}
	return Distinct(slices.Clone(list))
}

// Holds reports whether an ascending list has an element.
func Holds[E cmp.Ordered](ascending []E, e E) bool {
	_, ok := slices.BinarySearch(ascending, e)
	return ok
}

// With appends those elements to a list, in any order, that it does not have.
func With[E comparable](list []E, more ...E) []E {
	for _, e := range more {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}
