// Package causal defines the causal graph: what an episode contributes to it, and
// what its readers see.
//
// The graph is a pure function of the set of episodes. Contribute turns one
// episode into its Contribution; a store keeps the contributions and their sums.
// All sums are counts, so order and batching cannot change them, and every
// weight or rate is computed from counts when it is read.
//
// Records of different episodes are one node if their keys are equal (package keys),
// regardless of ids and order. An edge exists only where an episode states a link between
// two records.
// Other programs use package episodes: only that is a promise.
package causal

import (
	"crypto/sha256"
	"encoding/hex"

	"episodes/episode"
)

// NodeType is the kind of a node.
type NodeType string

// A decision node is one option at one decision point, an event node one kind of
// event, an outcome node one outcome of sessions, a pattern node a mined pattern.
const (
	DecisionNode NodeType = "decision"
	EventNode    NodeType = "event"
	OutcomeNode  NodeType = "outcome"
	PatternNode  NodeType = "pattern"
)

// NodeTypes lists the node types in the order in which they are shown.
func NodeTypes() []NodeType { return []NodeType{DecisionNode, EventNode, OutcomeNode, PatternNode} }

// NodeID is the id of a node: "n" and the first 12 hex digits of the SHA-256 of
// "type:key", so that it is the same on every branch and machine.
func NodeID(t NodeType, key string) string {
	h := sha256.Sum256([]byte(string(t) + ":" + key))
	return "n" + hex.EncodeToString(h[:6])
}

// PatternID is the id of a pattern: "p" and the first 12 hex digits of the
// SHA-256 of "pattern:name".
func PatternID(name string) string {
	h := sha256.Sum256([]byte("pattern:" + name))
	return "p" + hex.EncodeToString(h[:6])
}

// Tally counts outcomes. It is the only form in which rates are stored.
type Tally struct {
	Success int `json:"success" cbor:"1,keyasint,omitempty"`
	Partial int `json:"partial" cbor:"2,keyasint,omitempty"`
	Failure int `json:"failure" cbor:"3,keyasint,omitempty"`
	Unknown int `json:"unknown" cbor:"4,keyasint,omitempty"`
}

// Add counts n (possibly negative) more of o.
func (t *Tally) Add(o episode.Outcome, n int) {
	switch o {
	case episode.Success:
		t.Success += n
	case episode.Partial:
		t.Partial += n
	case episode.Failure:
		t.Failure += n
	default:
		t.Unknown += n
	}
}

// Known is the number of known outcomes.
func (t Tally) Known() int { return t.Success + t.Partial + t.Failure }

// Total is the number of all outcomes.
func (t Tally) Total() int { return t.Known() + t.Unknown }

// Rate is the share of successes among the known outcomes; false when there are
// none. A partial outcome is not a success.
func (t Tally) Rate() (float64, bool) {
	if t.Known() == 0 {
		return 0, false
	}
	return float64(t.Success) / float64(t.Known()), true
}

// Node is a fact, summed over all episodes that have it.
type Node struct {
	ID        string
	Type      NodeType
	Key       string
	Label     string // the commonest, shortest, first wording
	Frequency int    // episodes it occurs in
	Tally     Tally  // outcomes of those episodes, each counted once
}

// Support counts the episodes that state an edge. An episode that states it both
// explicitly and by implication counts as explicit.
type Support struct {
	Explicit int `cbor:"1,keyasint,omitempty"`
	Implied  int `cbor:"2,keyasint,omitempty"`
}

// Count is the number of episodes.
func (s Support) Count() int { return s.Explicit + s.Implied }

// Edge is a causal link, summed over all episodes that state it.
type Edge struct {
	Source, Target string // node ids
	Type           episode.LinkType
	Support        Support
	SourceCount    int // episodes in which the source occurs
}

// Weight is the strength of the stated link, in (0,1): the posterior mean of
// "an episode with the source states this link" under the Jeffreys prior
// Beta(1/2,1/2), with an implied statement counting as half a one:
// (explicit + implied/2 + 1/2) / (episodes with the source + 1).
func (e Edge) Weight() float64 {
	k := float64(e.Support.Explicit) + float64(e.Support.Implied)/2
	return (k + 0.5) / (float64(max(e.SourceCount, e.Support.Count())) + 1)
}

// Mention is one occurrence of a node: a record of an episode.
type Mention struct {
	Episode string          `cbor:"-"`
	Day     int             `cbor:"-"`          // of the session, see DayOf
	Record  string          `cbor:"1,keyasint"` // d001, e001, or episode.OutcomeRef
	Node    string          `cbor:"2,keyasint"`
	Type    NodeType        `cbor:"3,keyasint"`
	Key     string          `cbor:"4,keyasint"`
	Label   string          `cbor:"5,keyasint"`
	Outcome episode.Outcome `cbor:"6,keyasint"`
	// Superseded is what took the place of a decision, NotNamed where its log does not
	// name it; "" while it holds.
	Superseded string `cbor:"7,keyasint,omitempty"`
}

// NotNamed is the successor of a superseded decision whose log does not name it.
const NotNamed = "?"

// Statement is one link stated by one episode, between nodes.
type Statement struct {
	Episode  string           `cbor:"-"`
	Day      int              `cbor:"-"`          // of the session, see DayOf
	Source   string           `cbor:"1,keyasint"` // node ids
	Target   string           `cbor:"2,keyasint"`
	Type     episode.LinkType `cbor:"3,keyasint"`
	Explicit bool             `cbor:"4,keyasint,omitempty"`
	Link     string           `cbor:"5,keyasint"` // the link in its episode, "d001>e002"
}

// Use is one decision of one episode, in the form that what-if and patterns need.
type Use struct {
	Episode   string          `cbor:"-"`
	Record    string          `cbor:"1,keyasint"`
	Point     string          `cbor:"2,keyasint,omitempty"` // key of the decision point, or ""
	Context   string          `cbor:"3,keyasint,omitempty"` // wording of the question
	Node      string          `cbor:"4,keyasint"`           // node of the option taken
	Chosen    string          `cbor:"5,keyasint"`
	ChosenKey string          `cbor:"6,keyasint"`
	Rejected  []string        `cbor:"7,keyasint,omitempty"` // the other options named
	Outcome   episode.Outcome `cbor:"8,keyasint"`
	OwnResult bool            `cbor:"9,keyasint,omitempty"`  // Outcome is the decision's own, else its session's
	Triggers  []string        `cbor:"10,keyasint,omitempty"` // nodes of the events that the log says led to it
	Day       int             `cbor:"11,keyasint,omitempty"` // of the session, see DayOf
	// Superseded is as in Mention.
	Superseded string `cbor:"12,keyasint,omitempty"`
}

// Totals are the counts of a whole graph.
type Totals struct {
	Episodes  int
	Copies    int // of these, of a session that another one counts for
	Nodes     map[NodeType]int
	Isolated  int // nodes that no edge touches
	Shared    int // nodes that two or more episodes share
	Edges     map[episode.LinkType]int
	Evidence  int   // statements behind the edges
	Outcomes  Tally // of the sessions
	Decisions int   // uses
}
