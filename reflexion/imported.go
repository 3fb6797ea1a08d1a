package reflexion

import "slices"

// Imported is a record of another tool as this one keeps records: without command lines,
// outputs and traces, and without references that lead nowhere. Its texts were cleaned when
// it was parsed.
func Imported(r *Record) *Record {
	c := *r
	c.Recalled, c.Followed = nil, nil // of another memory
	c.Actor, c.Evaluator = keptActor(r.Actor), keptFound(r.Evaluator)
	before := func(list []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return i < 0 || i >= r.Iteration })
	}
	c.Used, c.Reflection.Related = before(r.Used), before(r.Reflection.Related)
	if credit := r.Reflection.Credit; credit != nil {
		kept := *credit
		kept.FailingActions = slices.DeleteFunc(slices.Clone(credit.FailingActions),
			func(i int) bool { return i < 0 || i >= len(r.Actor.Actions) })
		c.Reflection.Credit = &kept
	}
	m := &c.Memory
	m.InContext = slices.DeleteFunc(slices.Clone(m.InContext), func(i int) bool { return i < 0 || i > r.Iteration })
	if m.InContext = m.InContext[max(0, len(m.InContext)-m.Omega):]; r.Memory.InContext != nil {
		m.Size = len(m.InContext)
	}
	if m.Size = min(m.Size, m.Omega); m.Total != nil {
		m.Total = Ptr(max(*m.Total, m.Size))
	}
	if x := c.Evaluator.Metrics; x != nil && x.TestsPassed != nil && x.TestsFailed != nil {
		kept := *x
		kept.TestsTotal = Ptr(*x.TestsPassed + *x.TestsFailed)
		c.Evaluator.Metrics = &kept
	}
	return &c
}
