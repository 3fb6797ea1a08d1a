package loop

import (
	"fmt"

	"episodes/reflexion"
)

// Decide returns how a loop with this history has ended after some iterations; nil when it
// continues. Only records of its own can end it.
func Decide(c *Config, iterations int, history, own []*reflexion.Record) *End {
	last := reflexion.Last(own)
	if last == nil || last.Iteration < reflexion.Last(history).Iteration {
		return nil
	}
	end := &End{LoopID: c.LoopID, Iterations: iterations, Ended: last.Timestamp}
	level, why := Stuckness(own)
	spent, how := c.spent(own)
	switch {
	case last.Evaluator.Passed:
		end.Success, end.Reason = true, Passed
	case last.Notes == string(Critical):
		end.Reason = Critical
		if n := len(last.Evaluator.Errors); n > 0 {
			end.Detail = reflexion.Describe(last.Evaluator.Errors[n-1])
		}
	case iterations >= c.Max:
		end.Reason = Limit
	case spent != "":
		end.Reason, end.Detail = spent, how
	case level > 1 && c.Arm != "none": // that arm must not know that it is stuck
		end.Reason, end.Detail = Stuck, why
	default:
		return nil
	}
	return end
}

// stuckAfter is the number of iterations with the same error after which another strategy
// is asked for.
const stuckAfter = 3

// Stuckness reports whether a loop is stuck: 0 no, 1 it should change its strategy, 2 it
// was asked to and is still stuck. It is stuck when the same signature occurs in three
// iterations in a row, or a model repeats a reflection.
func Stuckness(history []*reflexion.Record) (level int, why string) {
	if n, sig := run(history); n >= stuckAfter {
		level, why = min(2, 1+n-stuckAfter), fmt.Sprintf("the same error (%s) stood in the last %d attempts", sig, n)
	}
	if n := repeats(history); n > level {
		level, why = min(2, n), "the last reflection says what an earlier one said"
	}
	return level, why
}

// repeats is how many of the last reflections of a model repeat an earlier one. Reflections
// by rules do not count: the same error gives the same words.
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

// run is for how many of the last iterations one error recurred, and which.
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
