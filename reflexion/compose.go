package reflexion

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Attempt is an iteration whose record is not yet composed. Its number may become higher, and of its
// memory only Ω and the policy are said; 0: OmegaFor the verification type.
type Attempt struct {
	Record
	Now      time.Time
	Recorded bool // of an earlier record, not typed by a user
}

// Compose returns the record of an attempt that follows the records of its loop: with the
// next iteration number, the window from now on, and the comparison with what was found before
// it, if that is known. s is the zero value for an attempt that passed. The record has no command
// lines and no outputs of the attempt.
func Compose(history []*Record, a Attempt, s SelfReflection) *Record {
	r := &a.Record
	errors, omega := r.Evaluator.Errors, cmp.Or(r.Memory.Omega, OmegaFor(r.Evaluator.Type))
	r.Iteration, r.Timestamp = max(r.Iteration, NextIteration(history)), a.Now.UTC().Format(time.RFC3339Nano)
	r.Actor, r.Evaluator, r.Reflection, r.Injected = keptActor(r.Actor), keptFound(r.Evaluator), s, len(r.Used) > 0
	if r.Baseline != nil {
		r.Baseline = keptBaseline(*r.Baseline)
	}
	r.Memory = MemoryMetadata{Omega: min(max(omega, MinOmega), MaxOmega), Policy: cmp.Or(r.Memory.Policy, FIFO)}
	all := append(slices.Clone(history), r)
	for _, w := range Window(all, r.Memory.Omega, r.Memory.Policy, errors) {
		r.Memory.InContext = append(r.Memory.InContext, w.Iteration)
	}
	r.Memory.Size = len(r.Memory.InContext)
	r.Memory.Total = new(len(Reflections(all)))
	turns := Turns(all)
	r.Performance = turns[len(turns)-1].delta()
	return r
}

func (t *Turn) delta() *Performance {
	if t.Before == nil {
		return nil
	}
	reward, errors := t.Evaluator.RewardOr()-t.Before.RewardOr(), len(t.Evaluator.Errors)-len(t.Before.Errors)
	return &Performance{reward, errors, t.Shortfall == "" && (reward > 0 || reward == 0 && errors < 0)}
}

func Last(records []*Record) *Record {
	if len(records) == 0 {
		return nil
	}
	return slices.MaxFunc(records, func(a, b *Record) int { return cmp.Compare(a.Iteration, b.Iteration) })
}

// ByLoop returns the records of each loop, by iteration; the loops by their ids.
func ByLoop(records []*Record) [][]*Record {
	var out [][]*Record
	for _, r := range slices.SortedStableFunc(slices.Values(records), func(a, b *Record) int {
		return cmp.Or(strings.Compare(a.LoopID, b.LoopID), cmp.Compare(a.Iteration, b.Iteration))
	}) {
		if n := len(out); n == 0 || out[n-1][0].LoopID != r.LoopID {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

// NextIteration is the number of the iteration after the records; 0 without records.
func NextIteration(records []*Record) int {
	if last := Last(records); last != nil {
		return last.Iteration + 1
	}
	return 0
}

// Recurring returns, for each signature of errors, the earlier iterations that
// had it, by iteration.
func Recurring(errors []Problem, history []*Record) map[string][]int {
	out := map[string][]int{}
	for _, e := range errors {
		out[SignatureOf(e)] = nil
	}
	for _, r := range history {
		for _, e := range r.Evaluator.Errors {
			s := SignatureOf(e)
			if in, wanted := out[s]; wanted && !slices.Contains(in, r.Iteration) {
				out[s] = append(in, r.Iteration)
			}
		}
	}
	return out
}
