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
// changed. found is the evaluation of that state.
func (c *Context) addTurns(turns []Turn, all bool, from int, found *EvaluatorOutput) {
	last := &turns[len(turns)-1]
	c.Actions = append(c.Actions, last.Actor.Actions...)
	if from == last.Iteration {
		c.Broken = append(c.Broken, last.Broken...)
	}
	broken := map[string]bool{}
	for _, e := range c.Broken {
		broken[SignatureOf(e)] = true
	}
	if found != nil {
		for _, e := range distinct(found.Errors, len(found.Errors)) {
			if !broken[SignatureOf(e)] {
				c.Errors = append(c.Errors, e)
			}
		}
	}
	history := make([]*Record, len(turns))
	for i := range turns {
		history[i] = turns[i].Record
	}
	seen := map[int]bool{from: true}
	for _, iterations := range Recurring(c.Errors, history) {
		for _, i := range iterations {
			if !seen[i] {
				seen[i] = true
				c.Repeated = append(c.Repeated, i)
			}
		}
	}
	slices.Sort(c.Repeated)
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
}

// standing says what is the best so far, unless it is what the last attempt left, and what
// was put aside for it.
func (c *Context) standing(turns []Turn, from int, found *EvaluatorOutput) {
	last := turns[len(turns)-1].Iteration
	best := BestOf(turns)
	if from != last {
		for i := range turns {
			if n := turns[i].Iteration; n > from {
				c.Aside = append(c.Aside, n)
			}
		}
	} else if best != nil {
		from, found = best.Iteration, &best.Evaluator
	} else if found = turns[0].Before; found != nil {
		from = BeforeFirst
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

// tested reports whether an evaluation counts the tests that failed, of any.
func tested(e *EvaluatorOutput) bool {
	m := e.Metrics
	return m != nil && m.TestsFailed != nil && (m.TestsTotal == nil || *m.TestsTotal > 0)
}

// Limits of the text on one attempt, in bytes.
const (
	maxSaid    = 90
	maxName    = 60 // of an error that went
	maxFailure = 160
)

// text returns in a line what an attempt changed and its effect. If kept is true the change was
// kept, and its errors are elsewhere in the prompt.
func (t *Turn) text(kept bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "attempt %d: ", t.Iteration+1)
	var about *Problem
	if near := append(slices.Clone(t.Gone), t.Still...); len(near) > 0 {
		about = &near[0]
	}
	var did []string
	if t.Actor.Changed.Empty() && t.Actor.Changed != nil {
		did = append(did, "changed no file")
	} else if t.Actor.Changed != nil {
		did = append(did, ChangeText(t.Actor.Changed, about))
	}
	if said := t.said(); said != "" {
		did = append(did, "it said "+plain.Quote(said, maxSaid))
	}
	if len(did) > 0 {
		b.WriteString(strings.Join(did, "; ") + "; then ")
	}
	var came []string
	count := func(list []Problem, verb string, name string) {
		if len(list) > 0 {
			came = append(came, plain.Plural(len(list), "error")+" "+verb+name)
		}
	}
	what := func(list []Problem) string {
		if kept || len(list) == 0 {
			return ""
		}
		said := strings.TrimPrefix(list[0].Rule+": "+FirstLine(list[0].Message), ": ")
		return " (" + plain.Cut(plain.Words(said), maxFailure) + ")"
	}
	if len(t.Gone) > 0 {
		name := cmp.Or(t.Gone[0].Rule, FirstLine(t.Gone[0].Message))
		count(t.Gone, "went", " ("+plain.Cut(plain.Words(name), maxName)+")")
	}
	if t.Before != nil {
		count(t.Still, "stayed", what(t.Still))
	}
	count(t.Broken, "new", what(t.Broken))
	if len(t.Still)+len(t.Broken) == 0 { // where it is not known which are new
		if said := what(findings(&t.Evaluator)); said != "" {
			came = append(came, "then"+said)
		}
	}
	if t.Shortfall != "" {
		came = append(came, t.Named())
	}
	if len(came) > 0 && !tested(&t.Evaluator) {
		came = append(came, fmt.Sprintf("reward %.2f", t.Evaluator.RewardOr()))
	} else {
		came = append(came, standing(&t.Evaluator))
	}
	return plain.Words(b.String() + strings.Join(came, ", "))
}

// said is what the actor itself said that it did.
func (t *Turn) said() string {
	var out []string
	for _, a := range t.Actor.Actions {
		out = append(out, a.Description)
	}
	return strings.Join(out, "; ")
}
