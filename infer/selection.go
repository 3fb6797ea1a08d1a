package infer

import (
	"maps"
	"slices"

	"episodes/stats"
)

// Causes that are not logged may bear on both a choice and its outcome. They leave two
// traces. Choices follow what is logged, yet that does not predict the outcome: then what
// they were made for is not logged, and adjusting for what is removes nothing. And the
// choices of a session at different questions follow each other: then they are symptoms of
// one thing, how the session goes, and not decisions each for itself.

// Thresholds of selection.
const (
	followsP      = .2  // p-value from which choices are said to follow the task (Maldonado and Greenland 1993, Am. J. Epidemiol. 138:923)
	explainsP     = .05 // p-value from which a task is said to bear on the outcome
	togetherP     = .05 // p-value from which choices at two questions are said to follow each other
	kindTrials    = 10  // trials of a task, from which its text is a kind of task, of which single cases differ
	leastExpected = 5   // trials for each cell of a table, for its test to be right (Cochran 1954, Biometrics 10:417)
	// hiddenPer is the standard deviation of the shift of an option's logit by causes that are
	// not logged, for each unit of the association (phi) that choices show. A cause with that
	// correlation differs between two even options by 2 phi standard deviations, each taken to be
	// worth 2 logits (docs/statistics.md).
	hiddenPer = 4
)

// hiddenShift is how far causes that are not logged are taken to shift the outcomes of an
// option: the standard deviation in logits. It is 0 where choices were made at random and
// where they follow nothing. together is how much the choices follow those at other questions
// (see Study.together).
func (m *model) hiddenShift() float64 {
	if m.randomOnly {
		return 0
	}
	return hiddenPer * max(m.unexplained(), m.together)
}

// unexplained is how much choices follow the kind of task where neither the kind nor
// anything seen of the single case before the choice predicts the outcome. Where something
// logged does, it is adjusted for, and what is left is taken for chance, as in any adjusted
// comparison. Where a task has so few sessions that its text names the very case there is no
// kind.
func (m *model) unexplained() float64 {
	if m.likely > 0 {
		return 0
	}
	choices, outcomes := newTable(), newTable()
	for _, t := range m.trials {
		if m.taskTrials[t.task] >= kindTrials && !t.explore {
			choices.add(t.task, m.optionAt(t.option))
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
	return phi
}

// followsLogged reports whether choices that were not made at random follow anything that is
// logged: the task, what was seen before, or other choices of the session.
func (m *model) followsLogged() bool {
	if m.randomOnly {
		return false
	}
	if m.together > 0 {
		return true
	}
	by := func(of func(trial) int) bool {
		t := newTable()
		for _, x := range m.trials {
			if !x.explore {
				t.add(of(x), m.optionAt(x.option))
			}
		}
		p, _ := stats.Association(t.counts)
		return t.filled() && p < followsP/float64(len(m.evidence)+1)
	}
	for i := range m.evidence {
		if by(func(t trial) int { return int(m.seen(t)) >> i & 1 }) {
			return true
		}
	}
	return by(func(t trial) int { return m.stratum(t.task) })
}

// together is how much the choices of the sessions that decided at a point follow each
// other, within tasks: the largest association of choices at any two questions, of this one
// and those that are decided along with it, that chance does not explain.
func (s *Study) together(p int) (most float64) {
	pairs := s.choicePairs()
	along := func(q int) bool {
		_, with := pairs[[2]int{min(p, q), max(p, q)}]
		return q == p || with
	}
	for k, x := range pairs {
		if x.p*float64(len(pairs)) < togetherP && along(k[0]) && along(k[1]) {
			most = max(most, x.phi)
		}
	}
	return most
}

// choicePair is how the choices at two points go together.
type choicePair struct{ p, phi float64 }

// choicePairs are all pairs of points that enough sessions decided both of.
func (s *Study) choicePairs() map[[2]int]choicePair {
	if s.pairs != nil {
		return s.pairs
	}
	s.pairs = map[[2]int]choicePair{}
	var points []int
	for p := range s.points {
		if len(s.points[p].options) > 1 && len(s.points[p].decided) >= LeastSessions {
			points = append(points, p)
		}
	}
	for i, p := range points {
		for _, q := range points[i+1:] {
			if x, ok := s.choicePair(p, q); ok {
				s.pairs[[2]int{p, q}] = x
			}
		}
	}
	return s.pairs
}

func (s *Study) choicePair(p, q int) (choicePair, bool) {
	byTask := map[int]*table{}
	for _, i := range s.points[p].decided {
		w := &s.rows[i]
		a, b := w.choices[p], w.choices[q]
		if len(a) != 1 || len(b) != 1 || a[0].explore || b[0].explore {
			continue
		}
		if byTask[w.task] == nil {
			byTask[w.task] = newTable()
		}
		byTask[w.task].add(a[0].option, b[0].option)
	}
	x, phi, ok := association(byTask)
	return choicePair{x, phi}, ok
}

// association is that within tasks; those with too few trials are one.
func association(byTask map[int]*table) (p, phi float64, ok bool) {
	rest := newTable()
	strata := [][][]int{}
	for _, task := range slices.Sorted(maps.Keys(byTask)) {
		if t := byTask[task]; t.filled() {
			strata = append(strata, t.counts)
		} else {
			rest.merge(t)
		}
	}
	if rest.filled() {
		strata = append(strata, rest.counts)
	}
	if len(strata) == 0 {
		return 1, 0, false
	}
	p, phi = stats.Association(strata...)
	return p, phi, true
}

// table counts pairs of numbers.
type table struct {
	row, column map[int]int
	counts      [][]int
	n           int
}

func newTable() *table { return &table{row: map[int]int{}, column: map[int]int{}} }

func (t *table) add(row, column int) { t.addN(row, column, 1) }

func (t *table) addN(row, column, n int) {
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
	t.counts[i][j] += n
	t.n += n
}

func (t *table) merge(o *table) {
	for _, r := range slices.Sorted(maps.Keys(o.row)) {
		for _, c := range slices.Sorted(maps.Keys(o.column)) {
			if i, j := o.row[r], o.column[c]; j < len(o.counts[i]) && o.counts[i][j] > 0 {
				t.addN(r, c, o.counts[i][j])
			}
		}
	}
}

// filled reports whether there are trials enough for a test.
func (t *table) filled() bool {
	return len(t.row) > 1 && len(t.column) > 1 && t.n >= leastExpected*len(t.row)*len(t.column)
}
