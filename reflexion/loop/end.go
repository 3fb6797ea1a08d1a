package loop

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"episodes/reflexion"
)

// Decide returns how a loop with these records has ended after some iterations; nil when it continues.
// All arms end by the same rules.
func Decide(c *Config, iterations int, own []*reflexion.Record) *End {
	last := reflexion.Last(own)
	if last == nil {
		return nil
	}
	end := &End{LoopID: c.LoopID, Iterations: iterations, Ended: last.Timestamp}
	spent, how := c.spent(own)
	idle := min(withoutProgress(own), iterations-c.WentOn)
	switch {
	case last.Evaluator.Passed:
		end.Success, end.Reason = true, Passed
	case last.Evaluator.ByChanging != "" && iterations > c.WentOn:
		end.Reason, end.Detail = Changing, "by changing "+last.Evaluator.ByChanging
	case last.Notes == string(Critical):
		end.Reason = Critical
		if n := len(last.Evaluator.Errors); n > 0 {
			end.Detail = reflexion.Describe(last.Evaluator.Errors[n-1])
		}
	case last.Actor.Blocked != "" && iterations > c.WentOn:
		end.Reason, end.Detail = Blocked, "needs a person: "+last.Actor.Blocked
	case iterations >= c.Max:
		end.Reason = Limit
	case spent != "":
		end.Reason, end.Detail = spent, how
	case c.Stuck > 0 && idle >= c.Stuck:
		end.Reason, end.Detail = Stuck, fmt.Sprintf("none of the last %d attempts came further than those before", idle)
	default:
		return nil
	}
	return end
}

// withoutProgress is how many of the last attempts came no further than all before them.
func withoutProgress(own []*reflexion.Record) int {
	n := 0
	for _, t := range slices.Backward(reflexion.Turns(own)) {
		if t.Best {
			break
		}
		n++
	}
	return n
}

// sameError is the number of iterations with the same error after which another strategy
// is asked for.
const sameError = 3

// circling says why another strategy is asked for: the same signature occurs in three
// iterations in a row, or a model repeats a reflection; those by rules do not count, as the same
// error gives the same words. "" when there is no reason.
func circling(history []*reflexion.Record) string {
	if n := recurs(history); n >= sameError {
		return fmt.Sprintf("the same error stood in the last %d attempts", n)
	}
	rs := reflexion.Reflections(history)
	if n := len(rs) - 1; n > 0 && rs[n].Reflection.Source == reflexion.FromModel {
		if _, repeats := reflexion.Repeats(rs[n].Reflection.Text, rs[:n]); repeats {
			return "the last reflection says what an earlier one said"
		}
	}
	return ""
}

// recurs counts the latest consecutive iterations that had one error in common.
func recurs(history []*reflexion.Record) (n int) {
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
	return n
}

// actorTimeout is how long one attempt of the actor may take.
func (c *Config) actorTimeout() time.Duration {
	return seconds(min(c.ActorTimeout, cmp.Or(c.MaxTime, c.ActorTimeout)))
}

// spent returns which budget is used up, and by what; "" while none is. A cost that is not
// known uses up any budget of it.
func (c *Config) spent(own []*reflexion.Record) (Reason, string) {
	total, _ := reflexion.Used(own)
	if c.MaxCost > 0 {
		unknown := func(r *reflexion.Record) bool { return r.Usage == nil || r.Usage.CostUSD == nil }
		if n := slices.IndexFunc(own, unknown); n >= 0 {
			return Cost, fmt.Sprintf("what attempt %d cost is not known", own[n].Iteration+1)
		}
		if total.CostUSD != nil && *total.CostUSD >= c.MaxCost {
			return Cost, fmt.Sprintf("$%.2f of $%.2f are spent", *total.CostUSD, c.MaxCost)
		}
	}
	if most := seconds(c.MaxTime); most > 0 && ran(own) >= most {
		return Time, fmt.Sprintf("actors and verifiers took %s of %s", ran(own).Round(time.Millisecond), most)
	}
	return "", ""
}

// ran is how long actors and verifiers ran.
func ran(history []*reflexion.Record) time.Duration {
	total, _ := reflexion.Used(history)
	out := time.Duration(total.DurationMS) * time.Millisecond
	for _, r := range history {
		for _, v := range r.Evaluator.Results {
			if v.DurationMS != nil {
				out += time.Duration(*v.DurationMS) * time.Millisecond
			}
		}
	}
	return out
}
