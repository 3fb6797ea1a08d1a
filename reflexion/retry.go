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
	Error    string   `json:"signature,omitempty"`
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
	Errors    []Problem    `json:"errors"`      // that stood before the last attempt, or of which that is not known
	Broken    []Problem    `json:"broken"`      // that are new after it
	Repeated  []int        `json:"repeated_in"` // earlier iterations with one of the errors
	Changed   []string     `json:"changed"`     // what was changed in earlier attempts, and what came of it; the newest first
	Best      string       `json:"best,omitempty"`
	Warning   string       `json:"warning,omitempty"` // why the last attempt is no improvement
	Advice    []Advice     `json:"advice"`
	Strategy  string       `json:"change_of_strategy,omitempty"`
	Knowledge []string     `json:"knowledge"` // memories of other tasks

	changedBy []int                 // the iterations of Changed
	shown     func(Remembered) bool // whether a text of the context tells of a reflection; nil: there is no text
	Recorded  bool                  `json:"-"` // the task is that of a record, and so quoted, not what a user typed
	Quotation Quotation             `json:"-"` // of its text
}

// Remembered is a reflection in the form in which it is injected (guide, "Reflection
// Injection Example").
type Remembered struct {
	Iteration int      `json:"iteration"`
	Text      string   `json:"reflection_text"`
	Lessons   []string `json:"lessons_learned"`
	Insights  []string `json:"actionable_insights"`
	Gaps      []string `json:"knowledge_gaps"`
	shown     *part
	byRules   bool // then it says nothing that the rest of a prompt does not
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
//   - last: the errors, and what the last attempt changed
//   - reflections: that, what earlier ones changed, and the reflections of the window
//   - graph: as last, and what the causal graph knows about the errors
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
	// Baseline is what was found before the first attempt; nil: not known, or in its record.
	Baseline *EvaluatorOutput
}

// BuildContext returns the context of the attempt that follows the records. Source:
// guide, buildRetryContext.
func BuildContext(loopID, task string, history []*Record, o ContextOptions) *Context {
	last := Last(history)
	c := &Context{LoopID: loopID, Iteration: NextIteration(history), Task: task, Omega: o.Omega, Policy: o.Policy, Budget: o.Budget,
		Memory: []Remembered{}, Actions: []Action{}, Errors: []Problem{}, Broken: []Problem{}, Repeated: []int{}, Changed: []string{}, Advice: []Advice{}, Knowledge: []string{}}
	if last == nil {
		c.Omega, c.Policy = cmp.Or(c.Omega, DefaultOmega), cmp.Or(c.Policy, FIFO)
		if o.Baseline != nil && o.Show.Errors {
			c.Errors = append(c.Errors, distinct(o.Baseline.Errors, len(o.Baseline.Errors))...)
		}
	} else {
		c.Task = cmp.Or(c.Task, last.Task)
		c.Omega = cmp.Or(c.Omega, last.Memory.Omega, DefaultOmega)
		c.Policy = cmp.Or(c.Policy, last.Memory.Policy, FIFO)
		c.remember(history, last, o)
		if o.Show.Errors {
			c.tell(Turns(history), o.Show.Reflections)
		}
	}
	if o.Show.Graph {
		c.Advice = append(c.Advice, o.Advice...)
	}
	return c
}

// remember puts the reflections of the window into the context.
func (c *Context) remember(history []*Record, last *Record, o ContextOptions) {
	if !o.Show.Reflections {
		return
	}
	window := Window(history, c.Omega, c.Policy, last.Evaluator.Errors)
	kept := window
	if o.Budget > 0 {
		kept = Prune(window, o.Budget, func(r *Record) int { return tokens(remember(r).size()) })
	}
	c.LeftOut = len(window) - len(kept)
	size := 0
	for _, r := range kept {
		m := remember(r)
		c.Memory = append(c.Memory, m)
		size += m.size()
	}
	c.Tokens = tokens(size)
}

// tell puts the errors of the last attempt into the context, what it changed, and for all
// what earlier ones changed.
func (c *Context) tell(turns []Turn, all bool) {
	last := &turns[len(turns)-1]
	c.Actions = append(c.Actions, last.Actor.Actions...)
	c.Broken = append(c.Broken, last.Broken...)
	broken := map[string]bool{}
	for _, e := range c.Broken {
		broken[SignatureOf(e)] = true
	}
	for _, e := range distinct(last.Evaluator.Errors, len(last.Evaluator.Errors)) {
		if !broken[SignatureOf(e)] {
			c.Errors = append(c.Errors, e)
		}
	}
	history := make([]*Record, len(turns))
	for i := range turns {
		history[i] = turns[i].Record
	}
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
	c.Warning = last.Shortfall
	if best := BestOf(turns); best != nil && best.Iteration != last.Iteration {
		c.Best = fmt.Sprintf("attempt %d, with %s", best.Iteration+1, standing(&best.Evaluator))
	} else if best == nil && turns[0].Before != nil {
		c.Best = "the state before the first attempt, with " + standing(turns[0].Before)
	}
	for i := len(turns) - 1; i >= 0; i-- {
		if t := &turns[i]; t == last || all && len(c.Changed) < maxActionsShown {
			c.Changed, c.changedBy = append(c.Changed, t.text(t == last)), append(c.changedBy, t.Iteration)
		}
	}
}

// standing is how far an evaluation came, in words.
func standing(e *EvaluatorOutput) string {
	s := fmt.Sprintf("reward %.2f", e.RewardOr())
	switch {
	case !tested(e):
		return fmt.Sprintf("%s, %s", plural(len(findings(e)), "error"), s)
	case !exact(e):
		return fmt.Sprintf("%s failed, %s", plural(*e.Metrics.TestsFailed, "test"), s)
	}
	return fmt.Sprintf("%d of %s failed, %s", *e.Metrics.TestsFailed, plural(*e.Metrics.TestsTotal, "test"), s)
}

// tested reports whether an evaluation counts the tests that failed, of any.
func tested(e *EvaluatorOutput) bool {
	m := e.Metrics
	return m != nil && m.TestsFailed != nil && (m.TestsTotal == nil || *m.TestsTotal > 0)
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// Bounds of what is told of one attempt, in bytes.
const (
	maxSaid     = 90
	maxCameOfIt = 160
)

// text says what an attempt changed, and what came of it. The errors of the last one stand
// elsewhere in the prompt.
func (t *Turn) text(last bool) string {
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
	count := func(list []Problem, verb string) {
		if len(list) > 0 {
			came = append(came, plural(len(list), "error")+" "+verb)
		}
	}
	count(t.Gone, "went")
	if t.Before != nil {
		count(t.Still, "stayed")
	}
	count(t.Broken, "new")
	if t.Shortfall != "" {
		came = append(came, t.Shortfall)
	}
	if len(came) > 0 && !tested(&t.Evaluator) {
		came = append(came, fmt.Sprintf("reward %.2f", t.Evaluator.RewardOr()))
	} else {
		came = append(came, standing(&t.Evaluator))
	}
	b.WriteString(strings.Join(came, ", "))
	if !last {
		for i, e := range findings(&t.Evaluator) {
			if i == 1 {
				break
			}
			b.WriteString(": " + plain.Cut(plain.Words(nonEmpty(e.Rule, ": ")+FirstLine(e.Message)), maxCameOfIt))
		}
	}
	return b.String()
}

func nonEmpty(s, after string) string {
	if s == "" {
		return ""
	}
	return s + after
}

// said is what the actor itself said that it did.
func (t *Turn) said() string {
	var out []string
	for _, a := range t.Actor.Actions {
		out = append(out, a.Description)
	}
	return strings.Join(out, "; ")
}

func remember(r *Record) Remembered {
	return Remembered{Iteration: r.Iteration, Text: r.Reflection.Text, Lessons: nonNil(r.Reflection.Lessons), Insights: nonNil(r.Reflection.Insights), Gaps: nonNil(r.Reflection.Gaps), byRules: r.Reflection.Source == FromRules}
}

// Used lists the iterations whose reflections the context contains; when its text was made,
// those that had room there.
func (c *Context) Used() []int {
	var out []int
	for i := range c.Memory {
		m := &c.Memory[i]
		if c.shown == nil || m.shown != nil && m.shown.kept > 0 || m.byRules && c.shown(*m) {
			out = append(out, m.Iteration)
		}
	}
	return out
}

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
	maxAboutShown   = 70 // of the error that advice is about, which stands elsewhere in the prompt
)

// Budgets of prompts in tokens of four bytes: of one that an actor or a model gets, and
// of one that is printed for people and agents unless they say otherwise. The task does
// not count.
const (
	PromptTokens = 8000
	RetryTokens  = 2000
)

// A prompt for an actor has at most besideTask bytes beside the task, and besideError more
// for each error after the second; of them, what memory knows has at most maxKnown, and what was changed at
// most maxChanges. A long prompt is not read with more care.
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
		if c.Best != "" {
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
		attempts := make([]int, len(c.Repeated))
		for i, n := range c.Repeated {
			attempts[i] = n + 1
		}
		old.after = fmt.Sprintf("\nSome of them stood already after %s.\n", listed("attempt", attempts))
	}
	parts = append(parts, old)
	changed := newPart("\n# What was changed so far, and what came of it\n\n", "changes", 10, c.Changed, maxActionsShown, func(_ int, s string) string { return s })
	changed.most, changed.later = maxChanges, 70
	c.shown = func(m Remembered) bool {
		i := slices.Index(c.changedBy, m.Iteration)
		return i >= 0 && i < changed.kept
	}
	known := newPart("\n# What this repository's memory knows\n\n", "memory", 30, append(adviceLines(c.Advice), c.Knowledge...), maxAdviceShown, func(_ int, s string) string { return "- " + s })
	known.most = maxKnown
	parts = append(parts, changed, known)
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
		if !m.byRules { // what rules say stands in the prompt anyway
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

// Quotable prepares the text of a reflection for storage.
func Quotable(s string) string { return strings.TrimSpace(Clean(s)) }

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
