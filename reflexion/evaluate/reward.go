package evaluate

import (
	"cmp"

	"episodes/reflexion"
)

// The weights of the parts of the reward. Source: reflection-memory guide,
// "Reward Signal Calculation".
const (
	testsWeight = 0.5
	typesWeight = 0.3
	lintWeight  = 0.2
)

// Parts are the parts of a reward.
type Parts = reflexion.RewardParts

// Reward returns the scalar reward, 0 to 1, and its parts. It is 1 for what passed, whatever was
// not measured; for anything else:
//
//	0.5 · tests_passed/tests_total + 0.3 if type_errors = 0 + 0.2 if lint_errors = 0
//
// Without any test the first part is 0; the guide's formula has no value then.
func Reward(m *reflexion.Metrics, passed bool) (sum float64, p Parts) {
	p.Absent = []string{}
	part := func(name string, n *int, value func(n int) float64) *float64 {
		if n == nil {
			p.Absent = append(p.Absent, name)
			return nil
		}
		v := value(*n)
		sum += v
		return &v
	}
	ifZero := func(weight float64) func(int) float64 {
		return func(n int) float64 { return weight * float64(max(0, 1-n)) }
	}
	p.Tests = part("tests", m.TestsTotal, func(total int) float64 {
		return testsWeight * float64(*cmp.Or(m.TestsPassed, new(int))) / float64(max(1, total))
	})
	p.Types = part("types", m.TypeErrors, ifZero(typesWeight))
	p.Lint = part("lint", m.LintErrors, ifZero(lintWeight))
	p.Binary = len(p.Absent) == 3
	if passed {
		sum = 1
	}
	return sum, p
}
