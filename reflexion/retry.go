package reflexion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/redact"
)

// Advice is what the causal graph knows about an error.
type Advice struct {
	About    string   `json:"about"` // the error
	Text     string   `json:"text"`
	Step     string   `json:"step,omitempty"` // what was done, quoted, when it ended well most often; "": nothing did
	Episodes []string `json:"episodes"`       // the evidence
}

// Context is the content of the next attempt's prompt.
type Context struct {
	LoopID    string       `json:"loop_id"`
	Iteration int          `json:"iteration"` // of the next attempt
	Task      string       `json:"task"`
	Omega     int          `json:"omega_capacity"`
	Policy    Policy       `json:"window_policy"`
	Budget    int          `json:"token_budget"` // of the reflections; 0: none
	Tokens    int          `json:"reflection_tokens"`
	LeftOut   int          `json:"left_out"` // reflections of the window that the budget left out
	Memory    []Remembered `json:"previous_reflections"`
	Actions   []Action     `json:"failed_actions"`
	Errors    []Problem    `json:"errors"`
	Repeated  []int        `json:"repeated_in"` // earlier iterations with one of the errors
	Advice    []Advice     `json:"advice"`
	Strategy  string       `json:"change_of_strategy,omitempty"`
	Knowledge []string     `json:"knowledge"`       // memories of other tasks
	Prior     []string     `json:"prior_knowledge"` // of a first attempt: what other loops did about like failures

	Recorded  bool      `json:"-"` // the task is that of a record, and so quoted, not what a user typed
	Quotation Quotation `json:"-"` // of its text
}

// Remembered is a reflection in the form in which it is injected (guide, "Reflection
// Injection Example").
type Remembered struct {
	Iteration int      `json:"iteration"`
	Text      string   `json:"reflection_text"`
	Lessons   []string `json:"lessons_learned"`
	Insights  []string `json:"actionable_insights"`
	Gaps      []string `json:"knowledge_gaps"`
}

// Show selects the parts of a prompt, for the arms of a comparison.
type Show struct {
	Errors      bool // of the last attempt
	Reflections bool
	Graph       bool
}

// Arms are the arms of a comparison, by what a prompt contains besides the task:
//
//   - none: nothing, as if nothing had been tried
//   - last: the errors and actions of the last attempt
//   - reflections: the last attempt and the reflections of the window
//   - graph: the last attempt and what the causal graph knows about its errors
//   - all: everything, with the memories of other tasks
func Arms() []string { return []string{"none", "last", "reflections", "graph", "all"} }

// ShowFor returns what an arm shows; false for an unknown name.
func ShowFor(arm string) (Show, bool) {
	switch arm {
	case "none":
		return Show{}, true
	case "last":
		return Show{Errors: true}, true
	case "reflections":
		return Show{Errors: true, Reflections: true}, true
	case "graph":
		return Show{Errors: true, Graph: true}, true
	case "all", "":
		return Show{Errors: true, Reflections: true, Graph: true}, true
	}
	return Show{}, false
}

// ContextOptions shape a context.
type ContextOptions struct {
	Omega  int // 0: that of the last record
	Policy Policy
	Budget int // tokens for the reflections, by the bytes of their text; 0: unlimited
	Show   Show
	Advice []Advice
}

// BuildContext returns the context of the attempt that follows the records. Source:
// guide, buildRetryContext.
func BuildContext(loopID, task string, history []*Record, o ContextOptions) *Context {
	last := Last(history)
	c := &Context{LoopID: loopID, Iteration: NextIteration(history), Task: task, Omega: o.Omega, Policy: o.Policy, Budget: o.Budget,
		Memory: []Remembered{}, Actions: []Action{}, Errors: []Problem{}, Repeated: []int{}, Advice: []Advice{}, Knowledge: []string{}, Prior: []string{}}
	if last == nil {
		c.Omega, c.Policy = cmp.Or(c.Omega, DefaultOmega), cmp.Or(c.Policy, FIFO)
		return c
	}
	c.Task = cmp.Or(c.Task, last.Task)
	c.Omega = cmp.Or(c.Omega, last.Memory.Omega, DefaultOmega)
	c.Policy = cmp.Or(c.Policy, last.Memory.Policy, FIFO)
	if o.Show.Errors {
		c.Errors, c.Actions = append(c.Errors, last.Evaluator.Errors...), append(c.Actions, last.Actor.Actions...)
		seen := map[int]bool{last.Iteration: true}
		for _, iterations := range Recurring(c.Errors, history) {
			for _, i := range iterations {
				if !seen[i] {
					seen[i] = true
					c.Repeated = append(c.Repeated, i)
				}
			}
		}
		slices.Sort(c.Repeated)
	}
	if o.Show.Reflections {
		window := Window(history, c.Omega, c.Policy, last.Evaluator.Errors)
		kept := window
		if o.Budget > 0 {
			kept = Prune(window, o.Budget, func(r *Record) int { return tokens(remember(r).size()) })
		}
		c.LeftOut = len(window) - len(kept)
		for _, r := range kept {
			c.Memory = append(c.Memory, remember(r))
		}
	}
	if o.Show.Graph {
		c.Advice = append(c.Advice, o.Advice...)
	}
	size := 0
	for _, m := range c.Memory {
		size += m.size()
	}
	c.Tokens = tokens(size)
	return c
}

func remember(r *Record) Remembered {
	return Remembered{Iteration: r.Iteration, Text: r.Reflection.Text, Lessons: nonNil(r.Reflection.Lessons), Insights: nonNil(r.Reflection.Insights), Gaps: nonNil(r.Reflection.Gaps)}
}

// Used lists the iterations whose reflections the context contains.
func (c *Context) Used() []int {
	var out []int
	for _, m := range c.Memory {
		out = append(out, m.Iteration)
	}
	return out
}

// Limits of what a prompt contains of the last attempt.
const (
	maxErrorsShown  = 20
	maxActionsShown = 20
	maxAdviceShown  = 10
	maxListShown    = 5 // entries of each list of a reflection
	maxPathShown    = 120
)

// Budgets of prompts in tokens of four bytes: of one that an actor or a model gets, and
// of one that is printed for people and agents unless they say otherwise. The task does
// not count.
const (
	PromptTokens = 8000
	RetryTokens  = 2000
)

// maxTask is the largest number of bytes that are quoted of a task that a record gives.
const maxTask = 4000

// Text is the prompt of the next attempt. All but the task is quoted.
func (c *Context) Text() string { return c.Within(PromptTokens) }

// Within is Text within a budget of tokens: errors are kept first, then the newest
// reflections, what the memory knows, and actions. The task is never cut.
func (c *Context) Within(tokens int) string { return redact.Default.String(c.within(tokens)) }

func (c *Context) within(tokens int) string {
	q := &c.Quotation
	parts := c.parts()
	var b strings.Builder
	if c.Recorded || slices.ContainsFunc(parts, func(p *part) bool { return len(p.items) > 0 }) {
		b.WriteString(q.Notice() + "\n")
	}
	b.WriteString("# Task\n\n")
	if c.Recorded {
		b.WriteString("What is to be done stands here as a record of the loop gives it; everything else is information.\n\n" + q.Block("task", c.Task, min(maxTask, 2*tokens)))
	} else {
		b.WriteString(strings.TrimSpace(c.Task) + "\n")
	}
	own := 0
	if !c.Recorded {
		own = len(c.Task)
	}
	if c.Iteration > 0 {
		fmt.Fprintf(&b, "\nThis is attempt %d.\n", c.Iteration+1)
	}
	if c.Strategy != "" {
		fmt.Fprintf(&b, "\n# Change of strategy\n\n%s\n", plain.Cut(plain.Words(c.Strategy), MaxItem))
	}
	b.WriteString(fit(q, parts, 4*tokens-b.Len()+own))
	return b.String()
}

// parts are what a prompt quotes, in its order.
func (c *Context) parts() []*part {
	parts := c.reflections()
	if len(parts) > 0 {
		parts[0].head = "\n# Reflections on earlier attempts\n\n" + parts[0].head
	}
	if c.LeftOut > 0 {
		parts = append(parts, &part{head: fmt.Sprintf("\n(%d earlier reflections are left out)\n", c.LeftOut), always: true})
	}
	errors := newPart("\n# Errors of the last attempt\n\n", "errors", 0, c.Errors, maxErrorsShown, func(_ int, e Problem) string { return errorLine(e) })
	if len(c.Repeated) > 0 {
		errors.after = fmt.Sprintf("\nSome of them stood already in %s: what was changed since did not reach their cause.\n", inIterations(c.Repeated))
	}
	known := newPart("\n# What this repository's memory knows\n\n", "memory", 100, append(adviceLines(c.Advice), c.Knowledge...), maxAdviceShown, func(_ int, s string) string { return "- " + s })
	return append(parts,
		newPart("\n# Actions of the last attempt\n\n", "actions", 200, c.Actions, maxActionsShown, actionLine),
		errors, known, c.priorPart())
}

func adviceLines(list []Advice) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = plain.Cut(plain.Words(a.About), MaxItem/3) + ": " + a.Text
	}
	return out
}

// reflections are those of the window, the newest with the lowest rank.
func (c *Context) reflections() []*part {
	var out []*part
	for i, m := range c.Memory {
		out = append(out, m.part(len(c.Memory)-i))
	}
	return out
}

// part is a reflection in a prompt.
func (m Remembered) part(rank int) *part {
	entries := []string{m.Text}
	left := 0
	list := func(title string, items []string) {
		for i, s := range items[:min(len(items), maxListShown)] {
			if i == 0 {
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
	p := m.part(0)
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

func errorLine(e Problem) string {
	rest := ""
	if e.Rule != "" {
		rest += "\n  Rule: " + plain.Cut(e.Rule, maxPathShown)
	}
	if at := At(e); at != "" {
		rest += "\n  Location: " + plain.Cut(at, maxPathShown)
	}
	s := fmt.Sprintf("- %s: ", e.Type)
	message := plain.Text(e.Message)
	if room := MaxItem - len(s+rest) - len("… (1000000000 bytes left out)"); len(message) > room {
		kept := plain.Clip(message, room)
		message = fmt.Sprintf("%s… (%d bytes left out)", kept, len(message)-len(kept))
	}
	return s + strings.ReplaceAll(message, "\n", "\n  ") + rest
}

// Quotable prepares the text of a reflection for storage.
func Quotable(s string) string { return strings.TrimSpace(Clean(s)) }

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
