package analyze

import (
	"fmt"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
	"episodes/stats"
)

// FalsePass is how often automatic verifiers passed an iteration that a manual review
// refused. Both are results of one record; the tool of the review is "manual_review".
type FalsePass struct {
	Reviewed int     `json:"passes_reviewed"`
	Refused  int     `json:"refused"`
	Rate     float64 `json:"rate"`
	Low      float64 `json:"low"` // 95 % Wilson interval of the rate
	High     float64 `json:"high"`
}

// FalseFail is how often automatic verifiers failed an iteration that a manual review
// accepted.
type FalseFail struct {
	Reviewed int     `json:"failures_reviewed"`
	Accepted int     `json:"accepted"`
	Rate     float64 `json:"rate"`
	Low      float64 `json:"low"` // 95 % Wilson interval of the rate
	High     float64 `json:"high"`
}

// frequent is the share of false verdicts from which an arm is not to be trusted.
const frequent = 0.1

func (a *arm) reviews() (*FalsePass, *FalseFail) {
	var p FalsePass
	var f FalseFail
	for _, t := range a.tasks {
		for _, r := range t.records {
			automatic, review := verdictsOf(r.Evaluator.Results)
			if automatic == "" || review == "" {
				continue
			}
			if automatic == reflexion.Pass {
				p.Reviewed++
				p.Refused += btoi(review != reflexion.Pass)
			} else {
				f.Reviewed++
				f.Accepted += btoi(review == reflexion.Pass)
			}
		}
	}
	rate := func(n, of int) (float64, float64, float64) {
		w := stats.Wilson(n, of, level)
		return float64(n) / float64(max(of, 1)), w.Low, w.High
	}
	p.Rate, p.Low, p.High = rate(p.Refused, p.Reviewed)
	f.Rate, f.Low, f.High = rate(f.Accepted, f.Reviewed)
	passes, fails := &p, &f
	if p.Reviewed == 0 {
		passes = nil
	}
	if f.Reviewed == 0 {
		fails = nil
	}
	return passes, fails
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// verdictsOf returns what the automatic verifiers said together, and the review; "" where
// there was none.
func verdictsOf(results []reflexion.Result) (automatic, review reflexion.Status) {
	for _, r := range results {
		switch {
		case r.Tool == evaluate.ReviewTool:
			review = r.Status
		case r.Status == reflexion.Skip:
		case r.Status != reflexion.Pass:
			automatic = reflexion.Fail
		case automatic == "":
			automatic = reflexion.Pass
		}
	}
	return automatic, review
}

// warnings say why the figures of an arm may mislead.
func (r *ArmReport) warnings(solved int) []string {
	out := []string{}
	switch f := r.FalsePass; {
	case f == nil && solved > 0:
		out = append(out,
			"nobody reviewed what the verifiers passed: how many of the solved tasks are solved is not known (episodes loop reflect --review)")
	case f != nil && f.Rate >= frequent:
		out = append(out,
			fmt.Sprintf("the verifiers pass what is wrong: reviews refused %s, so fewer tasks are solved than counted",
				share(f.Refused, f.Reviewed)))
	}
	if f := r.FalseFail; f != nil && f.Rate >= frequent {
		out = append(out,
			fmt.Sprintf("the verifiers fail what is right: reviews accepted %s, so more tasks are solved than counted",
				share(f.Accepted, f.Reviewed)))
	}
	return out
}

// Used is what the attempts of an arm took.
type Used struct {
	reflexion.Usage
	Known int `json:"known_of"` // records that say it
	// PerSolved is the cost of all attempts in US dollars for each task that was solved;
	// null where no cost is known, or no task was solved.
	PerSolved *float64 `json:"cost_usd_per_solved"`
}

func (a *arm) usage(solved int) *Used {
	u := &Used{}
	for _, t := range a.tasks {
		total, known := reflexion.Used(t.records)
		u.Add(total)
		u.Known += known
	}
	if u.Known == 0 {
		return nil
	}
	if u.CostUSD != nil && solved > 0 {
		u.PerSolved = reflexion.Ptr(*u.CostUSD / float64(solved))
	}
	return u
}
