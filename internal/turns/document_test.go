package turns

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// read collects the numbers of a document's list and tells what was noted.
func read(in io.Reader) (string, error) {
	var b strings.Builder
	r := NewReader(in, nil)
	err := r.Document(func(d *Document) {
		for more := true; more; more = d.Next() {
			d.Members(func(name string) {
				if name != "list" {
					d.Skip()
					return
				}
				d.Elements(func(n int) {
					r.At = n
					var v struct{ N int }
					d.Value(&v)
					fmt.Fprintf(&b, "%d ", v.N)
				})
			})
		}
	})
	for _, d := range r.Remarks() {
		fmt.Fprintf(&b, "%s@%d ", d.Code, d.Line)
	}
	return strings.TrimSpace(b.String()), err
}

// A document gives what is whole of it, says where it is damaged, and never fails for it.
func TestDocument(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":{"b":[1,{}]},"list":[{"N":1},{"N":2}],"c":"x"}`: "1 2",
		`{"list":[{"N":1},{"N":2`:                             "1 0 torn-record@2",
		`{"list":[{"N":1},}`:                                  "1 0 torn-record@2",
		`{"list":[{"N":"x"},"y",{"N":3}]}`:                    "0 0 3 torn-record@2",
		`{"list":{"N":1}}`:                                    "",
		`[1,2]`:                                               "",
		`{"list":[{"N":1}]}` + "\n{}\n[]\n{\"list\":[{\"N\":2},": "1 2 0 torn-record@2",
		``:        "torn-record@1",
		`no JSON`: "torn-record@1",
	} {
		if got, err := read(strings.NewReader(in)); got != want || err != nil {
			t.Errorf("%s: got %q, %v; want %q", in, got, err, want)
		}
	}
}

// Errors of the input are told.
func TestDocumentInput(t *testing.T) {
	broken := errors.New("broken disk")
	in := io.MultiReader(strings.NewReader(`{"list":[{"N":1},`), iotest.ErrReader(broken))
	if _, err := read(in); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// An error of the caller ends the reading, and is returned.
func TestEndedByCaller(t *testing.T) {
	enough := errors.New("enough")
	for name, read := range map[string]func(r *Reader) error{
		"lines": func(r *Reader) error {
			return r.Lines(func(int, []byte, bool) { r.Put(Turn{}) })
		},
		"document": func(r *Reader) error {
			return r.Document(func(d *Document) {
				d.Elements(func(int) {
					d.Skip()
					r.Put(Turn{})
				})
			})
		},
	} {
		n := 0
		r := NewReader(strings.NewReader("[1,\n2,\n3,\n4]\n"), func(Turn) error {
			if n++; n == 2 {
				return enough
			}
			return nil
		})
		if err := read(r); err != enough || r.Err() != enough || n != 2 {
			t.Errorf("%s: %v after %d turns", name, err, n)
		}
	}
}

func TestShapeOf(t *testing.T) {
	s := ShapeOf([]byte(` {"version":"v1","steps":[{"source":"user","n":1},{"extra":{"a":[true]}}],"cut":{"deep":"x`))
	if s["version"] != "v1" || s["steps[].source"] != "user" {
		t.Errorf("texts: %v", s)
	}
	if !s.Has("steps[].n") || !s.Has("steps[].extra.a[]") || !s.Has("cut") || s.Has("cut.deep") || s.Has("n") {
		t.Errorf("members: %v", s)
	}
}
