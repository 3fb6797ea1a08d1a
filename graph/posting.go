package graph

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// words are the words of a label; nothing has no label.
func (b *batch) words(label string) []string {
	if label == "" {
		return nil
	}
	return wordsOf(label)
}

// relabel posts a node under the words that it has now and had not before, and
// takes it from those that it has no more.
func (b *batch) relabel(id nodeID, was, is []string) {
	for _, w := range missing(is, was) {
		b.posted[keyWord+w] = append(b.posted[keyWord+w], id[:]...)
	}
	for _, w := range missing(was, is) {
		b.fallen[keyWord+w] = append(b.fallen[keyWord+w], id[:]...)
	}
}

// missing returns what is in a and not in b.
func missing(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	has := make(map[string]bool, len(b))
	for _, s := range b {
		has[s] = true
	}
	var out []string
	for _, s := range a {
		if !has[s] {
			out = append(out, s)
		}
	}
	return out
}

// planPoints adds up the decision points.
func (b *batch) planPoints() error {
	ids := sortedKeys(b.d.points, comparePoints)
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = id.key()
	}
	vals, err := b.values(keys)
	if err != nil {
		return err
	}
	for i, id := range ids {
		d := b.d.points[id]
		rec := &pointRecord{Point: d.point}
		if vals[i] != nil {
			if err := decode(keys[i], vals[i], rec); err != nil {
				return err
			}
		}
		rec.Uses += d.uses
		_, err := b.addWordings(append([]byte(keyPointCount), id[:]...), fewWords, &rec.Words, d.words, func(w string, was, is int) {
			switch {
			case was == 0:
				b.posted[keyPointWord+w] = append(b.posted[keyPointWord+w], id[:]...)
			case is == 0:
				b.fallen[keyPointWord+w] = append(b.fallen[keyPointWord+w], id[:]...)
			}
		})
		if err != nil {
			return err
		}
		switch {
		case rec.Uses < 0:
			return badKey(keys[i], "fewer uses than said so")
		case rec.Uses == 0:
			b.del(keys[i])
		default:
			b.put(keys[i], encode(rec))
		}
	}
	return nil
}

// planPostings writes one list for each word that gained ids, and rewrites the
// lists of words that lost some.
func (b *batch) planPostings() error {
	for word, ids := range b.posted {
		b.put(postingKey(word[:len(keyWord)], word[len(keyWord):], b.meta.Batch), ids)
	}
	for word, gone := range b.fallen {
		size := len(nodeID{})
		if strings.HasPrefix(word, keyPointWord) {
			size = len(pointID{})
		}
		left := map[string]bool{}
		for id := range slices.Chunk(gone, size) {
			left[string(id)] = true
		}
		err := b.t.scan(b.ctx, postings(word[:len(keyWord)], word[len(keyWord):]), func(k, v []byte) error {
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
		if err != nil {
			return err
		}
		if len(left) > 0 {
			return badKey([]byte(word), fmt.Sprintf("%d missing", len(left)))
		}
	}
	return nil
}

// planShards adds up the digests of the parts of the set.
func (b *batch) planShards() error {
	for shard, d := range b.d.shards {
		key := shardKey(shard)
		v, err := b.t.get(b.ctx, key)
		if err != nil {
			return err
		}
		var rec shardRecord
		if v != nil {
			if err := decode(key, v, &rec); err != nil {
				return err
			}
		}
		rec.Count += d.Count
		rec.Sum = rec.Sum.plus(d.Sum)
		if rec.Count == 0 {
			b.del(key)
		} else {
			b.put(key, encode(&rec))
		}
	}
	return nil
}
