package reflexion

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/snapshot"
)

// categoryRules give the category of a failure by the words of its first error; the
// first match counts. They are this project's: the schema only names the categories.
var categoryRules = []struct {
	words    func() *regexp.Regexp
	category Category
}{
	{lazy.Pattern(`(?i)\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|connection (?:refused|reset)|no database|status (?:code )?[45]\d\d|HTTP [45]\d\d|unreachable|rate limit)`),
		IntegrationError},
	{lazy.Pattern(`(?i)\b(?:environment variable|env var|config(?:uration)?|permission denied|EACCES|module not found|cannot find module|no module named|command not found|executable file not found|no such file)`),
		ConfigurationError},
	{lazy.Pattern(`(?i)\b(?:nil|null|none|undefined is|of undefined|empty|out of (?:range|bounds)|index|zero|negative|overflow|boundary|NoneType)\b`),
		EdgeCaseMiss},
	{lazy.Pattern(`(?i)\b(?:undefined|cannot find name|unresolved|not defined|unknown (?:name|field|method|symbol)|has no (?:attribute|member|field|method)|does not exist|undeclared)\b`),
		Hallucination},
	{lazy.Pattern(`(?i)\b(?:not implemented|unimplemented|todo|missing|expected .* but got (?:nothing|none))\b`),
		IncompleteImplementation},
}

var typeCategories = map[ErrorType]Category{SyntaxError: IncompleteImplementation, TypeError: IncorrectAssumption,
	TestFailure: LogicErrorCategory, LogicError: LogicErrorCategory, RuntimeError: LogicErrorCategory, Timeout: InefficientPlanning}

// CategoryOf returns the category of a failure: by the words of its first error, else its type.
func CategoryOf(errors []Problem) Category {
	if len(errors) == 0 {
		return OtherCategory
	}
	for _, r := range categoryRules {
		if r.words().MatchString(errors[0].Message) {
			return r.category
		}
	}
	return cmp.Or(typeCategories[errors[0].Type], OtherCategory)
}

// FromRulesOnly makes a reflection without a model, from the evaluation, the changes and the
// presence of advice. Its confidence is 0.3, plus 0.2 for a known location and 0.2 for advice. Texts
// of tools are quoted and never become next steps; texts of memory would be stored again.
func FromRulesOnly(a Attempt, history []*Record, advice []Known) SelfReflection {
	errors := a.Evaluator.Errors
	s := SelfReflection{Source: FromRules, Credit: &CreditAssignment{Category: CategoryOf(errors), FailingActions: failingActions(a)}}
	text := fmt.Sprintf("My attempt did not pass (%s): %s. ", strings.ReplaceAll(string(a.Evaluator.Type), "_", " "), standing(&a.Evaluator))
	confidence := 0.3
	if len(errors) > 0 {
		first := errors[0]
		s.Credit.RootCause = Shorten(FirstLine(first.Message), 200)
		the := "The error"
		if len(errors) > 1 {
			the = fmt.Sprintf("The first of %d errors", len(errors))
		}
		text += fmt.Sprintf("%s was %s. ", the, quoteLine(Describe(first), 240))
		if first.Line > 0 {
			confidence += 0.2
		}
		if c := a.Actor.Changed; c != nil {
			s.Causal = "I " + cmp.Or(ChangeText(c, &first), "changed no file") + "."
		}
		text += s.Causal + " "
	}
	if s.Related = recurredIn(errors, Reflections(history)); len(s.Related) > 0 {
		text += fmt.Sprintf("It was there already in %s. ", listed("iteration", s.Related, 0))
	}
	if len(advice) > 0 {
		confidence += 0.2
	}
	for _, e := range distinct(errors, 3) {
		s.Insights = append(s.Insights, "find the cause of "+quoteLine(Describe(e), 240))
	}
	if len(s.Insights) > 0 {
		text += fmt.Sprintf("In my next attempt I will first %s.", s.Insights[0])
	}
	s.Text, s.Gaps, s.Confidence = text, gaps(errors, history, advice), &confidence
	s.clean()
	return s
}

// sameFile reports whether a path that a tool or an agent names is that of a file in the
// repository: tools leave out folders above.
func sameFile(path, named string) bool {
	named = strings.TrimPrefix(strings.ReplaceAll(named, `\`, "/"), "./")
	return named != "" && (path == named || strings.HasSuffix(path, "/"+named) || strings.HasSuffix(named, "/"+path))
}

// failingActions are the indices of the actions that name a file which was changed, or, when
// nobody looked, a file with an error.
func failingActions(a Attempt) (out []int) {
	for i, act := range a.Actor.Actions {
		if act.FilePath == "" {
			continue
		}
		if c := a.Actor.Changed; c != nil &&
			slices.ContainsFunc(c.Files, func(f snapshot.FileChange) bool { return sameFile(f.Path, act.FilePath) }) ||
			c == nil && slices.ContainsFunc(a.Evaluator.Errors, func(e Problem) bool { return sameFile(act.FilePath, e.File) }) {
			out = append(out, i)
		}
	}
	return out
}

func recurredIn(errors []Problem, records []*Record) (out []int) {
	for _, iterations := range Recurring(errors, records) {
		out = append(out, iterations...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// distinct returns the first n errors of different signatures or places.
func distinct(errors []Problem, n int) []Problem {
	seen := map[string]bool{}
	var out []Problem
	for _, e := range errors {
		if s := SignatureOf(e) + At(e); !seen[s] && len(out) < n {
			seen[s] = true
			out = append(out, e)
		}
	}
	return out
}

// gaps are the knowledge gaps that the records show: the cause of a recurring error that
// nothing on record fixed, and the correct name where a nonexistent one was used.
func gaps(errors []Problem, history []*Record, advice []Known) []string {
	recurring := Recurring(errors, history)
	var out []string
	for _, e := range distinct(errors, 3) {
		at := Describe(e)
		answered := slices.ContainsFunc(advice, func(a Known) bool { return a.About == at && a.Step != "" })
		switch in := recurring[SignatureOf(e)]; {
		case answered:
		case CategoryOf([]Problem{e}) == Hallucination:
			out = append(out, "which name is right in "+quoteLine(at, 300))
		case len(in) > 0:
			out = append(out, fmt.Sprintf("what causes %s: it was there in %s too", quoteLine(at, 300), listed("iteration", in, 0)))
		}
	}
	return out
}
