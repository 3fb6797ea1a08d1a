package loop

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"episodes/internal/proc"
	"episodes/reflexion"
)

// acted is what an actor printed: an agent's answer, actions and usage, or the words of
// another actor.
func (p *Processes) acted(r *proc.Durable) *Acted {
	a := &Acted{}
	if p.Config.Agent == "" {
		a.Output, a.Usage = ParseActor(r.Stdout), statedUsage(r.Stdout)
	} else {
		said := readAnswer(p.Config.Agent, p.Work, r.Stdout)
		a.Usage, a.failed = said.Usage, said.Failed
		a.Output = cleaned(said.Output)
		if own, ok := ReadActor([]byte(lastLine([]byte(said.Text)))); ok { // it was asked for more
			a.Output = own
		}
		if len(a.Output.Actions) == 0 {
			a.Output.Actions = ParseActor(nil).Actions
		}
	}
	a.Usage.DurationMS, a.Usage.Partial = r.Duration.Milliseconds(), r.Cut
	return a
}

// statedUsage is the usage that an actor reports next to its actions.
func statedUsage(stdout []byte) reflexion.Usage {
	for _, data := range [][]byte{stdout, []byte(lastLine(stdout))} {
		var said struct{ Usage *reflexion.Usage }
		if json.Unmarshal(data, &said) == nil && said.Usage != nil {
			return *said.Usage
		}
	}
	return reflexion.Usage{}
}

// rule is what ends the loop, for its records.
func (c *Config) rule() *reflexion.Rule {
	return &reflexion.Rule{MaxIterations: c.Max, Stuck: c.Stuck, MaxCostUSD: c.MaxCost, MaxTimeS: c.MaxTime,
		Isolated: c.Isolate && c.Discard}
}

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

// took is how long actors and verifiers ran, in minutes, and how many tools the actors used;
// nil where no record says it.
func took(history []*reflexion.Record) (minutes *float64, tools *int) {
	total, known := reflexion.Used(history)
	if known == 0 {
		return nil, nil
	}
	return reflexion.Ptr(math.Round(100*ran(history).Minutes()) / 100), total.ToolCalls
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
