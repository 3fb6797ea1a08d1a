package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/badgerkv"
)

// Verify compares everything in the store at url with everything else, and
// returns what is wrong, one line for each, none when it is sound: files against
// their checksums; every record against those made anew from what the episodes
// say, as stored; Cayley's quads, by its log and by its index, against the same;
// and, when src is given, what is stored of each episode against its file. It
// changes nothing, and takes about as long as a Rebuild.
//
// Errors are those of Open: a store that cannot be opened cannot be verified.
func Verify(ctx context.Context, url string, src Source, opt Options) ([]string, error) {
	p, err := at(url)
	if err != nil {
		return nil, err
	}
	g, t, err := reading(ctx, p, opt)
	if err != nil {
		return nil, err
	}
	defer g.close()
	defer t.cancel()
	v := &verifier{ctx: ctx, t: t}
	if v.meta, err = readMeta(ctx, t, ours); err != nil {
		return nil, err
	}
	if err := g.kv.Verify(); errors.Is(err, ErrDamaged) {
		v.problem("%v", err)
	} else if err != nil {
		return nil, err
	}
	if v.set, err = entries(ctx, t); err != nil {
		return v.result(err)
	}
	if err := v.records(g); err != nil {
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

// records makes every record anew and compares.
func (v *verifier) records(g *generation) error {
	twin, open, err := newTwin(g)
	if err != nil {
		return err
	}
	defer os.RemoveAll(twin.dir)
	defer twin.Cancel()
	l := newLoader(twin, twin.dir, ours)
	defer l.close()
	for i, e := range v.set {
		if i > 0 && e.ID == v.set[i-1].ID {
			v.problem("episode %q: listed twice", e.ID)
			continue
		}
		c, time, err := readContribution(v.ctx, v.t, e.ID)
		if err == nil {
			err = l.add(v.ctx, prepare(c, time, e.Hash))
		} else if errors.Is(err, ErrDamaged) {
			v.problem("episode %q: %v", e.ID, err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	if err := l.finish(v.ctx); err != nil {
		return err
	}
	if err := twin.Close(); err != nil {
		return err
	}
	kv, err := open()
	if err != nil {
		return err
	}
	defer kv.Close()
	t := &transaction{kv: kv}
	if err := t.begin(v.ctx, false); err != nil {
		return err
	}
	defer t.cancel()

	want := l.meta
	want.Batch, want.Dead = v.meta.Batch, v.meta.Dead // these tell of the past
	if !bytes.Equal(encode(&want), encode(&v.meta)) {
		v.problem("the figures of the graph are %+v, counted anew they are %+v", v.meta.Totals, want.Totals)
	}
	for _, kind := range []string{keyShard, keyEntry, keyEpisode, keyNode, keyLabel, keyOut, keyIn, keyPoint, keyPointCount, keyUse} {
		if err := v.compare(t, kind, 0); err != nil {
			return err
		}
	}
	if err := v.compare(t, keyWord, len(nodeID{})); err != nil {
		return err
	}
	return v.compare(t, keyPointWord, len(pointID{}))
}

// newTwin makes an empty generation beside a store, like it, in a folder of its own
// if in any; open opens it when it is whole.
func newTwin(like *generation) (twin *newGeneration, open func() (keyValues, error), err error) {
	if _, inMemory := like.kv.(*sortedMap); inMemory {
		m := newSortedMap()
		return &newGeneration{sink: m}, func() (keyValues, error) { return m, nil }, nil
	}
	dir, err := os.MkdirTemp("", "episodes-verify-")
	if err != nil {
		return nil, nil, err
	}
	f, err := badgerkv.Fill(dir, Format)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, nil, err
	}
	return &newGeneration{dir: dir, sink: f}, func() (keyValues, error) { return badgerkv.Open(dir, Format) }, nil
}

// compare compares all records of a kind. Those of a word are lists of ids, in
// parts that depend on the order of the past, so they are put together first.
func (v *verifier) compare(twin *transaction, kind string, idSize int) error {
	is, should := v.walk(v.t, kind, idSize), v.walk(twin, kind, idSize)
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
	idSize     int // 0: take the records as they are
	key, value []byte
	some       bool // it stands on a record that was not taken yet
}

func (v *verifier) walk(t *transaction, kind string, idSize int) *walker {
	return &walker{it: scanner(t.tx.Scan(v.ctx), []byte(kind)), idSize: idSize}
}

func (w *walker) next(ctx context.Context) {
	w.key, w.value = nil, nil
	for {
		if !w.some && !w.it.Next(ctx) {
			break
		}
		w.some = false
		k := w.it.Key()
		if w.idSize > 0 {
			k = k[:max(0, len(k)-4)] // without the number of the batch
		}
		if w.key != nil && !bytes.Equal(w.key, k) {
			w.some = true
			break
		}
		w.key = bytes.Clone(k)
		w.value = append(w.value, w.it.Val()...)
		if w.idSize == 0 {
			return
		}
	}
	if w.key != nil {
		ids := slices.SortedFunc(slices.Chunk(w.value, w.idSize), bytes.Compare)
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
	return loadAll(v.ctx, src, set, func(e Entry, s *saying, err error) error {
		if err != nil {
			v.problem("episode %q: cannot be loaded: %v", e.ID, err)
			return nil
		}
		value, err := v.t.get(v.ctx, episodeKey(e.ID))
		if err != nil {
			return err
		}
		same := bytes.Equal(value, s.value)
		for _, u := range s.uses {
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
