package loop

import (
	"fmt"
	"time"

	"episodes/reflexion"
)

// actorTimeout is how long one attempt of the actor may take.
func (c *Config) actorTimeout() time.Duration {
	if c.MaxTime > 0 {
		return seconds(min(c.ActorTimeout, c.MaxTime))
	}
	return seconds(c.ActorTimeout)
}

// spent returns which budget is used up, and by what; "" while none is. A cost that is not
// known uses up any budget of it.
func (c *Config) spent(own []*reflexion.Record) (Reason, string) {
	total, _ := reflexion.Used(own)
	if c.MaxCost > 0 {
		for _, r := range own {
			if r.Usage == nil || r.Usage.CostUSD == nil {
				return Cost, fmt.Sprintf("what attempt %d cost is not known", r.Iteration+1)
			}
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
