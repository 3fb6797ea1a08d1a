package graph

import (
	"slices"

	"episodes/keys"
)

// Nodes are found by the words of their labels: there is an empty record for each
// word and node.

// withWord is the prefix of the records of a word. No word holds a zero byte.
func withWord(word string) []byte { return append(append([]byte(keyWord), word...), 0) }

// wordsOf are the search tokens of a label, as keys have them.
func wordsOf(label string) []string {
	words := keys.Words(label)
	for i, w := range words {
		words[i] = cutWord(w)
	}
	return words
}

// reindex finds a node under the words that its label now has and had not before,
// and no longer under those that it has lost.
func (b *batch) reindex(id nodeID, was, is string) {
	if was == is {
		return
	}
	before, now := wordsOf(was), wordsOf(is)
	for _, w := range now {
		if !slices.Contains(before, w) {
			b.put(append(withWord(w), id[:]...), []byte{})
		}
	}
	for _, w := range before {
		if !slices.Contains(now, w) {
			b.del(append(withWord(w), id[:]...))
		}
	}
}
