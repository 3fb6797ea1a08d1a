package infer

import (
	"episodes/episode"
	"episodes/keys"
)

// eventTypes are the kinds under which an event can be known; a question names
// none.
var eventTypes = []episode.EventType{episode.ToolCall, episode.Error, episode.Milestone, episode.Handoff, episode.Commit, episode.Test}

// EventNamed returns the key of the event that words name: of any kind, by its
// key or by one that is like it (see purity). ok is false where no session had it.
func (s *Study) EventNamed(words string) (key string, ok bool) {
	likest, like := purity, ""
	for _, t := range eventTypes {
		k := EventKey(string(t), words)
		if _, ok := s.nodeOf[s.eventKey(k)]; ok {
			return s.lead(eventKind, k), true
		}
		if l, c := s.likest(eventKind, k); l != "" && (c > likest+1e-12 || like == "" && c >= likest) {
			likest, like = c, l
		}
	}
	return like, like != ""
}

// PointNamed returns the key of the decision point that a question names.
func (s *Study) PointNamed(question string) (key string, ok bool) {
	k := s.lead(pointKind, PointKey(question))
	if _, ok := s.pointOf[k]; ok {
		return k, true
	}
	l, _ := s.likest(pointKind, k)
	return l, l != ""
}

// OptionNamed returns the key that words give an option. Whether anybody took it
// is another question: options are never taken for each other.
func (s *Study) OptionNamed(words string) string { return keys.Option(words) }

// TaskNamed returns the key of a task, or of the one known that it is like.
func (s *Study) TaskNamed(task string) string {
	k := s.lead(taskKind, TaskKey(task))
	if _, ok := s.taskOf[k]; ok {
		return k
	}
	if l, _ := s.likest(taskKind, k); l != "" {
		return l
	}
	return k
}

// likest returns the leader of a kind that a key is most like, by at least purity.
func (s *Study) likest(kind, key string) (leader string, cosineOf float64) {
	idx := s.index(kind)
	v := split(key)
	best := purity
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

// likeness is what finding the likest key of a kind needs.
type likeness struct {
	idf     weights
	leaders []vector // by key
}

func (s *Study) index(kind string) *likeness {
	if x := s.likes[kind]; x != nil {
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
	x := &likeness{idf: s.idf[kind]}
	for _, k := range known {
		v := split(k)
		v.key = k
		x.leaders = append(x.leaders, v)
	}
	s.likes[kind] = x
	return x
}

// OptionFact returns the fact of an option taken at a point, by keys.
func (s *Study) OptionFact(point, option string) (Fact, bool) {
	s.ready()
	k, ok := s.optionKey(point, option)
	if !ok {
		return Fact{}, false
	}
	n, ok := s.nodeOf[k]
	if !ok {
		return Fact{}, false
	}
	return s.fact(n), true
}

// EventFact returns the fact of an event, by key.
func (s *Study) EventFact(key string) (Fact, bool) {
	s.ready()
	n, ok := s.nodeOf[s.eventKey(key)]
	if !ok {
		return Fact{}, false
	}
	return s.fact(n), true
}

// FactOf returns the fact that stands at a node of the causal graph.
func (s *Study) FactOf(node string) (Fact, bool) {
	s.ready()
	n, ok := s.graphNode[node]
	if !ok {
		return Fact{}, false
	}
	return s.fact(n), true
}
