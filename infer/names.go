package infer

import (
	"cmp"

	"episodes/episode"
	"episodes/keys"
)

// eventTypes are the types that an event named by words alone can have.
var eventTypes = episode.EventTypes()

// EventNamed returns the key of the event that words name: of any type, by its exact
// key or a similar one (see sameFactCosine). ok is false where no session had it.
func (s *Study) EventNamed(words string) (key string, ok bool) {
	best, like := sameFactCosine, ""
	for _, t := range eventTypes {
		k := EventKey(string(t), words)
		if _, ok := s.nodeOf[s.eventKey(k)]; ok {
			return s.leader(eventKind, k), true
		}
		if l, c := s.mostSimilar(eventKind, k); l != "" && (c > best+1e-12 || like == "" && c >= best) {
			best, like = c, l
		}
	}
	return like, like != ""
}

// PointNamed returns the key of the decision point that a question names.
func (s *Study) PointNamed(question string) (key string, ok bool) {
	k := s.leader(pointKind, PointKey(question))
	if _, ok := s.pointOf[k]; ok {
		return k, true
	}
	l, _ := s.mostSimilar(pointKind, k)
	return l, l != ""
}

// OptionNamed returns the key of the option that words name, whether or not anybody
// took it: options are never matched by similarity.
func (s *Study) OptionNamed(words string) string { return keys.Option(words) }

// TaskNamed returns the key of a task, or that of a similar known task.
func (s *Study) TaskNamed(task string) string {
	k := s.leader(taskKind, TaskKey(task))
	if _, ok := s.taskOf[k]; ok {
		return k
	}
	if l, _ := s.mostSimilar(taskKind, k); l != "" {
		return l
	}
	return k
}

// mostSimilar returns the leader of a kind that is most similar to a key, or "" if no cosine
// is at least sameFactCosine.
func (s *Study) mostSimilar(kind, key string) (leader string, cosineOf float64) {
	idx := s.index(kind)
	v := split(key)
	best := sameFactCosine
	for _, l := range idx.leaders {
		if l.class != v.class {
			continue
		}
		if c := cosine(v.words, l.words, idx.idf); c > best+1e-12 || c >= best && leader == "" {
			best, leader = c, l.key
		}
	}
	return leader, best
}

// nameIndex holds the known keys of a kind.
type nameIndex struct {
	idf     weights
	leaders []vector // by key
}

func (s *Study) index(kind string) *nameIndex {
	if x := s.nameIndexes[kind]; x != nil {
		return x
	}
	var known []string
	switch kind {
	case taskKind:
		known = s.tasks
	case pointKind:
		for _, p := range s.points {
			known = append(known, p.key)
		}
	case eventKind:
		for _, n := range s.nodes {
			if !n.option {
				known = append(known, n.key)
			}
		}
	}
	x := &nameIndex{idf: s.idf[kind]}
	for _, k := range known {
		v := split(k)
		v.key = k
		x.leaders = append(x.leaders, v)
	}
	s.nameIndexes[kind] = x
	return x
}

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
