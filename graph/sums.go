package graph

import (
	"episodes/causal"
)

// loadNodes reads every node that may change: those mentioned and the ends of edges.
func (b *batch) loadNodes() error {
	for e := range b.d.edges {
		b.d.node(e.source)
		b.d.node(e.target)
	}
	ids := sortedKeys(b.d.nodes, compareNodes)
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = id.key()
	}
	vals, err := b.values(keys)
	if err != nil {
		return err
	}
	b.nodes = make(map[nodeID]*nodeRecord, len(ids))
	for i, v := range vals {
		if v == nil {
			continue
		}
		rec := &nodeRecord{}
		if err := decode(keys[i], v, rec); err != nil {
			return err
		}
		b.nodes[ids[i]] = rec
		b.carried[ids[i]] = rec.carried()
	}
	return nil
}

// planEdges adds up the support of edges and finds which are new or gone.
func (b *batch) planEdges() error {
	var keys [][]byte
	var old []edgeID // edges that may exist already
	edges := sortedKeys(b.d.edges, compareEdges)
	for _, e := range edges {
		if b.nodes[e.source] != nil && b.nodes[e.target] != nil {
			old = append(old, e)
			keys = append(keys, e.out())
		}
	}
	vals, err := b.values(keys)
	if err != nil {
		return err
	}
	had := make(map[edgeID]causal.Support, len(old))
	for i, v := range vals {
		if v == nil {
			continue
		}
		if had[old[i]], err = decodeSupport(keys[i], v); err != nil {
			return err
		}
	}
	for _, e := range edges {
		was, d := had[e], b.d.edges[e]
		is := causal.Support{Explicit: was.Explicit + d.Explicit, Implied: was.Implied + d.Implied}
		if is == was {
			continue
		}
		if is.Explicit < 0 || is.Implied < 0 {
			return badKey(e.out(), "fewer episodes support it than did")
		}
		change := 0
		switch {
		case was.Count() == 0:
			change = +1
		case is.Count() == 0:
			change = -1
		}
		b.meta.Totals.Edges[e.typ] += change
		b.d.nodes[e.source].degree += change
		b.d.nodes[e.target].degree += change
		b.changed.edges[e] += change
		b.edges[e] = is
		if is.Count() == 0 {
			b.del(e.out())
		} else {
			b.put(e.out(), encodeCounts(is.Explicit, is.Implied))
		}
	}
	return nil
}

// planNodes adds up the nodes.
func (b *batch) planNodes() error {
	tt := &b.meta.Totals
	for _, id := range sortedKeys(b.d.nodes, compareNodes) {
		d := b.d.nodes[id]
		if d.idle() {
			continue
		}
		was := nodeRecord{}
		if rec := b.nodes[id]; rec != nil {
			was = *rec
		}
		isNew := b.nodes[id] == nil
		is := was
		if isNew {
			is = nodeRecord{Type: d.typ, Key: d.key}
		}
		is.Frequency += d.frequency
		is.Degree += d.degree
		for i, n := range d.tally {
			is.Tally[i] += n
		}
		if err := b.relabel(id, &is, isNew, d.labels); err != nil {
			return err
		}
		if is.Frequency < 0 || is.Degree < 0 || is.Frequency == 0 && is.Degree > 0 {
			return badKey(id.key(), "its counts contradict each other")
		}
		gone := is.Frequency == 0
		tt.Shared += count(is.Frequency >= 2) - count(was.Frequency >= 2)
		tt.Isolated += count(!gone && is.Degree == 0) - count(!isNew && was.Degree == 0)
		tt.Nodes[is.Type] += count(!gone) - count(!isNew)
		b.changed.nodes[id] += count(!gone) - count(!isNew)
		if carries := is.carried(); carries != b.carried[id] {
			b.carried[id] = carries
			if was.Degree > 0 && !gone {
				b.recarry = append(b.recarry, id)
			}
		}
		b.reindex(id, was.Label.Text, is.Label.Text)
		if gone {
			b.del(id.key())
		} else {
			b.put(id.key(), encode(&is))
		}
	}
	return nil
}

// idle reports whether nothing of a node changes.
func (d *nodeDelta) idle() bool {
	if d.frequency != 0 || d.degree != 0 || d.tally != [len(outcomes)]int{} {
		return false
	}
	for _, n := range d.labels {
		if n != 0 {
			return false
		}
	}
	return true
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
