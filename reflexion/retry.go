package reflexion

import (
	"cmp"
	"slices"
	"strings"
)

// Known is a statement of memory in a prompt.
type Known struct {
	Text string `json:"text"`
	// Of what memory knows about an error: the error, what most often ended well, and the evidence.
	About    string   `json:"about,omitempty"`
	Error    string   `json:"signature,omitempty"`
	Step     string   `json:"step,omitempty"`
	Episodes []string `json:"episodes,omitempty"`
	// Of a lesson: its reference, and what it says, without its source.
	Ref    string `json:"ref,omitempty"`
	Lesson string `json:"lesson,omitempty"`
}

// Context is the content of the next attempt's prompt.
type Context struct {
	LoopID    string       `json:"loop_id"`
	Iteration int          `json:"iteration"` // of the next attempt
	Task      string       `json:"task"`
	Omega     int          `json:"omega_capacity"`
	Policy    Policy       `json:"window_policy"`
	Memory    []Remembered `json:"previous_reflections"`
	Actions   []Action     `json:"failed_actions"`
	Errors    []Problem    `json:"errors"`      // current errors except Broken
	Broken    []Problem    `json:"broken"`      // new after the state that this attempt begins with
	Repeated  []int        `json:"repeated_in"` // earlier iterations with one of the errors
	Changed   []string     `json:"changed"`     // a line for each earlier attempt, the oldest first
	Diff      string       `json:"last_change,omitempty"`
	Closing   string       `json:"closing_words,omitempty"` // of the last attempt
	Best      string       `json:"best,omitempty"`
	From      *int         `json:"begins_from,omitempty"` // of an isolated loop: whose state it begins with
	Aside     []int        `json:"put_aside,omitempty"`   // the iterations since, of whose changes nothing is there
	Warning   string       `json:"warning,omitempty"`     // why the last attempt is no improvement
	Advice    []Known      `json:"advice"`                // about the errors
	Strategy  string       `json:"change_of_strategy,omitempty"`
	Said      []Known      `json:"said"`             // lessons that people stated
	Learned   []Known      `json:"learned"`          // what other sessions learned
	Verify    []string     `json:"verify,omitempty"` // command lines of the user

	said, known *part     // of a text of the context; nil without one
	Recorded    bool      `json:"-"` // of a record, so quoted
	Quotation   Quotation `json:"-"` // of its text
}

// Remembered is a reflection of the window (guide, "Reflection Injection Example").
type Remembered struct {
	Iteration int `json:"iteration"`
	SelfReflection
	shown *part
}

// Show selects the parts of a prompt, for the arms of a comparison. Errors: of the last attempt.
type Show struct{ Errors, Reflections, Graph bool }

// Arms are the arms of a comparison, by what a prompt contains besides the task:
//
//   - none: nothing, as if nothing had been tried
//   - last: the errors, and what the last attempt changed
//   - reflections: that, what earlier ones changed, and the reflections of the window
//   - graph: as last, and what the causal graph knows about the errors
//   - all: everything, with lessons of other sessions
func Arms() []string { return []string{"none", "last", "reflections", "graph", "all"} }

// ShowFor returns what an arm shows; false for an unknown name.
func ShowFor(arm string) (Show, bool) {
	all := arm == "" || arm == "all"
	if !all && !slices.Contains(Arms(), arm) {
		return Show{}, false
	}
	return Show{Errors: arm != "none", Reflections: all || arm == "reflections", Graph: all || arm == "graph"}, true
}

// ContextOptions shape a context.
type ContextOptions struct {
	Omega  int // 0: that of the last record
	Policy Policy
	Show   Show
	Advice []Known
	// Baseline is what was found before the first attempt; nil: not known, or in its record.
	Baseline *EvaluatorOutput
	From     *int // see Begins
}

// BuildContext returns the context of the attempt that follows the records (buildRetryContext).
func BuildContext(loopID, task string, history []*Record, o ContextOptions) *Context {
	last := cmp.Or(Last(history), &Record{})
	c := &Context{From: o.From, LoopID: loopID, Iteration: NextIteration(history), Task: cmp.Or(task, last.Task),
		Omega: cmp.Or(o.Omega, last.Memory.Omega, DefaultOmega), Policy: cmp.Or(o.Policy, last.Memory.Policy, FIFO),
		Memory: []Remembered{}, Actions: []Action{}, Errors: []Problem{}, Broken: []Problem{}, Repeated: []int{},
		Changed: []string{}, Advice: []Known{}, Said: []Known{}, Learned: []Known{}}
	if o.Show.Reflections {
		for _, r := range Window(history, c.Omega, c.Policy, last.Evaluator.Errors) {
			c.Memory = append(c.Memory, Remembered{Iteration: r.Iteration, SelfReflection: r.Reflection})
		}
	}
	if o.Show.Graph {
		c.Advice = append(c.Advice, o.Advice...)
	}
	from, found := Begins(history, o.From, o.Baseline)
	switch {
	case !o.Show.Errors:
	case len(history) > 0:
		c.addTurns(history, o.Show.Reflections, from, found)
	case found != nil:
		c.Errors = append(c.Errors, distinct(found.Errors, len(found.Errors))...)
	}
	return c
}

// Know adds what people said and other sessions learned, each once, but for what failed in the loop.
func (c *Context) Know(history []*Record, said, learned []Known) {
	known := slices.Clone(c.Advice)
	add := func(to *[]Known, list []Known) {
		for _, k := range list {
			text := cmp.Or(k.Lesson, k.Text)
			if !Failed(history, text) && !slices.ContainsFunc(known, func(x Known) bool { return strings.Contains(x.Text, text) }) {
				known, *to = append(known, k), append(*to, k)
			}
		}
	}
	add(&c.Said, said)
	add(&c.Learned, learned)
}

// Used lists the iterations whose reflections the text of the context has.
func (c *Context) Used() []int {
	var out []int
	for _, m := range c.Memory {
		if m.shown != nil && m.shown.kept > 0 {
			out = append(out, m.Iteration)
		}
	}
	return out
}

// Shown is what the text of the context has of what people said and memory knows.
func (c *Context) Shown() []Known {
	if c.known == nil {
		return nil
	}
	return slices.Concat(c.Said[:c.said.kept], slices.Concat(c.Advice, c.Learned)[:c.known.kept])
}
