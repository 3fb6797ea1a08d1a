package infer

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Least numbers below which nothing statistical is claimed or adjusted for.
const (
	LeastSessions = 20 // measured sessions, of both signs, for any claim
	leastTask     = 5  // sessions of a task, for it to be a stratum of its own
	leastNode     = 3  // sessions with a fact, for it to be asked about
)

// Study is a set of records with what all questions need: every name as a small
// number, and for every fact the set of sessions that have it. It does not change
// once made, but fits its models when they are first asked for, so it serves one
// goroutine at a time.
type Study struct {
	rows   []row // by task, then by id; rows between the strata are empty
	strata []stratum
	tasks  []string // keys of the strata; "" gathers the tasks too rare for one

	points    []point
	nodes     []node // facts: options taken and events, sorted
	nodeOf    map[nodeKey]int
	graphNode map[string]int // by id in the causal graph; several may lead to one
	pointOf   map[string]int
	taskOf    map[string]int
	alias     map[string]map[string]string   // by kind and key, of an event, task or point: its leader
	labels    map[string]map[string]wordings // by kind and key
	idf       map[string]weights             // by kind and word, see weigh
	likes     map[string]*likeness

	measured bits // rows with a measured outcome
	success  bits
	every    bits
	sessions int
	totals   Totals

	fit     *fit
	grounds map[int]*ground // by point
	stands  *standing
	rest    []byte   // of a study that was loaded: what ready decodes
	trials  [][]byte // and what restore does, by point
	health  Health
	edge    []Edge
	done    bool // edge is made
}

// Totals are the figures of a study.
type Totals struct {
	Sessions  int // all
	Measured  int // with a measured outcome
	Successes int // of the measured ones
}

type row struct {
	id      string
	result  Result
	task    int
	day     int
	facts   []fact          // by node
	choices map[int][]taken // by point
}

// fact is a node that a session has, with the first time it did.
type fact struct{ node, at int }

// taken is a choice at a point: with a result of its own each option counts once,
// without one only the last, which the session's outcome is that of.
type taken struct {
	option  int // node
	at      int
	result  Result
	explore bool
	own     bool
}

type stratum struct{ task, begin, end int } // words of bits

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
	return cmp.Or(boolInt(a.option)-boolInt(b.option), strings.Compare(a.point, b.point), strings.Compare(a.key, b.key))
}

type node struct {
	nodeKey
	graph   string // its id in the causal graph
	n       int    // sessions
	has     bits   // they; only of nodes that leastNode have, since most nodes are rare
	label   string
	pointAt int // of an option
}

// New makes the study of a set of records. Of records with the same episode the
// last one counts.
func New(records []Record) *Study {
	byID := map[string]*Record{}
	for i := range records {
		byID[records[i].Episode] = &records[i]
	}
	s := empty()
	ids := slices.Sorted(maps.Keys(byID))
	s.merge(byID)
	s.lay(ids, byID)
	for _, id := range ids {
		s.note(byID[id])
	}
	s.name(ids, byID)
	s.fill(byID)
	s.health = s.examine(byID)
	return s
}

func empty() *Study {
	return &Study{nodeOf: map[nodeKey]int{}, graphNode: map[string]int{}, pointOf: map[string]int{}, taskOf: map[string]int{}, alias: map[string]map[string]string{},
		labels: map[string]map[string]wordings{}, idf: map[string]weights{}, likes: map[string]*likeness{}, grounds: map[int]*ground{}}
}

// lay gives every session its row. The sessions of a task start at a full word,
// so that a stratum is a range of words.
func (s *Study) lay(ids []string, byID map[string]*Record) {
	count := map[string]int{}
	for _, id := range ids {
		count[s.lead(taskKind, byID[id].Task.Key)]++
	}
	strata := map[string][]string{}
	for _, id := range ids {
		k := s.lead(taskKind, byID[id].Task.Key)
		if count[k] < leastTask {
			k = ""
		}
		strata[k] = append(strata[k], id)
	}
	for _, k := range slices.Sorted(maps.Keys(strata)) {
		t := len(s.tasks)
		s.tasks = append(s.tasks, k)
		s.taskOf[k] = t
		begin := len(s.rows) / wordBits
		for _, id := range strata[k] {
			s.rows = append(s.rows, row{id: id, task: t})
		}
		for len(s.rows)%wordBits != 0 {
			s.rows = append(s.rows, row{task: -1})
		}
		s.strata = append(s.strata, stratum{t, begin, len(s.rows) / wordBits})
	}
	s.sessions = len(ids)
	s.measured, s.success = s.newBits(), s.newBits()
}

// note counts the wordings of everything a record names.
func (s *Study) note(r *Record) {
	s.say(taskKind, r.Task)
	for _, c := range r.Choices {
		s.say(pointKind, c.Point)
		s.wording(optionKind, s.lead(pointKind, c.Point.Key)+"\x00"+c.Option.Key, c.Option.Label)
	}
	for _, e := range r.Events {
		s.say(eventKind, e.Name)
	}
}

func (s *Study) say(kind string, n Name) { s.wording(kind, s.lead(kind, n.Key), n.Label) }

// wordings counts the ways in which something was said. Most things are said once.
type wordings struct {
	first string
	n     int // of first
	more  map[string]int
}

func (s *Study) wording(kind, key, label string) {
	of := s.labels[kind]
	if of == nil {
		of = map[string]wordings{}
		s.labels[kind] = of
	}
	w, said := of[key]
	switch {
	case !said:
		w = wordings{first: label, n: 1}
	case w.first == label:
		w.n++
	case w.more == nil:
		w.more = map[string]int{label: 1}
	default:
		w.more[label]++
		return
	}
	of[key] = w
}

// name numbers the points and the nodes in sorted order.
func (s *Study) name(ids []string, byID map[string]*Record) {
	options, events := map[nodeKey]string{}, map[string]string{} // their ids in the causal graph
	for _, id := range ids {
		for _, c := range byID[id].Choices {
			if k, ok := s.optionKey(c.Point.Key, c.Option.Key); ok {
				options[k] = least(options[k], c.Node)
			}
		}
		for _, e := range byID[id].Events {
			k := s.lead(eventKind, e.Name.Key)
			events[k] = least(events[k], e.Node)
		}
	}
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

// least returns the first id by bytes, so that a node merged from several has one.
func least(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

func (s *Study) optionKey(point, option string) (nodeKey, bool) {
	return nodeKey{point: s.lead(pointKind, point), key: option, option: true}, point != ""
}

func (s *Study) eventKey(key string) nodeKey { return nodeKey{key: s.lead(eventKind, key)} }

func (s *Study) fill(byID map[string]*Record) {
	for i := range s.rows {
		w := &s.rows[i]
		if w.task < 0 {
			continue
		}
		r := byID[w.id]
		w.result, w.day, w.choices = r.Outcome, r.Day, map[int][]taken{}
		if w.result != Unmeasured {
			s.measured.set(i)
			s.totals.Measured++
		}
		if w.result == Succeeded {
			s.success.set(i)
			s.totals.Successes++
		}
		first := map[int]int{}
		saw := func(n, at int) {
			if old, ok := first[n]; !ok || at < old {
				first[n] = at
			}
		}
		for _, c := range r.Choices {
			k, ok := s.optionKey(c.Point.Key, c.Option.Key)
			if !ok {
				continue // without a question there is nothing it was chosen against
			}
			n := s.nodeOf[k]
			saw(n, c.At)
			s.graphNode[c.Node] = n
			p := s.nodes[n].pointAt
			if at := &s.points[p].decided; len(*at) == 0 || (*at)[len(*at)-1] != i {
				*at = append(*at, i)
			}
			w.choices[p] = takeIn(w.choices[p], taken{n, c.At, c.Result, c.Explore, c.Own})
		}
		for _, e := range r.Events {
			n := s.nodeOf[s.eventKey(e.Name.Key)]
			saw(n, e.At)
			s.graphNode[e.Node] = n
		}
		for _, n := range slices.Sorted(maps.Keys(first)) {
			w.facts = append(w.facts, fact{n, first[n]})
			s.nodes[n].n++
		}
	}
	for i := range s.nodes {
		if s.nodes[i].n >= leastNode {
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
	s.totals.Sessions = s.sessions
}

// takeIn adds a choice to those of a session at a point. Records come in the order
// of telling, which breaks ties of time.
func takeIn(list []taken, c taken) []taken {
	for i := range list {
		switch old := &list[i]; {
		case old.own && c.own && old.option == c.option:
			if c.result == Failed { // one failure is one too many
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

// Totals returns the figures of the study.
func (s *Study) Totals() Totals { return s.totals }

// enough reports whether there is evidence for any claim about outcomes.
func (s *Study) enough() bool {
	return s.totals.Measured >= LeastSessions && s.totals.Successes > 0 && s.totals.Successes < s.totals.Measured
}

// base is the share of successes, with half a success and half a failure added.
func (s *Study) base() float64 {
	return (float64(s.totals.Successes) + .5) / (float64(s.totals.Measured) + 1)
}

// wordingOf returns the commonest wording of a key; of equally common ones the
// shortest, then the first by bytes.
func (s *Study) wordingOf(kind, key string) string {
	w := s.labels[kind][key]
	best, most := w.first, w.n
	for l, n := range w.more {
		if n > most || n == most && cmp.Or(len(l)-len(best), strings.Compare(l, best)) < 0 {
			best, most = l, n
		}
	}
	return best
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
