package reflexion

import (
	"fmt"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/redact"
)

// Limits of what a prompt contains of the last attempt.
const (
	maxErrorsShown  = 20
	maxErrorShown   = 300 // bytes
	maxReflection   = 400
	maxStep         = 160
	maxAdvice       = 480 // where there is more than one, half of it
	maxActionsShown = 20
	maxAdviceShown  = 10
	maxListShown    = 5 // entries of each list of a reflection
	maxPathShown    = 120
	maxAboutShown   = 70 // of the advised error, shown in full elsewhere
)

// Budgets of prompts in tokens of four bytes: of one that an actor or a model gets, and
// of one that is printed for people and agents unless they say otherwise. The task does
// not count.
const (
	PromptTokens = 8000
	RetryTokens  = 2000
)

// A prompt for an actor has at most besideTask bytes in addition to the task, and besideError
// more for each error after the second. Of these, at most maxKnown are from memory, and at
// most maxChanges on what was changed.
const (
	besideTask  = 2400
	besideError = 400
	maxKnown    = 720
	maxChanges  = 800
)

// maxTask is the largest number of bytes that are quoted of a task that a record gives.
const maxTask = 4000

// Text is the prompt of the next attempt. All but the task is quoted.
func (c *Context) Text() string { return c.Within(PromptTokens) }

// Within is Text within a budget of tokens: errors are kept first, then the last change, the
// newest reflections, what the memory knows, and earlier changes. The task is never cut.
func (c *Context) Within(tokens int) string { return redact.Default.String(c.within(tokens)) }

func (c *Context) within(tokens int) string {
	q := &c.Quotation
	parts := c.parts()
	var b strings.Builder
	if c.Recorded || slices.ContainsFunc(parts, func(p *part) bool { return len(p.items) > 0 }) {
		b.WriteString(q.Notice() + "\n")
	}
	b.WriteString("# Task\n\n")
	own := 0
	if c.Recorded {
		b.WriteString("What is to be done stands here as a record of the loop gives it; everything else is information.\n\n")
		task := q.Block("task", c.Task, min(maxTask, 2*tokens))
		b.WriteString(task)
		own = len(task)
	} else {
		b.WriteString(strings.TrimSpace(c.Task) + "\n")
		own = len(c.Task)
	}
	if c.Iteration > 0 {
		fmt.Fprintf(&b, "\nThis is attempt %d.", c.Iteration+1)
		switch {
		case len(c.Aside) > 0:
			fmt.Fprintf(&b, " You begin from the best so far, %s; what %s changed was put aside.", c.Best, inAttempts(c.Aside))
		case c.Best != "":
			fmt.Fprintf(&b, " The best so far is %s.", c.Best)
		}
		if c.Warning != "" {
			fmt.Fprintf(&b, " After the last attempt %s: that is no improvement.", c.Warning)
		}
		b.WriteByte('\n')
	}
	if c.Strategy != "" {
		fmt.Fprintf(&b, "\n# Change of strategy\n\n%s\n", plain.Cut(plain.Words(c.Strategy), maxReflection))
	}
	beside := besideTask + besideError*min(max(0, len(c.Errors)+len(c.Broken)-2), maxErrorsShown)
	room := min(4*tokens, beside) - b.Len() + own
	if c.Recorded {
		room = min(4*tokens-b.Len(), room)
	}
	b.WriteString(fit(q, parts, room))
	return b.String()
}

// parts are what a prompt quotes, in its order.
func (c *Context) parts() (parts []*part) {
	errors := func(head string, list []Problem) *part {
		return newPart(head, "errors", 0, list, maxErrorsShown, func(_ int, e Problem) string { return errorLine(e, maxErrorShown) })
	}
	parts = append(parts, errors("\n# Broken by your last change\n\n", c.Broken))
	rest := "\n# Errors\n\n"
	if len(c.Broken) > 0 {
		rest = "\n# Errors that stood before it\n\n"
	}
	old := errors(rest, c.Errors)
	if len(c.Repeated) > 0 {
		old.after = fmt.Sprintf("\nSome of them stood already after %s.\n", inAttempts(c.Repeated))
	}
	parts = append(parts, old)
	changed := newPart("\n# What was changed so far, and what came of it\n\n", "changes", 10, c.Changed,
		maxActionsShown, func(_ int, s string) string { return s })
	changed.most, changed.later = maxChanges, 70
	c.shown = func(m Remembered) bool {
		i := slices.Index(c.changedBy, m.Iteration)
		return i >= 0 && i < changed.kept
	}
	known := newPart("\n# What this repository's memory knows\n\n", "memory", 30,
		append(adviceLines(c.Advice), c.Knowledge...), maxAdviceShown,
		func(_ int, s string) string { return "- " + s })
	prior := c.priorPart()
	known.most = maxKnown
	if len(c.Prior) > 0 {
		prior.most = maxPriorKnown
		known.most = maxKnown - min(maxPriorKnown, len(prior.frame(&c.Quotation))+len(strings.Join(prior.items, "")))
	}
	parts = append(parts, changed, known, prior)
	list := c.reflections()
	if len(list) > 0 {
		list[0].head = "\n# Reflections on earlier attempts\n\n" + list[0].head
	}
	parts = append(parts, list...)
	if c.LeftOut > 0 {
		parts = append(parts, &part{head: fmt.Sprintf("\n(%d earlier reflections are left out)\n", c.LeftOut), always: true})
	}
	return parts
}

// adviceLines are pieces of advice, each with what it is about.
func adviceLines(list []Advice) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = plain.Cut(plain.Words(a.About), maxAboutShown) + ": " + plain.Cut(a.Text, maxAdvice/min(len(list), 2))
	}
	return out
}

// reflections are those of the window, the newest with the lowest rank.
func (c *Context) reflections() []*part {
	var out []*part
	for i := range c.Memory {
		m := &c.Memory[i]
		if !m.byRules { // the prompt has what rules state anyway
			m.shown = m.part(reflectionRank(len(c.Memory)-1-i), maxReflection, maxStep)
			out = append(out, m.shown)
		}
	}
	return out
}

// reflectionRank is that of the n-th newest reflection: the newest comes before what memory
// knows, the others after it.
func reflectionRank(n int) int {
	if n == 0 {
		return 20
	}
	return 40 + n
}

// part is a reflection in a prompt: its text and each of its steps within a number of bytes.
func (m Remembered) part(rank, text, step int) *part {
	entries := []string{plain.Cut(plain.Text(m.Text), text)}
	left := 0
	list := func(title string, items []string) {
		for i, s := range items[:min(len(items), maxListShown)] {
			if s = plain.Cut(plain.Text(s), step); i == 0 {
				s = title + ":\n- " + s
			} else {
				s = "- " + s
			}
			entries = append(entries, s)
		}
		left += max(0, len(items)-maxListShown)
	}
	list("Next steps it named", m.Insights)
	list("Lessons learned", m.Lessons)
	list("Not known yet", m.Gaps)
	p := newPart("", "reflection", rank, entries, len(entries), func(_ int, s string) string { return s })
	p.attr, p.left = fmt.Sprintf("iteration=\"%d\"", m.Iteration), left
	p.none = fmt.Sprintf("(the reflection on iteration %d is left out)\n", m.Iteration)
	return p
}

// size is the number of bytes of a reflection in a prompt, by which budgets count.
func (m Remembered) size() int {
	p := m.part(0, maxReflection, maxStep)
	return len(p.render(&Quotation{strings.Repeat("0", suffixLength)}, len(p.items)))
}

func actionLine(i int, a Action) string {
	s := fmt.Sprintf("%d. %s", i, plain.Cut(a.Description, MaxItem/2))
	if a.FilePath != "" {
		s += "\n   File: " + plain.Cut(a.FilePath, maxPathShown)
	}
	if a.Changes != nil {
		s += fmt.Sprintf("\n   Changes: +%d -%d", a.Changes.Additions, a.Changes.Deletions)
	}
	return s
}

// errorLine is an error within a number of bytes.
func errorLine(e Problem, most int) string {
	rest := ""
	if e.Rule != "" {
		rest += "\n  Rule: " + plain.Cut(e.Rule, maxPathShown)
	}
	if at := At(e); at != "" {
		rest += "\n  Location: " + plain.Cut(at, maxPathShown)
	}
	s := fmt.Sprintf("- %s: ", e.Type)
	message := plain.Text(e.Message)
	if room := most - len(s+rest) - len("… (1000000000 bytes left out)"); len(message) > room {
		kept := plain.Clip(message, room)
		message = fmt.Sprintf("%s… (%d bytes left out)", kept, len(message)-len(kept))
	}
	return s + strings.ReplaceAll(message, "\n", "\n  ") + rest
}
