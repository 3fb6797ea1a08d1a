package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"episodes/reflexion"
	"episodes/stats"
)

// Comparison compares two arms at equal budget, over the tasks that both tried. A loop that ended
// keeps its state.
type Comparison struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Tasks int    `json:"tasks"`
	// Attempts is the budget: the smaller one of the two arms, where records say what each
	// loop was allowed; else the attempts of the longest loop of the arm whose is shorter.
	Attempts int     `json:"attempts"`
	Stated   bool    `json:"budget_stated"`
	Shared   int     `json:"last_shared_trial"` // that loops of both have
	Last     Measure `json:"last"`              // share of tasks solved in the end
	// Area is the area under the curve: the share of the budget after the attempt that
	// solved a task, that one included; 0 for a task that was not solved.
	Area     Measure  `json:"area"`
	Warnings []string `json:"warnings"`
}

// Measure compares two arms by one figure of each task, 0 to 1.
type Measure struct {
	A float64 `json:"a"` // mean over the tasks
	B float64 `json:"b"`
	Contrast
	// QValue is the p-value corrected for all measures of all comparisons of the analysis
	// (Benjamini and Hochberg): a difference is claimed below 0.05.
	QValue float64 `json:"q_value"`
}

// compare compares two arms, without q-values; nil where they share no task.
func compare(a, b *arm, shared []sharedTask) *Comparison {
	if len(shared) == 0 {
		return nil
	}
	lastA, lastB := -1, -1
	c := &Comparison{A: a.name, B: b.name, Tasks: len(shared), Stated: true, Warnings: []string{}}
	for _, s := range shared {
		lastA, lastB = max(lastA, s.a.last()), max(lastB, s.b.last())
		c.Stated = c.Stated && s.a.rule() != nil && s.b.rule() != nil
	}
	c.Shared = min(lastA, lastB)
	var endA, endB, areaA, areaB []float64
	for _, s := range shared {
		budget := c.Shared + 1
		if c.Stated {
			budget = min(s.a.budget(), s.b.budget())
		}
		c.Attempts = max(c.Attempts, budget)
		for _, x := range []struct {
			t         *task
			end, area *[]float64
		}{{s.a, &endA, &areaA}, {s.b, &endB, &areaB}} {
			left := budget - min(x.t.solvedAt, budget)
			*x.end, *x.area = append(*x.end, float64(min(1, left))), append(*x.area, float64(left)/float64(budget))
		}
	}
	c.Last, c.Area = measure(endA, endB), measure(areaA, areaB)
	first, other, last := a.name, b.name, max(lastA, lastB)
	if lastB < lastA {
		first, other = other, first
	}
	if !c.Stated {
		c.Warnings = append(c.Warnings, fmt.Sprintf("not all records say how many attempts were allowed: "+
			"compared at %d, the longest loop of %s; those of %s go to %d", c.Attempts, first, other, last+1))
	} else if lastA != lastB {
		c.Warnings = append(c.Warnings, fmt.Sprintf("no loop of %s has an attempt after trial %d, "+
			"loops of %s go to %d: what had ended keeps its state", first, c.Shared, other, last))
	}
	c.Warnings = append(c.Warnings, unlike(shared)...)
	return c
}

func measure(a, b []float64) Measure {
	return Measure{A: stat.Mean(a, nil), B: stat.Mean(b, nil), Contrast: contrast(a, b)}
}

// judge corrects the p-values for their number, and gives verdicts.
func judge(all []Comparison) {
	var measures []*Measure
	var ps []float64
	for i := range all {
		for _, m := range []*Measure{&all[i].Last, &all[i].Area} {
			measures, ps = append(measures, m), append(ps, m.PValue)
		}
	}
	for i, q := range stats.BenjaminiHochberg(ps) {
		measures[i].QValue = q
		measures[i].judge(q < alpha)
	}
}

// unlike is why two arms may differ by other things than their names.
func unlike(shared []sharedTask) (out []string) {
	known := map[reflexion.Rule]bool{}
	for _, s := range shared {
		for _, t := range []*task{s.a, s.b} {
			rule := *cmp.Or(t.rule(), &reflexion.Rule{})
			rule.Isolated = false
			known[rule] = true
		}
	}
	if len(known) > 1 {
		out = append(out, "their loops would not all have ended by the same rules")
	}
	together := func(t *task) bool {
		r := t.rule()
		return t.records[0].Arm != "" && (r == nil || !r.Isolated)
	}
	if slices.ContainsFunc(shared, func(s sharedTask) bool { return together(s.a) && together(s.b) }) {
		out = append(out,
			"loops of both ran in one working tree: a later one may have found what an earlier one had done (loop --isolate --discard)")
	}
	return out
}

func (t *task) rule() *reflexion.Rule {
	for _, r := range slices.Backward(t.records) {
		if r.Rule != nil && r.Rule.MaxIterations > 0 {
			return r.Rule
		}
	}
	return nil
}

func (t *task) budget() int {
	return max(t.rule().MaxIterations, t.last()+1)
}

func (t *task) last() int { return t.records[len(t.records)-1].Iteration }
