package analyze

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"episodes/reflexion"
	"episodes/stats"
)

// LoopReport is the analysis of one loop (guide, "Example Analysis Script").
type LoopReport struct {
	LoopID            string    `json:"loop_id"`
	Iterations        int       `json:"total_iterations"`
	FinalSuccess      bool      `json:"final_success"`
	LearningCurve     []float64 `json:"learning_curve"`
	LearningRate      float64   `json:"learning_rate"`
	FailureCategories []string  `json:"failure_categories"`
	Lessons           int       `json:"lessons_count"`
	AvgConfidence     *float64  `json:"avg_confidence"` // null when no reflection states one
}

// LearningRate returns (last − first reward) / n for n rewards; 0 for fewer than two (guide).
func LearningRate(rewards []float64) float64 {
	n := len(rewards)
	if n < 2 {
		return 0
	}
	return (rewards[n-1] - rewards[0]) / float64(n)
}

func (t *task) report() LoopReport {
	l := LoopReport{LoopID: t.id, Iterations: len(t.records), LearningCurve: []float64{}, FailureCategories: []string{}}
	var confidences []float64
	for _, r := range t.records {
		l.LearningCurve = append(l.LearningCurve, r.Evaluator.RewardOr())
		l.FinalSuccess = r.Evaluator.Passed
		if c := r.Reflection.Category(); c != "" {
			l.FailureCategories = append(l.FailureCategories, string(c))
		}
		l.Lessons += len(r.Reflection.Lessons)
		if r.Reflection.Confidence != nil {
			confidences = append(confidences, *r.Reflection.Confidence)
		}
	}
	l.LearningRate = LearningRate(l.LearningCurve)
	l.AvgConfidence = mean(confidences)
	return l
}

// meanInterval returns the mean and its 95 % interval by Student's t.
func meanInterval(xs []float64) (m, low, high *float64) {
	m = mean(xs)
	n := float64(len(xs))
	if len(xs) < MinLoops {
		return m, nil, nil
	}
	half := stats.StudentQuantile(1-level, n-1) * stat.StdDev(xs, nil) / math.Sqrt(n)
	return m, new(*m - half), new(*m + half)
}

// Reuse measures how far reflections and lessons were used again.
type Reuse struct {
	Injected     int      `json:"iterations_with_memory"` // iterations whose prompt contained reflections
	Retried      int      `json:"iterations_after_a_failure"`
	Rate         *float64 `json:"rate"`              // of those; null without any
	Lessons      int      `json:"lessons"`           // different ones
	Recurring    int      `json:"lessons_recurring"` // in two loops or more
	SolvedMemory int      `json:"solved_with_memory"`
}

func (a *arm) reuse() Reuse {
	var u Reuse
	var all []*reflexion.Record
	for _, t := range a.tasks {
		all = append(all, t.records...)
		for _, r := range t.records {
			if r.Iteration > 0 {
				u.Retried++
				u.Injected += stats.Indicator(r.Injected)
				u.SolvedMemory += stats.Indicator(r.Injected && r.Evaluator.Passed)
			}
		}
	}
	lessons := reflexion.Lessons(all, 1, "lessons_learned")
	u.Lessons = len(lessons)
	for _, l := range lessons {
		u.Recurring += stats.Indicator(len(l.Loops) > 1)
	}
	if u.Retried > 0 {
		u.Rate = new(float64(u.Injected) / float64(u.Retried))
	}
	return u
}

// Confidence compares the stated confidence of reflections with the improvement of the next
// iteration, 1 or 0: the correlation (Pearson), null also where one side never varies, and the
// bias, the mean of confidence minus improvement. Both are null below 10 cases.
type Confidence struct {
	N           int      `json:"n"` // reflections with a confidence and an iteration after them
	Improved    int      `json:"improved"`
	Stated      *float64 `json:"stated"` // mean
	Correlation *float64 `json:"correlation"`
	Bias        *float64 `json:"bias"`
	BiasLow     *float64 `json:"bias_low"` // 95 % interval (Student)
	BiasHigh    *float64 `json:"bias_high"`
	Verdict     string   `json:"verdict"` // overconfident, underconfident, no_bias or not_enough_evidence
}

const (
	Overconfident  = "overconfident"
	Underconfident = "underconfident"
	NoBias         = "no_bias" // none shown by these reflections
)

func (a *arm) confidence() Confidence {
	c := Confidence{Verdict: VerdictTooFew}
	var stated, improved, excess []float64
	for _, t := range a.tasks {
		for i, r := range t.records[:max(0, len(t.records)-1)] {
			if !r.Reflected() || r.Reflection.Confidence == nil {
				continue
			}
			better := stats.Indicator(t.records[i+1].Evaluator.RewardOr() > r.Evaluator.RewardOr())
			c.Improved += better
			stated, improved = append(stated, *r.Reflection.Confidence), append(improved, float64(better))
			excess = append(excess, *r.Reflection.Confidence-float64(better))
		}
	}
	c.N, c.Stated = len(stated), mean(stated)
	if c.N < minCorrelated {
		return c
	}
	c.Bias, c.BiasLow, c.BiasHigh = meanInterval(excess)
	switch {
	case *c.BiasLow > 0:
		c.Verdict = Overconfident
	case *c.BiasHigh < 0:
		c.Verdict = Underconfident
	default:
		c.Verdict = NoBias
	}
	if v := stat.Correlation(stated, improved, nil); !math.IsNaN(v) {
		c.Correlation = &v
	}
	return c
}

// RepeatedType compares the first loops of task types with the later ones.
type RepeatedType struct {
	Types           int      `json:"types"`
	FirstIterations *float64 `json:"first_iterations"` // mean of first loops with success, or null
	LaterIterations *float64 `json:"later_iterations"`
	SolvedFirst     int      `json:"solved_first"`
	SolvedLater     int      `json:"solved_later"`
	Later           int      `json:"later"`
	// Loops of a type of which an earlier loop was not solved.
	AfterFailure       int `json:"after_failure"`
	SolvedAfterFailure int `json:"solved_after_failure"`
}

func (a *arm) repeatedTypes() *RepeatedType {
	groups := map[string][]*task{}
	for _, t := range a.tasks {
		if typ := t.records[0].TaskType; typ != "" {
			groups[typ] = append(groups[typ], t)
		}
	}
	var r RepeatedType
	var first, later []float64
	for _, g := range groups {
		if len(g) < 2 {
			continue
		}
		r.Types++
		slices.SortStableFunc(g, func(x, y *task) int { return strings.Compare(x.records[0].Timestamp, y.records[0].Timestamp) })
		failed := false
		for i, t := range g {
			solved := t.solvedAt != neverSolved
			n, iterations := &r.SolvedFirst, &first
			if i > 0 {
				r.Later++
				n, iterations = &r.SolvedLater, &later
			}
			if solved {
				*n++
				*iterations = append(*iterations, float64(t.solvedAt+1))
			}
			r.AfterFailure += stats.Indicator(failed)
			r.SolvedAfterFailure += stats.Indicator(failed && solved)
			failed = failed || !solved
		}
	}
	if r.Types == 0 {
		return nil
	}
	r.FirstIterations, r.LaterIterations = mean(first), mean(later)
	return &r
}
