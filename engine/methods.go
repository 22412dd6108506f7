package engine

import (
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/simgrag"
)

// Methods lists the ways to look for evidence, the default one first: all that is
// made of a choice of methods, flags, menus, help and evaluations, is made from it.
func Methods() []retrieve.Method {
	return []retrieve.Method{
		simgrag.Method{},
		gnnrag.Method{},
	}
}
