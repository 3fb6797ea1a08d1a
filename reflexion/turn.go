package reflexion

import (
	"cmp"
	"fmt"
	"slices"

	"episodes/internal/plain"
	"episodes/keys"
)

// Turn is an attempt of a loop with its effect.
type Turn struct {
	*Record
	Before    *EvaluatorOutput // found when it began; nil: not known
	Gone      []Problem        // errors that it had before and has not after
	Stayed    []Problem        // both before and after, in current form
	Broken    []Problem        // errors that are new
	Shortfall string           // why it cannot be an improvement, or ""
	Best      bool             // it came further than all before it
}

// Turns are the attempts that a loop's records hold, in their order. What was found before
// the first one is its baseline.
func Turns(history []*Record) []Turn {
	history = slices.SortedStableFunc(slices.Values(history), func(a, b *Record) int { return cmp.Compare(a.Iteration, b.Iteration) })
	type state struct {
		found  *EvaluatorOutput
		hidden []Problem // see compare
	}
	var out []Turn
	var best, first *EvaluatorOutput
	var now state
	after := map[int]state{}
	for _, r := range history {
		if r.Baseline != nil {
			now.found, best, first = r.Baseline, r.Baseline, counted(r.Baseline, first)
			after[BeforeFirst] = now
		}
		if r.From != nil {
			now = after[*r.From]
		}
		t := Turn{Record: r, Before: now.found, Shortfall: Shortfall(first, &r.Evaluator)}
		if t.Shortfall == "" && !r.Evaluator.Passed && r.Actor.Changed.Any("verifier") { // it found errors of something else
			t.Shortfall = "what verifies was changed"
		}
		first = counted(&r.Evaluator, first)
		now = state{&r.Evaluator, t.compare(first, now.hidden)}
		after[r.Iteration] = now
		if t.Shortfall == "" && (best == nil || better(&r.Evaluator, best, Shortfall(first, best) == "")) {
			best, t.Best = &r.Evaluator, true
		}
		out = append(out, t)
	}
	return out
}

// BestIteration is that of BestOf, or BeforeFirst.
func BestIteration(history []*Record) int {
	if best := BestOf(Turns(history)); best != nil {
		return best.Iteration
	}
	return BeforeFirst
}

// Begins returns the iteration (or BeforeFirst) with whose state the attempt after the records
// begins, and what was found in it, if it is known. from is the iteration where the loop says it;
// nil: the last one or, of an isolated loop that ended, the best one, which it brought back.
// baseline is what was found before the first attempt where no record says it.
func Begins(history []*Record, from *int, baseline *EvaluatorOutput) (int, *EvaluatorOutput) {
	at := NextIteration(history) - 1
	switch last := Last(history); {
	case last == nil:
		return BeforeFirst, baseline
	case from != nil:
		at = *from
	case last.From != nil && last.Rule != nil && last.Rule.Isolated: // nothing was brought back
		at = BeforeFirst
	case last.From != nil:
		at = BestIteration(history)
	}
	for _, r := range history {
		if r.Iteration == at {
			return at, &r.Evaluator
		}
		if at == BeforeFirst && r.Baseline != nil && baseline == nil {
			return at, r.Baseline
		}
	}
	return at, baseline
}

// BestOf returns the last turn that came further than all before it; nil when none did.
func BestOf(turns []Turn) *Turn {
	for i := range slices.Backward(turns) {
		if turns[i].Best {
			return &turns[i]
		}
	}
	return nil
}

// FirstCounted is the first evaluation of a loop that counts all its tests, or nil.
func FirstCounted(baseline *EvaluatorOutput, history []*Record) *EvaluatorOutput {
	first := counted(baseline, nil)
	for _, r := range history {
		first = counted(&r.Evaluator, counted(r.Baseline, first))
	}
	return first
}

// counted returns first, or e where that is nil and e counts all its tests.
func counted(e, first *EvaluatorOutput) *EvaluatorOutput {
	if first == nil && exact(e) {
		return e
	}
	return first
}

// total is how many tests an evaluation counts; 0 where it does not count all.
func total(e *EvaluatorOutput) int {
	if e == nil || e.Metrics == nil || e.Metrics.TestsPartial {
		return 0
	}
	return deref(e.Metrics.TestsTotal)
}

func exact(e *EvaluatorOutput) bool { return total(e) > 0 }

// Shortfall says why an evaluation is no improvement on anything: of the tests that were first
// counted some are gone, could not run, or were changed. "" when it lacks nothing.
func Shortfall(first, e *EvaluatorOutput) string {
	switch {
	case e.ByChanging != "":
		return "it passed only by changing " + e.ByChanging
	case unbuilt(e) && (!exact(e) || TestsGone(first, e) > 0):
		return "the build is broken"
	case slices.ContainsFunc(e.Results, func(r Result) bool { return r.Status == Errored }):
		return "a verifier did not run to its end"
	}
	return Missing(first, e)
}

// TestsGone is how many tests of an earlier evaluation are not in a later one, by their names
// or else by the counts. Tools count what breaks around a test, such as its teardown, as one more
// test that failed: so many may go.
func TestsGone(first, e *EvaluatorOutput) int {
	switch {
	case exact(first) && e.Metrics != nil && e.Metrics.TestsGone != nil:
		return *e.Metrics.TestsGone
	case !exact(first) || !exact(e):
		return 0
	}
	around := slices.DeleteFunc(slices.Clone(first.Errors), func(p Problem) bool { return p.Type != RuntimeError })
	if gone := total(first) - total(e); gone > len(around) {
		return gone
	}
	return 0
}

// Missing describes the tests that are gone since an earlier evaluation, or returns "".
func Missing(first, e *EvaluatorOutput) string {
	if exact(first) && (e.Metrics == nil || deref(e.Metrics.TestsTotal) == 0) {
		return fmt.Sprintf("no test was counted (%d before)", *first.Metrics.TestsTotal)
	}
	gone := TestsGone(first, e)
	if gone == 0 {
		return ""
	}
	what := []string{"test that was there is gone", "tests that were there are gone"}
	if deref(e.Metrics.TestsSkipped)-deref(first.Metrics.TestsSkipped) >= gone {
		what = []string{"test that ran before is skipped now", "tests that ran before are skipped now"}
	}
	return fmt.Sprintf("%d %s (%d before, %d now)", gone, what[min(gone-1, 1)], *first.Metrics.TestsTotal, *e.Metrics.TestsTotal)
}

// Of the tests that are gone, so many are named in a text, and in a record.
const maxGone, maxGoneKept = 3, 20

// CompareTests compares the tests of an evaluation with those of an earlier one, and returns
// its metrics with those that are gone. They are unchanged where not both name all tests.
func CompareTests(first, e *EvaluatorOutput) *Metrics {
	if !exact(first) || first.Metrics.Tests == nil || e.Metrics == nil || e.Metrics.Tests == nil {
		return e.Metrics
	}
	m, ran, gone := *e.Metrics, map[string]int{}, 0
	for _, name := range m.Tests {
		ran[keys.Mask(name)]++ // names may hold addresses and temporary folders
	}
	for _, name := range first.Metrics.Tests {
		if masked := keys.Mask(name); ran[masked] > 0 {
			ran[masked]--
		} else if gone++; gone <= maxGoneKept {
			m.Gone = append(m.Gone, name)
		}
	}
	m.TestsGone = &gone
	return &m
}

// Named is the shortfall with the names of the tests that are gone, which are words of others.
func (t *Turn) Named() string { return t.Shortfall + ListGone(t.Evaluator.Metrics) }

// ListGone lists the names of tests that are gone, after a colon; "" without any.
func ListGone(m *Metrics) string {
	if m == nil || len(m.Gone) == 0 {
		return ""
	}
	var out []string
	for _, name := range m.Gone[:min(len(m.Gone), maxGone)] {
		out = append(out, plain.Cut(plain.Words(name), maxAboutShown))
	}
	if more := max(len(m.Gone), deref(m.TestsGone)) - maxGone; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return ": " + enumerate(out)
}

func unbuilt(e *EvaluatorOutput) bool {
	return slices.ContainsFunc(e.Errors, func(p Problem) bool { return p.Type == SyntaxError || p.Type == TypeError })
}

// better reports whether an evaluation without a shortfall came further than another:
// by the tests that fail, then the reward, the errors, and the number of tests.
func better(a, b *EvaluatorOutput, full bool) bool {
	if a.Passed != b.Passed || !full {
		return a.Passed || !b.Passed && !full
	}
	return cmp.Or(cmp.Compare(failing(a), failing(b)), cmp.Compare(b.RewardOr(), a.RewardOr()),
		cmp.Compare(len(findings(a)), len(findings(b))), cmp.Compare(total(b), total(a))) < 0
}

// ActorRule is the rule of an error that the actor itself made: it crashed, or hung.
const ActorRule = "actor"

func findings(e *EvaluatorOutput) []Problem {
	return slices.DeleteFunc(distinct(e.Errors, len(e.Errors)), func(p Problem) bool { return p.Rule == ActorRule })
}

// compare finds what the attempt changed about the errors. Those of tests that could not run or
// are gone are hidden, not gone; they are returned, to be compared again. Where tests could not run
// before, or not every failure was named, errors are not new.
func (t *Turn) compare(first *EvaluatorOutput, hidden []Problem) (stillHidden []Problem) {
	if t.Before == nil {
		return nil
	}
	old, is := map[string]bool{}, map[string]bool{}
	before := append(findings(t.Before), hidden...)
	for _, p := range before {
		old[failure(p)] = true
	}
	unknown := Shortfall(first, t.Before) != "" || unlisted(t.Before) > 0
	for _, p := range findings(&t.Evaluator) {
		is[failure(p)] = true
		if old[failure(p)] {
			t.Stayed = append(t.Stayed, p)
		} else if !unknown {
			t.Broken = append(t.Broken, p)
		}
	}
	for _, p := range before {
		switch {
		case is[failure(p)]:
		case t.Shortfall == "":
			t.Gone = append(t.Gone, p)
		default:
			stillHidden = append(stillHidden, p)
		}
		is[failure(p)] = true // once
	}
	if unlisted(&t.Evaluator) > 0 && failing(t.Before)-failing(&t.Evaluator) < len(t.Gone) {
		t.Gone = nil
	}
	return stillHidden
}

// failing is how many tests failed, or else how many errors there are.
func failing(e *EvaluatorOutput) int {
	if e.Metrics != nil && e.Metrics.TestsFailed != nil {
		return *e.Metrics.TestsFailed
	}
	return len(findings(e))
}

func unlisted(e *EvaluatorOutput) int { return max(0, failing(e)-len(findings(e))) }

// failure identifies what fails, however its message changes: a test or a verifier by its
// name, any other error by its signature.
func failure(p Problem) string {
	if p.Rule != "" && p.Type != SyntaxError && p.Type != TypeError && p.Type != LintError {
		return "name " + p.Rule
	}
	return SignatureOf(p)
}
