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

// reason is why a fact was taken: the names of the rules, and for people those names
// with the words of the log that they quote.
type reason struct{ rule, text string }

// because is the reason that one rule gives; words may be empty.
func because(rule, words string) reason {
	if words == "" {
		return reason{rule, rule}
	}
	return reason{rule, rule + ": " + quote(words)}
}

// and is the reason of two rules that decided together.
func (r reason) and(o reason) reason {
	if r.rule == "" {
		return o
	}
	return reason{r.rule + ", " + o.rule, r.text + ", " + o.text}
}

// quotes gives the words of the log that a rule quotes; nil: none.
type quotes func(*features) string

func (q quotes) of(f *features) string {
	if q == nil {
		return ""
	}
	return q(f)
}

// What rules quote of a block.
func itsLabel(f *features) string   { return f.block.Label }
func itsHeading(f *features) string { return f.section.Title.Raw }
func itsIntro(f *features) string   { return f.intro.Label }
func itsFailure(f *features) string { return f.text.Words[f.fails].Lower }
