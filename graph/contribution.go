package graph

import (
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

// prepare prepares a contribution. Statements of no known type are left out: the
// format has no such edges. An outcome that is none of those known is unknown.
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

// share is what one episode says of one node.
type share struct {
	node    nodeID
	typ     byte
	key     string
	outcome episode.Outcome
	labels  []string // each once
}

// shares returns what an episode says of each of its nodes. It counts once,
// however many of its records mention a node: with the outcome they agree on, or
// partial when they do not; unknown says nothing beside a known one.
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
