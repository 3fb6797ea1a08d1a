package infer

import (
	"cmp"
	"episodes/episode"
	"episodes/keys"
)

// eventTypes are the types that an event named by words alone can have.
var eventTypes = episode.EventTypes()

// EventNamed returns the key of the event that words name, of any type. ok is false where no
// session had it.
func (s *Study) EventNamed(words string) (key string, ok bool) {
	for _, t := range eventTypes {
		k := s.eventKey(EventKey(string(t), words))
		if _, ok := s.nodeOf[k]; ok {
			return k.key, true
		}
	}
	return "", false
}

// PointNamed returns the key of the decision point that a question names.
func (s *Study) PointNamed(question string) (key string, ok bool) {
	k := s.leader(pointKind, PointKey(question))
	_, ok = s.pointOf[k]
	return k, ok
}

// OptionNamed returns the key of the option that words name, whether or not anybody
// took it: options are never matched by similarity.
func (s *Study) OptionNamed(words string) string { return keys.Option(words) }

// TaskNamed returns the key of a task.
func (s *Study) TaskNamed(task string) string { return s.leader(taskKind, TaskKey(task)) }

// OptionFact returns the fact of an option taken at a point, by keys.
func (s *Study) OptionFact(point, option string) (Fact, bool) {
	n, ok := s.optionNode(point, option)
	if !ok {
		return Fact{}, false
	}
	return s.fact(n), true
}

// EventFact returns the fact of an event, by key.
func (s *Study) EventFact(key string) (Fact, bool) {
	n, ok := s.nodeOf[s.eventKey(key)]
	if !ok {
		return Fact{}, false
	}
	return s.fact(n), true
}

// FactOf returns the fact of a node of the causal graph, by the node's id.
func (s *Study) FactOf(node string) (Fact, bool) {
	n, ok := s.graphNode[node]
	if !ok {
		return Fact{}, false
	}
	return s.fact(n), true
}

// fact describes a node.
func (s *Study) fact(n int) Fact {
	if n == outcome {
		return Fact{}
	}
	d := s.nodes[n]
	if !d.option {
		return Fact{Event: Name{d.key, d.label}, Node: d.graph}
	}
	return Fact{Point: s.pointName(d.pointAt), Option: s.optionName(n), Node: d.graph}
}

func (s *Study) pointName(p int) Name {
	k := s.points[p].key
	return Name{k, cmp.Or(s.wordingOf(pointKind, k), k)}
}

func (s *Study) optionName(n int) Name {
	return Name{s.nodes[n].key, s.nodes[n].label}
}

func (s *Study) taskName(t int) Name {
	k := s.tasks[t]
	return Name{k, s.wordingOf(taskKind, k)}
}
