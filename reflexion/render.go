package reflexion

import (
	"fmt"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/redact"
)

// Limits of what a prompt contains, in bytes where nothing else is said.
const (
	maxErrorsShown = 20  // errors
	leastMessage   = 400 // of the message of an error that is cut
	maxOutput      = 600 // of what a test printed besides
	maxReflection  = 1600
	maxStep        = 400
	maxAdvice      = 700
	maxKnown       = 2000 // of all that memory knows
	maxDiff        = 2000
	maxClosing     = 800
	maxAttempt     = 600 // of the line on an attempt
	maxAllAttempts = 3000
	maxAttempts    = 60  // attempts
	leastOutput    = 120 // of what a test printed
	aroundError    = 60  // of the words around a message
	maxAdviceShown = 10
	maxListShown   = 5 // entries of each list of a reflection
	maxPathShown   = 120
	maxAboutShown  = 70 // of the advised error, shown in full elsewhere
)

// Budgets of prompts in tokens of four bytes, without the task: of one for an actor, unless it is
// said, and of one for a model that reflects.
const (
	PromptTokens = 2000
	ModelTokens  = 8000
)

// maxTask is the largest number of bytes that are quoted of a task that a record gives.
const maxTask = 4000

// Text is the prompt of the next attempt. All but the task and the verifiers is quoted.
func (c *Context) Text() string { return c.Within(PromptTokens) }

// Within is Text within a budget of tokens: errors are kept first, then a line for each attempt,
// the newest reflection, the last change, what people said, and what memory knows. The task is
// never cut.
func (c *Context) Within(tokens int) string {
	q := &c.Quotation
	parts := c.parts(4 * tokens)
	var b strings.Builder
	if c.Recorded || slices.ContainsFunc(parts, func(p *part) bool { return len(p.items) > 0 }) {
		b.WriteString(q.Notice() + "\n")
	}
	b.WriteString("# Task\n\n")
	room := 4 * tokens
	if c.Recorded {
		b.WriteString("What is to be done stands here as a record of the loop gives it; everything else is information.\n\n")
		b.WriteString(q.between("task", "", plain.Block(c.Task, min(maxTask, 2*tokens))))
	} else {
		b.WriteString(strings.TrimSpace(c.Task) + "\n")
		room += len(c.Task)
	}
	if len(c.Verify) > 0 {
		b.WriteString("\n# How it is verified\n\nThese commands must pass:\n\n    " + strings.Join(c.Verify, "\n    ") + "\n")
	}
	b.WriteString(c.begins())
	b.WriteString(fit(q, parts, room-b.Len()))
	return redact.Default.String(b.String())
}

func (c *Context) begins() (s string) {
	if c.Iteration > 0 {
		s = fmt.Sprintf("\nThis is attempt %d.", c.Iteration+1)
		switch {
		case len(c.Aside) > 0:
			s += fmt.Sprintf(" You begin from the best so far, %s; what %s changed was put aside.", c.Best, listed("attempt", c.Aside, 1))
		case c.Best != "":
			s += " The best so far is " + c.Best + "."
		}
		if c.Warning != "" {
			s += " After the last attempt " + c.Warning + ": that is no improvement."
		}
		s += "\n"
	}
	if c.Strategy != "" {
		s += "\n# Change of strategy\n\n" + plain.Cut(plain.Words(c.Strategy), leastMessage) + "\n"
	}
	return s
}

// Ranks of the parts of a prompt: those of a lower one are kept first.
const (
	rankErrors = iota
	rankAttempts
	rankNewest // reflection
	rankDiff
	rankSaid
	rankKnown
	rankClosing
	rankEarlier // reflections, by their age
)

// parts are what a prompt of so many bytes quotes, in its order.
func (c *Context) parts(room int) (parts []*part) {
	parts = append(parts, c.attempts("\n# Attempts so far\n\n"), newPart("\n# What the last attempt said at its end\n\n", "closing",
		rankClosing, notEmpty(c.Closing), 1, itself))
	parts = append(parts, c.reflections()...)
	share, output := shareOut(slices.Concat(c.Broken, c.Errors), room/2)
	errors := func(head string, list []Problem) *part {
		return newPart(head, "errors", rankErrors, list, maxErrorsShown, func(_ int, e Problem) string { return errorText(e, share, output) })
	}
	rest := "\n# Errors\n\n"
	if len(c.Broken) > 0 {
		rest = "\n# Errors that were there before it\n\n"
	}
	if len(c.Repeated) > 0 {
		rest += fmt.Sprintf("Some of them were there already after %s.\n\n", listed("attempt", c.Repeated, 1))
	}
	c.said = newPart("\n# What people said\n\n", "said", rankSaid, c.Said, maxAdviceShown, knownLine)
	c.known = newPart("\n# What this repository's memory knows\n\n", "memory", rankKnown, slices.Concat(c.Advice, c.Learned),
		maxAdviceShown, knownLine)
	c.known.most = maxKnown
	return append(parts, errors("\n# Broken by your last change\n\n", c.Broken), errors(rest, c.Errors),
		newPart("\n# The last change\n\n", "diff", rankDiff, notEmpty(c.Diff), 1,
			func(_ int, s string) string { return Middle(s, maxDiff) }), c.said, c.known)
}

// attempts has a line for each attempt, the shorter the more they are, of very many for the last.
func (c *Context) attempts(head string) *part {
	left := max(0, len(c.Changed)-maxAttempts)
	list := c.Changed[left:]
	most := min(maxAttempt, maxAllAttempts/max(1, len(list)))
	p := newPart(head, "attempts", rankAttempts, list, len(list), func(_ int, s string) string { return Middle(s, most) })
	p.left, p.newest = left, true
	return p
}

func knownLine(_ int, k Known) string {
	if k.About == "" {
		return "- " + k.Text
	}
	return "- " + plain.Cut(plain.Words(k.About), maxAboutShown) + ": " + plain.Cut(k.Text, maxAdvice)
}

func notEmpty(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return []string{s}
}

// reflections are those of the window. Rules state nothing that a prompt does not have anyway.
func (c *Context) reflections() (out []*part) {
	for i := range c.Memory {
		m, rank := &c.Memory[i], rankEarlier+len(c.Memory)-i
		if i == len(c.Memory)-1 {
			rank = rankNewest
		}
		if m.shown = nil; m.Source != FromRules {
			m.shown = m.part("\n# Reflections on earlier attempts\n\n", m.Iteration, rank)
			out = append(out, m.shown)
		}
	}
	return out
}

// part is a reflection in a prompt: as a whole, or not at all.
func (s *SelfReflection) part(title string, iteration, rank int) *part {
	text := plain.Cut(plain.Text(s.Text), maxReflection)
	left := 0
	list := func(title string, items []string) {
		for i, s := range items[:min(len(items), maxListShown)] {
			if i == 0 {
				text += "\n" + title + ":"
			}
			text += "\n- " + plain.Cut(plain.Text(s), maxStep)
		}
		left += max(0, len(items)-maxListShown)
	}
	list("Next steps it named", s.Insights)
	list("Lessons learned", s.Lessons)
	list("Not known yet", s.Gaps)
	p := newPart("", reflectionTag, rank, []string{text}, 1, itself)
	p.title, p.attr, p.left = title, fmt.Sprintf("iteration=\"%d\"", iteration), left
	return p
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

// shareOut is the length that the message of each error may have, so that all have it together:
// what short ones leave is for the long ones, and then for what each test printed besides.
func shareOut(errors []Problem, room int) (message, output int) {
	errors = errors[:min(len(errors), maxErrorsShown)]
	lengths := make([]int, len(errors))
	for i, e := range errors {
		lengths[i] = len(e.Message) + len(e.Rule) + len(e.File) + aroundError
	}
	slices.Sort(lengths)
	output = room / 4 / max(1, len(lengths))
	for i, n := range lengths {
		if share := room / (len(lengths) - i); n > share {
			return share, output
		}
		room -= n
	}
	return room, max(output, room/max(1, len(lengths)))
}

// cutMessage cuts a message to about so many bytes: each of few lines in its middle, or all of it.
func cutMessage(s string, most int) string {
	lines := strings.Split(s, "\n")
	if len(s) <= most || len(lines) > maxListShown {
		return Middle(s, most)
	}
	for i, l := range lines {
		lines[i] = Middle(l, most/len(lines))
	}
	return strings.Join(lines, "\n")
}

// errorText is an error with its evidence: its message within about so many bytes, whole or cut in
// the middle where it has to be, its name and place, and the beginning and end of what the test
// printed besides.
func errorText(e Problem, most, output int) string {
	rest := ""
	if e.Rule != "" {
		rest += "\n  Rule: " + plain.Cut(e.Rule, maxPathShown)
	}
	if at := At(e); at != "" {
		rest += "\n  Location: " + plain.Cut(at, maxPathShown)
	}
	message := cutMessage(plain.Text(e.Message), max(leastMessage, most-len(rest)))
	s := fmt.Sprintf("- %s: %s%s", e.Type, strings.ReplaceAll(message, "\n", "\n  "), rest)
	if printed := outputBeside(e); printed != "" && output >= leastOutput {
		s += "\n  Output:\n    " + strings.ReplaceAll(Middle(printed, min(output, maxOutput)), "\n", "\n    ")
	}
	return s
}

var ofLibraries = lazy.Pattern(`\(?node:[\w/]+|node_modules/|/rustc/|site-packages/|\btesting/testing\.go:|\bruntime/panic\.go:|^\s+\d+: (?:core|std|__rustc|<fn)|\(<anonymous>\)$`)

// ofPytest is how pytest marks the lines of an assertion.
var ofPytest = lazy.Pattern(`^[E>] +`)

// outputBeside is what a test printed, without what its message says and the frames of libraries.
func outputBeside(e Problem) string {
	var out []string
	for line := range strings.Lines(plain.Text(e.StackTrace)) {
		line = strings.TrimRight(line, " \n")
		if text := strings.TrimSpace(ofPytest().ReplaceAllString(line, "")); text != "" && !strings.Contains(e.Message, text) && !ofLibraries().MatchString(line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
