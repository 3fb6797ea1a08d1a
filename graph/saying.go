package graph

import (
	"bytes"
	"slices"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
)

// saying is what one episode says, ready to be stored. Making one needs no store,
// so it is done beside the writing.
type saying struct {
	id    string
	hash  string
	rec   episodeRecord
	value []byte     // rec encoded; nil when read back
	kinds []nodeKind // of rec.Nodes; nil when read back from the store, which knows them
	uses  []saidUse  // of rec.Uses
	older bool       // see causal.OfOlderTool
}

// nodeKind is what a node is, apart from what is counted.
type nodeKind struct {
	typ byte
	key string
}

// saidUse is a use with what it is found by.
type saidUse struct {
	key, value []byte
	point      string
	words      []string
}

// say prepares an episode.
func say(ep *episode.Episode, hash string) *saying {
	s := prepare(causal.Contribute(ep), ep.Timestamp, hash)
	s.older = causal.OfOlderTool(ep)
	return s
}

// prepare prepares a contribution. Statements of no known type are left out: the
// format has no such edges.
func prepare(c causal.Contribution, time, hash string) *saying {
	s := &saying{id: c.Episode, hash: hash}
	s.rec.Time = time
	s.rec.Outcome = outcomeNumber(c.Outcome)

	index := map[string]int{}
	for _, m := range c.Mentions { // sorted by node
		id, ok := parseNode(m.Node)
		if !ok {
			continue
		}
		if _, known := index[m.Node]; !known {
			index[m.Node] = len(s.kinds)
			s.kinds = append(s.kinds, nodeKind{nodeTypeNumber(m.Type), m.Key})
			s.rec.Nodes = append(s.rec.Nodes, id[:]...)
		}
		s.rec.Mentions = append(s.rec.Mentions, mentionRecord{Node: index[m.Node], Record: m.Record, Outcome: outcomeNumber(m.Outcome), Label: m.Label})
	}
	for _, st := range c.Statements {
		source, ok1 := index[st.Source]
		target, ok2 := index[st.Target]
		typ, ok3 := linkNumber(st.Type)
		if ok1 && ok2 && ok3 && source != target {
			s.rec.Statements = append(s.rec.Statements, statementRecord{Source: source, Target: target, Type: typ, Explicit: st.Explicit, Link: st.Link})
		}
	}
	s.addUses(c.Uses)
	s.value = encode(&s.rec)
	return s
}

func (s *saying) addUses(uses []causal.Use) {
	type place struct{ point, record string }
	seen := map[place]int{}
	for _, u := range uses {
		node, _ := parseNode(u.Node)
		point := pointOf(u.Point)
		n := seen[place{u.Point, u.Record}]
		seen[place{u.Point, u.Record}]++

		rec := useRecord{Context: u.Context, Node: node[:], Chosen: u.Chosen, ChosenKey: u.ChosenKey, Rejected: u.Rejected, Outcome: outcomeNumber(u.Outcome), OwnResult: u.OwnResult}
		if keyedPoint(u.Point) != u.Point {
			rec.Point = u.Point
		}
		for _, t := range u.Triggers {
			if id, ok := parseNode(t); ok {
				rec.Triggers = append(rec.Triggers, id[:]...)
			}
		}
		s.rec.Uses = append(s.rec.Uses, useRef{Point: point[:], Record: u.Record, Number: n})
		s.uses = append(s.uses, saidUse{key: useKey(u.Point, s.id, u.Record, n), value: encode(&rec), point: u.Point, words: rec.words(u.Point)})
	}
}

// words are the words of the question and of the options of a use, each once.
// Without a question there is no point to find.
func (u *useRecord) words(point string) []string {
	if point == "" {
		return nil
	}
	words := append(wordsOf(u.Context), wordsOf(u.Chosen)...)
	for _, r := range u.Rejected {
		words = append(words, wordsOf(r)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// wordsOf are the search tokens of a text, as keys have them.
func wordsOf(text string) []string {
	words := keys.Words(text)
	for i, w := range words {
		words[i] = keyedWord(w)
	}
	return words
}

// node returns the i-th node.
func (rec *episodeRecord) node(i int) (id nodeID) {
	copy(id[:], rec.Nodes[i*len(id):])
	return id
}

func (rec *episodeRecord) edge(s statementRecord) edgeID {
	return edgeID{rec.node(s.Source), rec.node(s.Target), s.Type}
}

// find returns the index of a node, or false.
func (rec *episodeRecord) find(id nodeID) (int, bool) {
	for i := 0; i*len(id) < len(rec.Nodes); i++ {
		if bytes.Equal(rec.Nodes[i*len(id):(i+1)*len(id)], id[:]) {
			return i, true
		}
	}
	return 0, false
}

// valid reports whether a record that was read points only at what it holds.
func (rec *episodeRecord) valid() bool {
	n := len(rec.Nodes) / len(nodeID{})
	if n*len(nodeID{}) != len(rec.Nodes) || int(rec.Outcome) >= len(outcomes) {
		return false
	}
	for _, m := range rec.Mentions {
		if m.Node < 0 || m.Node >= n || int(m.Outcome) >= len(outcomes) {
			return false
		}
	}
	for _, s := range rec.Statements {
		if s.Source < 0 || s.Source >= n || s.Target < 0 || s.Target >= n || int(s.Type) >= len(linkTypes) {
			return false
		}
	}
	for _, u := range rec.Uses {
		if len(u.Point) != len(pointID{}) {
			return false
		}
	}
	return true
}

// share is what one episode says of one node.
type share struct {
	outcome  byte
	wordings []string // each once
}

// shares returns what the episode says of each of its nodes. An episode counts
// once, however many of its records stand at a node: with the outcome they agree
// on, or partial when they do not; unknown says nothing beside a known one.
func (rec *episodeRecord) shares() []share {
	out := make([]share, len(rec.Nodes)/len(nodeID{}))
	unknown, partial := outcomeNumber(episode.Unknown), outcomeNumber(episode.Partial)
	for _, m := range rec.Mentions {
		s := &out[m.Node]
		switch {
		case m.Outcome == unknown || m.Outcome == s.outcome:
		case s.outcome == unknown:
			s.outcome = m.Outcome
		default:
			s.outcome = partial
		}
		if !slices.Contains(s.wordings, m.Label) {
			s.wordings = append(s.wordings, m.Label)
		}
	}
	return out
}
