package graph

import (
	"bytes"
	"slices"

	"episodes/causal"
	"episodes/episode"
)

// contribution is what one episode says, ready to be stored. Making one needs no
// store, so it is done beside the writing.
type contribution struct {
	id    string
	hash  string // of the episode file
	rec   episodeRecord
	value []byte     // rec encoded; nil when read back
	kinds []nodeKind // of rec.Nodes; nil when read back from the store, which knows them
	uses  []storedUse
	older bool // see causal.OfOlderTool
}

// nodeKind is what a node is, apart from what is counted.
type nodeKind struct {
	typ byte
	key string
}

// storedUse is a decision as it is stored.
type storedUse struct{ key, value []byte }

// contribute prepares an episode.
func contribute(ep *episode.Episode, hash string) *contribution {
	c := prepare(causal.Contribute(ep), ep.Timestamp, hash)
	c.older = causal.OfOlderTool(ep)
	return c
}

// prepare prepares a contribution. Statements of no known type are left out: the
// format has no such edges.
func prepare(of causal.Contribution, time, hash string) *contribution {
	c := &contribution{id: of.Episode, hash: hash}
	c.rec.Time = time
	c.rec.Outcome = outcomeNumber(of.Outcome)

	index := map[string]int{}
	for _, m := range of.Mentions { // sorted by node
		id, ok := parseNode(m.Node)
		if !ok {
			continue
		}
		if _, known := index[m.Node]; !known {
			index[m.Node] = len(c.kinds)
			c.kinds = append(c.kinds, nodeKind{nodeTypeNumber(m.Type), m.Key})
			c.rec.Nodes = append(c.rec.Nodes, id[:]...)
		}
		c.rec.Mentions = append(c.rec.Mentions, mentionRecord{Node: index[m.Node], Record: m.Record, Outcome: outcomeNumber(m.Outcome), Label: m.Label})
	}
	for _, st := range of.Statements {
		source, ok1 := index[st.Source]
		target, ok2 := index[st.Target]
		typ, ok3 := linkNumber(st.Type)
		if ok1 && ok2 && ok3 && source != target {
			c.rec.Statements = append(c.rec.Statements, statementRecord{Source: source, Target: target, Type: typ, Explicit: st.Explicit, Link: st.Link})
		}
	}
	c.addUses(of.Uses)
	c.value = encode(&c.rec)
	return c
}

func (c *contribution) addUses(uses []causal.Use) {
	seen := map[useRef]int{}
	for _, u := range uses {
		ref := useRef{Point: cutPoint(u.Point), Record: u.Record}
		n := seen[ref]
		seen[ref]++
		ref.Number = n

		node, _ := parseNode(u.Node)
		rec := useRecord{Context: u.Context, Node: node[:], Chosen: u.Chosen, ChosenKey: u.ChosenKey, Rejected: u.Rejected, Outcome: outcomeNumber(u.Outcome), OwnResult: u.OwnResult}
		if ref.Point != u.Point {
			rec.Point = u.Point
		}
		for _, t := range u.Triggers {
			if id, ok := parseNode(t); ok {
				rec.Triggers = append(rec.Triggers, id[:]...)
			}
		}
		c.rec.Uses = append(c.rec.Uses, ref)
		c.uses = append(c.uses, storedUse{ref.key(c.id), encode(&rec)})
	}
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
	return true
}

// share is what one episode says of one node.
type share struct {
	outcome byte
	labels  []string // each once
}

// shares returns what the episode says of each of its nodes. An episode counts
// once, however many of its records mention a node: with the outcome they agree
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
		if !slices.Contains(s.labels, m.Label) {
			s.labels = append(s.labels, m.Label)
		}
	}
	return out
}
