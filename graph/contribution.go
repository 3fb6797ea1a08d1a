package graph

import (
	"slices"

	"episodes/causal"
	"episodes/episode"
)

// contribution is what one episode adds to the graph, ready to be stored. Making one needs no
// store, so it is done concurrently with writing.
type contribution struct {
	id    string
	hash  string // of the episode file
	rec   episodeRecord
	value []byte // rec encoded; nil when read back
	uses  []byte // its decisions encoded; likewise
	older bool   // see causal.OfOlderTool
}

// contribute prepares an episode.
func contribute(ep *episode.Episode, hash string) *contribution {
	c := prepare(causal.Contribute(ep), causal.PrintOf(ep), ep.Timestamp, hash)
	c.older = causal.OfOlderTool(ep)
	return c
}

// prepare prepares a contribution. Links of unknown types are left out, since the format has
// no such edges, and an unknown outcome becomes episode.Unknown.
func prepare(of causal.Contribution, print causal.Print, time, hash string) *contribution {
	known := func(o *episode.Outcome) { *o = outcomes[outcomeNumber(*o)] }
	known(&of.Outcome)
	for i := range of.Mentions {
		known(&of.Mentions[i].Outcome)
	}
	for i := range of.Uses {
		known(&of.Uses[i].Outcome)
	}
	of.Statements = slices.DeleteFunc(of.Statements, func(s causal.Statement) bool {
		_, ok := linkNumber(s.Type)
		return !ok
	})
	c := &contribution{id: of.Episode, hash: hash, uses: encode(of.Uses)}
	c.rec = episodeRecord{Time: time, Print: print, Decisions: len(of.Uses), Contribution: of}
	c.rec.Uses = nil
	c.value = encode(&c.rec)
	return c
}

// edgeOf is the edge that a statement supports.
func edgeOf(s causal.Statement) (e edgeID) {
	e.source, _ = parseNode(s.Source)
	e.target, _ = parseNode(s.Target)
	e.typ, _ = linkNumber(s.Type)
	return e
}

// share is what one episode adds to one node.
type share struct {
	node    nodeID
	typ     byte
	key     string
	outcome episode.Outcome
	labels  []string // each once
}

// shares returns what an episode adds to each of its nodes. It counts once, regardless of the
// number of records that mention a node: with their common outcome, or partial if known
// outcomes differ.
func shares(mentions []causal.Mention) (out []share) {
	for _, m := range mentions { // sorted by node
		id, _ := parseNode(m.Node)
		if n := len(out); n == 0 || out[n-1].node != id {
			out = append(out, share{node: id, typ: nodeTypeNumber(m.Type), key: m.Key, outcome: episode.Unknown})
		}
		s := &out[len(out)-1]
		switch {
		case m.Outcome == episode.Unknown || m.Outcome == s.outcome:
		case s.outcome == episode.Unknown:
			s.outcome = m.Outcome
		default:
			s.outcome = episode.Partial
		}
		if !slices.Contains(s.labels, m.Label) {
			s.labels = append(s.labels, m.Label)
		}
	}
	return out
}
