package reflexion

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Attempt is the result of an iteration, from which its record is composed.
type Attempt struct {
	LoopID    string
	Iteration int // later, after records of others
	Task      string
	TaskType  string
	Arm       string
	Actor     ActorOutput
	Found     EvaluatorOutput
	Used      []int // iterations whose reflections its prompt contained
	Advised   []Advised
	Recalled  []string         // references of lessons in its prompt
	Followed  []string         // of those that it followed
	Baseline  *EvaluatorOutput // before the first of its loop here
	Policy    Policy           // of the window
	Omega     int              // 0: OmegaFor the verification type
	Now       time.Time
	Notes     string
	Usage     *Usage
	Rule      *Rule
	From      *int // after whose state it began; nil: the last one's
	Recorded  bool // of an earlier record, not typed by a user
}

// Compose returns the record of an attempt that follows the records of its loop: with the
// next iteration number, the window from now on, and the comparison with what was found before
// it, if that is known. s is the zero value for an attempt that passed. The record has no command
// lines and no outputs of the attempt.
func Compose(history []*Record, a Attempt, s SelfReflection) *Record {
	r := &Record{LoopID: a.LoopID, Iteration: max(a.Iteration, NextIteration(history)),
		Timestamp: a.Now.UTC().Format(time.RFC3339Nano), Task: a.Task, TaskType: a.TaskType, Arm: a.Arm,
		Actor: keptActor(a.Actor), Evaluator: keptFound(a.Found), Reflection: s, Injected: len(a.Used) > 0,
		Used: a.Used, Notes: a.Notes, Advised: a.Advised, Recalled: a.Recalled, Followed: a.Followed,
		Usage: a.Usage, Rule: a.Rule, From: a.From}
	if a.Baseline != nil {
		r.Baseline = keptBaseline(*a.Baseline)
	}
	a.Omega = cmp.Or(a.Omega, OmegaFor(a.Found.Type))
	r.Memory = MemoryMetadata{Omega: min(max(a.Omega, MinOmega), MaxOmega), Policy: cmp.Or(a.Policy, FIFO)}
	all := append(slices.Clone(history), r)
	for _, w := range Window(all, r.Memory.Omega, r.Memory.Policy, a.Found.Errors) {
		r.Memory.InContext = append(r.Memory.InContext, w.Iteration)
	}
	r.Memory.Size = len(r.Memory.InContext)
	r.Memory.Total = Ptr(len(Reflections(all)))
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
