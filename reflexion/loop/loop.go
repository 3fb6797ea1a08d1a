package loop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

// Steps are what a loop does in the world. Each may be asked again after a kill,
// and must then give what it gave before, without doing it twice.
type Steps interface {
	// Prompt keeps the prompt of an iteration and returns the one that was kept
	// first, with the iterations whose reflections it holds.
	Prompt(iteration int, c *reflexion.Context) (Prompted, error)
	// Act runs the actor.
	Act(ctx context.Context, iteration int, prompt string) (*Acted, error)
	// Verify runs the verifiers.
	Verify(ctx context.Context, iteration int) (*evaluate.Evaluation, error)
	// Reflect asks the model; nil when there is none. attempt counts from 0.
	Reflect(ctx context.Context, iteration, attempt int, prompt string) ([]byte, error)
}

// Prompted is a prompt as it was given to the actor.
type Prompted struct {
	Text     string `json:"prompt"`
	Used     []int  `json:"used"`
	Strategy string `json:"strategy,omitempty"`
}

// Acted is what the actor did. Trouble is nil when it ended well.
type Acted struct {
	Output   reflexion.ActorOutput
	Trouble  *reflexion.Problem
	Critical bool // it cannot be run at all
}

// Store is where records are kept.
type Store interface {
	Loop(id string) ([]*reflexion.Record, error)
	Save(*reflexion.Record) error
}

// Runner runs one loop.
type Runner struct {
	Config *Config
	Store  Store
	Steps  Steps
	Now    func() time.Time
	// Advise asks the causal graph about errors; nil: nobody is asked.
	Advise func(errors []reflexion.Problem) []reflexion.Advice
	// Know gives memories of other tasks for a prompt; nil: none.
	Know func() []string
	// Tell hears of each finished iteration; nil: nobody does.
	Tell func(*reflexion.Record)
}

// modelTries is how often a model is asked for a reflection before a plain one is
// made: twice, the second time with the reasons of the refusal.
const modelTries = 2

// Run goes on until the loop ends, and returns how. Errors: that of ctx, and what
// keeps a step from being taken; after either, Run goes on where it was.
func (r *Runner) Run(ctx context.Context) (*End, []*reflexion.Record, error) {
	for {
		history, err := r.Store.Loop(r.Config.LoopID)
		if err != nil && !errors.Is(err, reflexion.ErrNoLoop) {
			return nil, nil, err
		}
		if end := Decide(r.Config, history); end != nil {
			return end, history, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, history, err
		}
		rec, err := r.iterate(ctx, history)
		if err != nil {
			return nil, history, err
		}
		if err := r.Store.Save(rec); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, history, err
		}
		if r.Tell != nil {
			r.Tell(rec)
		}
	}
}

// iterate takes one iteration up to its record.
func (r *Runner) iterate(ctx context.Context, history []*reflexion.Record) (*reflexion.Record, error) {
	c := r.Config
	i := reflexion.NextIteration(history)
	p, err := r.prompt(i, history)
	if err != nil {
		return nil, fmt.Errorf("prompt of iteration %d: %w", i, err)
	}
	acted, err := r.Steps.Act(ctx, i, p.Text)
	if err != nil {
		return nil, fmt.Errorf("actor of iteration %d: %w", i, err)
	}
	e, err := r.Steps.Verify(ctx, i)
	if err != nil {
		return nil, fmt.Errorf("verifiers of iteration %d: %w", i, err)
	}
	found := e.EvaluatorOutput
	if !found.Passed && acted.Trouble != nil { // last: what the verifiers say comes first
		found.Errors = append(found.Errors, *acted.Trouble)
	}
	if acted.Output.Strategy == "" {
		acted.Output.Strategy = p.Strategy
	}
	at := reflexion.Attempt{LoopID: c.LoopID, Task: c.Task, TaskType: c.TaskType, Arm: c.Arm, Actor: acted.Output, Found: found, Used: p.Used,
		Policy: c.Policy, Omega: r.omega(history), Now: r.Now()}
	if !found.Passed && (acted.Critical || unrunnable(&found)) {
		at.Notes = string(Critical)
	}
	if found.Passed && acted.Trouble != nil { // only the verifiers decide, but a person should know
		at.Notes = acted.Trouble.Message
	}
	var s reflexion.SelfReflection
	if !found.Passed {
		if s, err = r.reflect(ctx, i, at, history); err != nil {
			return nil, fmt.Errorf("reflection on iteration %d: %w", i, err)
		}
	}
	return reflexion.Compose(history, at, s), nil
}

func (r *Runner) omega(history []*reflexion.Record) int {
	if r.Config.Dynamic {
		return reflexion.DynamicOmega(history)
	}
	return r.Config.Omega
}

func (r *Runner) prompt(i int, history []*reflexion.Record) (Prompted, error) {
	c := r.Config
	show, _ := reflexion.ShowFor(c.Arm)
	o := reflexion.ContextOptions{Omega: r.omega(history), Policy: c.Policy, Budget: c.Budget, Show: show}
	last := reflexion.Last(history)
	if last != nil && show.Graph && r.Advise != nil {
		o.Advice = r.Advise(last.Evaluator.Errors)
	}
	ctx := reflexion.BuildContext(c.LoopID, c.Task, history, o)
	if r.Know != nil {
		ctx.Knowledge = append(ctx.Knowledge, r.Know()...)
	}
	if show.Errors {
		ctx.Strategy = Strategy(history)
	}
	return r.Steps.Prompt(i, ctx)
}

// Strategy asks for another way where a loop goes in circles; "" where it does not.
func Strategy(history []*reflexion.Record) string {
	level, why := Stuckness(history)
	if level == 0 {
		return ""
	}
	return "Go another way: " + why + ". Do not repeat or refine what was tried; question what it took for granted, and start from another place."
}

// reflect asks the model and falls back to a plain reflection.
func (r *Runner) reflect(ctx context.Context, i int, at reflexion.Attempt, history []*reflexion.Record) (reflexion.SelfReflection, error) {
	var advice []reflexion.Advice
	if show, _ := reflexion.ShowFor(r.Config.Arm); show.Graph && r.Advise != nil { // else the arms would not be apart
		advice = r.Advise(at.Found.Errors)
	}
	omega := at.Omega
	if omega == 0 {
		omega = reflexion.OmegaFor(at.Found.Type)
	}
	in := reflexion.PromptInput{Task: at.Task, Actor: at.Actor, Found: at.Found, Memory: reflexion.Window(history, omega, at.Policy, at.Found.Errors), Advice: advice}
	for attempt := range modelTries {
		answer, err := r.Steps.Reflect(ctx, i, attempt, reflexion.Prompt(in))
		if err != nil {
			return reflexion.SelfReflection{}, err
		}
		if answer == nil {
			break
		}
		s := reflexion.ParseAnswer(answer, len(at.Actor.Actions))
		err = reflexion.Accept(&s, at.Found.Errors, reflexion.Reflections(history))
		var refusal *reflexion.Refusal
		repeat := false
		if errors.As(err, &refusal) {
			in.Refused = refusal.Reasons
			_, repeat = reflexion.Repeats(s.Text, reflexion.Reflections(history))
		}
		// A model that repeats itself even when asked not to is stuck, which the
		// record must show.
		if err == nil || repeat && attempt == modelTries-1 && len(refusal.Reasons) == 1 {
			for _, m := range in.Memory {
				s.Related = append(s.Related, m.Iteration)
			}
			return s, nil
		}
	}
	return reflexion.FromRulesOnly(at, history, advice), nil
}

// unrunnable reports whether a verifier could not be run at all, so that no
// further attempt can pass.
func unrunnable(e *reflexion.EvaluatorOutput) bool {
	for _, res := range e.Results {
		if res.Status == reflexion.Errored && res.ExitCode == nil {
			return true
		}
	}
	return false
}

// Decide says whether a loop with this history has ended, and how; nil when it
// goes on. It depends on nothing else.
func Decide(c *Config, history []*reflexion.Record) *End {
	last := reflexion.Last(history)
	if last == nil {
		return nil
	}
	end := &End{LoopID: c.LoopID, Iterations: last.Iteration + 1, Ended: last.Timestamp}
	level, why := Stuckness(history)
	switch {
	case last.Evaluator.Passed:
		end.Success, end.Reason = true, Passed
	case last.Notes == string(Critical):
		end.Reason = Critical
		if n := len(last.Evaluator.Errors); n > 0 {
			end.Detail = reflexion.Describe(last.Evaluator.Errors[n-1])
		}
	case last.Iteration+1 >= c.Max:
		end.Reason = Limit
	case level > 1 && c.Arm != "none": // without memory nothing is learned of being stuck
		end.Reason, end.Detail = Stuck, why
	default:
		return nil
	}
	return end
}

// stuckAfter is how often the same error stands before another strategy is asked
// for.
const stuckAfter = 3

// Stuckness says whether a loop goes in circles: 0 no, 1 it should change its
// strategy, 2 it did and stands where it stood. It is stuck when the same
// signature stands in three iterations in a row, or a model repeats a reflection.
func Stuckness(history []*reflexion.Record) (level int, why string) {
	if n, sig := run(history); n >= stuckAfter {
		level, why = min(2, 1+n-stuckAfter), fmt.Sprintf("the same error (%s) stood in the last %d attempts", sig, n)
	}
	if n := repeats(history); n > level {
		level, why = min(2, n), "the last reflection says what an earlier one said"
	}
	return level, why
}

// repeats is how many reflections of a model, up to the last, say what an earlier
// one said. Plain reflections are left out: the same error gives the same words.
func repeats(history []*reflexion.Record) (n int) {
	rs := reflexion.Reflections(history)
	for i := len(rs) - 1; i > 0 && rs[i].Reflection.Source == reflexion.FromModel; i-- {
		if _, ok := reflexion.Repeats(rs[i].Reflection.Text, rs[:i]); !ok {
			break
		}
		n++
	}
	return n
}

// run is for how many iterations, up to the last, one error stood, and which.
func run(history []*reflexion.Record) (n int, signature string) {
	alive := map[string]bool{}
	for i := len(history) - 1; i >= 0; i-- {
		now := map[string]bool{}
		for _, e := range history[i].Evaluator.Errors {
			if s := reflexion.SignatureOf(e); n == 0 || alive[s] {
				now[s] = true
			}
		}
		if len(now) == 0 {
			break
		}
		alive = now
		n++
	}
	for s := range alive {
		if signature == "" || s < signature {
			signature = s
		}
	}
	return n, signature
}
