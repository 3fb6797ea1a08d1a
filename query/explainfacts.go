package query

import "episodes/episode"

// Explanation is the evidence for something in the graph. Exactly one of its parts is
// set.
type Explanation struct {
	Ref     string        `json:"ref"`
	Node    *NodeFacts    `json:"node,omitempty"`
	Edge    *EdgeFacts    `json:"edge,omitempty"`
	Record  *RecordFacts  `json:"record,omitempty"`
	Link    *LinkFacts    `json:"link,omitempty"`
	Pattern *PatternFacts `json:"pattern,omitempty"`
}

// Evidence is a location in a log. Quote, the text of the lines, is filled in by callers
// that can read the log, if it still has the recorded digest.
type Evidence struct {
	Episode  string          `json:"episode"`
	Record   string          `json:"record"` // d001, e001, "d001>e002", task, outcome, l001
	Text     string          `json:"text,omitempty"`
	Outcome  episode.Outcome `json:"outcome,omitempty"`
	Explicit *bool           `json:"explicit,omitempty"` // of a link: stated explicitly
	Source   episode.Source  `json:"source"`
	Lines    *episode.Span   `json:"lines"` // null when the episode gives none
	Quote    []string        `json:"quote,omitempty"`
	Missing  bool            `json:"missing,omitempty"` // the episode's file is gone
	Private  bool            `json:"private,omitempty"` // set by whoever asks
}

// NodeFacts explain a node.
type NodeFacts struct {
	Node     Node          `json:"node"`
	Key      string        `json:"key"` // shared by all its records; see package keys
	Spread                 // of the episodes that mention it
	Wordings []Wording     `json:"wordings"` // the commonest first
	In       []EdgeSummary `json:"in"`
	Out      []EdgeSummary `json:"out"`
	Mentions []Evidence    `json:"mentions"`
	LeftOut  LeftOut       `json:"left_out"`
}

// Wording is one wording of a fact, with the episodes that use it.
type Wording struct {
	Label    string   `json:"label"`
	Episodes []string `json:"episodes"`
}

// EdgeSummary is an edge at a node, seen from it.
type EdgeSummary struct {
	Node          Node             `json:"node"` // at the other end
	Type          episode.LinkType `json:"type"`
	Weight        float64          `json:"weight"`
	EvidenceCount int              `json:"evidence_count"`
	Explicit      int              `json:"explicit"`
}

// LeftOut counts what exceeds the limit.
type LeftOut struct {
	Wordings int `json:"wordings"`
	In       int `json:"in"`
	Out      int `json:"out"`
	Mentions int `json:"mentions"`
}

// EdgeFacts explain an edge.
type EdgeFacts struct {
	Hop
	Statements []Evidence `json:"statements"`
	LeftOut    int        `json:"left_out"`
}

// RecordFacts explain one record of one episode.
type RecordFacts struct {
	Evidence
	Kind     string            `json:"kind"`           // decision, event, lesson, task or outcome
	Node     *Node             `json:"node,omitempty"` // of the graph, that it belongs to
	Decision *episode.Decision `json:"decision,omitempty"`
	Event    *episode.Event    `json:"event,omitempty"`
	Links    []LinkFacts       `json:"links"` // of its episode, to and from it
}

// LinkFacts explain one link of one episode.
type LinkFacts struct {
	Evidence
	From string           `json:"from"` // text of the records
	To   string           `json:"to"`
	Type episode.LinkType `json:"type"`
	Edge *EdgeSummary     `json:"edge,omitempty"` // the edge it supports, seen from its source
}

// PatternFacts explain a pattern.
type PatternFacts struct {
	Pattern Pattern    `json:"pattern"`
	Uses    []Evidence `json:"evidence"`
	LeftOut int        `json:"left_out"`
}
