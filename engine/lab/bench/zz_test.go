package bench

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"cairn/engine/kg"
)

func TestZZ(t *testing.T) {
	ctx := context.Background()
	st, err := kg.OpenStore(ctx, os.Getenv("ZZ"))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	g, err := st.Graph(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("opened in", time.Since(began))
	n, _ := strconv.Atoi(os.Getenv("ZN"))
	shown, _ := strconv.Atoi(os.Getenv("ZS"))
	o := OperatorOptions{Queries: n, Seed: 1, Most: 100 * time.Second}
	o.setDefaults()
	b := &operatorBench{o: o, g: g, set: &OperatorSet{}}
	b.draw()
	if only := os.Getenv("ZO"); only != "" {
		var kept []operatorQuery
		for _, q := range b.queries {
			if operators[q.operator].name == only {
				kept = append(kept, q)
			}
		}
		b.queries = kept
	}
	r, err := b.cairn(ctx, shown)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range b.rows(r) {
		if row.Queries > 0 {
			fmt.Printf("%-20s n %d  %.3f / %.3f ranout %d\n", row.Operator, row.Queries, float64(row.Times.Median.Microseconds())/1000, float64(row.Times.P99.Microseconds())/1000, row.RanOut)
		}
	}
}
