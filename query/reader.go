// Package query answers questions about the causal graph and the episodes: what led to
// this, what would the other option have done, what is known of a node.
//
// It reads through the small Reader interface below and imports no store, so that any
// graph can be queried, also an in-memory one. Every answer includes the number of
// episodes it rests on; without support the answer is "not enough evidence", never a
// guess.
// Other programs use package episodes: only that is a promise.
package query

import (
	"errors"

	"episodes/causal"
	"episodes/episode"
)

// ErrDamaged means that a graph is inconsistent, for instance since a part was lost.
var ErrDamaged = errors.New("the graph is damaged")

// Reader is a consistent, read-only view of a causal graph.
// Lists come sorted (edges by target or source, then type; mentions, statements
// and uses by episode, then record), so that every answer is deterministic.
// An unknown id gives an empty answer, not an error.
type Reader interface {
	// Node returns the node with an id, or false.
	Node(id string) (causal.Node, bool, error)
	// Nodes yields every node, by id.
	Nodes(yield func(causal.Node) error) error
	// Out and In return the edges that leave and enter a node.
	Out(id string) ([]causal.Edge, error)
	In(id string) ([]causal.Edge, error)
	// Mentions returns the records of a node.
	Mentions(id string) ([]causal.Mention, error)
	// Statements returns the links that support one edge.
	Statements(source, target string, t episode.LinkType) ([]causal.Statement, error)
	// WithWord returns the ids of the nodes whose label has a word (as keys.Words gives it), sorted.
	WithWord(word string) ([]string, error)
	// Uses yields every decision, by decision point, episode and record; first those
	// whose log gives no question.
	Uses(yield func(causal.Use) error) error
	// Totals returns the graph's figures.
	Totals() (causal.Totals, error)
}

// Episodes loads episodes by id, for answers that quote them.
type Episodes interface {
	// Load returns one episode. If it does not exist, the error is fs.ErrNotExist.
	Load(id string) (*episode.Episode, error)
}
