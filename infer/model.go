package infer

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"episodes/stats"
)

// The outcome model of a decision point is a hierarchical logistic regression,
//
//	logit P(success) = centre + mu + t[task] + o[option] + to[task, option]
//	                   + sum over z of ( z[z, seen] + zo[z, seen, option] )
//	                   + ts[task, all seen] + tso[task, all seen, option]
//	                   + i[instance] + io[instance, option],
//
// where t is that of a kind of task, which many sessions had, or of a very task, between which
// the spread is larger; z are the events seen before the decision that may influence the outcome
// (evidence.go), "all seen" which of the likely ones were, and an instance the one thing
// that was worked on, such as an issue. Every group of coefficients has a normal prior with
// mean 0, whose precision (the penalty) is shared by all decision points of a study and
// estimated from them (prior.go); the centre is the logit of the overall success rate. So
// options, tasks and questions with few sessions borrow strength from the others,
// interactions count where the data of all points show that there are any, and a question
// about a task or an instance that is little known holds the spread between them.
type group int8

const (
	pointEffect group = iota // mu
	kindEffect
	taskEffect
	optionEffect
	seenEffect
	taskOption
	seenOption
	taskSeen
	taskSeenOption
	instanceEffect
	instanceOption
	groups
)

// Limits of the model.
const (
	maxEvidence = 6 // events adjusted for at a point
	minEvidence = 5 // least trials with such an event, and without
)

// feature identifies one coefficient.
type feature struct {
	group        group
	task, option int // -1 where not part of it
	event        int // index in evidence
	seen         uint8
	instance     int
}

func (f feature) compare(g feature) int {
	return cmp.Or(cmp.Compare(f.group, g.group), f.task-g.task, f.option-g.option, f.event-g.event,
		int(f.seen)-int(g.seen), f.instance-g.instance)
}

// cell counts the trials with the same coefficients.
type cell struct {
	cellKey
	successes, n int
	at           []int // indices of its coefficients, sorted
}

type cellKey struct {
	task, option int
	seen         uint8 // bit i: evidence i
	instance     int
}

func (k cellKey) compare(l cellKey) int {
	return cmp.Or(k.task-l.task, k.option-l.option, cmp.Compare(k.seen, l.seen), k.instance-l.instance)
}

// trial is one session's choice at a point, with a measured result.
type trial struct {
	row          int
	id           string
	task, option int
	instance     int // what it worked on; noInstance where no other session did
	success      bool
	day          int
	explore      bool
	before       []int // events before the choice, sorted
}

// model is the outcome model of one point.
type model struct {
	past       []trial // all
	trials     []trial // those since the last drift
	options    []int
	tasks      []int
	taskTrials map[int]int // trials by task
	evidence   []int       // adjusted for, most probable first
	likely     int         // how many probably matter: claims adjust for these
	since      int         // first day that counts; 0: all do (see drift.go)
	randomOnly bool        // only choices made at random count
	hidden     float64     // see hiddenShift

	cells    []cell
	features []feature
	index    map[feature]int
	centre   float64

	sites []site    // by cell
	mean  []float64 // of the coefficients
	cov   *mat.SymDense
}

// model returns the fitted model of a point.
func (s *Study) model(p int) *model {
	f := s.fitted()
	if f.models[p] == nil {
		f.models[p] = s.newModel(p)
		f.fit(f.models[p])
	}
	return f.models[p]
}

// newModel gathers the trials of a point.
func (s *Study) newModel(p int) *model {
	return newModelFrom(p, logit(s.base()), s.trialsAt(p))
}

func (s *Study) trialsAt(p int) (out []trial) {
	for _, i := range s.points[p].decided {
		w := &s.rows[i]
		for _, c := range w.choices[p] {
			if c.result == Unmeasured {
				continue
			}
			t := trial{row: i, id: w.id, task: w.task, instance: w.instance,
				option: c.option, success: c.result == Succeeded, day: w.day, explore: c.explore}
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

// noInstance is the instance of a session whose log names none.
const noInstance = -1

// newModelFrom chooses which trials count and the adjustment set, and lays out the
// coefficients. It depends on the trials and the overall success rate alone.
func newModelFrom(p int, centre float64, past []trial) *model {
	m := &model{past: past, since: driftDay(past), centre: centre}
	m.trials = slices.DeleteFunc(slices.Clone(past), func(t trial) bool { return t.day < m.since })
	m.options = distinct(m.trials, func(t trial) int { return t.option })
	m.tasks = distinct(m.trials, func(t trial) int { return t.task })
	m.taskTrials = tally(m.trials, func(t trial) int { return t.task })
	m.evidence, m.likely = m.chooseEvidence()
	m.randomOnly = m.randomDecides()
	m.hidden = m.hiddenShift()
	m.buildCells()
	return m
}

// tally counts trials by one of their fields.
func tally(ts []trial, of func(trial) int) map[int]int {
	n := map[int]int{}
	for _, t := range ts {
		n[of(t)]++
	}
	return n
}

// stratum is the stratum of a task in the tests of a point: itself, but tasks of a single
// trial, which can be compared with nothing, are one.
func (m *model) stratum(task int) int {
	if m.taskTrials[task] < 2 {
		return unknownTask
	}
	return task
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
// count.
const (
	minRandomShare  = 20
	minRandomAlways = 100
)

func (m *model) randomDecides() bool {
	n := 0
	for _, t := range m.trials {
		n += stats.Indicator(t.explore)
	}
	return n >= minRandomAlways || n >= minRandomShare && 10*n >= len(m.trials)
}

// buildCells groups the trials into cells and numbers the coefficients, at most
// maxCoefficients: those of the most trials.
func (m *model) buildCells() {
	count := map[cellKey]*cell{}
	trials := map[feature]int{{pointEffect, -1, -1, -1, 0, noInstance}: len(m.past)}
	for _, t := range m.trials {
		if m.randomOnly && !t.explore {
			continue
		}
		k := cellKey{t.task, t.option, m.seen(t), t.instance}
		c := count[k]
		if c == nil {
			c = &cell{cellKey: k}
			count[k] = c
		}
		c.n++
		c.successes += stats.Indicator(t.success)
		for _, f := range m.featuresOf(k) {
			if f.task == -1 || m.taskTrials[f.task] > 1 { // the effect of a task of one trial is not identified
				trials[f]++
			}
		}
	}
	for _, c := range count {
		m.cells = append(m.cells, *c)
	}
	slices.SortFunc(m.cells, func(a, b cell) int { return a.compare(b.cellKey) })
	m.features = slices.SortedFunc(maps.Keys(trials), func(f, g feature) int { return cmp.Or(trials[g]-trials[f], f.compare(g)) })
	m.features = m.features[:min(len(m.features), maxCoefficients)]
	slices.SortFunc(m.features, feature.compare)
	m.index = make(map[feature]int, len(m.features))
	for i, f := range m.features {
		m.index[f] = i
	}
	for i := range m.cells {
		for _, f := range m.featuresOf(m.cells[i].cellKey) {
			if j, ok := m.index[f]; ok {
				m.cells[i].at = append(m.cells[i].at, j)
			}
		}
		slices.Sort(m.cells[i].at)
	}
	m.start()
}

// start forgets what was fitted.
func (m *model) start() {
	m.sites = make([]site, len(m.cells))
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
	task := taskEffect
	if m.taskTrials[k.task] >= kindTrials {
		task = kindEffect
	}
	out := []feature{
		{pointEffect, -1, -1, -1, 0, noInstance},
		{task, k.task, -1, -1, 0, noInstance},
		{optionEffect, -1, k.option, -1, 0, noInstance},
		{taskOption, k.task, k.option, -1, 0, noInstance},
	}
	for i := range m.evidence {
		seen := k.seen >> i & 1
		out = append(out, feature{seenEffect, -1, -1, i, seen, noInstance}, feature{seenOption, -1, k.option, i, seen, noInstance})
	}
	if m.likely > 0 {
		seen := k.seen & m.claimed()
		out = append(out, feature{taskSeen, k.task, -1, -1, seen, noInstance},
			feature{taskSeenOption, k.task, k.option, -1, seen, noInstance})
	}
	if k.instance != noInstance {
		out = append(out, feature{instanceEffect, -1, -1, -1, 0, k.instance},
			feature{instanceOption, -1, k.option, -1, 0, k.instance})
	}
	return out
}

func logit(p float64) float64 {
	p = math.Min(math.Max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

func expit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
