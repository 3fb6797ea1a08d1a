package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"episodes/causal"
	"episodes/graph/engine"
	"episodes/graph/stores"
)

// Graph is an open store: a consistent, read-only view of one moment. It may be
// used by several goroutines at once. As long as it is open, no Update can bring
// anything into the store, so keep it open for one question, not for a session.
//
// Its methods answer as the Reader interface of package query says: lists are
// sorted, and an unknown id gives an empty answer. What contradicts itself is
// ErrDamaged.
type Graph struct {
	ctx  context.Context
	gen  engine.Generation
	t    *transaction
	meta metaRecord
	view View

	mu       sync.Mutex
	counts   map[nodeID]int // frequencies of the nodes that were read
	cayley   quadStore
	opened   bool              // cayley is
	countsAs map[string]string // see copies; nil until asked for
	shutOnce sync.Once
	shutErr  error
}

// Open opens the store at url for reading and leaves every byte of it. It works
// in a folder that cannot be written to. Reads end with ctx too.
//
// Errors: ErrMissing, ErrDamaged, ErrVersion, *lock.TimeoutError, ErrURL.
func Open(ctx context.Context, url string, opt Options) (*Graph, error) {
	store, err := stores.Open(url, Format, opt.Token)
	if err != nil {
		return nil, err
	}
	gen, t, err := openToRead(ctx, store, opt)
	if err != nil {
		return nil, err
	}
	g := &Graph{ctx: ctx, gen: gen, t: t, view: opt.View, counts: map[nodeID]int{}}
	if g.meta, err = readMeta(ctx, t, ours); err != nil {
		_ = g.Close()
		return nil, err
	}
	return g, nil
}

// Close lets writers at the store again. A second call does nothing.
func (g *Graph) Close() error {
	g.shutOnce.Do(func() {
		g.t.cancel()
		g.shutErr = g.gen.Close()
	})
	return g.shutErr
}

// Info describes the store.
func (g *Graph) Info() Info {
	return Info{Generation: g.gen.Name(), Format: g.meta.Format, Digest: g.meta.Digest.String()}
}

// Size is how many bytes the store needs. A database counts them, which takes a while.
func (g *Graph) Size() (int64, error) { return g.gen.Size() }

// Episodes returns the set that the graph is made from, sorted by id.
func (g *Graph) Episodes() ([]Entry, error) { return entries(g.ctx, g.t) }

// Totals returns the figures of the graph, which are kept and only counted where
// a view hides edges.
func (g *Graph) Totals() (causal.Totals, error) {
	tt := g.meta.Totals
	out := causal.Totals{Episodes: tt.Episodes, Copies: tt.Copies, Isolated: tt.Isolated, Shared: tt.Shared,
		Evidence: tt.Evidence, Outcomes: tt.Outcomes, Decisions: tt.Decisions}
	out.Nodes, out.Edges = positive(nodeTypes[:], tt.Nodes[:]), positive(linkTypes[:], tt.Edges[:])
	if g.view != (View{}) {
		return g.seenTotals(out)
	}
	return out, nil
}

// positive makes a map of what there is any of.
func positive[K comparable](keys []K, counts []int) map[K]int {
	m := map[K]int{}
	for i, n := range counts {
		if n != 0 {
			m[keys[i]] = n
		}
	}
	return m
}

func makeNode(id nodeID, rec *nodeRecord) causal.Node {
	n := causal.Node{ID: id.String(), Type: nodeTypes[rec.Type], Key: rec.Key, Label: rec.Label.Text, Frequency: rec.Frequency}
	for i, c := range rec.Tally {
		n.Tally.Add(outcomes[i], c)
	}
	return n
}

// Node returns the node with an id, or false.
func (g *Graph) Node(id string) (causal.Node, bool, error) {
	nid, ok := parseNode(id)
	if !ok {
		return causal.Node{}, false, nil
	}
	rec, err := g.node(nid)
	if err != nil || rec == nil {
		return causal.Node{}, false, err
	}
	return makeNode(nid, rec), true, nil
}

// node reads a node, or returns nil.
func (g *Graph) node(id nodeID) (*nodeRecord, error) {
	rec, err := readNode(g.ctx, g.t, id)
	if err == nil && rec != nil {
		g.mu.Lock()
		g.counts[id] = rec.Frequency
		g.mu.Unlock()
	}
	return rec, err
}

// Nodes yields every node, by id.
func (g *Graph) Nodes(yield func(causal.Node) error) error {
	return g.t.scan(g.ctx, []byte(keyNode), func(k, v []byte) error {
		var rec nodeRecord
		if err := decode(k, v, &rec); err != nil {
			return err
		}
		if len(k) != len(keyNode)+len(nodeID{}) || int(rec.Type) >= len(nodeTypes) {
			return badKey(k, "not a node")
		}
		return yield(makeNode(nodeID(k[len(keyNode):]), &rec))
	})
}

// Out returns the edges that leave a node, by target and type.
func (g *Graph) Out(id string) ([]causal.Edge, error) {
	source, ok := parseNode(id)
	if !ok {
		return nil, nil
	}
	var out []causal.Edge
	err := g.t.scan(g.ctx, append([]byte(keyOut), source[:]...), func(k, v []byte) error {
		e, ok := outEdge(k)
		if !ok {
			return badKey(k, "not an edge")
		}
		s, err := decodeSupport(k, v)
		out = append(out, e.between(id, e.target.String(), s, 0))
		return err
	})
	if err != nil || len(out) == 0 {
		return nil, err
	}
	n, err := g.frequency(source)
	for i := range out {
		out[i].SourceCount = n
	}
	return g.view.seen(out), err
}

// frequency looks up the source of an edge.
func (g *Graph) frequency(id nodeID) (int, error) {
	g.mu.Lock()
	n, ok := g.counts[id]
	g.mu.Unlock()
	if ok {
		return n, nil
	}
	rec, err := g.node(id)
	if err == nil && rec == nil {
		err = badKey(id.key(), "missing")
	}
	if err != nil {
		return 0, err
	}
	return rec.Frequency, nil
}

// Edges yields every edge in view, by source, target and type.
func (g *Graph) Edges(yield func(causal.Edge) error) error {
	var source nodeID
	count := 0 // episodes with the source
	return g.t.scan(g.ctx, []byte(keyOut), func(k, v []byte) error {
		e, ok := outEdge(k)
		if !ok {
			return badKey(k, "not an edge")
		}
		sup, err := decodeSupport(k, v)
		if err != nil {
			return err
		}
		if e.source != source || count == 0 {
			rec, err := readNode(g.ctx, g.t, e.source)
			if err != nil {
				return err
			}
			if rec == nil {
				return badKey(e.source.key(), "missing")
			}
			source, count = e.source, rec.Frequency
		}
		if edge := e.edge(sup, count); !g.view.hides(edge) {
			return yield(edge)
		}
		return nil
	})
}

// edge is an edge as package causal has it.
func (e edgeID) edge(s causal.Support, sourceCount int) causal.Edge {
	return e.between(e.source.String(), e.target.String(), s, sourceCount)
}

// between is edge where the texts of its ends are known.
func (e edgeID) between(source, target string, s causal.Support, sourceCount int) causal.Edge {
	return causal.Edge{Source: source, Target: target, Type: linkTypes[e.typ], Support: s, SourceCount: sourceCount}
}

// In returns the edges that enter a node, by source and type.
func (g *Graph) In(id string) ([]causal.Edge, error) {
	target, ok := parseNode(id)
	if !ok {
		return nil, nil
	}
	var found []edgeID
	var out []causal.Edge
	err := g.t.scan(g.ctx, append([]byte(keyIn), target[:]...), func(k, v []byte) error {
		e, ok := inEdge(k)
		if !ok {
			return badKey(k, "not an edge")
		}
		var s causal.Support
		var carried int
		err := decodeCounts(k, v, &s.Explicit, &s.Implied, &carried)
		found, out = append(found, e), append(out, e.between(e.source.String(), id, s, carried))
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, e := range found {
		if out[i].SourceCount > 0 {
			continue
		}
		if out[i].SourceCount, err = g.frequency(e.source); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b causal.Edge) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Type, b.Type))
	})
	return g.view.seen(out), nil
}

// WithWord returns the ids of the nodes whose label has a word, as keys.Words
// gives it, sorted.
func (g *Graph) WithWord(word string) ([]string, error) {
	if strings.ContainsRune(word, 0) {
		return nil, nil // no word has one
	}
	var out []string
	prefix := withWord(cutWord(word))
	err := g.t.scan(g.ctx, prefix, func(k, _ []byte) error {
		if len(k) != len(prefix)+len(nodeID{}) {
			return badKey(k, "not a node")
		}
		out = append(out, nodeID(k[len(prefix):]).String())
		return nil
	})
	return out, err
}

// Uses yields every decision of the episodes that count, by decision point, episode and
// record.
func (g *Graph) Uses(yield func(causal.Use) error) error {
	copies, err := g.Copies()
	if err != nil {
		return err
	}
	all := make([]*causal.Use, 0, g.meta.Totals.Decisions)
	err = g.t.scan(g.ctx, []byte(keyUses), func(k, v []byte) error {
		if copies[string(k[len(keyUses):])] != "" {
			return nil
		}
		uses, err := decodeUses(k, v)
		for i := range uses {
			all = append(all, &uses[i])
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b *causal.Use) int {
		return cmp.Or(strings.Compare(a.Point, b.Point), strings.Compare(a.Episode, b.Episode), strings.Compare(a.Record, b.Record))
	})
	for _, u := range all {
		if err := yield(*u); err != nil {
			return err
		}
	}
	return nil
}
