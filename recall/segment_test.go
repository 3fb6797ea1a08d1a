package recall_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/recall"
)

// build makes a segment of sessions.
func build(sessions []*recall.Session) []byte {
	var b recall.Builder
	for _, s := range sessions {
		b.Add(s)
	}
	return b.Segment()
}

func openSegment(data []byte) (*recall.Segment, error) {
	return recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
}

// everything asks a segment for all that it has. It returns the first error.
func everything(s *recall.Segment, questions ...string) error {
	var errs []error
	x := recall.NewIndex([]*recall.Segment{s}, []map[int]bool{nil})
	for _, text := range append(questions, pasted, "walnut harbor copper") {
		_, err := x.Advise(recall.Analyse(recall.AnError, text))
		_, _, err2 := x.List(recall.Analyse(recall.ATask, text), recall.Filter{Limit: 100})
		errs = append(errs, err, err2)
	}
	all, err := s.AllSessions()
	errs = append(errs, err)
	for i := range all {
		_, err := s.Session(i)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// What goes into a segment comes out of it: the records of its sessions, and each document
// as it was.
func TestSegmentsKeepWhatTheyAreGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string { return strings.ReplaceAll(rapid.String().Draw(t, "text"), "\x00", "") })
		var in []*recall.Session
		for i := range rapid.IntRange(0, 6).Draw(t, "sessions") {
			s := &recall.Session{Episode: fmt.Sprintf("episode-%d", i), SHA256: text.Draw(t, "sha"), Name: text.Draw(t, "name"), Log: text.Draw(t, "log"),
				Date: rapid.SampledFrom([]string{"", "2026-01-02", "1812-06-24", "9999-12-31", "soon"}).Draw(t, "date"), Task: text.Draw(t, "task")}
			for k := range rapid.IntRange(0, 4).Draw(t, "documents") {
				from := rapid.IntRange(1, 1<<31-1).Draw(t, "line")
				s.Docs = append(s.Docs, recall.Document{Kind: recall.Lesson, ID: fmt.Sprintf("l%03d", k), Lines: episode.Span{from, from},
					Text: fmt.Sprintf("walnut %c%c %s", 'a'+i, 'a'+k, rapid.SampledFrom(vocabulary[1:]).Draw(t, "word"))})
			}
			in = append(in, s)
		}
		data := build(in)
		if !bytes.Equal(data, build(in)) {
			t.Fatal("the same sessions make other bytes")
		}
		seg, err := openSegment(data)
		if err != nil {
			t.Fatal(err)
		}
		out, err := seg.AllSessions()
		if err != nil || len(out) != len(in) {
			t.Fatalf("%v, %d sessions", err, len(out))
		}
		documents := 0
		for i := range in {
			want := *in[i]
			want.Docs = nil
			one, err := seg.Session(i)
			if err != nil || !reflect.DeepEqual(*one, want) || !reflect.DeepEqual(*out[i], want) {
				t.Fatalf("%+v and %+v, want %+v, %v", one, out[i], want, err)
			}
			documents += len(in[i].Docs)
		}
		x := recall.NewIndex([]*recall.Segment{seg}, []map[int]bool{nil})
		found := find(t, x, "walnut", recall.Filter{Limit: 1000})
		for _, h := range found {
			i := slices.IndexFunc(in, func(s *recall.Session) bool { return s.Episode == h.Episode })
			if !slices.ContainsFunc(in[i].Docs, func(d recall.Document) bool { return d.ID == h.Record && d.Text == h.Text && d.Lines == h.At }) ||
				h.Log != in[i].Log || h.Date != in[i].Date || h.Kind != "lesson" {
				t.Fatalf("found %+v", h)
			}
		}
		if len(found) > documents || documents > 0 && len(found) == 0 {
			t.Fatalf("%d of %d documents are found", len(found), documents)
		}
	})
}

// However a segment is cut short or made longer, it is refused.
func TestSegmentsOfAnotherSizeAreRefused(t *testing.T) {
	data := build(library())
	if err := everything(must(openSegment(data))); err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if _, err := openSegment(data[:n]); !errors.Is(err, recall.ErrDamaged) {
			t.Fatalf("the first %d bytes of %d: %v", n, len(data), err)
		}
	}
	if _, err := openSegment(append(slices.Clip(data), 0)); !errors.Is(err, recall.ErrDamaged) {
		t.Errorf("with one byte more: %v", err)
	}
	_, err := must(recall.OpenSegment(bytes.NewReader(data[:len(data)/2]), int64(len(data)))).AllSessions()
	if !errors.Is(err, recall.ErrDamaged) {
		t.Errorf("a file that lost its end since: %v", err)
	}
}

func must(s *recall.Segment, err error) *recall.Segment {
	if err != nil {
		panic(err)
	}
	return s
}

// Each number of a segment set to what a damaged disk or an attacker could make of it: the segment
// is refused or gives ErrDamaged, or it answers.
func TestDamagedNumbers(t *testing.T) {
	data := build(library())
	const head = 4 * 8
	wrong := []uint64{0, 1, math.MaxUint8, math.MaxUint16, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64, uint64(len(data)), uint64(len(data)) + 1}
	refused := 0
	for at := 0; at < len(data)-3; at += 4 {
		for _, v := range wrong {
			bad := slices.Clone(data)
			if at < head {
				binary.LittleEndian.PutUint64(bad[at/8*8:], v)
			} else {
				binary.LittleEndian.PutUint32(bad[at:], uint32(v))
			}
			s, err := openSegment(bad)
			if err == nil && at >= head && at%64 != 0 && v != math.MaxUint32 {
				continue // asking everything takes time
			}
			if err == nil {
				err = everything(s)
			}
			if err != nil {
				refused++
				if !errors.Is(err, recall.ErrDamaged) {
					t.Fatalf("number at %d set to %d: %v", at, v, err)
				}
			}
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
	for at := 0; at < head; at += 8 {
		bad := slices.Clone(data)
		bad[at]++
		if _, err := openSegment(bad); !errors.Is(err, recall.ErrDamaged) {
			t.Errorf("the number at %d is one more: %v", at, err)
		}
	}
}

// A disk that fails is not an answer of nothing.
func TestReadErrorsAreReported(t *testing.T) {
	data := build(library())
	r := &failing{r: bytes.NewReader(data)}
	s, err := recall.OpenSegment(r, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	x := recall.NewIndex([]*recall.Segment{s}, []map[int]bool{nil})
	for n := range 1000 {
		r.after = n
		_, err = x.Advise(recall.Analyse(recall.AnError, pasted))
		if err == nil {
			if n < 10 {
				t.Errorf("answered after %d reads", n)
			}
			break
		}
		if !errors.Is(err, recall.ErrDamaged) {
			t.Fatalf("after %d reads: %v", n, err)
		}
	}
	if err != nil {
		t.Error("never answered")
	}
}

// failing is a reader that fails after some reads, where after is positive or 0.
type failing struct {
	r     *bytes.Reader
	after int
	opens bool
}

func (f *failing) ReadAt(b []byte, at int64) (int, error) {
	if !f.opens { // the head and the rows
		f.opens, f.after = true, 1
		return f.r.ReadAt(b, at)
	}
	if f.after--; f.after < 0 {
		return 0, errors.New("input/output error")
	}
	return f.r.ReadAt(b, at)
}

// A damaged segment is refused or gives an error, and never crashes.
func FuzzSegment(f *testing.F) {
	data := build(library())
	f.Add(data, uint32(0), byte(0), pasted)
	f.Add([]byte{}, uint32(0), byte(0), "")
	f.Add(build(nil), uint32(0), byte(1), "walnut")
	for head := range 4 {
		f.Add(data, uint32(8*head), byte(255), pasted)
	}
	for at := 4 * 8; at < len(data); at += len(data) / 64 {
		f.Add(data, uint32(at), byte(255), "walnut harbor")
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint32, value byte, question string) {
		if data = slices.Clone(data); int(at) < len(data) {
			data[at] = value
		}
		s, err := openSegment(data)
		if err == nil {
			err = everything(s, question)
		}
		if err != nil && !errors.Is(err, recall.ErrDamaged) {
			t.Fatal(err)
		}
	})
}
