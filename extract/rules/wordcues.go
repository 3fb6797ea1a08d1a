package rules

import "episodes/extract/internal/lex"

// wordCues are signs in the words of a block that it states a decision. Each that holds adds its points to those of
// the location.
var wordCues = []rule[int]{
	{"says that a choice was made", func(f *features) bool { return f.chosen >= 0 }, 2},
	{"says that one way was taken", func(f *features) bool {
		return f.chosen >= 0 && f.text.At(f.chosen, lex.ClassSettle) && f.words <= 40
	}, 1},
	{"sets one option against another", func(f *features) bool { return f.contrast != "" }, 1},
	{"did one thing instead of another", func(f *features) bool { return f.repaired && f.text.Prefers() != "" }, 1},
	{"opens with the verb of a choice", func(f *features) bool { return f.text.At(0, lex.ClassAdopt) }, 1},
	{"says what its act is to prevent", func(f *features) bool {
		return (f.repaired ||
			f.under(lex.RoleAttempt)) && f.text.Is(lex.ClassPurpose)
	}, 1},
	{"says that it is not done now", func(f *features) bool {
		return f.text.Refusal() >= 0 && !f.text.Is(lex.ClassThis)
	}, 3},
	{"goes back", func(f *features) bool { return f.text.At(0, lex.ClassRevert) && f.words < 25 }, 3},
	{"says how it was solved", func(f *features) bool { return solved(f.text) }, 3},
	{"is long", func(f *features) bool { return f.words > 70 }, -1},
}

// solved reports whether a text says what solved a problem: "I fixed this by pinning it".
func solved(t lex.Text) bool { return t.Is(lex.ClassWayOut) || t.ByMeans() }

// score is how much a block says that it states a decision, and by which rules.
type score struct {
	location, words int
	rule            string
}

// enough reports whether the block states one.
func (s score) enough() bool {
	return s.location >= 0 && s.location+s.words >= decisionThreshold
}

// decisionScore adds the points of a block's location and of its words. If the location
// is sufficient, its rule alone is the reason for the decision.
func decisionScore(f *features) score {
	var s score
	if r := first(locationRules, f); r != nil {
		if s.location = r.verdict; s.location < 0 {
			return s
		}
		s.rule = r.name
	}
	for _, c := range wordCues {
		if c.when(f) {
			s.words += c.verdict
			if s.rule != "" && s.location < decisionThreshold {
				s.rule += ", "
			}
			if s.location < decisionThreshold {
				s.rule += c.name
			}
		}
	}
	return s
}
