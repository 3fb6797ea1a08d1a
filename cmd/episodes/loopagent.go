package main

import (
	"strings"

	"github.com/spf13/cobra"

	"episodes/agents"
	"episodes/reflexion"
	"episodes/reflexion/analyze"
	"episodes/reflexion/loop"
)

// addAgent adds the flags that name an agent as the actor, and what attempts may take.
func (f *loopFlags) addAgent(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.agent, "agent", "", "the actor is this `AGENT`, with any options for it: "+strings.Join(agents.Actors(), ", "))
	fs.Float64Var(&f.maxCost, "max-cost", 0, "begin no attempt after `USD` are spent; 0: no limit")
	fs.DurationVar(&f.maxTime, "max-time", 0, "begin no attempt after actors and verifiers took `TIME`; 0: no limit")
	completeValues(cmd, "agent", agents.Actors()...)
}

// applyAgent checks these flags and puts them into the configuration of a loop.
func (f *loopFlags) applyAgent(c *loop.Config) error {
	switch {
	case f.agent != "" && c.Actor != "":
		return usage("", "--agent and --actor: give one of them")
	case f.maxCost < 0:
		return usage("", "--max-cost %v: must not be negative", f.maxCost)
	case f.maxTime < 0:
		return usage("", "--max-time %s: must not be negative", f.maxTime)
	}
	c.MaxCost, c.MaxTime = f.maxCost, f.maxTime.Seconds()
	if f.agent == "" {
		return nil
	}
	actor, line, err := agents.ActorLine(f.agent)
	if err != nil {
		return usage("", "--agent: %v", err)
	}
	c.Agent, c.Actor = actor.Name, line
	if f.maxCost > 0 && !actor.Actor.Cost {
		return usage("", "--max-cost: %s does not say what it costs; --max-time limits it", c.Agent)
	}
	return nil
}

// usageText is what the attempts of records took, in a line; "" where none says it.
func usageText(records ...*reflexion.Record) string {
	if u, known := reflexion.Used(records); known > 0 {
		return analyze.UsageText(u)
	}
	return ""
}
