package graph

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
)

// nodeSum is what is known of a node before its record is written.
type nodeSum struct {
	id        nodeID
	typ       byte
	many      bool // it has too many wordings for its record
	frequency int
	degree    int
}

// looseEdge is one statement; edgeSum is all that state one edge.
type looseEdge struct {
	edgeID
	explicit bool
}

type edgeSum struct {
	edgeID
	explicit, implied int
}

// addShares adds what an episode says of each of its nodes: type, outcome, key and
// wordings.
func (l *loader) addShares(s *saying) error {
	var v []byte
	for i, sh := range s.rec.shares() {
		v = append(v[:0], s.kinds[i].typ, sh.outcome)
		v = appendBytes(v, s.kinds[i].key)
		for _, w := range sh.wordings {
			v = appendBytes(v, w)
		}
		id := s.rec.node(i)
		if err := l.shares.add(id[:], v); err != nil {
			return err
		}
	}
	return nil
}

// sumEdges adds the statements up.
func (l *loader) sumEdges() {
	slices.SortFunc(l.edges, func(a, b looseEdge) int { return compareEdges(a.edgeID, b.edgeID) })
	for _, e := range l.edges {
		n := len(l.sums)
		if n == 0 || l.sums[n-1].edgeID != e.edgeID {
			l.sums = append(l.sums, edgeSum{edgeID: e.edgeID})
			l.meta.Totals.Edges[e.typ]++
			n++
		}
		l.sums[n-1].explicit += count(e.explicit)
		l.sums[n-1].implied += count(!e.explicit)
	}
	l.edges = nil
}

// sumNodes counts how many episodes and edges touch each node.
func (l *loader) sumNodes() error {
	err := l.shares.each(func(key []byte, values [][]byte) error {
		l.nodes = append(l.nodes, nodeSum{id: nodeID(key), typ: values[0][0], frequency: len(values)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range l.sums {
		l.node(e.source).degree++
		l.node(e.target).degree++
	}
	tt := &l.meta.Totals
	for i := range l.nodes {
		n := &l.nodes[i]
		tt.Nodes[n.typ]++
		tt.Shared += count(n.frequency >= 2)
		tt.Isolated += count(n.degree == 0)
	}
	return nil
}

// place is the index of a node, which must be there.
func (l *loader) place(id nodeID) int {
	i, _ := slices.BinarySearchFunc(l.nodes, id, func(n nodeSum, id nodeID) int { return compareNodes(n.id, id) })
	return i
}

func (l *loader) node(id nodeID) *nodeSum { return &l.nodes[l.place(id)] }

func (l *loader) putEdgesOut(ctx context.Context) error {
	for _, e := range l.sums {
		if err := l.put(ctx, e.out(), encodeCounts(e.explicit, e.implied)); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) putEdgesIn(ctx context.Context) error {
	in := slices.SortedFunc(slices.Values(l.sums), func(a, b edgeSum) int {
		return cmp.Or(compareNodes(a.target, b.target), cmp.Compare(a.typ, b.typ), compareNodes(a.source, b.source))
	})
	for _, e := range in {
		n := l.node(e.source)
		if err := l.put(ctx, e.in(), encodeCounts(e.explicit, e.implied, carriedBy(n.degree, n.frequency))); err != nil {
			return err
		}
	}
	return nil
}

// putNodes writes the nodes, and puts them under the words of their labels.
func (l *loader) putNodes(ctx context.Context) error {
	i := 0
	return l.shares.each(func(key []byte, values [][]byte) error {
		n := &l.nodes[i]
		i++
		rec, all := nodeOf(n, values)
		n.many = rec.Labels.Many > 0
		label := best(all).Text
		for _, w := range wordsOf(label) {
			l.words.add(w, key)
		}
		return l.put(ctx, n.id.key(), encode(&rec))
	})
}

// putWords writes which nodes have a word, and then the wordings of nodes that
// have many.
func (l *loader) putWords(ctx context.Context) error {
	if err := l.putLists(ctx, keyWord, l.words, len(nodeID{})); err != nil {
		return err
	}
	l.words = nil
	i := 0
	err := l.shares.each(func(key []byte, values [][]byte) error {
		n := &l.nodes[i]
		i++
		if !n.many {
			return nil
		}
		_, all := nodeOf(n, values)
		return l.putWordings(ctx, append([]byte(keyLabel), key...), all)
	})
	l.shares.close()
	return err
}

// nodeOf makes a node of what the episodes say of it, and lists its wordings.
func nodeOf(n *nodeSum, values [][]byte) (rec nodeRecord, all []wording) {
	rec = nodeRecord{Type: n.typ, Frequency: n.frequency, Degree: n.degree}
	lists := make([][]byte, len(values))
	for i, v := range values {
		rec.Tally[v[1]]++
		var key []byte
		if key, lists[i] = cutBytes(v[2:]); i == 0 {
			rec.Key = string(key)
		}
	}
	all = countTexts(lists)
	if len(all) > fewLabels {
		rec.Labels.Many, rec.Label = len(all), best(all)
	} else {
		rec.Labels.Few = all
	}
	return rec, all
}

// countTexts counts in how many lists each text is, and sorts them. No list has a
// text twice.
func countTexts(lists [][]byte) []wording {
	var all []wording
	at := map[string]int{}
	for _, list := range lists {
		for len(list) > 0 {
			var text []byte
			text, list = cutBytes(list)
			if i, ok := at[string(text)]; ok {
				all[i].Count++
				continue
			}
			w := wording{Text: string(text), Count: 1}
			if len(lists) > 1 {
				at[w.Text] = len(all)
			}
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b wording) int { return strings.Compare(a.Text, b.Text) })
	return all
}

// putWordings writes wordings that have records of their own.
func (l *loader) putWordings(ctx context.Context, prefix []byte, all []wording) error {
	type record struct{ key, value []byte }
	recs := make([]record, len(all))
	for i := range all {
		recs[i] = record{wordingKey(prefix, all[i].Text), encode(&all[i])}
	}
	slices.SortFunc(recs, func(a, b record) int { return bytes.Compare(a.key, b.key) })
	for _, r := range recs {
		if err := l.put(ctx, r.key, r.value); err != nil {
			return err
		}
	}
	return nil
}
