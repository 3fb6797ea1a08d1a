package episode

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// SyntaxError is an error in the JSON of an episode file.
type SyntaxError struct {
	Line int // 1-based
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Marshal returns the canonical bytes of e: fields in schema order, map keys
// sorted, indented by two spaces, without HTML escaping, ending in a line feed.
// Nil lists are written as empty ones, spans on one line.
func Marshal(e *Episode) ([]byte, error) {
	b, err := encode(e, "  ")
	return numberPair().ReplaceAll(b, []byte("[$1, $2]")), err
}

// encode returns the JSON of an episode, in which no list is null.
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

// numberPair matches a list of two numbers as the encoder spreads it over four lines.
// A JSON string never contains a raw line break, so only lists match.
var numberPair = lazy.Pattern(`\[\n *(\d+),\n *(\d+)\n *\]`)

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Parse reads an episode file. It refuses what is not one JSON object in UTF-8
// with a legal id (a *SyntaxError says where) and is otherwise lenient, so that
// episodes of older tools can be read; Validate and the schema check the rest.
// Its texts are cleaned: whoever wrote the file, nothing hidden is in them.
func Parse(data []byte) (*Episode, error) {
	e, err := ParseExact(data)
	if err == nil {
		e.Clean()
	}
	return e, err
}

// ParseExact is Parse with the texts as the file has them: for whoever asks who wrote it,
// and never to be shown.
func ParseExact(data []byte) (*Episode, error) {
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
	e.Outcome = cmp.Or(e.Outcome, Unknown)
	return e, nil
}

// Clean takes out of all texts what cannot be seen or is obeyed (package plain), and
// reports whether there was any. The path of the log stays: it names a file.
func (e *Episode) Clean() (changed bool) {
	path := e.Provenance.Source.Path
	e.Provenance.Source.Path = ""
	changed = plain.All(e)
	e.Provenance.Source.Path = path
	return changed
}

// notOneObject says why data is not one JSON object. It uses a Decoder, which unlike
// Unmarshal reports where an object ends that more text follows.
func notOneObject(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&Episode{}); err != nil {
		return syntaxError(data, err)
	}
	return &SyntaxError{Line: LineAt(data, int(dec.InputOffset())), Msg: "text after the end of the episode"}
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8.
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

// LineOf returns the line of the first occurrence of needle, or 1.
func LineOf(data []byte, needle string) int {
	return LineAt(data, max(bytes.Index(data, []byte(needle)), 0))
}

// Seal stores a digest of the episode in its own provenance, by which Sealed detects a later
// edit by hand.
func (e *Episode) Seal() error {
	s, err := e.digest()
	if err != nil {
		return err
	}
	e.Provenance.Seal = s
	return nil
}

// MarshalSealed seals the episode and returns its canonical bytes.
func MarshalSealed(e *Episode) ([]byte, error) {
	if err := e.Seal(); err != nil {
		return nil, err
	}
	return Marshal(e)
}

// Sealed reports whether e is exactly what an extractor wrote. An episode made
// or edited by hand, or written by another tool, is not sealed; it must
// not be overwritten without being asked.
func (e *Episode) Sealed() bool {
	s, err := e.digest()
	return err == nil && e.Provenance.Seal == s
}

func (e *Episode) digest() (string, error) {
	c := *e
	c.Provenance.Seal = ""
	b, err := encode(&c, "")
	if err != nil {
		return "", err
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:8]), nil
}
