package graph

import (
	"cmp"
	"crypto/sha256"
	"strings"
)

// A node is shown by the label that most episodes use for it. How many use each is
// counted in records of their own, since there can be thousands of labels for one
// node; the node's own record holds the best one.

// label is a label of a node, and how many episodes use it.
type label struct {
	_     struct{} `cbor:",toarray"`
	Text  string
	Count int
}

// better reports whether l is better to show than m: commoner, else shorter, else
// first by bytes.
func (l label) better(m label) bool {
	return cmp.Or(cmp.Compare(m.Count, l.Count), cmp.Compare(len(l.Text), len(m.Text)), strings.Compare(l.Text, m.Text)) < 0
}

// labelsOf is the prefix of the labels of a node.
func labelsOf(id nodeID) []byte { return append([]byte(keyLabel), id[:]...) }

// labelKey is where a label of a node is counted.
func labelKey(id nodeID, text string) []byte {
	h := sha256.Sum256([]byte(text))
	return append(labelsOf(id), h[:8]...)
}

// relabel adds counts to the labels of a node and sets the best. It reads all
// labels only when the one that is shown loses.
func (b *batch) relabel(id nodeID, rec *nodeRecord, isNew bool, counts map[string]int) error {
	best, lost := rec.Label, false
	changed := map[string]label{} // by key
	for text, n := range counts {
		if n == 0 {
			continue
		}
		key := labelKey(id, text)
		l := label{Text: text}
		if !isNew {
			v, err := b.t.get(b.ctx, key)
			if err == nil && v != nil {
				err = decode(key, v, &l)
			}
			if err != nil {
				return err
			}
		}
		if l.Count += n; l.Count < 0 {
			return badKey(key, "fewer episodes use the label than did")
		}
		changed[string(key)] = l
		if l.Count == 0 {
			b.del(key)
		} else {
			b.put(key, encode(&l))
		}
		lost = lost || n < 0 && text == rec.Label.Text
		if text == best.Text || l.Count > 0 && (best.Count == 0 || l.better(best)) {
			best = l
		}
	}
	if lost {
		var err error
		if best, err = b.bestLabel(id, changed); err != nil {
			return err
		}
	}
	rec.Label = best
	return nil
}

// bestLabel reads all labels of a node, but for those that change in this batch,
// and returns the best of all.
func (b *batch) bestLabel(id nodeID, changed map[string]label) (best label, err error) {
	consider := func(l label) {
		if l.Count > 0 && (best.Count == 0 || l.better(best)) {
			best = l
		}
	}
	err = b.t.scan(b.ctx, labelsOf(id), func(k, v []byte) error {
		if _, ok := changed[string(k)]; ok {
			return nil
		}
		var l label
		err := decode(k, v, &l)
		consider(l)
		return err
	})
	for _, l := range changed {
		consider(l)
	}
	return best, err
}
