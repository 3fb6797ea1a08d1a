package rules

// rule is a line of a table of rules. The rules of a table are tried in order; the
// first one whose condition holds decides, with its verdict. The name says in a few
// words what the condition is: `extract --verbose` gives it as the reason of a fact,
// and the score test counts hits and precision by it.
type rule[V any] struct {
	name    string
	when    func(*features) bool
	verdict V
}

// first returns the first rule of a table that holds of a block; nil when none does.
func first[V any](table []rule[V], f *features) *rule[V] {
	for i := range table {
		if table[i].when(f) {
			return &table[i]
		}
	}
	return nil
}
