package index

import "context"

// reach links what no chain of links in layer 0 leads to: a vector that everything
// near it has neighbours nearer than. Each is linked from the nearest vector that is
// led to and has room, so that no other is cut off for it.
func (b *builder) reach(ctx context.Context) error {
	reached := b.reached()
	l := b.crew[0]
	anyRoom := uint32(0) // below it, every row is full
	for i := range b.head.N {
		if reached[i] || b.equal[i] {
			continue
		}
		b.codes.SetRow(&l.probe, i)
		b.walkLayer(ctx, l.walker, []key{b.descend(l.walker, 0)}, 0, b.o.EfConstruction)
		if err := ctx.Err(); err != nil {
			return err
		}
		from := noVector
		for _, f := range l.found {
			if reached[f.id()] && b.hasRoom(f.id()) {
				from = f.id()
				break
			}
		}
		for ; from == noVector && anyRoom < b.head.N; anyRoom++ {
			if reached[anyRoom] && !b.equal[anyRoom] && b.hasRoom(anyRoom) {
				from = anyRoom
				break
			}
		}
		if from == noVector {
			return nil // no row has room; the probe tells what that costs
		}
		row := b.row(from, 0)
		row[0]++
		row[row[0]] = i
		reached[i] = true
		b.walkFrom(reached, i)
	}
	return nil
}

func (b *builder) hasRoom(i uint32) bool {
	row := b.row(i, 0)
	return int(row[0]) < len(row)-1
}

// reached tells which vectors layer 0 leads to from the entry.
func (l *links) reached() []bool {
	reached := make([]bool, l.head.N)
	if l.head.N > 0 {
		reached[l.head.Entry] = true
		l.walkFrom(reached, l.head.Entry)
	}
	return reached
}

// walkFrom marks what layer 0 leads to from a vector.
func (l *links) walkFrom(reached []bool, from uint32) {
	for stack := []uint32{from}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, j := range l.neighbours(i, 0) {
			if !reached[j] {
				reached[j] = true
				stack = append(stack, j)
			}
		}
	}
}
