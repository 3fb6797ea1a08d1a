package rules

import (
	"slices"

	"episodes/keys"
)

// wordTable gives the stems of a log's words numbers, in the order in which they
// are met, and keeps those of each text.
type wordTable struct {
	tokens map[string]int32   // a literal token → the number of its stem, or noWord
	stems  map[string]int32   // stem → its number
	texts  map[string][]int32 // text → its numbers: distinct, sorted
}

const noWord = -1

func newWordTable() *wordTable {
	return &wordTable{tokens: map[string]int32{}, stems: map[string]int32{}, texts: map[string][]int32{}}
}

// of are the numbers of a text's words.
func (t *wordTable) of(s string) []int32 {
	if s == "" {
		return nil
	}
	if known, ok := t.texts[s]; ok {
		return known
	}
	var found []int32
	keys.EachToken(s, func(s string) {
		if w := t.one(s); w != noWord {
			found = append(found, w)
		}
	})
	slices.Sort(found)
	found = slices.Compact(found)
	t.texts[s] = found
	return found
}

// one is the number of a single token's stem, or noWord.
func (t *wordTable) one(s string) int32 {
	if known, ok := t.tokens[s]; ok {
		return known
	}
	n := int32(noWord)
	if stem := keys.Word(s); stem != "" {
		var ok bool
		if n, ok = t.stems[stem]; !ok {
			n = int32(len(t.stems))
			t.stems[stem] = n
		}
	}
	t.tokens[s] = n
	return n
}
