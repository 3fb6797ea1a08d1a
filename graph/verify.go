package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/memkv"
	"episodes/graph/stores"
)

// Verify compares everything in the store at url with everything else, and
// returns what is wrong, one line for each, none when it is sound: files against
// their checksums; every record against those made again from what the episodes
// say, as stored; Cayley's quads, by its log and by its index, against the same;
// and, when src is given, what is stored of each episode against its file. It
// changes nothing, and takes about as long as a Rebuild.
//
// Errors are those of Open: a store that cannot be opened cannot be verified.
func Verify(ctx context.Context, url string, src Source, opt Options) ([]string, error) {
	store, err := stores.Open(url, Format)
	if err != nil {
		return nil, err
	}
	g, t, err := openToRead(ctx, store, opt)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	defer t.cancel()
	v := &verifier{ctx: ctx, t: t}
	if v.meta, err = readMeta(ctx, t, ours); err != nil {
		return nil, err
	}
	if err := g.Verify(); errors.Is(err, ErrDamaged) {
		v.problem("%v", err)
	} else if err != nil {
		return nil, err
	}
	if v.set, err = entries(ctx, t); err != nil {
		return v.result(err)
	}
	if err := v.records(); err != nil {
		return v.result(err)
	}
	if err := v.quads(); err != nil {
		return v.result(err)
	}
	if src != nil {
		err = v.source(src)
	}
	return v.result(err)
}

type verifier struct {
	ctx   context.Context
	t     *transaction
	meta  metaRecord
	set   []Entry
	found []string
	more  int
}

// maxProblems is how many problems are named; one cause has many effects.
const maxProblems = 200

func (v *verifier) problem(format string, args ...any) {
	if len(v.found) == maxProblems {
		v.more++
		return
	}
	v.found = append(v.found, fmt.Sprintf(format, args...))
}

// result adds what stopped the verification. Damage is what was looked for, so it
// is a problem and not an error.
func (v *verifier) result(err error) ([]string, error) {
	if errors.Is(err, ErrDamaged) {
		v.problem("%v", err)
		err = nil
	}
	if v.more > 0 {
		v.found = append(v.found, fmt.Sprintf("and %d more", v.more))
	}
	return v.found, err
}

// referenceBatch is large, since every commit in memory makes a new list of all
// keys.
const referenceBatch = 4096

// records makes every record again, in a reference copy in memory, and compares.
func (v *verifier) records() error {
	var readable []Entry
	for _, e := range v.set {
		_, _, err := readContribution(v.ctx, v.t, e.ID)
		switch {
		case err == nil:
			readable = append(readable, e)
		case errors.Is(err, ErrDamaged):
			v.problem("episode %q: %v", e.ID, err)
		default:
			return err
		}
	}
	w, err := newWriter(v.ctx, memkv.New(), ours, Options{BatchSize: referenceBatch})
	if err != nil {
		return err
	}
	w.noQuads = true // they are compared on their own
	if err := copyInto(v.ctx, w, v.t, readable); err != nil {
		return err
	}
	if err := w.t.begin(v.ctx, false); err != nil {
		return err
	}
	defer w.t.cancel()

	want := w.meta
	want.Batch, want.Dead = v.meta.Batch, v.meta.Dead // these are about the past
	if !bytes.Equal(encode(&want), encode(&v.meta)) {
		v.problem("the figures of the graph are %+v, counted anew they are %+v", v.meta.Totals, want.Totals)
	}
	for _, kind := range []string{keyEntry, keyEpisode, keyNode, keyLabel, keyOut, keyIn, keyUse, keyWord} {
		if err := v.compare(w.t, kind); err != nil {
			return err
		}
	}
	return nil
}

// compare compares all records of a kind. Those of a word are lists of nodes, which
// depend on the batches of the past, so they are put together first.
func (v *verifier) compare(reference *transaction, kind string) error {
	is, should := v.walk(v.t, kind), v.walk(reference, kind)
	defer is.it.Close()
	defer should.it.Close()
	is.next(v.ctx)
	should.next(v.ctx)
	for is.key != nil || should.key != nil {
		switch c := bytes.Compare(is.key, should.key); {
		case should.key == nil || is.key != nil && c < 0:
			v.problem("record %q: nothing calls for it", is.key)
			is.next(v.ctx)
		case is.key == nil || c > 0:
			v.problem("record %q: missing", should.key)
			should.next(v.ctx)
		default:
			if !bytes.Equal(is.value, should.value) {
				v.problem("record %q: not what the episodes say", is.key)
			}
			is.next(v.ctx)
			should.next(v.ctx)
		}
	}
	return errors.Join(is.it.Err(), should.it.Err())
}

// walker walks the records of a kind.
type walker struct {
	it         flat.Iterator
	lists      bool // of words
	key, value []byte
	ahead      bool // the iterator is at a record that was not taken yet
}

func (v *verifier) walk(t *transaction, kind string) *walker {
	return &walker{it: scanner(t.tx.Scan(v.ctx), []byte(kind)), lists: kind == keyWord}
}

func (w *walker) next(ctx context.Context) {
	w.key, w.value = nil, nil
	for w.ahead || w.it.Next(ctx) {
		w.ahead = false
		k := w.it.Key()
		if w.lists {
			k = k[:max(0, len(k)-4)] // without the number of the batch
		}
		if w.key != nil && !bytes.Equal(w.key, k) {
			w.ahead = true
			break
		}
		w.key = bytes.Clone(k)
		w.value = append(w.value, w.it.Val()...)
		if !w.lists {
			return
		}
	}
	if w.key != nil {
		ids := slices.SortedFunc(slices.Chunk(w.value, len(nodeID{})), bytes.Compare)
		w.value = bytes.Join(ids, nil)
	}
}

// source compares what is stored with the files.
func (v *verifier) source(src Source) error {
	set, err := list(src)
	if err != nil {
		return err
	}
	var d difference
	d.compare(v.set, set)
	for _, e := range d.add {
		v.problem("episode %q: not in the graph", e.ID)
	}
	for _, e := range d.change {
		v.problem("episode %q: the graph holds another version of it", e.ID)
	}
	for _, e := range d.remove {
		v.problem("episode %q: in the graph, but its file is gone", e.ID)
	}
	other := map[string]bool{}
	for _, e := range slices.Concat(d.add, d.change) {
		other[e.ID] = true
	}
	set = slices.DeleteFunc(slices.Clone(set), func(e Entry) bool { return other[e.ID] })
	return loadAll(v.ctx, src, set, func(e Entry, c *contribution, err error) error {
		if err != nil {
			v.problem("episode %q: cannot be loaded: %v", e.ID, err)
			return nil
		}
		value, err := v.t.get(v.ctx, episodeKey(e.ID))
		if err != nil {
			return err
		}
		same := bytes.Equal(value, c.value)
		for _, u := range c.uses {
			value, err := v.t.get(v.ctx, u.key)
			if err != nil {
				return err
			}
			same = same && bytes.Equal(value, u.value)
		}
		if !same {
			v.problem("episode %q: the graph holds something else than the file says", e.ID)
		}
		return nil
	})
}
