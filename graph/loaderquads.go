package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cayleygraph/cayley/graph/proto"
	"github.com/cayleygraph/cayley/graph/refs"
	"github.com/cayleygraph/quad"
	"github.com/cayleygraph/quad/pquads"
	hkv "github.com/hidal-go/hidalgo/kv"
	"github.com/hidal-go/hidalgo/kv/flat"
	protobuf "google.golang.org/protobuf/proto"
)

// Cayley has no way to load quads in bulk: it looks every value up and corrects
// its count of uses with every transaction. So a new generation gets here what
// Cayley would have written in the end, which a test compares. That is, with "/"
// between the parts of a key:
//
//	log, number       a value or a quad, by the one sequence in which both are numbered
//	meta, horizon     the last number; size: how many quads
//	nHH, hash         how many uses a value has; HH begins its hash
//	spoc, 4 numbers   the number of the quad (quadIndex)
//	vHH, hash         the number of the value
//
// The time of writing, which Cayley puts into the log and never reads, is left
// out: the same episodes give the same bytes.

// looseQuads are the quads as the episodes say them.
type looseQuads struct {
	list    []looseQuad
	records map[string]uint32 // index of every object that is a record
}

// looseQuad is a quad of quads: with a record as object where record is not zero.
type looseQuad struct {
	subject, object nodeID
	predicate       uint8 // index in predicates
	record          uint32
	episode         uint32
}

// predicates are all of them: of mentions by outcome, then of links by type.
var predicates = func() (all []quad.Value) {
	all = append(all, mentionPredicates[:]...)
	for _, p := range linkPredicates {
		all = append(all, p[:]...)
	}
	return all
}()

// add adds what an episode says; see episodeRecord.quads.
func (q *looseQuads) add(rec *episodeRecord, episode uint32) {
	for _, m := range rec.Mentions {
		r, ok := q.records[m.Record]
		if !ok {
			r = uint32(len(q.records))
			q.records[m.Record] = r
		}
		q.list = append(q.list, looseQuad{subject: rec.node(m.Node), predicate: m.Outcome, record: r, episode: episode})
	}
	for _, s := range rec.Statements {
		e := rec.edge(s)
		p := len(mentionPredicates) + 2*int(e.typ) + count(s.Explicit)
		q.list = append(q.list, looseQuad{subject: e.source, object: e.target, predicate: uint8(p), episode: episode})
	}
}

// sort sorts the quads as quadIndex does, and leaves each once.
func (q *looseQuads) sort() {
	slices.SortFunc(q.list, func(a, b looseQuad) int {
		if c := compareNodes(a.subject, b.subject); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.predicate, b.predicate), compareNodes(a.object, b.object),
			cmp.Compare(a.record, b.record), cmp.Compare(a.episode, b.episode))
	})
	q.list = slices.Compact(q.list)
}

// values are the values of all quads, one kind after another, in the order in
// which they are numbered.
type values struct {
	nodes        []nodeSum
	records      []string
	episodes     []string
	firstRecord  int      // index of the first of them
	firstEpisode int      // likewise
	uses         []uint32 // by index
	numbers      []uint64 // by index; zero: not used
}

func (l *loader) newValues() *values {
	v := &values{nodes: l.nodes, episodes: l.episodes, records: make([]string, len(l.quads.records))}
	for text, i := range l.quads.records {
		v.records[i] = text
	}
	v.firstRecord = len(predicates) + len(v.nodes)
	v.firstEpisode = v.firstRecord + len(v.records)
	n := v.firstEpisode + len(v.episodes)
	v.uses, v.numbers = make([]uint32, n), make([]uint64, n)
	return v
}

func (v *values) at(i int) quad.Value {
	switch {
	case i < len(predicates):
		return predicates[i]
	case i < v.firstRecord:
		return quad.IRI(v.nodes[i-len(predicates)].id.String())
	case i < v.firstEpisode:
		return quad.String(v.records[i-v.firstRecord])
	}
	return quad.IRI(v.episodes[i-v.firstEpisode])
}

// indexedQuad is a quad of indexes of values.
type indexedQuad [4]uint32

// index finds the values of the quads and counts their uses.
func (l *loader) index(v *values) []indexedQuad {
	out := make([]indexedQuad, len(l.quads.list))
	subject := 0
	for i, q := range l.quads.list {
		for v.nodes[subject].id != q.subject { // both are in order
			subject++
		}
		object := v.firstRecord + int(q.record)
		if int(q.predicate) >= len(mentionPredicates) {
			object = len(predicates) + l.place(q.object)
		}
		out[i] = indexedQuad{uint32(len(predicates) + subject), uint32(q.predicate), uint32(object), uint32(v.firstEpisode) + q.episode}
		for _, x := range out[i] {
			v.uses[x]++
		}
	}
	l.quads = looseQuads{}
	return out
}

// nextNumber returns the number after n. Numbers that hold the byte of "/" or "\"
// are left out: keys escape these, and would sort otherwise than the numbers do.
func nextNumber(n uint64) uint64 {
	var b [8]byte
	for {
		n++
		binary.BigEndian.PutUint64(b[:], n)
		if bytes.IndexByte(b[:], '/') < 0 && bytes.IndexByte(b[:], '\\') < 0 {
			return n
		}
	}
}

// putQuads writes all that Cayley has.
func (l *loader) putQuads(ctx context.Context) error {
	v := l.newValues()
	quads := l.index(v)
	last := uint64(0)
	for i, n := range v.uses {
		if n > 0 {
			last = nextNumber(last)
			v.numbers[i] = last
		}
	}
	horizon, err := l.putLog(ctx, v, quads, last)
	if err != nil {
		return err
	}
	if err := l.putCayleyMeta(ctx, horizon, len(quads)); err != nil {
		return err
	}
	hashes := v.hashes()
	var key, value []byte
	put := func(number uint64) error {
		value = binary.AppendUvarint(value[:0], number)
		return l.put(ctx, key, value)
	}
	for _, h := range hashes {
		key = append(append(key[:0], 'n'), h.key...)
		if err := put(uint64(v.uses[h.value])); err != nil {
			return err
		}
	}
	for _, q := range quads {
		last = nextNumber(last)
		key = append(key[:0], "spoc/"...)
		for _, x := range q {
			key = binary.BigEndian.AppendUint64(key, v.numbers[x])
		}
		if err := put(last); err != nil {
			return err
		}
	}
	for _, h := range hashes {
		key = append(append(key[:0], 'v'), h.key...)
		if err := put(v.numbers[h.value]); err != nil {
			return err
		}
	}
	return nil
}

// putLog writes values and quads, and returns the last number.
func (l *loader) putLog(ctx context.Context, v *values, quads []indexedQuad, last uint64) (uint64, error) {
	key, buf := []byte("log/"), []byte(nil)
	put := func(p *proto.Primitive) (err error) {
		if buf, err = (protobuf.MarshalOptions{}).MarshalAppend(buf[:0], p); err != nil {
			return err
		}
		key = binary.BigEndian.AppendUint64(key[:len("log/")], p.ID)
		return l.put(ctx, key, buf)
	}
	for i, number := range v.numbers {
		if number == 0 {
			continue
		}
		value, err := pquads.MarshalValue(v.at(i))
		if err == nil {
			err = put(&proto.Primitive{ID: number, Value: value})
		}
		if err != nil {
			return 0, err
		}
	}
	n := v.numbers
	for _, q := range quads {
		last = nextNumber(last)
		if err := put(&proto.Primitive{ID: last, Subject: n[q[0]], Predicate: n[q[1]], Object: n[q[2]], Label: n[q[3]]}); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// putCayleyMeta writes what Cayley knows of itself; of an empty store it knows no
// figures.
func (l *loader) putCayleyMeta(ctx context.Context, horizon uint64, quads int) error {
	head, err := cayleyHead()
	if err != nil {
		return err
	}
	if quads > 0 {
		head["meta/horizon"] = binary.LittleEndian.AppendUint64(nil, horizon)
		head["meta/size"] = binary.LittleEndian.AppendUint64(nil, uint64(quads))
	}
	for _, k := range sortedKeys(head, strings.Compare) {
		if err := l.put(ctx, []byte(k), head[k]); err != nil {
			return err
		}
	}
	return nil
}

// hashed is a value by the key of its hash.
type hashed struct {
	key   string // without its first letter
	value uint32 // its index
}

// hashes returns the values that are used, in the order of those keys.
func (v *values) hashes() []hashed {
	var out []hashed
	for i, n := range v.uses {
		if n > 0 {
			h := refs.HashOf(v.at(i))
			out = append(out, hashed{string(flat.KeyEscape(hkv.Key{h[:2], h[:]})), uint32(i)})
		}
	}
	slices.SortFunc(out, func(a, b hashed) int { return strings.Compare(a.key, b.key) })
	return out
}
