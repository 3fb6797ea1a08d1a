package infer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"episodes/stats"
)

// Least counts for statistical statements.
const (
	LeastSessions = 20 // measured sessions, with both outcomes, for any claim
	// LeastInstances is how many instances (issues, pull requests, tasks; a session that names
	// none is one of its own) must have a fact, and how many must lack it, for a claim about it.
	LeastInstances = 5
	minStratum     = 5 // least sessions of a stratum in tests of edges
	minFact        = 3 // sessions with a fact, for it to be tested
)

// Study is a set of records prepared for questions: names are numbered, and for every
// fact there is the set of sessions that have it. Models are fitted on first use, so a
// Study must not be used by two goroutines at once.
type Study struct {
	rows   []row // by stratum, then by id; rows between the strata are empty
	strata []stratum
	tasks  []string // keys; "" is that of sessions that name none

	points     []point
	nodes      []node // facts: options taken and events, sorted
	nodeOf     map[nodeKey]int
	graphNode  map[string]int // by id in the causal graph; several may lead to one
	pointOf    map[string]int
	taskOf     map[string]int
	instances  []string // keys of those that several sessions worked on
	instanceOf map[string]int
	labels     map[string]map[string]wordings // by kind and key

	measured bits // rows with a measured outcome
	success  bits
	every    bits
	totals   totals

	fit   *fit
	bases map[int]*claimBasis // by point
}

// totals are the counts of a study.
type totals struct {
	Measured  int // with a measured outcome
	Successes int // of the measured ones
}

type row struct {
	id       string
	result   Result
	task     int
	instance int // what it worked on; noInstance where no other session did
	day      int
	facts    []fact               // by node
	choices  map[int][]choiceMade // by point
}

// fact is a node that a session has, with the rank of its first occurrence.
type fact struct{ node, at int }

// choiceMade is a choice at a point. Of choices with results of their own each option
// counts once; of the others only the last, to which the session's outcome belongs.
type choiceMade struct {
	option  int // node
	at      int
	result  Result
	explore bool
	own     bool
}

type stratum struct{ begin, end int } // words of bits

type point struct {
	key     string
	options []int // nodes, sorted
	decided []int // rows, sorted
}

// nodeKey identifies a fact: an option (with its point) or an event.
type nodeKey struct {
	point, key string
	option     bool
}

func (a nodeKey) compare(b nodeKey) int {
	return cmp.Or(stats.Indicator(a.option)-stats.Indicator(b.option), strings.Compare(a.point, b.point), strings.Compare(a.key, b.key))
}

type node struct {
	nodeKey
	graph   string // its id in the causal graph
	n       int    // sessions that have it
	has     bits   // their rows; only where they are at least minFact
	label   string
	pointAt int // of an option
}

// New returns the study of a set of records. Of records of the same episode the last
// one counts.
func New(records []Record) *Study {
	byID := map[string]*Record{}
	for i := range records {
		byID[records[i].Episode] = &records[i]
	}
	s := empty()
	ids := slices.Sorted(maps.Keys(byID))
	s.assignRows(ids, byID)
	for _, id := range ids {
		s.countWordings(byID[id])
	}
	s.numberFacts(ids, byID)
	s.fillRows(byID)
	return s
}

func empty() *Study {
	return &Study{nodeOf: map[nodeKey]int{}, graphNode: map[string]int{}, pointOf: map[string]int{},
		taskOf: map[string]int{}, instanceOf: map[string]int{},
		labels: map[string]map[string]wordings{},
		bases:  map[int]*claimBasis{}}
}

// assignRows gives every session a row, and numbers tasks and instances. A stratum is the
// sessions of one task whose logs came from one place, since what occurs in one project only
// goes together without bearing on each other. Tasks of fewer than minStratum sessions are one,
// as are such places. A stratum starts at a full word of a bit set.
func (s *Study) assignRows(ids []string, byID map[string]*Record) {
	count, places, worked := map[string]int{}, map[string]int{}, map[string]int{}
	for _, id := range ids {
		count[byID[id].Task.Key]++
		places[byID[id].Place]++
		worked[byID[id].Instance]++
	}
	s.tasks = slices.Sorted(maps.Keys(count))
	for t, k := range s.tasks {
		s.taskOf[k] = t
	}
	for _, k := range slices.Sorted(maps.Keys(worked)) {
		if k != "" && worked[k] > 1 {
			s.instanceOf[k] = len(s.instances)
			s.instances = append(s.instances, k)
		}
	}
	strata := map[[2]string][]string{}
	for _, id := range ids {
		k := [2]string{byID[id].Task.Key, byID[id].Place}
		if count[k[0]] < minStratum {
			k[0] = ""
		}
		if places[k[1]] < minStratum {
			k[1] = ""
		}
		strata[k] = append(strata[k], id)
	}
	byTask := func(x, y [2]string) int { return cmp.Or(strings.Compare(x[0], y[0]), strings.Compare(x[1], y[1])) }
	for _, k := range slices.SortedFunc(maps.Keys(strata), byTask) {
		begin := len(s.rows) / wordBits
		for _, id := range strata[k] {
			s.rows = append(s.rows,
				row{id: id, task: s.taskOf[byID[id].Task.Key], instance: s.instanceNamed(byID[id].Instance)})
		}
		for len(s.rows)%wordBits != 0 {
			s.rows = append(s.rows, row{task: -1, instance: noInstance})
		}
		s.strata = append(s.strata, stratum{begin, len(s.rows) / wordBits})
	}
	s.measured, s.success = s.newBits(), s.newBits()
}

// instanceNamed is the number of an instance; noInstance where no two sessions worked on it.
func (s *Study) instanceNamed(key string) int {
	if i, ok := s.instanceOf[key]; ok {
		return i
	}
	return noInstance
}

// numberFacts numbers the points and the nodes, in sorted order.
func (s *Study) numberFacts(ids []string, byID map[string]*Record) {
	options, events := map[nodeKey]string{}, map[string]string{} // their ids in the causal graph
	for _, id := range ids {
		for _, c := range byID[id].Choices {
			if k, ok := optionKey(c.Point.Key, c.Option.Key); ok {
				options[k] = least(options[k], c.Node)
			}
		}
		for _, e := range byID[id].Events {
			events[e.Name.Key] = least(events[e.Name.Key], e.Node)
		}
	}
	s.nodes, s.nodeOf = make([]node, 0, len(events)+len(options)), make(map[nodeKey]int, len(events)+len(options))
	add := func(n node) {
		s.nodeOf[n.nodeKey] = len(s.nodes)
		s.nodes = append(s.nodes, n)
	}
	for _, k := range slices.Sorted(maps.Keys(events)) {
		add(node{nodeKey: nodeKey{key: k}, graph: events[k], pointAt: -1, label: s.wordingOf(eventKind, k)})
	}
	for _, k := range slices.SortedFunc(maps.Keys(options), nodeKey.compare) {
		p, ok := s.pointOf[k.point]
		if !ok {
			p = len(s.points)
			s.pointOf[k.point] = p
			s.points = append(s.points, point{key: k.point})
		}
		s.points[p].options = append(s.points[p].options, len(s.nodes))
		add(node{nodeKey: k, graph: options[k], pointAt: p, label: cmp.Or(s.wordingOf(optionKind, k.point+"\x00"+k.key), k.key)})
	}
}

// least returns the first non-empty id by bytes: the id of a fact that has several nodes in the causal graph.
func least(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

func optionKey(point, option string) (nodeKey, bool) {
	return nodeKey{point: point, key: option, option: true}, point != ""
}

func (s *Study) optionNode(point, option string) (int, bool) {
	k, known := optionKey(point, option)
	n, ok := s.nodeOf[k]
	return n, known && ok
}

func (s *Study) fillRows(byID map[string]*Record) {
	for i := range s.rows {
		if s.rows[i].task >= 0 {
			s.fillRow(i, byID[s.rows[i].id])
		}
	}
	for i := range s.nodes {
		if s.nodes[i].n >= minFact {
			s.nodes[i].has = s.newBits()
		}
	}
	for i := range s.rows {
		for _, f := range s.rows[i].facts {
			if has := s.nodes[f.node].has; has != nil {
				has.set(i)
			}
		}
	}
}

func (s *Study) fillRow(i int, r *Record) {
	w := &s.rows[i]
	w.result, w.day, w.choices = r.Outcome, r.Day, map[int][]choiceMade{}
	if w.result != Unmeasured {
		s.measured.set(i)
		s.totals.Measured++
	}
	if w.result == Succeeded {
		s.success.set(i)
		s.totals.Successes++
	}
	first := map[int]int{} // rank of the first occurrence by node
	saw := func(n, at int) {
		if old, ok := first[n]; !ok || at < old {
			first[n] = at
		}
	}
	for _, c := range r.Choices {
		k, ok := optionKey(c.Point.Key, c.Option.Key)
		if !ok {
			continue // without a question there is nothing to compare it with
		}
		n := s.nodeOf[k]
		saw(n, c.At)
		s.graphNode[c.Node] = n
		p := s.nodes[n].pointAt
		if at := &s.points[p].decided; len(*at) == 0 || (*at)[len(*at)-1] != i {
			*at = append(*at, i)
		}
		w.choices[p] = addChoice(w.choices[p], choiceMade{n, c.At, c.Result, c.Explore, c.Own})
	}
	for _, e := range r.Events {
		n := s.nodeOf[nodeKey{key: e.Name.Key}]
		saw(n, e.At)
		s.graphNode[e.Node] = n
	}
	for _, n := range slices.Sorted(maps.Keys(first)) {
		w.facts = append(w.facts, fact{n, first[n]})
		s.nodes[n].n++
	}
}

// addChoice adds a choice to those of a session at a point. Records come in the order of
// the log, which breaks ties of time.
func addChoice(list []choiceMade, c choiceMade) []choiceMade {
	for i := range list {
		switch old := &list[i]; {
		case old.own && c.own && old.option == c.option:
			if c.result == Failed { // a failure outweighs a success
				old.result = Failed
			}
			return list
		case !old.own && !c.own:
			if c.at >= old.at {
				*old = c
			}
			return list
		}
	}
	return append(list, c)
}

// Enough reports whether there are sessions enough for claims about outcomes.
func (s *Study) Enough() bool { return Enough(s.totals.Successes, s.totals.Measured) }

// Enough reports whether so many sessions with a measured outcome are enough for claims, of which
// some must be good and some bad.
func Enough(successes, measured int) bool {
	return measured >= LeastSessions && successes > 0 && successes < measured
}

// base is the overall success rate, with half a success and half a failure added.
func (s *Study) base() float64 {
	return (float64(s.totals.Successes) + .5) / (float64(s.totals.Measured) + 1)
}
