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

// errDamaged stops reading a document whose remaining bytes are not valid JSON.
var errDamaged = errors.New("damaged JSON")

// Document calls read with a Document on the input. Invalid or truncated JSON is not an error:
// reading stops, and the position is reported as torn. at returns the current position, in the
// unit of the format's spans. Other errors of read are returned.
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

// failed maps errors of JSON syntax and an early end of input to errDamaged. It returns any other
// error, such as one of the disk, unchanged.
func failed(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}

// leave skips to the end of the depth innermost open objects and arrays.
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

// Either reads the next value. For an object it calls member with the name of each member, for an
// array it calls element with the number of each element, from 1. The callback must consume the
// value of that member or element by one call of a method of d. Any other value is skipped, and so
// is an object or array whose callback is nil.
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

// Value decodes the next value into to. Members of an unexpected type are left out. If the value
// itself has an unexpected type, it is reported as torn.
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

// Decode decodes a record and reports whether data is valid JSON. Members of an unexpected type
// are left out.
func Decode(data []byte, to any) bool {
	err := json.Unmarshal(data, to)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}
