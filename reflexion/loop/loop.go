package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

// Steps are the side effects of a loop. Each may be called again after a kill, and must
// then return what it returned before, without doing it twice.
type Steps interface {
	Prompt(iteration int, c *reflexion.Context) (Prompted, error)
	Act(ctx context.Context, iteration int, prompt string) (*Acted, error)
	// Verify runs the verifiers; for baseline, before the first attempt.
	Verify(ctx context.Context, iteration int) (*evaluate.Evaluation, error)
	// Reflect asks the model; nil without an answer. attempt counts from 0.
	Reflect(ctx context.Context, iteration, attempt int, prompt string) ([]byte, error)
	// Found returns what Verify returned; nil when that is not known any more.
	Found(iteration int) (*evaluate.Evaluation, error)
}

// baseline is the iteration of what is found before the first attempt.
const baseline = reflexion.BeforeFirst

// Acted is the result of the actor. Trouble is nil when it ended normally.
type Acted struct {
	Output   reflexion.ActorOutput
	Trouble  *reflexion.Problem
	Critical bool // it cannot be run at all
	// Restored are the files of the memory that were gone after it, and were put back.
	Restored []string
	Usage    reflexion.Usage
	failed   string // why an agent says that it gave up
}

// Store stores records.
type Store interface {
	Loop(id string) ([]*reflexion.Record, error)
	Save(*reflexion.Record) error
	// Own reports whether the loop itself saved the record: others may have put some among them.
	Own(*reflexion.Record) bool
	// Iterations is how many it saved, also where the file is gone.
	Iterations() int
	// Reopen is called when the folder of the store may have been removed.
	Reopen() error
}

// Runner runs one loop.
type Runner struct {
	Config *Config
	Store  Store
	Steps  Steps
	Now    func() time.Time
	// What follows may be nil. Advise asks the causal graph about errors, but for what was tried and failed.
	Advise func(errors []reflexion.Problem, tried map[string]bool) []reflexion.Known
	// Recall returns what people said and other sessions learned about the task.
	Recall      func() (said, learned []reflexion.Known)
	OnIteration func(*reflexion.Turn) // is called for each finished iteration
}

// modelTries is how often a model is asked for a reflection before rules make one; after
// the first time with the reasons why its answer was rejected.
const modelTries = 2

// Run runs the loop to its end and returns the records that it wrote. Errors: that of ctx,
// and those of steps; after an error, Run continues where it was.
//
// Of records that are not its own only the numbers are taken.
func (r *Runner) Run(ctx context.Context) (*End, []*reflexion.Record, error) {
	for saved := -1; ; {
		all, err := r.records()
		if err != nil {
			return nil, nil, err
		}
		if saved >= 0 && !has(all, saved) { // else it would be done again, for ever
			return nil, nil, fmt.Errorf("the record of iteration %d was removed while the loop ran", saved)
		}
		history := only(all, r.Store.Own)
		var found *evaluate.Evaluation // before the first attempt
		if len(history) == 0 {
			if found, err = r.Steps.Verify(ctx, baseline); err != nil {
				return nil, nil, fmt.Errorf("verifiers before the first attempt: %w", err)
			}
			if found.Passed && !r.Config.Attempt {
				return &End{LoopID: r.Config.LoopID, Success: true, Reason: Nothing,
					Ended: r.Now().UTC().Format(time.RFC3339Nano)}, nil, nil
			}
		}
		if end := Decide(r.Config, r.Store.Iterations(), history); end != nil {
			return end, history, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		i := reflexion.NextIteration(history)
		for has(all, i) {
			i++
		}
		rec, err := r.iterate(ctx, i, history, found)
		if err != nil {
			return nil, nil, err
		}
		if err := r.Store.Save(rec); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, nil, err
		}
		saved = rec.Iteration
		if r.OnIteration != nil {
			turns := reflexion.Turns(append(slices.Clone(history), rec))
			r.OnIteration(&turns[len(turns)-1])
		}
	}
}

func has(records []*reflexion.Record, iteration int) bool {
	return slices.ContainsFunc(records, func(x *reflexion.Record) bool { return x.Iteration == iteration })
}

// Own returns the records that the loop itself wrote.
func (r *Runner) Own() ([]*reflexion.Record, error) {
	all, err := r.records()
	return only(all, r.Store.Own), err
}

func (r *Runner) records() ([]*reflexion.Record, error) {
	all, err := r.Store.Loop(r.Config.LoopID)
	if errors.Is(err, reflexion.ErrNoLoop) {
		err = nil
	}
	return all, err
}

func only(records []*reflexion.Record, keep func(*reflexion.Record) bool) []*reflexion.Record {
	return slices.DeleteFunc(slices.Clone(records), func(x *reflexion.Record) bool { return !keep(x) })
}

// iterate runs one iteration and returns its record. before is what was found before the
// first attempt; nil for later ones.
func (r *Runner) iterate(ctx context.Context, i int, history []*reflexion.Record,
	before *evaluate.Evaluation) (*reflexion.Record, error) {
	c := r.Config
	at := reflexion.Attempt{Record: reflexion.Record{LoopID: c.LoopID, Iteration: i, Task: c.Task, TaskType: c.TaskType, Arm: c.Arm,
		Memory: reflexion.MemoryMetadata{Policy: c.Policy, Omega: r.omega(history)}}}
	if before != nil {
		at.Baseline = &before.EvaluatorOutput
	}
	var from *int
	if c.Isolate {
		from = new(reflexion.BestIteration(history))
	}
	full, err := r.withMessages(history, from)
	if err != nil {
		return nil, fmt.Errorf("errors before iteration %d: %w", i, err)
	}
	p, err := r.Steps.Prompt(i, r.Context(full, at.Baseline, from))
	if err != nil {
		return nil, fmt.Errorf("prompt of iteration %d: %w", i, err)
	}
	acted, err := r.Steps.Act(ctx, i, p.Text)
	if err == nil { // its folder may have been removed, and made again
		err = r.Store.Reopen()
	}
	if err != nil {
		return nil, fmt.Errorf("actor of iteration %d: %w", i, err)
	}
	e, err := r.Steps.Verify(ctx, i)
	if err != nil {
		return nil, fmt.Errorf("verifiers of iteration %d: %w", i, err)
	}
	at.Usage, at.From = &acted.Usage, p.From
	at.Rule = &reflexion.Rule{MaxIterations: c.Max, Stuck: c.Stuck, MaxCostUSD: c.MaxCost, MaxTimeS: c.MaxTime, Isolated: c.Isolate && c.Discard && !c.Commit}
	at.Actor, at.Used, at.Now = acted.Output, p.Used, r.Now()
	p.became(&at)
	at.Actor.Strategy = cmp.Or(at.Actor.Strategy, p.Strategy)
	named, err := r.Steps.Found(baseline) // records name few tests
	if err != nil {
		return nil, fmt.Errorf("tests before iteration %d: %w", i, err)
	}
	first := at.Baseline
	if named != nil {
		first = &named.EvaluatorOutput
	}
	at.Evaluator = r.judge(e, reflexion.FirstCounted(first, history), bestReward(at.Baseline, history), acted)
	at.Notes = notes(&at.Evaluator, acted)
	var s reflexion.SelfReflection
	if !at.Evaluator.Passed {
		if s, err = r.reflect(ctx, i, at, history); err != nil {
			return nil, fmt.Errorf("reflection on iteration %d: %w", i, err)
		}
		s.Forget(p.quoted())
		if s.Source == reflexion.FromModel {
			s.By = reflexion.Program(c.Reflect)
		}
	}
	return reflexion.Compose(history, at, s), nil
}

// withMessages returns the records with all that is known of the errors in the state with which
// the next attempt begins, of which a record may keep less.
func (r *Runner) withMessages(history []*reflexion.Record, from *int) ([]*reflexion.Record, error) {
	began, _ := reflexion.Begins(history, from, nil)
	k := slices.IndexFunc(history, func(x *reflexion.Record) bool {
		return x.Iteration == began || began == baseline && x.Baseline != nil
	})
	if k < 0 {
		return history, nil
	}
	e, err := r.Steps.Found(began)
	if e == nil || err != nil {
		return history, err
	}
	rec := *history[k]
	found := &rec.Evaluator
	if began == baseline {
		found = new(*rec.Baseline)
		rec.Baseline = found
	}
	found.Errors = slices.Clone(found.Errors)
	for i, p := range found.Errors {
		same := func(w reflexion.Problem) bool { return reflexion.SignatureOf(w) == reflexion.SignatureOf(p) }
		if n := slices.IndexFunc(e.Errors, same); n >= 0 {
			found.Errors[i] = e.Errors[n]
		}
	}
	history = slices.Clone(history)
	history[k] = &rec
	return history, nil
}

func (r *Runner) omega(history []*reflexion.Record) int {
	if r.Config.Dynamic {
		return reflexion.DynamicOmega(history)
	}
	return cmp.Or(r.Config.Omega, reflexion.OmegaForTask(r.Config.TaskType))
}

// Context returns the content of the prompt of the attempt that follows the records. before
// is what was found before the first attempt; it may be nil. from is where the attempt begins
// (reflexion.Begins).
func (r *Runner) Context(history []*reflexion.Record, before *reflexion.EvaluatorOutput, from *int) *reflexion.Context {
	c := r.Config
	show, _ := reflexion.ShowFor(c.Arm)
	o := reflexion.ContextOptions{Omega: r.omega(history), Policy: c.Policy, Show: show,
		Baseline: before, From: from}
	_, now := reflexion.Begins(history, from, before)
	if now != nil && show.Graph && r.Advise != nil {
		o.Advice = r.Advise(now.Errors, reflexion.Tried(history))
	}
	ctx := reflexion.BuildContext(c.LoopID, c.Task, history, o)
	ctx.Verify = c.Verify
	if r.Recall != nil {
		said, learned := r.Recall()
		ctx.Know(history, said, learned)
	}
	if why := circling(history); show.Errors && why != "" {
		ctx.Strategy = "Go another way: " + why + ". Do not repeat or refine what was tried; question what it took for granted, and start from another place."
	}
	return ctx
}

// reflect asks the model and falls back to a reflection by rules.
func (r *Runner) reflect(ctx context.Context, i int, at reflexion.Attempt,
	history []*reflexion.Record) (reflexion.SelfReflection, error) {
	if at.Evaluator.ByChanging != "" { // a model would learn from it how to pass
		return reflexion.FromRulesOnly(at, history, nil), nil
	}
	var advice []reflexion.Known
	if show, _ := reflexion.ShowFor(r.Config.Arm); show.Graph && r.Advise != nil { // other arms must not get advice
		advice = r.Advise(at.Evaluator.Errors,
			reflexion.Tried(append(slices.Clone(history), reflexion.Compose(history, at, reflexion.SelfReflection{}))))
	}
	in := at.PromptInput(history, advice)
	for attempt := range modelTries {
		answer, err := r.Steps.Reflect(ctx, i, attempt, reflexion.Prompt(in))
		if err != nil {
			return reflexion.SelfReflection{}, err
		}
		if answer == nil {
			break
		}
		s, err := in.Reflection(answer, history)
		var refusal *reflexion.Refusal
		repeat := false
		if errors.As(err, &refusal) {
			in.Refused = refusal.Reasons
			_, repeat = reflexion.Repeats(s.Text, reflexion.Reflections(history))
		}
		// A repetition even after the rejection is stored, since it shows that the model
		// is stuck.
		if err == nil || repeat && attempt == modelTries-1 && len(refusal.Reasons) == 1 {
			return s, nil
		}
	}
	return reflexion.FromRulesOnly(at, history, advice), nil
}
