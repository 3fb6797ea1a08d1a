package learning

import (
	"context"

	"episodes/internal/ask"
	"episodes/reflexion"
	"episodes/reflexion/loop"
)

// RetryRequest asks what the next attempt of a loop should know.
type RetryRequest struct {
	Loop   string
	Arm    string           // how much of memory to show; see reflexion.Arms
	Omega  int              // reflections in the window; 0: as in the loop
	Policy reflexion.Policy // of the window; "": as in the loop
	Budget int              // tokens of reflections; 0: no limit
}

// Check refuses a request that cannot be answered.
func (r RetryRequest) Check() error {
	if _, ok := reflexion.ShowFor(r.Arm); !ok {
		return &ask.RequestError{Params: []string{"arm"}, Value: r.Arm, Message: "must be none, last, reflections, graph or all"}
	}
	return nil
}

// Retry builds the context of the next attempt. The memories in it are noted as read.
func (f *Folder) Retry(ctx context.Context, r RetryRequest) (*reflexion.Context, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	history, err := f.Loop(r.Loop)
	if err != nil {
		return nil, err
	}
	show, _ := reflexion.ShowFor(r.Arm)
	o := reflexion.ContextOptions{Omega: r.Omega, Policy: r.Policy, Budget: r.Budget, Show: show}
	last := reflexion.Last(history)
	if last != nil && show.Graph {
		o.Advice = f.advice(ctx, last.Evaluator.Errors, "")
	}
	c := reflexion.BuildContext(r.Loop, "", history, o)
	if show.Errors {
		c.Strategy = loop.Strategy(history)
	}
	if last != nil && r.Arm == "all" {
		c.Knowledge = append(c.Knowledge, f.recall(ctx, r.Loop, c.Task, last.TaskType, "retry "+r.Loop)...)
	}
	return c, nil
}
