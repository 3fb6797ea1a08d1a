package reflexion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/plain"
)

// addTurns adds to the context the errors left after iteration from, the state that the next
// attempt starts with, what the last attempt changed and, if all is true, what earlier ones
// changed. found is the evaluation of that state. It returns the last attempt.
func (c *Context) addTurns(history []*Record, all bool, from int, found *EvaluatorOutput) *Turn {
	turns := Turns(history)
	last := &turns[len(turns)-1]
	c.Actions = append(c.Actions, last.Actor.Actions...)
	if from == last.Iteration {
		c.Broken = append(c.Broken, last.Broken...)
	}
	if found != nil {
		broken := func(e Problem) bool {
			return slices.ContainsFunc(c.Broken, func(b Problem) bool { return SignatureOf(b) == SignatureOf(e) })
		}
		c.Errors = append(c.Errors, slices.DeleteFunc(distinct(found.Errors, len(found.Errors)), broken)...)
	}
	earlier := recurredIn(c.Errors, history)
	c.Repeated = append(c.Repeated, slices.DeleteFunc(earlier, func(i int) bool { return i == from })...)
	c.Warning = last.Shortfall
	c.standing(turns, from, found)
	for i := range turns {
		if t := &turns[i]; t == last || all {
			c.Changed = append(c.Changed, t.text(t.Iteration == from))
		}
	}
	c.Closing = Middle(last.Actor.Rationale, maxClosing)
	if last.Actor.Changed != nil {
		c.Diff = last.Actor.Changed.Patch
	}
	return last
}

// standing says what is the best so far, unless it is what the last attempt left, and what
// was put aside for it.
func (c *Context) standing(turns []Turn, from int, found *EvaluatorOutput) {
	last, best := turns[len(turns)-1].Iteration, BestOf(turns)
	for i := range turns {
		if n := turns[i].Iteration; n > from {
			c.Aside = append(c.Aside, n)
		}
	}
	switch {
	case from != last:
	case best != nil:
		from, found = best.Iteration, &best.Evaluator
	case turns[0].Before != nil:
		from, found = BeforeFirst, turns[0].Before
	}
	if from == last {
		return
	}
	c.Best = fmt.Sprintf("attempt %d", from+1)
	if from == BeforeFirst {
		c.Best = "the state before the first attempt"
	}
	if found != nil {
		c.Best += ", with " + standing(found)
	}
}

// standing is how far an evaluation came, in words.
func standing(e *EvaluatorOutput) string {
	s := fmt.Sprintf("reward %.2f", e.RewardOr())
	switch {
	case !tested(e):
		return fmt.Sprintf("%s, %s", plain.Plural(len(findings(e)), "error"), s)
	case !exact(e):
		return fmt.Sprintf("%s failed, %s", plain.Plural(*e.Metrics.TestsFailed, "test"), s)
	}
	return fmt.Sprintf("%d of %s failed, %s", *e.Metrics.TestsFailed, plain.Plural(*e.Metrics.TestsTotal, "test"), s)
}

func tested(e *EvaluatorOutput) bool {
	m := e.Metrics
	return m != nil && m.TestsFailed != nil && (m.TestsTotal == nil || *m.TestsTotal > 0)
}

// Limits in bytes: of what the actor said, the name of an error that went, and a failure.
const maxSaid, maxName, maxFailure = 90, 60, 160

// text returns in a line what an attempt changed and its effect. If kept is true the change was
// kept, and its errors are elsewhere in the prompt.
func (t *Turn) text(kept bool) string {
	var did, said, came []string
	if t.Actor.Changed != nil {
		var about *Problem
		if near := slices.Concat(t.Gone, t.Stayed); len(near) > 0 {
			about = &near[0]
		}
		did = append(did, cmp.Or(ChangeText(t.Actor.Changed, about), "changed no file"))
	}
	for _, a := range t.Actor.Actions {
		said = append(said, a.Description)
	}
	if words := strings.Join(said, "; "); words != "" {
		did = append(did, "it said "+plain.Quote(words, maxSaid))
	}
	what := func(list []Problem) string { // the first
		if kept || len(list) == 0 {
			return ""
		}
		said := strings.TrimPrefix(list[0].Rule+": "+FirstLine(list[0].Message), ": ")
		return " (" + plain.Cut(plain.Words(said), maxFailure) + ")"
	}
	count := func(list []Problem, verb, first string) {
		if len(list) > 0 {
			came = append(came, plain.Plural(len(list), "error")+" "+verb+first)
		}
	}
	if len(t.Gone) > 0 {
		name := cmp.Or(t.Gone[0].Rule, FirstLine(t.Gone[0].Message))
		count(t.Gone, "went", " ("+plain.Cut(plain.Words(name), maxName)+")")
	}
	if t.Before != nil {
		count(t.Stayed, "stayed", what(t.Stayed))
	}
	count(t.Broken, "new", what(t.Broken))
	if all := findings(&t.Evaluator); len(t.Stayed)+len(t.Broken) == 0 && what(all) != "" { // not known which are new
		count(all, "", what(all))
	}
	if t.Shortfall != "" {
		came = append(came, t.Named())
	}
	if len(came) > 0 && !tested(&t.Evaluator) {
		came = append(came, fmt.Sprintf("reward %.2f", t.Evaluator.RewardOr()))
	} else {
		came = append(came, standing(&t.Evaluator))
	}
	head := ""
	if len(did) > 0 {
		head = strings.Join(did, "; ") + "; then "
	}
	return plain.Words(fmt.Sprintf("attempt %d: %s%s", t.Iteration+1, head, strings.Join(came, ", ")))
}
