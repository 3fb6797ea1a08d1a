package learning

import (
	"context"

	"episodes/internal/ask"
	"episodes/reflexion"
	"episodes/reflexion/loop"
)

type RetryRequest struct {
	Loop   string
	Arm    string           // how much of memory to show; see reflexion.Arms
	Omega  int              // reflections in the window; 0: as in the loop
	Policy reflexion.Policy // of the window; "": as in the loop
}

func (r RetryRequest) Check() error {
	if _, ok := reflexion.ShowFor(r.Arm); !ok {
		return &ask.RequestError{Params: []string{"arm"}, Value: r.Arm, Message: "must be none, last, reflections, graph or all"}
	}
	return nil
}

func (f *Folder) Retry(ctx context.Context, r RetryRequest) (*reflexion.Context, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	history, err := f.Loop(r.Loop)
	if err != nil {
		return nil, err
	}
	c := &loop.Config{LoopID: r.Loop, Arm: r.Arm, Omega: r.Omega, Policy: r.Policy}
	if last := reflexion.Last(history); last != nil {
		c.Task, c.TaskType = last.Task, last.TaskType
	}
	next := f.runner(ctx, c, "").Context(history, nil, nil)
	next.Recorded = true
	return next, nil
}
