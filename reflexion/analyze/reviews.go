package analyze

import (
	"bytes"
	"fmt"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
	"episodes/stats"
)

// FalsePass is how often verifiers passed an iteration that a manual review refused.
type FalsePass struct {
	Reviewed int `json:"passes_reviewed"`
	Refused  int `json:"refused"`
	Share
}

// FalseFail is how often verifiers failed an iteration that a manual review accepted.
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
	return Share{float64(n) / float64(max(1, of)), w.Low, w.High}
}

// frequent is the share of false verdicts from which an arm is not to be trusted.
const frequent = 0.1

func (a *arm) reviews() (*FalsePass, *FalseFail) {
	p, f := &FalsePass{}, &FalseFail{}
	for _, t := range a.tasks {
		for _, r := range t.records {
			switch automatic, review := verdictsOf(r.Evaluator.Results); {
			case automatic == "" || review == "":
			case automatic == reflexion.Pass:
				p.Reviewed++
				p.Refused += stats.Indicator(review != reflexion.Pass)
			default:
				f.Reviewed++
				f.Accepted += stats.Indicator(review == reflexion.Pass)
			}
		}
	}
	p.Share, f.Share = shareOf(p.Refused, p.Reviewed), shareOf(f.Accepted, f.Reviewed)
	if p.Reviewed == 0 {
		p = nil
	}
	if f.Reviewed == 0 {
		f = nil
	}
	return p, f
}

// verdictsOf returns what the verifiers found together, and the review; "" without any.
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
	// PerSolved is the cost of all attempts for each task that was solved; null: not known.
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
		u.PerSolved = new(*u.CostUSD / float64(solved))
	}
	return u
}

// Arm is a set of records that were made in one way.
type Arm struct {
	Name    string
	Records []*reflexion.Record
}

// Read reads records from JSON lines, and why lines are left out (bad) or contradict themselves.
func Read(name string, data []byte) (found []*reflexion.Record, bad, doubts []error) {
	for i, line := range bytes.Split(data, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		rec, err := reflexion.Parse(line)
		if err != nil {
			bad = append(bad, fmt.Errorf("%s:%d: %w", name, i+1, err))
			continue
		}
		for _, p := range rec.Check() {
			doubts = append(doubts, fmt.Errorf("%s:%d: %s", name, i+1, p))
		}
		found = append(found, rec)
	}
	return found, bad, doubts
}
