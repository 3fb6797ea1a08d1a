package graph

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
)

// wording is a text, and how many say it.
type wording struct {
	_     struct{} `cbor:",toarray"`
	Text  string
	Count int
}

// better reports whether w is a better label than v: commoner, else shorter, else
// first by bytes.
func (w wording) better(v wording) bool {
	return cmp.Or(cmp.Compare(v.Count, w.Count), cmp.Compare(len(w.Text), len(v.Text)), strings.Compare(w.Text, v.Text)) < 0
}

func best(ws []wording) (b wording) {
	for i, w := range ws {
		if i == 0 || w.better(b) {
			b = w
		}
	}
	return b
}

// wordings are the texts of one thing. A few stand in its own record. When they
// are more than that each has a record of its own: a thing that thousands of
// episodes word differently would otherwise be rewritten, all of it, with each.
type wordings struct {
	_    struct{}  `cbor:",toarray"`
	Few  []wording // by text
	Many int       // how many have records of their own; then Few is empty
}

// How many wordings are few.
const (
	fewLabels = 8   // of a node
	fewWords  = 512 // of a decision point
)

// addCounts adds counts to wordings, which it returns sorted, and drops those
// that come to zero.
func addCounts(key []byte, have []wording, d map[string]int) ([]wording, error) {
	out := make([]wording, 0, len(have)+len(d))
	seen := make(map[string]bool, len(have))
	for _, w := range have {
		seen[w.Text] = true
		w.Count += d[w.Text]
		out = append(out, w)
	}
	for text, n := range d {
		if !seen[text] {
			out = append(out, wording{Text: text, Count: n})
		}
	}
	out = slices.DeleteFunc(out, func(w wording) bool { return w.Count == 0 })
	for _, w := range out {
		if w.Count < 0 {
			return nil, badKey(key, "fewer say a wording than said so")
		}
	}
	slices.SortFunc(out, func(a, b wording) int { return strings.Compare(a.Text, b.Text) })
	return out, nil
}

// wordingKey is where a wording has its record; prefix names whose it is.
func wordingKey(prefix []byte, text string) []byte {
	h := sha256.Sum256([]byte(text))
	return append(slices.Clip(prefix), h[:8]...)
}

// addWordings adds counts to the wordings of the thing with a prefix, of which few
// stand in its own record, and tells changed of each that changes. It returns all
// of them when it has them at hand, else nil.
func (b *batch) addWordings(prefix []byte, few int, ws *wordings, d map[string]int, changed func(text string, was, is int)) ([]wording, error) {
	if ws.Many > 0 {
		return b.addToMany(prefix, few, ws, d, changed)
	}
	before := make(map[string]int, len(ws.Few))
	for _, w := range ws.Few {
		before[w.Text] = w.Count
	}
	all, err := addCounts(prefix, ws.Few, d)
	if err != nil {
		return nil, err
	}
	for text, n := range d {
		if n != 0 {
			changed(text, before[text], before[text]+n)
		}
	}
	ws.Few = all
	if len(all) > few {
		for _, w := range all {
			b.put(wordingKey(prefix, w.Text), encode(&w))
		}
		ws.Few, ws.Many = nil, len(all)
	}
	return all, nil
}

func (b *batch) addToMany(prefix []byte, few int, ws *wordings, d map[string]int, changed func(text string, was, is int)) ([]wording, error) {
	for text, n := range d {
		if n == 0 {
			continue
		}
		key := wordingKey(prefix, text)
		v, err := b.t.get(b.ctx, key)
		if err != nil {
			return nil, err
		}
		w := wording{Text: text}
		if v != nil {
			if err := decode(key, v, &w); err != nil {
				return nil, err
			}
		}
		was := w.Count
		w.Count += n
		if w.Count < 0 {
			return nil, badKey(key, "fewer say it than said so")
		}
		ws.Many += count(w.Count > 0) - count(was > 0)
		if w.Count == 0 {
			b.del(key)
		} else {
			b.put(key, encode(&w))
		}
		changed(text, was, w.Count)
	}
	if ws.Many > few {
		return nil, nil
	}
	all, err := b.allWordings(prefix, d)
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		b.del(wordingKey(prefix, w.Text))
	}
	ws.Few, ws.Many = all, 0
	return all, nil
}

// allWordings reads the wordings that have records of their own, and adds d,
// which is not written yet.
func (b *batch) allWordings(prefix []byte, d map[string]int) ([]wording, error) {
	var have []wording
	err := b.t.scan(b.ctx, prefix, func(k, v []byte) error {
		var w wording
		if err := decode(k, v, &w); err != nil {
			return err
		}
		have = append(have, w)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return addCounts(prefix, have, d)
}

// label is the text by which a node is shown.
func (rec *nodeRecord) label() string {
	if rec.Labels.Many > 0 {
		return rec.Label.Text
	}
	return best(rec.Labels.Few).Text
}

// reword adds counts to the labels of a node. It reads all of many only when the
// one that is shown lost.
func (b *batch) reword(id nodeID, rec *nodeRecord, d map[string]int) error {
	prefix := append([]byte(keyLabel), id[:]...)
	shown, lost := rec.Label, false
	all, err := b.addWordings(prefix, fewLabels, &rec.Labels, d, func(text string, was, is int) {
		w := wording{Text: text, Count: is}
		if text == rec.Label.Text && is < was {
			lost = true
		}
		if text == shown.Text || w.better(shown) {
			shown = w
		}
	})
	if err == nil && all == nil && lost {
		all, err = b.allWordings(prefix, d)
	}
	switch {
	case err != nil:
		return err
	case rec.Labels.Many == 0:
		rec.Label = wording{}
	case all != nil:
		rec.Label = best(all)
	default:
		rec.Label = shown
	}
	return nil
}
