package infer

import "episodes/stats"

// Thresholds of selection.
const (
	followsP      = .2  // p-value from which choices are said to follow the task
	explainsP     = .05 // p-value from which a task is said to bear on the outcome
	leastExpected = 5   // trials for each cell of a table of tasks and options, for the test to be right (Cochran 1954, Biometrics 10:417)
	kindTrials    = 10  // trials of a task, from which its text is a kind of task, of which single cases differ
	// hiddenPer is the standard deviation of the shift of an option's logit by causes that are
	// not logged, for each unit of the association of choices with what is logged.
	hiddenPer = 4
)

// hiddenShift is how far causes that are not logged are taken to shift the outcomes of an
// option: the standard deviation in logits. Choices are not made at random where they follow
// the kind of task. Where neither the kind nor anything seen of the single case before the
// choice predicts the outcome, what they were made for is not logged, and adjusting for what
// is logged removes nothing. The shift is in proportion to how much choices follow the kind:
// selection that is seen measures the selection that is not.
//
// It is 0 where choices were made at random, where they do not follow the kind, where what
// is logged predicts the outcome, and is adjusted for, and where a task has so few sessions
// that its text names the very case.
func (m *model) hiddenShift() float64 {
	if m.randomOnly || m.likely > 0 {
		return 0
	}
	rowOf, columnOf := map[int]int{}, map[int]int{}
	for _, t := range m.tasks {
		if m.taskTrials[t] >= kindTrials {
			rowOf[t] = len(rowOf)
		}
	}
	for _, o := range m.grouped() {
		columnOf[o] = len(columnOf)
	}
	choices, outcomes := make([][]int, len(rowOf)), make([][]int, len(rowOf))
	for i := range choices {
		choices[i], outcomes[i] = make([]int, len(columnOf)), make([]int, 2)
	}
	n := 0
	for _, t := range m.trials {
		if i, ok := rowOf[t.task]; ok && !t.explore {
			n++
			choices[i][columnOf[m.optionAt(t.option)]]++
			outcomes[i][boolInt(t.success)]++
		}
	}
	if n < leastExpected*len(rowOf)*len(columnOf) {
		return 0 // too few to show whether choices follow anything
	}
	if p, _ := stats.Association(outcomes); p < explainsP {
		return 0
	}
	p, phi := stats.Association(choices)
	if p > followsP {
		return 0
	}
	return hiddenPer * phi
}
