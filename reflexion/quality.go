package reflexion

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"episodes/internal/lazy"
	"episodes/internal/snapshot"
	"episodes/keys"
)

// MinTextLength is the length in characters below which a reflection is of low quality (guide).
const MinTextLength = 100

// The indicators of low quality: the guide's four, and two from its list of don'ts
// ("Ignore verification errors in output", "Claim high confidence without evidence").
const (
	LowConfidence = "confidence below 0.5 and no improvement"
	NoInsights    = "no actionable insights"
	ShortText     = "shorter than 100 characters"
	NoCredit      = "no credit assignment"
	IgnoresErrors = "speaks of none of the errors"
	Overclaims    = "high confidence without an error or an action to show for it"
)

// highConfidence is the least confidence that requires evidence.
const highConfidence = 0.8

func overclaims(s *SelfReflection, errors []Problem) bool {
	return s.Confidence != nil && *s.Confidence >= highConfidence && len(errors) > 0 &&
		!mentions(s.Text, errors) && (s.Credit == nil || len(s.Credit.FailingActions) == 0)
}

// LowQuality returns the indicators of low quality that apply to r.
func LowQuality(r *Record) (out []string) {
	s, errors := &r.Reflection, r.Evaluator.Errors
	add := func(is bool, indicator string) {
		if is {
			out = append(out, indicator)
		}
	}
	add(s.Confidence != nil && *s.Confidence < 0.5 && r.Performance != nil && !r.Performance.IsImprovement, LowConfidence)
	add(len(s.Insights) == 0, NoInsights)
	add(utf8.RuneCountInString(s.Text) < MinTextLength, ShortText)
	add(s.Credit == nil || s.Credit.RootCause == "" && len(s.Credit.FailingActions) == 0 && s.Credit.Category == "", NoCredit)
	add(len(errors) > 0 && !mentions(s.Text, errors), IgnoresErrors)
	add(overclaims(s, errors), Overclaims)
	return out
}

const repeatLikeness = 0.9

// Repeats returns the iteration of the last earlier reflection that text repeats:
// literally, or with a similarity of at least repeatLikeness. Without one, ok is false.
func Repeats(text string, earlier []*Record) (iteration int, ok bool) {
	own := keys.Canonical(text)
	for _, e := range slices.Backward(earlier) {
		if e.Reflection.Text == text || keys.Similarity(own, keys.Canonical(e.Reflection.Text)) >= repeatLikeness {
			return e.Iteration, true
		}
	}
	return 0, false
}

type Refusal struct{ Reasons []string }

func (e *Refusal) Error() string { return "not a usable reflection: " + strings.Join(e.Reasons, "; ") }

var (
	firstPerson = lazy.Pattern(`(?i)\b(?:I|my|we|our)\b`)
	// specific matches references to code: a file, a line, a call, a quoted or compound
	// name, a flag.
	specific = lazy.Pattern("`[^`]+`|\\b[\\w/.-]+\\.[A-Za-z]{1,4}\\b(?::\\d+)?|\\bline \\d+|\\b\\w+\\(|\\b[a-z]+(?:[A-Z]\\w*)+|\\b\\w+_\\w+|\"[^\"]+\"|'[^']{2,}'| --?\\w[\\w-]+")
)

// Accept checks whether a reflection may be stored (guide, "Writing Quality
// Reflections" and "Validate reflection structure before saving"): it is long enough, in
// the first person, specific, not a repetition, and has a next step about the errors or the
// change. Errors: *Refusal.
func Accept(s *SelfReflection, errors []Problem, changed *snapshot.Changes, earlier []*Record) error {
	if strings.TrimSpace(s.Text) == "" {
		return &Refusal{Reasons: []string{"the answer is empty"}}
	}
	var reasons []string
	must := func(ok bool, format string, args ...any) {
		if !ok {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	n := utf8.RuneCountInString(s.Text)
	must(n >= MinTextLength, "%d characters, want at least %d", n, MinTextLength)
	must(firstPerson().MatchString(s.Text), "not in the first person")
	must(specific().MatchString(s.Text) || mentions(s.Text, errors), "names no file, line, function or error")
	must(len(s.Insights) > 0, "no next step")
	must(len(s.Insights) == 0 || slices.ContainsFunc(s.Insights, newSubjects(errors, changed).namedIn),
		"no next step names a file, line or symbol of the errors or of the change")
	must(!overclaims(s, errors), "claims a high confidence, but names no error and holds no action responsible")
	i, repeats := Repeats(s.Text, earlier)
	must(!repeats, "repeats the reflection of iteration %d", i)
	if len(reasons) > 0 {
		return &Refusal{Reasons: reasons}
	}
	return nil
}

// subjects are what the next steps after an attempt can be about: names (true) of files, tests and
// lines, and symbols that no word of a sentence looks like; and other words of the code.
type subjects map[string]bool

var (
	anIdentifier = lazy.Pattern(`[A-Za-z_][A-Za-z0-9_]{2,}`)
	likeASymbol  = lazy.Pattern(`[a-z0-9][A-Z]|_|\d`)
	marked       = lazy.Pattern("[`'\"]([^`'\"]+)[`'\"]|([A-Za-z_]\\w*)\\(")
)

func newSubjects(errors []Problem, changed *snapshot.Changes) subjects {
	x := subjects{}
	add := func(code string, names ...string) {
		for _, id := range anIdentifier().FindAllString(code, 400) {
			x[id] = x[id] || likeASymbol().MatchString(id)
		}
		for _, name := range names {
			if len(name) > 2 {
				x[name] = true
			}
		}
	}
	for _, e := range errors {
		add(e.Message+" "+e.Rule, base(e.File), strings.TrimSpace(e.Rule[strings.LastIndexAny(e.Rule, "/.:>")+1:]))
		if e.Line > 0 {
			add("", fmt.Sprint("line ", e.Line), fmt.Sprint("lines ", e.Line))
		}
	}
	if changed != nil {
		for _, f := range changed.Files {
			add("", base(f.Path))
		}
		add(changed.Patch)
	}
	return x
}

// base is the last element of a path of any system; "." of none.
func base(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// namedIn reports whether a step names one of them, or they have no names. A plain word of the code
// counts where the step marks it as code.
func (x subjects) namedIn(step string) bool {
	names := 0
	for name, is := range x {
		if !is {
			continue
		}
		names++
		if strings.Contains(step, name) && regexp.MustCompile(`(?:^|\W)`+regexp.QuoteMeta(name)+`(?:\W|$)`).MatchString(step) {
			return true
		}
	}
	for _, m := range marked().FindAllStringSubmatch(step, -1) {
		known := func(id string) bool { _, known := x[id]; return known }
		if slices.ContainsFunc(anIdentifier().FindAllString(m[1]+" "+m[2], -1), known) {
			return true
		}
	}
	return names == 0
}

// echoShare is the share of a text's words from its input above which it only repeats that.
const echoShare = 0.7

// Forget removes the lessons and next steps that repeat texts of the memory, so that these
// are not stored again.
func (s *SelfReflection) Forget(given []string) {
	heard := make([][]string, len(given))
	for i, t := range given {
		heard[i] = keys.Words(t)
	}
	echo := func(text string) bool {
		words := keys.Words(text)
		return len(words) > 0 && slices.ContainsFunc(heard, func(said []string) bool {
			return float64(keys.Shared(words, said)) >= echoShare*float64(len(words))
		})
	}
	s.Lessons, s.Insights = slices.DeleteFunc(s.Lessons, echo), slices.DeleteFunc(s.Insights, echo)
}

// mentions reports whether text names any of the errors: its file, its rule, its message,
// or at least half of the words of the message.
func mentions(text string, errors []Problem) bool {
	lower, have := strings.ToLower(text), keys.Words(text)
	named := func(name string) bool { return len(name) > 2 && strings.Contains(lower, strings.ToLower(name)) }
	return slices.ContainsFunc(errors, func(e Problem) bool {
		words := keys.Words(e.Message)
		return named(base(e.File)) || named(e.Rule) || named(FirstLine(e.Message)) ||
			len(words) > 0 && 2*keys.Shared(words, have) >= len(words)
	})
}
