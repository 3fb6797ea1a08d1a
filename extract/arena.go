package extract

// arena hands out values of one type from pieces of memory that are used again
// for the next log: a log has very many blocks and words, and none outlives the
// reading of it.
type arena[T any] struct {
	size   int // of a piece, in values
	pieces [][]T
	used   int // of the pieces
	free   []T // of the last of these
}

// room makes sure that at least n values are free, and returns all that are in a
// row; take says how many of them are wanted.
func (a *arena[T]) room(n int) []T {
	if len(a.free) >= n {
		return a.free
	}
	if n > a.size {
		a.free = make([]T, n) // for this log only
		return a.free
	}
	if a.used == len(a.pieces) {
		a.pieces = append(a.pieces, make([]T, a.size))
	}
	a.free = a.pieces[a.used]
	a.used++
	return a.free
}

// take returns n empty values. What is appended to them goes elsewhere.
func (a *arena[T]) take(n int) []T {
	out := a.room(n)[:n:n]
	a.free = a.free[n:]
	return out
}

// reset takes all values back.
func (a *arena[T]) reset() {
	for _, p := range a.pieces[:a.used] {
		clear(p)
	}
	a.used, a.free = 0, nil
}

// forget leaves to their holders what was handed out, but for what is free.
func (a *arena[T]) forget() {
	a.pieces, a.used = nil, 0
}

// spare keeps a few values that are costly to make for the next log. Unlike a
// sync.Pool it holds on to them: what they have learned is worth more than their
// memory.
type spare[T any] struct {
	kept chan *T
	new  func() *T
}

func newSpare[T any](fresh func() *T) spare[T] {
	return spare[T]{kept: make(chan *T, 8), new: fresh}
}

func (s spare[T]) get() *T {
	select {
	case v := <-s.kept:
		return v
	default:
		return s.new()
	}
}

func (s spare[T]) put(v *T) {
	select {
	case s.kept <- v:
	default:
	}
}
