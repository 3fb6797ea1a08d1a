package turns

import (
	"encoding/json"
	"errors"
	"io"

	"episodes/episode"
)

// Document reads a file that is one JSON value, member by member and element by element,
// so that no more of it than one element is held in memory. Where the JSON is damaged, it ends.
type Document struct {
	dec   *json.Decoder
	r     *Reader
	ended bool // damaged, or the reader has failed
}

// Document calls read with a Document on the input. Invalid or truncated JSON is not an error:
// reading stops, and Reader.At is reported as torn. Document returns the error of the reader.
func (r *Reader) Document(read func(*Document)) error {
	read(&Document{dec: json.NewDecoder(r.in), r: r})
	return r.err
}

// Each reads an array, and calls each with every element that has the type, and its place, which counts them from 1.
func Each[T any](d *Document, each func(v *T, at episode.Span)) { d.Elements(Element(d, each)) }

// Element returns what Each does with one element.
func Element[T any](d *Document, each func(v *T, at episode.Span)) func(n int) {
	return func(n int) {
		d.r.At = n
		if v := new(T); d.Value(v) {
			each(v, episode.Span{n, n})
		}
	}
}

// good reports whether reading goes on after err. An error of JSON syntax and an early end of the input are reported as
// torn; any other error, such as one of the disk, is that of the reader.
func (d *Document) good(err error) bool {
	var syntax *json.SyntaxError
	switch {
	case d.ended:
	case err == nil:
		d.ended = d.r.err != nil
	case errors.As(err, &syntax), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		d.ended = true
		d.r.Torn(max(d.r.At, 1))
	default:
		d.ended = true
		d.r.Fail(err)
	}
	return !d.ended
}

// Good reports whether the document goes on, or ended as it should.
func (d *Document) Good() bool { return d.good(nil) }

// token is the next token; nil where there is none.
func (d *Document) token() json.Token {
	t, err := d.dec.Token()
	if !d.good(err) {
		return nil
	}
	return t
}

// Either reads the next value. For an object it calls member with the name of each member, for an
// array it calls element with the number of each element, from 1. The callback must consume the
// value of that member or element by one call of a method of d. Any other value is skipped, and so
// is an object or array whose callback is nil.
func (d *Document) Either(member func(name string), element func(n int)) {
	t := d.token()
	switch {
	case t == json.Delim('{') && member != nil:
		for d.good(nil) && d.dec.More() {
			if name, is := d.token().(string); is {
				member(name)
			}
		}
	case t == json.Delim('[') && element != nil:
		for n := 1; d.good(nil) && d.dec.More(); n++ {
			element(n)
		}
	}
	_, nested := t.(json.Delim)
	for depth := 1; nested && depth > 0 && d.good(nil); {
		switch d.token() {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// Members reads an object, see Either.
func (d *Document) Members(each func(name string)) { d.Either(each, nil) }

// Elements reads an array, see Either.
func (d *Document) Elements(each func(n int)) { d.Either(nil, each) }

// Skip passes over the next value.
func (d *Document) Skip() { d.Either(nil, nil) }

// Value decodes the next value into to, and reports whether there was one. Members of an unexpected type are left out.
// If the value itself has an unexpected type, it is reported as torn.
func (d *Document) Value(to any) bool {
	err := d.dec.Decode(to)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) {
		if err = nil; other.Field == "" {
			d.r.Torn(max(d.r.At, 1))
		}
	}
	return d.good(err)
}

// Next reports whether another value follows in the file, as in JSON lines.
func (d *Document) Next() bool { return !d.ended && d.dec.More() }

// Decode decodes a record and reports whether data is valid JSON. Members of an unexpected type
// are left out.
func Decode(data []byte, to any) bool {
	err := json.Unmarshal(data, to)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}
