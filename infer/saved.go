package infer

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"episodes/episode"
	"episodes/stats"
)

// savedVersion is the version of the encoding and of the rules behind its figures. A
// study of another version is not loaded.
const savedVersion = 14

// savedStudy is the encoding of a study: what is expensive to compute (penalties, edges,
// claims) and the trials of every point, from which models are fitted again on first
// use, to the same bits.
type savedStudy struct {
	Version  int             `cbor:"1,keyasint"`
	Totals   Totals          `cbor:"2,keyasint"`
	Health   Health          `cbor:"3,keyasint"`
	Asserted assertedClaims  `cbor:"4,keyasint"`
	Penalty  [groups]float64 `cbor:"5,keyasint"`
	Tasks    []Name          `cbor:"6,keyasint"`
	Points   []Name          `cbor:"7,keyasint"`
	Nodes    []savedNode     `cbor:"8,keyasint"`
	Edges    []savedEdge     `cbor:"9,keyasint"`
	Trials   [][]savedTrial  `cbor:"10,keyasint"` // by point
	Worked   []string        `cbor:"11,keyasint"` // instances
	Unsure   [groups]float64 `cbor:"12,keyasint"` // of the penalties, see fit
}

type savedNode struct {
	_      struct{} `cbor:",toarray"`
	Option bool
	Point  int // index of the point of an option
	Key    string
	Label  string
	Graph  []string // ids in the causal graph, the one it is known by first
}

type savedEdge struct {
	_              struct{} `cbor:",toarray"`
	Source, Target int
	Type           string
	Weight         float64
	With, Without  float64
	N, OtherN      int
	P, Q, First    float64
	PN, PS, PNS    stats.Interval
	Days           int
	OneDay         bool
}

type savedTrial struct {
	_        struct{} `cbor:",toarray"`
	ID       string
	Task     int
	Option   int
	Instance int
	Day      int
	Flags    int // 1: success, 2: explore, 4: named
	Before   []int
	Values   []Value
}

// Save encodes the study: the points with something to compare, and the facts that edges
// and models refer to, with numbers of their own. Equal studies give equal bytes.
func (s *Study) Save() ([]byte, error) {
	s.fitted()
	s.Edges()
	s.Asserted()
	out := savedStudy{Version: savedVersion, Totals: s.totals, Health: s.health, Asserted: *s.asserted,
		Penalty: s.fit.penalty, Unsure: s.fit.unsure}
	out.Worked = s.instances
	points, nodes, tasks := s.referenced()
	taskNumber := map[int]int{}
	for _, t := range tasks {
		taskNumber[t] = len(out.Tasks)
		out.Tasks = append(out.Tasks, s.taskName(t))
	}
	pointNumber := map[int]int{}
	for _, p := range points {
		pointNumber[p] = len(out.Points)
		out.Points = append(out.Points, s.pointName(p))
	}
	number := map[int]int{outcome: outcome}
	otherIDs := s.otherGraphIDs()
	for _, n := range nodes {
		d := s.nodes[n]
		number[n] = len(out.Nodes)
		sn := savedNode{Option: d.option, Point: -1, Key: d.key, Label: d.label, Graph: append([]string{d.graph}, otherIDs[n]...)}
		if d.option {
			sn.Point = pointNumber[d.pointAt]
		}
		out.Nodes = append(out.Nodes, sn)
	}
	for _, e := range s.edge {
		out.Edges = append(out.Edges,
			savedEdge{Source: number[e.source], Target: number[e.target], Type: string(e.Type), Weight: e.Weight,
				With: e.With, Without: e.Without,
				N: e.N, OtherN: e.OtherN, P: e.P, Q: e.Q, First: e.First, PN: e.Bounds.PN, PS: e.Bounds.PS,
				PNS: e.Bounds.PNS, Days: e.Days, OneDay: e.OneDay})
	}
	out.Trials = make([][]savedTrial, len(out.Points))
	for i, p := range points {
		if s.comparable(p) {
			out.Trials[i] = s.savedTrials(p, number, taskNumber)
		}
	}
	mode, err := cbor.CanonicalEncOptions().EncMode()
	if err != nil {
		return nil, fmt.Errorf("encode a study: %w", err)
	}
	data, err := mode.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode a study: %w", err)
	}
	return data, nil
}

// otherGraphIDs returns the further ids in the causal graph of facts that have several
// nodes there, by node, sorted.
func (s *Study) otherGraphIDs() [][]string {
	out := make([][]string, len(s.nodes))
	for _, id := range slices.Sorted(maps.Keys(s.graphNode)) {
		if n := s.graphNode[id]; id != s.nodes[n].graph && id != "" {
			out[n] = append(out[n], id)
		}
	}
	return out
}

func (s *Study) savedTrials(p int, number, taskNumber map[int]int) (out []savedTrial) {
	for _, t := range s.trialsAt(p) {
		st := savedTrial{ID: t.id, Task: taskNumber[t.task], Option: number[t.option], Instance: t.instance,
			Day: t.day, Flags: stats.Indicator(t.success) + 2*stats.Indicator(t.explore) + 4*stats.Indicator(t.named), Values: t.values}
		for _, e := range t.before {
			if s.nodes[e].n >= minEvidence {
				st.Before = append(st.Before, number[e])
			}
		}
		out = append(out, st)
	}
	return out
}

// referenced returns the points with something to compare, and the facts and tasks that
// edges and models refer to, in the order of the study, so that ties and sums come out the same
// in the loaded study.
func (s *Study) referenced() (points, nodes, tasks []int) {
	isPoint, isNode, isTask := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for p := range s.points {
		if !s.comparable(p) {
			continue
		}
		isPoint[p] = true
		for _, t := range s.trialsAt(p) {
			isTask[t.task] = true
			for _, e := range t.before {
				if s.nodes[e].n >= minEvidence { // no other can be evidence
					isNode[e] = true
				}
			}
		}
	}
	for _, e := range s.edge {
		for _, n := range []int{e.source, e.target} {
			switch {
			case n == outcome:
			case s.nodes[n].option:
				isPoint[s.nodes[n].pointAt] = true
			default:
				isNode[n] = true
			}
		}
	}
	points = slices.Sorted(maps.Keys(isPoint))
	for _, p := range points {
		for _, o := range s.points[p].options {
			isNode[o] = true
		}
	}
	return points, slices.Sorted(maps.Keys(isNode)), slices.Sorted(maps.Keys(isTask))
}

// Load returns the study that Save encoded; false for another version, or other bytes. A
// loaded study gives the same answers as the original.
func Load(data []byte) (*Study, bool) {
	var in savedStudy
	if err := cbor.Unmarshal(data, &in); err != nil || in.Version != savedVersion || !in.consistent() {
		return nil, false
	}
	s := empty()
	s.totals, s.health, s.asserted, s.sessions = in.Totals, in.Health, &in.Asserted, in.Totals.Sessions
	s.health.listWanted()
	s.trials, s.done = in.Trials, true
	for t, n := range in.Tasks {
		s.tasks = append(s.tasks, n.Key)
		s.taskOf[n.Key] = t
		s.addWording(taskKind, n.Key, n.Label)
	}
	for i, k := range in.Worked {
		s.instances, s.instanceOf[k] = append(s.instances, k), i
	}
	for p, n := range in.Points {
		s.points = append(s.points, point{key: n.Key})
		s.pointOf[n.Key] = p
		s.addWording(pointKind, n.Key, n.Label)
	}
	for i, sn := range in.Nodes {
		n := node{nodeKey: nodeKey{key: sn.Key, option: sn.Option}, pointAt: sn.Point, label: sn.Label}
		if sn.Option {
			n.point = s.points[sn.Point].key
			s.points[sn.Point].options = append(s.points[sn.Point].options, i)
		}
		for j, id := range sn.Graph {
			if j == 0 {
				n.graph = id
			}
			s.graphNode[id] = i
		}
		s.nodes = append(s.nodes, n)
		s.nodeOf[n.nodeKey] = i
	}
	for _, e := range in.Edges {
		s.edge = append(s.edge,
			Edge{source: e.Source, target: e.Target, Source: s.fact(e.Source), Target: s.fact(e.Target),
				Type: episode.LinkType(e.Type), Weight: e.Weight,
				With: e.With, Without: e.Without, N: e.N, OtherN: e.OtherN, P: e.P, Q: e.Q, First: e.First,
				Bounds: stats.Causation{PN: e.PN, PS: e.PS, PNS: e.PNS}, Days: e.Days, OneDay: e.OneDay})
	}
	s.fit = &fit{penalty: in.Penalty, unsure: in.Unsure, models: make([]*model, len(s.points))}
	return s, true
}

// consistent reports whether all references are valid.
func (r *savedStudy) consistent() bool {
	if len(r.Trials) != len(r.Points) {
		return false
	}
	atNoPoint := func(n savedNode) bool { return n.Option && (n.Point < 0 || n.Point >= len(r.Points)) }
	return !slices.ContainsFunc(r.Nodes, atNoPoint) && !slices.ContainsFunc(r.Edges, func(e savedEdge) bool {
		return e.Source < 0 || e.Source >= len(r.Nodes) || e.Target < outcome || e.Target >= len(r.Nodes)
	})
}

// restore fits the model of one point of a loaded study.
func (s *Study) restore(p int) *model {
	past := make([]trial, 0, len(s.trials[p]))
	for i, t := range s.trials[p] {
		if t.Option < 0 || t.Option >= len(s.nodes) || t.Task < 0 || t.Task >= len(s.tasks) ||
			t.Instance < noInstance || t.Instance >= len(s.instances) {
			continue
		}
		past = append(past,
			trial{row: i, id: t.ID, task: t.Task, instance: t.Instance, option: t.Option, day: t.Day,
				success: t.Flags&1 == 1, explore: t.Flags&2 == 2, named: t.Flags&4 == 4, values: t.Values,
				before: t.Before})
	}
	m := newModelFrom(p, logit(s.base()), past)
	s.fit.fit(m)
	return m
}
