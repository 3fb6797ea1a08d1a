package infer

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// The outcome model of a decision point is a logistic regression,
//
//	logit P(success) = mu + t[task] + o[option] + to[task, option]
//	                   + sum over z of ( z[z, seen] + zo[z, seen, option] ),
//
// where z are the events seen before the decision that may influence the outcome
// (evidence.go). Every group of coefficients has a prior with mean 0, whose
// precision (the ridge penalty) is shared by all decision points of a study and
// estimated from them (prior.go); the prior of mu is centred on the logit of the
// overall success rate. So options, tasks and questions with few sessions borrow
// strength from the others, and interactions count where the data of all points show
// that there are any.
type group int8

const (
	taskEffect group = iota
	optionEffect
	seenEffect
	taskOption
	seenOption
	pointEffect // mu
	groups
)

// Limits of the model.
const (
	maxTasks    = 24 // tasks with coefficients of their own at a point
	maxOptions  = 50 // options likewise; the others are one option to the model
	maxEvidence = 6  // events adjusted for at a point
	minEvidence = 5  // least trials with such an event, and without
)

// feature identifies one coefficient.
type feature struct {
	group        group
	task, option int // -1 where not part of it
	event        int // index in evidence
	seen         bool
}

func (f feature) compare(g feature) int {
	return cmp.Or(cmp.Compare(f.group, g.group), f.task-g.task, f.option-g.option, f.event-g.event, boolInt(f.seen)-boolInt(g.seen))
}

// cell counts the trials with the same coefficients.
type cell struct {
	cellKey
	successes, n int
	at           []int // indices of its coefficients
}

type cellKey struct {
	task, option int
	seen         uint8 // bit i: evidence i
}

func (k cellKey) compare(l cellKey) int {
	return cmp.Or(k.task-l.task, k.option-l.option, cmp.Compare(k.seen, l.seen))
}

// trial is one session's choice at a point, with a measured result.
type trial struct {
	row          int
	id           string
	task, option int
	success      bool
	day          int
	explore      bool
	before       []int // events before the choice, sorted
}

// model is the outcome model of one point.
type model struct {
	point      int
	past       []trial // all
	trials     []trial // those since the last drift
	options    []int
	own        []int // options with coefficients of their own, sorted; the others are pooledOption
	tasks      []int
	kept       []int // tasks with coefficients of their own
	evidence   []int // events adjusted for, the most probable influence first
	likely     int   // number of them that matter more probably than not: claims adjust for these
	since      int   // first day that counts; 0: all do (see drift.go)
	dropped    int   // number of trials before it
	randomOnly bool  // only choices made at random count

	cells    []cell
	features []feature
	index    map[feature]int
	centre   float64 // prior mean of mu
	mu       float64
	beta     []float64
	weight   []float64 // sum of n·p·(1-p) per coefficient
	tail     []float64 // factor of each coefficient's penalty, see reweigh

	chol *mat.Cholesky // of the penalised Hessian, mu first; made when asked for
}

// model returns the fitted model of a point.
func (s *Study) model(p int) *model {
	f := s.fitted()
	switch {
	case f.models[p] != nil:
	case s.trials != nil: // the study was loaded
		f.models[p] = s.restore(p)
	default:
		f.models[p] = s.newModel(p)
		f.models[p].fitWith(f.penalty)
	}
	return f.models[p]
}

// newModel gathers the trials of a point.
func (s *Study) newModel(p int) *model {
	return newModelFrom(p, s.rareTask(), logit(s.base()), s.trialsAt(p))
}

// rareTask is the stratum that gathers the rare tasks; pooled when there is none.
func (s *Study) rareTask() int {
	if t, ok := s.taskOf[""]; ok {
		return t
	}
	return pooled
}

func (s *Study) trialsAt(p int) (out []trial) {
	for _, i := range s.points[p].decided {
		w := &s.rows[i]
		for _, c := range w.choices[p] {
			if c.result == Unmeasured {
				continue
			}
			t := trial{row: i, id: w.id, task: w.task, option: c.option, success: c.result == Succeeded, day: w.day, explore: c.explore}
			for _, f := range w.facts {
				if !s.nodes[f.node].option && f.at > 0 && f.at < c.at {
					t.before = append(t.before, f.node)
				}
			}
			out = append(out, t)
		}
	}
	return out
}

// newModelFrom chooses which trials count and the adjustment set, and lays out the
// coefficients. It depends on the trials and the overall success rate alone.
func newModelFrom(p, rare int, centre float64, past []trial) *model {
	m := &model{point: p, past: past, since: driftDay(past), centre: centre}
	m.poolTasks(rare)
	m.trials = slices.DeleteFunc(slices.Clone(past), func(t trial) bool { return t.day < m.since })
	m.dropped = len(past) - len(m.trials)
	m.options = distinct(m.trials, func(t trial) int { return t.option })
	m.poolOptions()
	m.tasks = distinct(m.trials, func(t trial) int { return t.task })
	m.evidence, m.likely = m.chooseEvidence()
	m.randomOnly = m.randomDecides()
	m.buildCells()
	return m
}

// pooled stands for all tasks with too few trials at a point.
const pooled = -3

// poolTasks gives the tasks with enough trials, at most the maxTasks commonest,
// coefficients of their own, and pools the others.
func (m *model) poolTasks(rare int) {
	n := map[int]int{}
	for _, t := range m.past {
		n[t.task]++
	}
	m.kept = distinct(m.past, func(t trial) int { return t.task })
	m.kept = slices.DeleteFunc(m.kept, func(t int) bool { return t == rare || n[t] < minTask })
	slices.SortStableFunc(m.kept, func(a, b int) int { return n[b] - n[a] })
	m.kept = m.kept[:min(len(m.kept), maxTasks)]
	slices.Sort(m.kept)
	for i := range m.past {
		m.past[i].task = m.taskAt(m.past[i].task)
	}
}

// pooledOption stands for all options without coefficients of their own: of several
// thousand options the model would take hours, and nothing is known of an option that was
// taken once but that it is one of many.
const pooledOption = -4

// poolOptions gives the maxOptions commonest options coefficients of their own.
func (m *model) poolOptions() {
	m.own = m.options
	if len(m.options) <= maxOptions {
		return
	}
	n := map[int]int{}
	for _, t := range m.trials {
		n[t.option]++
	}
	m.own = slices.Clone(m.options)
	slices.SortStableFunc(m.own, func(a, b int) int { return n[b] - n[a] })
	m.own = m.own[:maxOptions]
	slices.Sort(m.own)
}

// optionAt is the option under which the model counts an option.
func (m *model) optionAt(option int) int {
	if _, ok := slices.BinarySearch(m.own, option); ok || len(m.own) == len(m.options) {
		return option
	}
	if _, ok := slices.BinarySearch(m.options, option); ok {
		return pooledOption
	}
	return option
}

// grouped lists the options as the model counts them.
func (m *model) grouped() []int {
	if len(m.own) == len(m.options) {
		return m.own
	}
	return append([]int{pooledOption}, m.own...)
}

// taskAt is the task under which the model counts a task.
func (m *model) taskAt(task int) int {
	if _, ok := slices.BinarySearch(m.kept, task); ok || task == anyTask {
		return task
	}
	return pooled
}

func distinct(ts []trial, of func(trial) int) (out []int) {
	for _, t := range ts {
		out = append(out, of(t))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Where at least minRandomShare choices were made at random, and they are a tenth of all
// or minRandomAlways, only they count: nothing confounds them. With fewer, both kinds
// count (see WhatIf).
const (
	minRandomShare  = 20
	minRandomAlways = 100
)

func (m *model) randomDecides() bool {
	n := 0
	for _, t := range m.trials {
		n += boolInt(t.explore)
	}
	return n >= minRandomAlways || n >= minRandomShare && 10*n >= len(m.trials)
}

// buildCells groups the trials into cells and numbers the coefficients.
func (m *model) buildCells() {
	count := map[cellKey]*cell{}
	for _, t := range m.trials {
		if m.randomOnly && !t.explore {
			continue
		}
		k := cellKey{t.task, m.optionAt(t.option), m.seen(t)}
		c := count[k]
		if c == nil {
			c = &cell{cellKey: k}
			count[k] = c
		}
		c.n++
		c.successes += boolInt(t.success)
	}
	m.index = map[feature]int{}
	for k, c := range count {
		m.cells = append(m.cells, *c)
		for _, f := range m.featuresOf(k) {
			if _, ok := m.index[f]; !ok {
				m.index[f] = 0
				m.features = append(m.features, f)
			}
		}
	}
	slices.SortFunc(m.cells, func(a, b cell) int { return a.compare(b.cellKey) })
	slices.SortFunc(m.features, feature.compare)
	for i, f := range m.features {
		m.index[f] = i
	}
	for i := range m.cells {
		for _, f := range m.featuresOf(m.cells[i].cellKey) {
			m.cells[i].at = append(m.cells[i].at, m.index[f])
		}
	}
	m.start()
}

// start sets the initial values of the solver.
func (m *model) start() {
	m.beta, m.weight, m.tail = make([]float64, len(m.features)), make([]float64, len(m.features)), make([]float64, len(m.features))
	for i := range m.tail {
		m.tail[i] = 1
	}
	s, n := 0, 0
	for _, c := range m.cells {
		s, n = s+c.successes, n+c.n
	}
	m.mu = logit((float64(s) + .5) / (float64(n) + 1))
}

func (m *model) seen(t trial) (mask uint8) {
	for i, e := range m.evidence {
		if _, ok := slices.BinarySearch(t.before, e); ok {
			mask |= 1 << i
		}
	}
	return mask
}

// claimed masks the evidence that claims adjust for.
func (m *model) claimed() uint8 { return 1<<m.likely - 1 }

// featuresOf returns the coefficients that make up a cell.
func (m *model) featuresOf(k cellKey) []feature {
	k.option = m.optionAt(k.option)
	out := []feature{
		{taskEffect, k.task, -1, -1, false},
		{optionEffect, -1, k.option, -1, false},
		{taskOption, k.task, k.option, -1, false},
	}
	for i := range m.evidence {
		seen := k.seen>>i&1 == 1
		out = append(out, feature{seenEffect, -1, -1, i, seen}, feature{seenOption, -1, k.option, i, seen})
	}
	return out
}

// predict is the probability of success in a cell; a coefficient that no trial
// informs is 0, its prior mean.
func (m *model) predict(k cellKey) float64 {
	x := m.mu
	for _, f := range m.featuresOf(k) {
		if i, ok := m.index[f]; ok {
			x += m.beta[i]
		}
	}
	return expit(x)
}

func logit(p float64) float64 {
	p = math.Min(math.Max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

func expit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
