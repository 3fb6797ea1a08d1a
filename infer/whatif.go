package infer

import (
	"maps"
	"math"
	"slices"

	"episodes/stats"
)

// Level is the nominal coverage of every interval here.
const Level = .90

// Thresholds of an answer.
const (
	minMatches = 8   // with fewer the task is relaxed
	shrinkSize = .85 // factor of the effective sample size, for evidence that was chosen
	tailTrials = .3  // added to both parameters of the Beta that gives the interval
)

// Question asks for the probability of success with an option. Keys are those of records.
type Question struct {
	Point  string
	Option string
	Task   string   // key; "" for any
	Seen   []string // events seen before the decision, by key
	Absent []string // events known not to have been seen before it
	// Instance is the very thing that is worked on, as in records; "" asks about the average
	// of like sessions.
	Instance string
}

// Answer is the probability of success if the option is chosen.
type Answer struct {
	Supported bool    // tried and measured; else the rest is undefined
	P         float64 // posterior mean
	Interval  stats.Interval
	Size      float64 // effective number of trials behind the interval
	N         int     // trials of the option that count
}

// Situation returns the context in which one session decided at a point: its task, and
// which of the events adjusted for it had seen. ok is false when it did not decide
// there with a measured result.
func (s *Study) Situation(episode, point string) (q Question, ok bool) {
	p, found := s.pointOf[point]
	if !found {
		return Question{}, false
	}
	m := s.model(p)
	i := slices.IndexFunc(m.past, func(t trial) bool { return t.id == episode })
	if i < 0 {
		return Question{}, false
	}
	q.Point = s.points[p].key
	q.Task = s.tasks[m.past[i].task]
	if at := m.past[i].instance; at != noInstance {
		q.Instance = s.instances[at]
	}
	for _, e := range m.evidence {
		if _, saw := slices.BinarySearch(m.past[i].before, e); saw {
			q.Seen = append(q.Seen, s.nodes[e].key)
		} else {
			q.Absent = append(q.Absent, s.nodes[e].key)
		}
	}
	return q, true
}

// weighted is the share of past trials with a task, evidence and instance.
type weighted struct {
	task     int
	seen     uint8
	instance int
	share    float64
}

// WhatIf answers from the outcome model, averaged over the past trials that match
// what is known (the g-formula: Robins 1986, Math. Model. 7:1393). It adjusts for the
// task and for the evidence seen before the decision. Where enough choices at the point
// were made at random the model uses only these, since nothing confounds them.
//
// The interval is the shortest of the Beta distribution with the mean and the variance of
// the answer, at Level: where nothing speaks against a rate of 0 or 1 it reaches there.
//
// An option without a measured trial has no answer.
func (s *Study) WhatIf(q Question) Answer {
	p, ok := s.pointOf[q.Point]
	if !ok {
		return Answer{}
	}
	o, ok := s.optionNode(q.Point, q.Option)
	if !ok {
		return Answer{}
	}
	return s.estimate(p, o, s.context(q))
}

// context resolves the keys of a question.
func (s *Study) context(q Question) context {
	seen, allSeen := s.eventNodes(q.Seen)
	absent, _ := s.eventNodes(q.Absent)
	c := context{task: anyTask, seen: seen, absent: absent, unseen: !allSeen, instance: noInstance}
	if q.Task != "" {
		if t, ok := s.taskOf[q.Task]; ok {
			c.task = t
		} else {
			c.task = unknownTask
		}
	}
	if q.Instance != "" {
		c.instance = unknownInstance
		if i, ok := s.instanceOf[q.Instance]; ok {
			c.instance = i
		}
	}
	return c
}

// What a context does not fix, and what no session had.
const (
	anyTask         = -1
	unknownTask     = -2
	unknownInstance = -2
)

// context is what is known before a decision.
type context struct {
	task         int
	instance     int   // the one asked about; noInstance: an average
	seen, absent []int // event nodes
	unseen       bool  // an event was seen that no session ever had
}

func (s *Study) eventNodes(list []string) (out []int, all bool) {
	all = true
	for _, k := range list {
		if n, ok := s.nodeOf[nodeKey{key: k}]; ok {
			out = append(out, n)
		} else {
			all = false
		}
	}
	return out, all
}

func (s *Study) estimate(p, option int, c context) Answer {
	var a Answer
	m := s.model(p)
	for _, t := range m.trials {
		a.N += stats.Indicator(t.option == option)
	}
	if a.N == 0 {
		return a
	}
	mix, penalty := m.matching(c), s.fitted().penalty
	x := m.average(terms(mix, option, 1), penalty)
	a.Supported, a.P = true, x.mean
	size := x.mean*(1-x.mean)/math.Max(x.variance+x.hidden, 1e-9) - 1
	a.Size = shrinkSize * math.Max(0, size)
	a.Interval = stats.Beta{A: a.P*a.Size + tailTrials, B: (1-a.P)*a.Size + tailTrials}.Shortest(Level)
	return a
}

func terms(mix []weighted, option int, sign float64) (out []term) {
	for _, x := range mix {
		out = append(out, term{cellKey{x.task, option, x.seen, x.instance}, sign * x.share})
	}
	return out
}

// fits reports whether a past trial was in the context.
func (c context) fits(t trial) bool {
	return (c.task == anyTask || c.task == t.task) && !c.unseen && c.agrees(t)
}

func (c context) agrees(t trial) bool {
	for _, e := range c.seen {
		if _, ok := slices.BinarySearch(t.before, e); !ok {
			return false
		}
	}
	for _, e := range c.absent {
		if _, ok := slices.BinarySearch(t.before, e); ok {
			return false
		}
	}
	return true
}

// matching returns the cells to average over, with their shares: those of the past
// trials in the context or, where these are too few, of all that saw the same evidence,
// as if they had had the task.
func (m *model) matching(c context) (mix []weighted) {
	var like []trial
	for _, t := range m.trials {
		if c.fits(t) {
			like = append(like, t)
		}
	}
	if len(like) < minMatches {
		like = like[:0]
		for _, t := range m.trials {
			if m.sawAll(t, c) {
				like = append(like, t)
			}
		}
		if len(like) == 0 {
			like = m.trials
		}
	}
	of := map[int]int{} // trials of an instance
	for _, t := range like {
		of[t.instance]++
	}
	share, all := map[cellKey]float64{}, 0.0
	for _, t := range like {
		k := cellKey{task: t.task, seen: m.seen(t), instance: t.instance}
		weight := 1.0
		if t.instance != noInstance { // each instance counts once
			weight /= float64(of[t.instance])
		}
		if c.task != anyTask {
			k.task = c.task
		}
		if c.instance != noInstance {
			k.instance = c.instance
		}
		for i, e := range m.evidence {
			switch {
			case slices.Contains(c.seen, e):
				k.seen |= 1 << i
			case slices.Contains(c.absent, e):
				k.seen &^= 1 << i
			}
		}
		share[k] += weight
		all += weight
	}
	for _, k := range slices.SortedFunc(maps.Keys(share), cellKey.compare) {
		mix = append(mix, weighted{k.task, k.seen, k.instance, share[k] / all})
	}
	return mix
}

// sawAll reports whether a trial saw all evidence of the model that the context says was
// seen.
func (m *model) sawAll(t trial, c context) bool {
	for _, e := range m.evidence {
		if slices.Contains(c.seen, e) {
			if _, ok := slices.BinarySearch(t.before, e); !ok {
				return false
			}
		}
	}
	return true
}
