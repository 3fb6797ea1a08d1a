package reflexion

import (
	"fmt"
	"strings"

	"episodes/keys"
)

// MinTextLength is the length, in bytes, below which a reflection counts as poor
// (guide, "Low-Quality Reflection Indicators").
const MinTextLength = 100

// Low-quality indicators.
const (
	LowConfidence = "confidence below 0.5 and no improvement"
	NoInsights    = "no actionable insights"
	ShortText     = "shorter than 100 characters"
	NoCredit      = "no credit assignment"
)

// LowQuality returns the guide's indicators of a poor reflection that hold for r.
func LowQuality(r *Record) []string {
	var out []string
	s := r.Reflection
	if s.Confidence != nil && *s.Confidence < 0.5 && r.Performance != nil && !r.Performance.IsImprovement {
		out = append(out, LowConfidence)
	}
	if len(s.Insights) == 0 {
		out = append(out, NoInsights)
	}
	if len(s.Text) < MinTextLength {
		out = append(out, ShortText)
	}
	if s.Credit == nil || s.Credit.RootCause == "" && len(s.Credit.FailingActions) == 0 && s.Credit.Category == "" {
		out = append(out, NoCredit)
	}
	return out
}

// repeatLikeness is the share of common words above which a reflection says what
// an earlier one said.
const repeatLikeness = 0.9

// Repeats returns the iteration of an earlier reflection that says the same as
// text: word for word, or all but a tenth of its words; false when none does.
func Repeats(text string, earlier []*Record) (iteration int, ok bool) {
	own := keys.Canonical(text)
	for i := len(earlier) - 1; i >= 0; i-- {
		e := earlier[i]
		if e.Reflection.Text == text || keys.Similarity(own, keys.Canonical(e.Reflection.Text)) >= repeatLikeness {
			return e.Iteration, true
		}
	}
	return 0, false
}

// Refusal is why an answer of a model was not taken as a reflection.
type Refusal struct{ Reasons []string }

// Error lists the reasons.
func (e *Refusal) Error() string { return "not a usable reflection: " + strings.Join(e.Reasons, "; ") }

var (
	firstPerson = pattern(`(?i)\b(?:I|my|we|our)\b`)
	// specific matches what points at code: a file, a line, a call, a quoted or
	// written name, a flag.
	specific = pattern("`[^`]+`|\\b[\\w/.-]+\\.[A-Za-z]{1,4}\\b(?::\\d+)?|\\bline \\d+|\\b\\w+\\(|\\b[a-z]+(?:[A-Z]\\w*)+|\\b\\w+_\\w+|\"[^\"]+\"|'[^']{2,}'| --?\\w[\\w-]+")
)

// Accept says whether a reflection may be stored (guide, "Writing Quality
// Reflections" and "Validate reflection structure before saving"): long enough,
// in the first person, specific to the errors, not a repeat, with a next step.
// Errors: *Refusal.
func Accept(s *SelfReflection, errors []Problem, earlier []*Record) error {
	var reasons []string
	add := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	if n := len(s.Text); n < MinTextLength {
		add("%d characters, want at least %d", n, MinTextLength)
	}
	if !firstPerson().MatchString(s.Text) {
		add("not in the first person")
	}
	if !specific().MatchString(s.Text) && !mentions(s.Text, errors) {
		add("names no file, line, function or error")
	}
	if len(s.Insights) == 0 {
		add("no next step")
	}
	if i, ok := Repeats(s.Text, earlier); ok {
		add("repeats the reflection of iteration %d", i)
	}
	if len(reasons) > 0 {
		return &Refusal{Reasons: reasons}
	}
	return nil
}

// mentions reports whether text speaks of any of the errors: its file, its rule,
// or half of the words of its message.
func mentions(text string, errors []Problem) bool {
	lower := strings.ToLower(text)
	have := map[string]bool{}
	for _, w := range keys.Words(text) {
		have[w] = true
	}
	for _, e := range errors {
		for _, name := range []string{e.File, e.Rule} {
			if len(name) > 2 && strings.Contains(lower, strings.ToLower(name)) {
				return true
			}
		}
		words := keys.Words(e.Message)
		n := 0
		for _, w := range words {
			if have[w] {
				n++
			}
		}
		if len(words) > 0 && 2*n >= len(words) {
			return true
		}
	}
	return false
}
