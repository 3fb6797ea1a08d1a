package infer

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"episodes/stats"
)

// The outcome model of a decision point is a logistic regression,
//
//	logit P(success) = mu + t[task] + o[option] + to[task, option]
//	                   + sum over z of ( z[z, seen] + zo[z, seen, option] ),
//
// where z are the events seen before the decision that predict the outcome
// (evidence). Every group of coefficients has a normal prior with mean 0, whose
// precision (the ridge penalty) all decision points of a study share and is
// estimated from them; mu has one around the logit of the share of good sessions in
// all. So options, tasks and questions with few sessions borrow from the rest, and an
// interaction counts where the data of all points say that there are such things.
type group int8

const (
	taskEffect group = iota
	optionEffect
	seenEffect
	taskOption
	seenOption
	pointEffect // mu, around the logit of the share of good sessions in all
	groups
)

// startPenalty are the precisions before anything is known: main effects of one
// logit or less, options a little closer, interactions of .4.
var startPenalty = [groups]float64{taskEffect: 1, optionEffect: 2, seenEffect: 1, taskOption: 6, seenOption: 6, pointEffect: 1}

// Rules of the model.
const (
	penaltyRounds = 6   // EM rounds that estimate the penalties
	leastLearn    = 10  // trials of a point that the penalties are learned from
	priorWeight   = 3   // coefficients' worth of belief in startPenalty
	leastPenalty  = .3  // a penalty stays between these
	mostPenalty   = 60  //
	mostTasks     = 24  // held apart at a point
	mostEvidence  = 4   // events adjusted for at a point
	leastEvidence = 5   // sessions with such an event, and without
	evidenceQ     = .10 // false-discovery level of choosing them
)

// feature is one coefficient: its group, and what it belongs to.
type feature struct {
	group        group
	task, option int // nodes; -1 where not part of it
	event        int // index in evidence
	seen         bool
}

func (f feature) compare(g feature) int {
	return cmp.Or(cmp.Compare(f.group, g.group), f.task-g.task, f.option-g.option, f.event-g.event, boolInt(f.seen)-boolInt(g.seen))
}

// cell holds the trials that the model does not tell apart.
type cell struct {
	cellKey
	successes, n int
	at           []int // coefficients
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
	point    int
	past     []trial // all
	trials   []trial // those that count
	options  []int
	tasks    []int
	kept     []int // tasks held apart
	evidence []int // events, the best predictor first
	since    int   // first day that counts; 0: all do (see drift.go)
	dropped  int   // trials before it
	explored bool  // choices made at random decide alone

	cells    []cell
	features []feature
	index    map[feature]int
	centre   float64 // prior mean of mu
	mu       float64
	beta     []float64
	weight   []float64 // sum of n·p·(1-p) per coefficient

	chol *mat.Cholesky // of the penalised Hessian, mu first; made when asked for
}

// fit is what all points share.
type fit struct {
	penalty [groups]float64
	models  []*model // by point
}

// fitted learns the penalties from every point that has options to compare, and
// fits those; the others are fitted when they are asked about. The penalty of a group is re-estimated in
// rounds from the coefficients b of that group at all points:
//
//	lambda = (m + 3) / (sum(b² + 1/(w + lambda)) + 3/lambda0),
//
// m coefficients, w their information. This is the EM step for the precision of a
// normal prior with a diagonal posterior covariance (MacKay 1992, Neural Comput.
// 4:415, type-II maximum likelihood), with a Gamma prior worth three coefficients
// that keeps it near its start while there is little to learn from.
func (s *Study) fitted() *fit {
	if s.fit != nil {
		return s.fit
	}
	f := &fit{penalty: startPenalty, models: make([]*model, len(s.points))}
	s.fit = f
	var learn []*model
	for p := range s.points {
		if len(s.points[p].options) < 2 || len(s.points[p].decided) < leastLearn {
			continue
		}
		if m := s.newModel(p); len(m.options) > 1 {
			learn = append(learn, m)
			f.models[p] = m
		}
	}
	for range penaltyRounds {
		var m, sum [groups]float64
		for _, md := range learn {
			md.solve(f.penalty)
			m[pointEffect]++
			sum[pointEffect] += (md.mu-md.centre)*(md.mu-md.centre) + 1/(md.information()+f.penalty[pointEffect])
			for i, x := range md.features {
				m[x.group]++
				sum[x.group] += md.beta[i]*md.beta[i] + 1/(md.weight[i]+f.penalty[x.group])
			}
		}
		for g := range groups {
			if m[g] > 0 {
				f.penalty[g] = math.Min(mostPenalty, math.Max(leastPenalty, (m[g]+priorWeight)/(sum[g]+priorWeight/startPenalty[g])))
			}
		}
	}
	// The last fit starts from nothing, so that one point alone, fitted with the
	// penalties of all, gives the same bits.
	for _, md := range learn {
		md.start()
		md.solve(f.penalty)
	}
	return f
}

// model returns the fitted model of a point.
func (s *Study) model(p int) *model {
	f := s.fitted()
	switch {
	case f.models[p] != nil:
	case s.trials != nil: // of a study that was loaded
		f.models[p] = s.restore(p)
	default:
		f.models[p] = s.newModel(p)
		f.models[p].solve(f.penalty)
	}
	return f.models[p]
}

// newModel gathers the trials of a point.
func (s *Study) newModel(p int) *model {
	return settle(p, s.rareTask(), logit(s.base()), s.trialsAt(p))
}

// rareTask is the stratum of the tasks that few sessions have, or none.
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

// settle chooses which trials count and what is adjusted for, and lays out the
// coefficients. It depends on the trials alone, and on the share of good sessions.
func settle(p, rare int, centre float64, past []trial) *model {
	m := &model{point: p, past: past, since: driftDay(past), centre: centre}
	m.poolTasks(rare)
	m.trials = slices.DeleteFunc(slices.Clone(past), func(t trial) bool { return t.day < m.since })
	m.dropped = len(past) - len(m.trials)
	m.options = distinct(m.trials, func(t trial) int { return t.option })
	m.tasks = distinct(m.trials, func(t trial) int { return t.task })
	m.evidence = m.choose()
	m.explored = m.explores()
	m.gather()
	return m
}

// pooled stands for all tasks that too few trials of a point have.
const pooled = -3

// poolTasks keeps the tasks of a point apart that have enough trials, the commonest
// ones where they are many, and takes the others together.
func (m *model) poolTasks(rare int) {
	n := map[int]int{}
	for _, t := range m.past {
		n[t.task]++
	}
	m.kept = distinct(m.past, func(t trial) int { return t.task })
	m.kept = slices.DeleteFunc(m.kept, func(t int) bool { return t == rare || n[t] < leastTask })
	slices.SortStableFunc(m.kept, func(a, b int) int { return n[b] - n[a] })
	m.kept = m.kept[:min(len(m.kept), mostTasks)]
	slices.Sort(m.kept)
	for i := range m.past {
		m.past[i].task = m.taskAt(m.past[i].task)
	}
}

// taskAt is the task as which the model counts a task.
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

// choose picks the events before the decision that predict the outcome given task
// and option, or within one option, under false-discovery control: what is known
// before a choice and bears on its result is what must be held equal (the
// disjunctive-cause criterion: VanderWeele 2019, Eur. J. Epidemiol. 34:211).
// What comes after the decision is never among them.
func (m *model) choose() []int {
	n := map[int]int{}
	for _, t := range m.trials {
		for _, e := range t.before {
			n[e]++
		}
	}
	var events []int
	for e, k := range n {
		if k >= leastEvidence && k <= len(m.trials)-leastEvidence {
			events = append(events, e)
		}
	}
	slices.Sort(events)
	ps := make([]float64, len(events))
	for i, e := range events {
		ps[i] = m.predicts(e)
	}
	var out []int
	q := stats.BenjaminiHochberg(ps)
	order := make([]int, len(events))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	for _, i := range order {
		if q[i] <= evidenceQ && len(out) < mostEvidence {
			out = append(out, events[i])
		}
	}
	return out
}

// predicts is the p-value that an event bears on the outcome: the smaller of the
// test over all strata and the best one within an option, each counted as often
// as it was tried (Bonferroni).
func (m *model) predicts(event int) float64 {
	tables := map[[2]int]*stats.Table{}
	for _, t := range m.trials {
		k := [2]int{t.option, t.task}
		tab := tables[k]
		if tab == nil {
			tab = &stats.Table{}
			tables[k] = tab
		}
		_, seen := slices.BinarySearch(t.before, event)
		count(tab, seen, t.success)
	}
	var all []stats.Table
	best := 1.0
	for _, o := range m.options {
		var of []stats.Table
		for _, t := range m.tasks {
			if tab := tables[[2]int{o, t}]; tab != nil {
				of = append(of, *tab)
			}
		}
		best = math.Min(best, stats.StratifiedMidP(of)*float64(len(m.options)))
		all = append(all, of...)
	}
	return math.Min(1, 2*math.Min(stats.StratifiedMidP(all), best))
}

// Choices made at random decide a point alone from leastExplore of them on, if they
// are a tenth of all or mostExplore: nothing confounds them. Of fewer an option is
// judged by both (see WhatIf).
const (
	leastExplore = 20
	mostExplore  = 100
)

func (m *model) explores() bool {
	n := 0
	for _, t := range m.trials {
		n += boolInt(t.explore)
	}
	return n >= mostExplore || n >= leastExplore && 10*n >= len(m.trials)
}

// gather groups the trials that decide into cells and numbers the coefficients.
func (m *model) gather() {
	count := map[cellKey]*cell{}
	for _, t := range m.trials {
		if m.explored && !t.explore {
			continue
		}
		k := cellKey{t.task, t.option, m.seen(t)}
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

// start sets the coefficients to where the solver begins.
func (m *model) start() {
	m.beta, m.weight = make([]float64, len(m.features)), make([]float64, len(m.features))
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

// featuresOf returns the coefficients that make up a cell.
func (m *model) featuresOf(k cellKey) []feature {
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
