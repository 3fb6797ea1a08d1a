package graph

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"episodes/keys"
)

// Nodes are found by the words of their labels. A word has lists of nodes: every
// batch that adds nodes to a word writes one list more, so that a word of thousands
// of nodes is not rewritten with each. All lists of a word together count.

// lists is the prefix of the lists of a word. No word holds a zero byte.
func lists(word string) []byte { return append(append([]byte(keyWord), word...), 0) }

// listKey is where the batch with this number puts its list for a word.
func listKey(word string, batch uint32) []byte {
	return binary.BigEndian.AppendUint32(lists(word), batch)
}

// wordsOf are the search tokens of a label, as keys have them.
func wordsOf(label string) []string {
	words := keys.Words(label)
	for i, w := range words {
		words[i] = cutWord(w)
	}
	return words
}

// reindex lists a node under the words that its label now has and had not before,
// and takes it from those that it no longer has.
func (b *batch) reindex(id nodeID, was, is string) {
	if was == is {
		return
	}
	before, now := wordsOf(was), wordsOf(is)
	for _, w := range without(now, before) {
		b.listed[w] = append(b.listed[w], id[:]...)
	}
	for _, w := range without(before, now) {
		b.unlisted[w] = append(b.unlisted[w], id[:]...)
	}
}

// without returns what is in a and not in b.
func without(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

// planWords writes one list for each word that gained nodes, and rewrites the lists
// of words that lost some.
func (b *batch) planWords() error {
	for word, ids := range b.listed {
		b.put(listKey(word, b.meta.Batch), ids)
	}
	for word, gone := range b.unlisted {
		if err := b.unlist(word, gone); err != nil {
			return err
		}
	}
	return nil
}

// unlist takes nodes from the lists of a word.
func (b *batch) unlist(word string, gone []byte) error {
	const size = len(nodeID{})
	left := map[string]bool{}
	for id := range slices.Chunk(gone, size) {
		left[string(id)] = true
	}
	err := b.t.scan(b.ctx, lists(word), func(k, v []byte) error {
		kept := make([]byte, 0, len(v))
		for id := range slices.Chunk(v, size) {
			if left[string(id)] {
				delete(left, string(id))
			} else {
				kept = append(kept, id...)
			}
		}
		switch {
		case len(kept) == 0:
			b.del(bytes.Clone(k))
		case len(kept) < len(v):
			b.put(bytes.Clone(k), kept)
		}
		return nil
	})
	if err == nil && len(left) > 0 {
		err = badKey(lists(word), fmt.Sprintf("%d nodes missing", len(left)))
	}
	return err
}
