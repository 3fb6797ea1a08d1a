package graph

import (
	"context"
	"slices"
	"strings"
)

// entryKey is where the store remembers which version of a file it holds: its hash.
func entryKey(id string) []byte { return append([]byte(keyEntry), id...) }

func compareEntries(a, b Entry) int { return strings.Compare(a.ID, b.ID) }

// entries reads the set that the store holds, sorted by id.
func entries(ctx context.Context, t *transaction) ([]Entry, error) {
	var out []Entry
	err := t.scan(ctx, []byte(keyEntry), func(k, v []byte) error {
		out = append(out, Entry{string(k[len(keyEntry):]), string(v)})
		return nil
	})
	return out, err
}

// difference is what would bring the stored set to the wanted one.
type difference struct {
	add, change, remove []Entry // change: with the new hash; remove: with the old one
	same                int
}

// differ compares the stored set, whose digest is known, with want, which must be
// sorted and without repeats.
func differ(ctx context.Context, t *transaction, stored digest, want []Entry) (difference, error) {
	if stored == digestOfAll(want) {
		return difference{same: len(want)}, nil
	}
	old, err := entries(ctx, t)
	var d difference
	d.compare(old, want)
	return d, err
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

// changes lists what the difference asks for, by id.
func (d *difference) changes() []change {
	var out []change
	for _, e := range d.add {
		out = append(out, change{entry: e, wanted: true})
	}
	for _, e := range d.change {
		out = append(out, change{entry: e, wanted: true, stored: true})
	}
	for _, e := range d.remove {
		out = append(out, change{entry: e, stored: true})
	}
	slices.SortFunc(out, func(a, b change) int { return compareEntries(a.entry, b.entry) })
	return out
}
