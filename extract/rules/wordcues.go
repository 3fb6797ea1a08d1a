package rules

import "episodes/extract/internal/lex"

// cue is a sign in the words of a block that it states a decision. Every cue that
// holds adds its points to those of the location.
type cue struct {
	points int
	quote  quotes
}

// wordCues are the cues.
var wordCues = []rule[cue]{
	{"says that a choice was made", func(f *features) bool { return f.chosen >= 0 }, cue{2, itsChoice}},
	{"says that one way was taken", func(f *features) bool {
		return f.chosen >= 0 && f.text.At(f.chosen, lex.ClassSettle) && f.words <= 40
	}, cue{points: 1}},
	{"sets one option against another", func(f *features) bool { return f.contrast != "" },
		cue{1, func(f *features) string { return f.contrast }}},
	{"did one thing instead of another", func(f *features) bool { return f.repaired && f.text.Prefers() != "" }, cue{points: 1}},
	{"opens with the verb of a choice", func(f *features) bool { return f.text.At(0, lex.ClassAdopt) }, cue{points: 1}},
	{"says what its act is to prevent", func(f *features) bool {
		return (f.repaired ||
			f.under(lex.RoleAttempt)) && f.text.Is(lex.ClassPurpose)
	}, cue{points: 1}},
	{"says that it is not done now", func(f *features) bool {
		return f.text.Refusal() >= 0 && !f.text.Is(lex.ClassThis)
	}, cue{3, func(f *features) string { return f.text.Words[f.text.Refusal()].Lower }}},
	{"goes back", func(f *features) bool { return f.text.At(0, lex.ClassRevert) && f.words < 25 }, cue{points: 3}},
	{"says how it was solved", func(f *features) bool { return solved(f.text) }, cue{points: 3}},
	{"is long", func(f *features) bool { return f.words > 70 }, cue{points: -1}},
}

func itsChoice(f *features) string { return f.text.Words[f.chosen].Lower }

// solved reports whether a text says what solved a problem: "I fixed this by pinning it".
func solved(t lex.Text) bool { return t.Is(lex.ClassWayOut) || t.ByMeans() }

// score is how much a block says that it states a decision, and by which rules.
type score struct {
	location, words int
	why             reason
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
		if r.verdict.points < 0 {
			return score{location: r.verdict.points}
		}
		s = score{location: r.verdict.points, why: because(r.name, r.verdict.quote.of(f))}
	}
	byLocation := s.why.rule
	for _, c := range wordCues {
		if c.when(f) {
			s.words += c.verdict.points
			s.why = s.why.and(because(c.name, c.verdict.quote.of(f)))
		}
	}
	if s.location >= decisionThreshold {
		s.why.rule = byLocation
	}
	return s
}
