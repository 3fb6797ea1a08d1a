package loop

import (
	"cmp"
	"fmt"
	"slices"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

// Prompted is the prompt that the actor got, with what memory said in it.
type Prompted struct {
	Text     string            `json:"prompt"`
	Used     []int             `json:"used"`
	Strategy string            `json:"strategy,omitempty"`
	Known    []reflexion.Known `json:"known,omitempty"` // of what memory says, what the text has
	// Of an isolated loop: the iteration with the state after which this one begins, and the
	// one before this one.
	From *int `json:"begins_from,omitempty"`
	Last int  `json:"last,omitempty"`
}

// prompted is the prompt that a context makes.
func prompted(c *reflexion.Context, tokens int) Prompted {
	p := Prompted{Text: c.Within(cmp.Or(tokens, reflexion.PromptTokens)), Strategy: c.Strategy, From: c.From, Last: c.Iteration - 1}
	p.Used, p.Known = c.Used(), c.Shown()
	return p
}

// quoted returns what the prompt quoted from memory.
func (p *Prompted) quoted() (out []string) {
	for _, k := range p.Known {
		out = append(out, k.Text)
	}
	return out
}

// became says what an attempt made of the advice and of the lessons.
func (p *Prompted) became(at *reflexion.Attempt) {
	for _, k := range p.Known {
		if k.Step != "" {
			at.Advised = append(at.Advised, reflexion.Advised{About: k.Error, Episodes: k.Episodes,
				Touched: reflexion.Touches(at.Actor.Changed, k.Step), Followed: reflexion.Follows(&at.Actor, k.Step)})
		}
		if k.Ref == "" {
			continue
		}
		at.Recalled = append(at.Recalled, k.Ref)
		if reflexion.Follows(&at.Actor, k.Text) {
			at.Followed = append(at.Followed, k.Ref)
		}
	}
}

// testsRule is the rule of the error that tests are gone.
const testsRule = "tests"

// judge combines the findings of the verifiers and the failure of the actor, if any. Tests
// that are gone count as failed. What passes without them, or only by changing what decides
// the verdict, does not pass, unless the user allowed it. best is the best reward so far.
func (r *Runner) judge(e *evaluate.Evaluation, first *reflexion.EvaluatorOutput, best float64, acted *Acted) reflexion.EvaluatorOutput {
	found := e.EvaluatorOutput
	if e.Without != nil {
		found = *e.Without
	}
	found.Metrics = reflexion.CompareTests(first, &found)
	lack := ""
	if !r.Config.TestsToo {
		lack = reflexion.Missing(first, &found)
	}
	failed := func(message string) {
		found.Passed = false
		found.Errors = append(slices.Clone(found.Errors),
			reflexion.Problem{Type: reflexion.TestFailure, Severity: "error", Rule: testsRule, Message: message})
	}
	passed := found.Passed
	if passed && lack != "" {
		failed(lack + reflexion.ListGone(found.Metrics))
	}
	if lack != "" && (passed || reflexion.TestsGone(first, &found) > 0) {
		m := *found.Metrics
		m.TestsTotal = first.Metrics.TestsTotal
		reward, parts := evaluate.Reward(&m, false)
		found.Reward, found.Parts = &reward, &parts
	}
	if e.Without != nil && !found.Passed {
		failed("passed, by changing " + e.Changed)
		found.ByChanging, found.Reward = e.Changed, new(min(found.RewardOr(), best))
	}
	if !found.Passed && acted.Trouble != nil { // after the errors of the verifiers
		found.Errors = append(slices.Clone(found.Errors), *acted.Trouble)
	}
	return found
}

// bestReward is the best reward of what was found before an attempt.
func bestReward(found *reflexion.EvaluatorOutput, history []*reflexion.Record) (best float64) {
	if found != nil {
		best = found.RewardOr()
	}
	for _, r := range history {
		best = max(best, r.Evaluator.RewardOr(), bestReward(r.Baseline, nil))
	}
	return best
}

// notes are what a record says besides: that no further attempt can pass, or what is worth
// a word although it passed, and that files of the memory were put back.
func notes(found *reflexion.EvaluatorOutput, acted *Acted) string {
	unrunnable := func(r reflexion.Result) bool { return r.Status == reflexion.Errored && r.ExitCode == nil }
	switch {
	case !found.Passed && (acted.Critical || slices.ContainsFunc(found.Results, unrunnable)):
		return string(Critical)
	case found.Passed && acted.Trouble != nil:
		return acted.Trouble.Message
	case len(acted.Restored) > 0:
		return fmt.Sprintf("the actor removed %d files of the memory, such as %q; they were put back",
			len(acted.Restored), acted.Restored[0])
	}
	return ""
}
