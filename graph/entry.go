package graph

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strings"
)

// The store remembers which version of which file it holds, in 256 parts by a
// hash of the id, each with a digest. So a set of 100 000 files that differs in
// one is told from the stored one by reading the digests and one part.

// shardRecord sums up one part of the set.
type shardRecord struct {
	_     struct{} `cbor:",toarray"`
	Count int
	Sum   digest
}

func shardOf(id string) byte {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	s := h.Sum32()
	return byte(s ^ s>>8 ^ s>>16 ^ s>>24)
}

func shardKey(shard byte) []byte { return append([]byte(keyShard), shard) }

func entryKey(id string) []byte {
	return append(append([]byte(keyEntry), shardOf(id)), id...)
}

// encodeHash packs a SHA-256 in hex; any other text is kept as it is.
func encodeHash(hash string) []byte {
	if raw, err := hex.DecodeString(hash); err == nil && len(raw) == 32 && strings.ToLower(hash) == hash {
		return append([]byte{1}, raw...)
	}
	return append([]byte{0}, hash...)
}

func decodeHash(key, v []byte) (string, error) {
	switch {
	case len(v) == 33 && v[0] == 1:
		return hex.EncodeToString(v[1:]), nil
	case len(v) > 0 && v[0] == 0:
		return string(v[1:]), nil
	}
	return "", badKey(key, "no hash")
}

func compareEntries(a, b Entry) int { return strings.Compare(a.ID, b.ID) }

// entries reads the entries of one part, or of all parts, sorted by id.
func entries(ctx context.Context, t *transaction, part ...byte) ([]Entry, error) {
	var out []Entry
	err := t.scan(ctx, append([]byte(keyEntry), part...), func(k, v []byte) error {
		if len(k) < len(keyEntry)+1 {
			return badKey(k, "no id")
		}
		hash, err := decodeHash(k, v)
		if err != nil {
			return err
		}
		out = append(out, Entry{string(k[len(keyEntry)+1:]), hash})
		return nil
	})
	slices.SortFunc(out, compareEntries)
	return out, err
}

// difference is what would bring the stored set to the wanted one.
type difference struct {
	add, change, remove []Entry // change: with the new hash; remove: with the old one
	same                int
}

// differ compares the stored set with want, which must be sorted and without
// repeats.
func differ(ctx context.Context, t *transaction, want []Entry) (difference, error) {
	var parts [256]struct {
		entries []Entry
		sum     digest
	}
	for _, e := range want {
		p := &parts[shardOf(e.ID)]
		p.entries = append(p.entries, e)
		p.sum = p.sum.plus(digestOf(e))
	}
	have := map[byte]shardRecord{}
	err := t.scan(ctx, []byte(keyShard), func(k, v []byte) error {
		var rec shardRecord
		if len(k) != len(keyShard)+1 {
			return badKey(k, "no part")
		}
		err := decode(k, v, &rec)
		have[k[len(keyShard)]] = rec
		return err
	})
	var d difference
	for i := range parts {
		if err != nil {
			break
		}
		p, shard := &parts[i], byte(i)
		if h := have[shard]; h.Count == len(p.entries) && h.Sum == p.sum {
			d.same += h.Count
			continue
		}
		var old []Entry
		if old, err = entries(ctx, t, shard); err == nil {
			d.compare(old, p.entries)
		}
	}
	d.sort()
	return d, err
}

// differAt is differ for the ids in only, which is sorted like want, and no others.
func differAt(ctx context.Context, t *transaction, want []Entry, only []string) (d difference, err error) {
	var old []Entry
	for _, id := range only {
		key := entryKey(id)
		v, err := t.get(ctx, key)
		if err != nil {
			return d, err
		}
		if v == nil {
			continue
		}
		hash, err := decodeHash(key, v)
		if err != nil {
			return d, err
		}
		old = append(old, Entry{id, hash})
	}
	d.compare(old, want)
	return d, nil
}

// compare adds the difference of two sorted lists.
func (d *difference) compare(old, want []Entry) {
	for len(old) > 0 || len(want) > 0 {
		switch {
		case len(want) == 0 || len(old) > 0 && old[0].ID < want[0].ID:
			d.remove = append(d.remove, old[0])
			old = old[1:]
		case len(old) == 0 || want[0].ID < old[0].ID:
			d.add = append(d.add, want[0])
			want = want[1:]
		default:
			if old[0].Hash == want[0].Hash {
				d.same++
			} else {
				d.change = append(d.change, want[0])
			}
			old, want = old[1:], want[1:]
		}
	}
}

func (d *difference) sort() {
	for _, l := range [][]Entry{d.add, d.change, d.remove} {
		slices.SortFunc(l, compareEntries)
	}
}
