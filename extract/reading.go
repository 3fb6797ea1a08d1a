package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"

	"episodes/episode"
	"episodes/internal/turns"
)

// reading reads a transcript, and those of its session's sub-agents after it, as one. What
// spans count goes on counting from file to file; so the places in the first are those in
// its file.
type reading struct {
	format  turns.Format
	yield   func(turns.Turn) error
	redact  func(string) string
	next    func() // called before each file but the first; may be nil
	sum     hash.Hash
	before  int           // units of spans in the files before
	session turns.Session // of the first file, with tokens and cost of all
	remarks []Diagnostic
	parts   []string // as in Result
}

func newReading(t turns.Format, yield func(turns.Turn) error, redact func(string) string) *reading {
	return &reading{format: t, yield: yield, redact: redact, sum: sha256.New()}
}

// digest is the SHA-256 of the bytes of all files, in their order.
func (x *reading) digest() string { return hex.EncodeToString(x.sum.Sum(nil)) }

func (x *reading) all(in io.Reader, parts []io.Reader) (err error) {
	if x.session, err = x.file(in, x.yield); err != nil {
		return err
	}
	for i, part := range parts {
		if x.next != nil {
			x.next()
		}
		s, err := x.file(part, x.as(fmt.Sprint("file ", i+1)))
		if err != nil {
			return err
		}
		x.session.Tokens += s.Tokens
		x.session.Cost += s.Cost
		name := ownName(s)
		if name != "" {
			name = episode.IDFromSession(name)
		}
		x.parts = append(x.parts, name)
	}
	return nil
}

// as passes on the turns of a sub-agent. Its prompts are from an agent, even if its file
// does not say so.
func (x *reading) as(agent string) func(turns.Turn) error {
	return func(t turns.Turn) error {
		if t.Role == turns.User {
			return nil
		}
		t.At = episode.Span{t.At[0] + x.before, t.At[1] + x.before}
		t.Lines = nil // of another file
		t.Sub = strings.TrimSpace(agent + " " + t.Sub)
		return x.yield(t)
	}
}

// file reads one file to its end, also what its format does not need: it counts for the
// digest.
func (x *reading) file(in io.Reader, yield func(turns.Turn) error) (turns.Session, error) {
	in = io.TeeReader(in, x.sum)
	r := turns.NewReader(in, yield)
	r.Redact = x.redact
	if err := x.format.Read(r); err != nil {
		return r.Session, err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return r.Session, err
	}
	for _, d := range r.Remarks() {
		if d.Line > 0 {
			d.Line += x.before
		}
		x.remarks = append(x.remarks, d)
	}
	x.before += r.Extent()
	return r.Session, nil
}
