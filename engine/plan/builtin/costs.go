package builtin

// What a reading starts from in log-odds of being right, what each sign takes from them, and
// below what it is not shown as sure. Fitted on 2026-11-29 on the sets and on ten graphs of people,
// before any rule was made from these, by
//
//	cairn-lab confidence --sample 100 --graphs archaeology,grid,lobby,network,parish,recall,rulings,transfers,trials,waters
const (
	certainty = 4.12
	bar       = 1.39 // a chance of 0.8: a little more than the fit asks for
)

var costs = map[string]float64{
	"crowded":   1.55,
	"doubted":   2.17,
	"echo":      0.77,
	"genitives": 0.79,
	"inner":     1.11,
	"inside":    0.87,
	"other":     1.06,
	"repeats":   0.28,
	"several":   1.24,
	"unused":    0.43,
	"wordless":  0.89,
	"words":     0.12,
}
