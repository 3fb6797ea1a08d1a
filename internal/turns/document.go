package turns

import (
	"encoding/json"
	"errors"
	"io"
)

// Document reads a file that is one JSON value, member by member and element by element,
// so that no more of it than one element is held in memory.
type Document struct {
	dec *json.Decoder
	r   *Reader
	at  func() int
}

// errDamaged ends the reading of a document that is not JSON from here on.
var errDamaged = errors.New("damaged JSON")

// Document calls read with the document. Where the document is damaged or cut off the
// reading ends and the place is noted: at says which one, of those that spans count.
func (r *Reader) Document(read func(*Document) error, at func() int) error {
	d := &Document{dec: json.NewDecoder(r.in), r: r, at: func() int { return max(at(), 1) }}
	err := read(d)
	r.extent = max(at(), 0)
	if errors.Is(err, errDamaged) {
		r.Torn(d.at())
		return nil
	}
	return err
}

// failed tells damage from errors of input.
func failed(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}

// leave passes over what is left of the values that are open, depth of them.
func (d *Document) leave(depth int) error {
	for depth > 0 {
		t, err := d.dec.Token()
		if err != nil {
			return failed(err)
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

// Either reads the value that comes next: member is called with the names of the members
// of an object, element with the numbers, from 1, of the elements of an array. Each takes
// the value that stands there, by one call of a method of d. Any other value is passed
// over, and so is an object or array for which there is no function.
func (d *Document) Either(member func(name string) error, element func(n int) error) error {
	t, err := d.dec.Token()
	if err != nil {
		return failed(err)
	}
	switch {
	case t == json.Delim('{') && member != nil:
		for d.dec.More() {
			name, err := d.dec.Token()
			if err != nil {
				return failed(err)
			}
			s, _ := name.(string)
			if err := member(s); err != nil {
				return err
			}
		}
	case t == json.Delim('[') && element != nil:
		for n := 1; d.dec.More(); n++ {
			if err := element(n); err != nil {
				return err
			}
		}
	}
	if _, nested := t.(json.Delim); nested {
		return d.leave(1)
	}
	return nil
}

// Members reads an object, see Either.
func (d *Document) Members(each func(name string) error) error { return d.Either(each, nil) }

// Elements reads an array, see Either.
func (d *Document) Elements(each func(n int) error) error { return d.Either(nil, each) }

// Skip passes over the next value.
func (d *Document) Skip() error { return d.Either(nil, nil) }

// Value decodes the next value. Members of another type than is expected are left out;
// a value that is of another type itself is noted as torn.
func (d *Document) Value(to any) error {
	err := d.dec.Decode(to)
	var other *json.UnmarshalTypeError
	if !errors.As(err, &other) {
		return failed(err)
	}
	if other.Field == "" {
		d.r.Torn(d.at())
	}
	return nil
}

// Next reports whether another value follows in the file, as in JSON lines.
func (d *Document) Next() bool { return d.dec.More() }

// Decode decodes a record; members of another type than is expected are left out. It
// reports whether data is a JSON value.
func Decode(data []byte, to any) bool {
	err := json.Unmarshal(data, to)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}
