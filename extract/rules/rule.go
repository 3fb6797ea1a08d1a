package rules

// rule is a line of a table of rules on blocks.
type rule[V any] = ruleOn[*features, V]

// ruleOn is a line of a table of rules on things with features F. The rules of a
// table are tried in order; the first one whose condition holds decides, with its
// verdict. The name says in a few words what the condition is: `extract --verbose`
// gives it as the reason of a fact.
type ruleOn[F, V any] struct {
	name    string
	when    func(F) bool
	verdict V
}

// first returns the first rule of a table that holds; nil when none does.
func first[F, V any](table []ruleOn[F, V], f F) *ruleOn[F, V] {
	for i := range table {
		if table[i].when(f) {
			return &table[i]
		}
	}
	return nil
}
