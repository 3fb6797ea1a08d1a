package episode

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"
)

// SyntaxError is a defect of an episode file, with the line it stands on.
type SyntaxError struct {
	Line int // 1-based
	Msg  string
}

// Error gives the line and the defect.
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Marshal returns the canonical bytes of e: fields in schema order, map keys
// sorted, two spaces of indent, no HTML escaping, one line end at the end.
// Nil lists are written as empty ones.
func Marshal(e *Episode) ([]byte, error) {
	b, err := encode(e, "  ")
	return joinPairs(b), err
}

// encode is the JSON of an episode, with every list in it present.
func encode(e *Episode, indent string) ([]byte, error) {
	c := *e
	c.Decisions = append([]Decision{}, c.Decisions...)
	for i := range c.Decisions {
		c.Decisions[i].Options = nonNil(c.Decisions[i].Options)
	}
	c.Events = nonNil(c.Events)
	c.Lessons = nonNil(c.Lessons)
	c.Links = nonNil(c.Links)
	if c.Provenance.Spans == nil {
		c.Provenance.Spans = map[string]Span{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(&c); err != nil {
		return nil, fmt.Errorf("encode episode %q: %w", e.ID, err)
	}
	return b.Bytes(), nil
}

// joinPairs puts pairs of numbers, which the encoder spreads over four lines, on
// one. A raw line end never stands inside a JSON string, so only arrays match.
func joinPairs(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for {
		i := bytes.Index(data, []byte("[\n"))
		if i < 0 {
			return append(out, data...)
		}
		first, rest, ok := numberLine(data[i+2:], ",")
		if ok {
			var second []byte
			if second, rest, ok = numberLine(rest, ""); ok {
				if rest = bytes.TrimLeft(rest, " "); bytes.HasPrefix(rest, []byte("]")) {
					out = append(append(append(out, data[:i+1]...), first...), ", "...)
					out = append(out, second...)
					data = rest
					continue
				}
			}
		}
		out = append(out, data[:i+2]...)
		data = data[i+2:]
	}
}

// numberLine reads a line that holds a whole number and what must end it.
func numberLine(data []byte, end string) (digits, rest []byte, ok bool) {
	line, rest, ok := bytes.Cut(data, []byte("\n"))
	digits, found := bytes.CutSuffix(bytes.TrimLeft(line, " "), []byte(end))
	if !ok || !found || len(digits) == 0 {
		return nil, nil, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return nil, nil, false
		}
	}
	return digits, rest, true
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Parse reads an episode file. It refuses what is not one JSON object in UTF-8
// with a legal id (a *SyntaxError says where) and is otherwise lenient, so that
// episodes of older tools can be read; Validate and the schema say the rest.
func Parse(data []byte) (*Episode, error) {
	if !utf8.Valid(data) {
		return nil, &SyntaxError{Line: LineAt(data, invalidUTF8(data)), Msg: "not valid UTF-8"}
	}
	e := &Episode{}
	if json.Unmarshal(data, e) != nil {
		return nil, notOneObject(data)
	}
	if !ValidID(e.ID) {
		return nil, &SyntaxError{Line: LineOf(data, `"id"`), Msg: fmt.Sprintf("id %q is not an episode id", e.ID)}
	}
	if e.Outcome == "" {
		e.Outcome = Unknown
	}
	return e, nil
}

// notOneObject says why. A Decoder knows where an object ends that more text
// follows; it takes longer and twice the memory.
func notOneObject(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&Episode{}); err != nil {
		return syntaxError(data, err)
	}
	return &SyntaxError{Line: LineAt(data, int(dec.InputOffset())), Msg: "text after the end of the episode"}
}

// invalidUTF8 is where data stops to be UTF-8.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func syntaxError(data []byte, err error) error {
	var se *json.SyntaxError
	var te *json.UnmarshalTypeError
	switch {
	case errors.As(err, &se):
		return &SyntaxError{Line: LineAt(data, int(se.Offset)), Msg: se.Error()}
	case errors.As(err, &te):
		return &SyntaxError{Line: LineAt(data, int(te.Offset)), Msg: fmt.Sprintf("%s holds a JSON %s", fieldName(te.Field), te.Value)}
	case len(bytes.TrimSpace(data)) == 0:
		return &SyntaxError{Line: 1, Msg: "the file is empty"}
	default:
		return &SyntaxError{Line: LineAt(data, len(bytes.TrimRight(data, " \t\r\n"))), Msg: "the JSON ends too early"}
	}
}

func fieldName(f string) string {
	if f == "" {
		return "the file"
	}
	return fmt.Sprintf("field %q", f)
}

// LineAt returns the 1-based line of a byte offset.
func LineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// LineOf returns the line where needle first stands, or 1.
func LineOf(data []byte, needle string) int {
	return LineAt(data, max(bytes.Index(data, []byte(needle)), 0))
}

// Seal stores a digest of the episode in its own provenance, so that a later
// edit by hand can be told from the extractor's own words without any other
// record: see Sealed.
func (e *Episode) Seal() error {
	s, err := e.digest()
	if err != nil {
		return err
	}
	e.Provenance.Seal = s
	return nil
}

// Sealed reports whether e is exactly what an extractor wrote. An episode made
// or edited by hand, merged, or written by another tool is not sealed; it must
// not be overwritten without being asked.
func (e *Episode) Sealed() bool {
	s, err := e.digest()
	return err == nil && e.Provenance.Seal == s
}

func (e *Episode) digest() (string, error) {
	c := *e
	c.Provenance.Seal = ""
	room := digestRoom.Get().(*[]byte)
	defer digestRoom.Put(room)
	b, err := compact((*room)[:0], &c)
	if err != nil {
		return "", err
	}
	*room = b
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:8]), nil
}

// digestRoom is memory in which digests are made.
var digestRoom = sync.Pool{New: func() any { return new([]byte) }}
