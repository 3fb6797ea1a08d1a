package infer

import "episodes/stats"

// Causes that are not logged may bear on both a choice and its outcome. They leave a trace:
// choices follow what is logged, yet that does not predict the outcome. Then what they were made
// for is not logged, and adjusting for what is removes nothing.

// Thresholds of selection.
const (
	followsP      = .2  // p-value from which choices are said to follow the task (Maldonado and Greenland 1993, Am. J. Epidemiol. 138:923)
	explainsP     = .05 // p-value from which a task is said to bear on the outcome
	kindTrials    = 10  // trials of a task, from which its text is a kind of task, of which single cases differ
	leastExpected = 5   // trials for each cell of a table, for its test to be right (Cochran 1954, Biometrics 10:417)
	// hiddenPer is the standard deviation of the shift of an option's logit by causes that are
	// not logged, for each unit of the association (phi) that choices show. A cause with that
	// correlation differs between two even options by 2 phi standard deviations, each taken to be
	// worth 2 logits (docs/statistics.md).
	hiddenPer = 4
)

// hiddenShift is how far causes that are not logged are taken to shift the outcomes of an
// option: the standard deviation in logits. It is 0 where choices were made at random.
//
// It follows from how much choices follow the kind of task where neither the kind nor anything
// seen of the single case before the choice predicts the outcome. Where something logged does,
// it is adjusted for, and what is left is taken for chance, as in any adjusted comparison. Where
// a task has so few sessions that its text names the very case there is no kind.
func (m *model) hiddenShift() float64 {
	if m.randomOnly || m.likely > 0 {
		return 0
	}
	choices, outcomes := newTable(), newTable()
	for _, t := range m.trials {
		if m.taskTrials[t.task] >= kindTrials && !t.explore {
			choices.add(t.task, t.option)
			outcomes.add(t.task, stats.Indicator(t.success))
		}
	}
	if !choices.filled() {
		return 0
	}
	if p, _ := stats.Association(outcomes.counts); p < explainsP {
		return 0
	}
	p, phi := stats.Association(choices.counts)
	if p > followsP {
		return 0
	}
	return hiddenPer * phi
}

// table counts pairs of numbers.
type table struct {
	row, column map[int]int
	counts      [][]int
	n           int
}

func newTable() *table { return &table{row: map[int]int{}, column: map[int]int{}} }

func (t *table) add(row, column int) {
	i, ok := t.row[row]
	if !ok {
		i = len(t.row)
		t.row[row] = i
		t.counts = append(t.counts, nil)
	}
	j, ok := t.column[column]
	if !ok {
		j = len(t.column)
		t.column[column] = j
	}
	for len(t.counts[i]) <= j {
		t.counts[i] = append(t.counts[i], 0)
	}
	t.counts[i][j]++
	t.n++
}

// filled reports whether there are trials enough for a test.
func (t *table) filled() bool {
	return len(t.row) > 1 && len(t.column) > 1 && t.n >= leastExpected*len(t.row)*len(t.column)
}
