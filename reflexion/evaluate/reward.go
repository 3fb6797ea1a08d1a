package evaluate

import "episodes/reflexion"

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
func Reward(m *reflexion.Metrics, passed bool) (float64, Parts) {
	p := Parts{Absent: []string{}}
	sum := 0.0
	part := func(name string, known bool, value float64) *float64 {
		if !known {
			p.Absent = append(p.Absent, name)
			return nil
		}
		sum += value
		return &value
	}
	tests := 0.0
	if m.TestsTotal != nil && m.TestsPassed != nil && *m.TestsTotal > 0 {
		tests = testsWeight * float64(*m.TestsPassed) / float64(*m.TestsTotal)
	}
	p.Tests = part("tests", m.TestsTotal != nil, tests)
	p.Types = part("types", m.TypeErrors != nil, ifZero(m.TypeErrors, typesWeight))
	p.Lint = part("lint", m.LintErrors != nil, ifZero(m.LintErrors, lintWeight))
	p.Binary = len(p.Absent) == 3
	if passed {
		sum = 1
	}
	return sum, p
}

func ifZero(n *int, weight float64) float64 {
	if n != nil && *n == 0 {
		return weight
	}
	return 0
}
