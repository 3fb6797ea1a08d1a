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
	Reviewed int `json:"passes_reviewed"`
	Refused  int `json:"refused"`
	Share
}

// FalseFail is how often automatic verifiers failed an iteration that a manual review
// accepted.
type FalseFail struct {
	Reviewed int `json:"failures_reviewed"`
	Accepted int `json:"accepted"`
	Share
}

// Share is a share with its 95 % Wilson interval.
type Share struct {
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func shareOf(n, of int) Share {
	w := stats.Wilson(n, of, level)
	return Share{float64(n) / float64(of), w.Low, w.High}
}

// frequent is the share of false verdicts from which an arm is not to be trusted.
const frequent = 0.1

func (a *arm) reviews() (p *FalsePass, f *FalseFail) {
	n := map[[2]bool]int{} // what passed automatically, and in the review
	for _, t := range a.tasks {
		for _, r := range t.records {
			if automatic, review := verdictsOf(r.Evaluator.Results); automatic != "" && review != "" {
				n[[2]bool{automatic == reflexion.Pass, review == reflexion.Pass}]++
			}
		}
	}
	if wrong := n[[2]bool{true, false}]; wrong+n[[2]bool{true, true}] > 0 {
		all := wrong + n[[2]bool{true, true}]
		p = &FalsePass{all, wrong, shareOf(wrong, all)}
	}
	if wrong := n[[2]bool{false, true}]; wrong+n[[2]bool{false, false}] > 0 {
		all := wrong + n[[2]bool{false, false}]
		f = &FalseFail{all, wrong, shareOf(wrong, all)}
	}
	return p, f
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
