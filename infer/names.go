package infer

import "cmp"

// OptionFact returns the fact of an option taken at a point, by keys.
func (s *Study) OptionFact(point, option string) (Fact, bool) {
	return s.factIf(s.optionNode(point, option))
}

// EventFact returns the fact of an event, by key.
func (s *Study) EventFact(key string) (Fact, bool) {
	n, ok := s.nodeOf[nodeKey{key: key}]
	return s.factIf(n, ok)
}

// FactOf returns the fact of a node of the causal graph, by the node's id.
func (s *Study) FactOf(node string) (Fact, bool) {
	n, ok := s.graphNode[node]
	return s.factIf(n, ok)
}

func (s *Study) factIf(n int, known bool) (Fact, bool) {
	if !known {
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
