package extract

import (
	"bytes"
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

// maxHistory is how long a file with several sessions may be, in bytes.
const maxHistory = 256 << 20

// split cuts a file into its sessions.
func (x *reading) split(in io.Reader) (out []io.Reader, err error) {
	if x.format.Starts == nil {
		return []io.Reader{in}, nil
	}
	data, err := io.ReadAll(io.LimitReader(in, maxHistory+1))
	if len(data) > maxHistory {
		err = ErrTooLarge
	}
	from := 0
	for i, at := range x.format.Starts().FindAllIndex(data, -1) {
		if i > 0 {
			out, from = append(out, bytes.NewReader(data[from:at[0]])), at[0]
		}
	}
	return append(out, bytes.NewReader(data[from:])), err
}

// sessions reads the sessions of a file one after the other; parts are of its only one. done is called when one was
// read, with whether another one follows.
func (x *reading) sessions(in io.Reader, parts []io.Reader, done func(more bool) error) error {
	all, err := x.split(in)
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for i, one := range all {
		if err := x.all(one, parts); err != nil {
			return err
		}
		id := &x.session.ID
		if seen[*id]++; *id != "" && seen[*id] > 1 {
			*id = fmt.Sprint(*id, "-", seen[*id])
		}
		if err := done(i+1 < len(all)); err != nil {
			return err
		}
		x.remarks = nil
		x.sum.Reset()
		_, _ = fmt.Fprintln(x.sum, x.before) // so that one whose lines have moved is another
	}
	return nil
}

// one is sessions for the one with an id, and returns its digest. after is called after each.
func (x *reading) one(id string, in io.Reader, parts []io.Reader, after func(found bool)) (digest string, err error) {
	err = x.sessions(in, parts, func(bool) error {
		found := x.format.Starts == nil || x.session.ID == id
		if found {
			digest = x.digest()
		}
		after(found)
		return nil
	})
	return digest, err
}

func (x *reading) all(in io.Reader, parts []io.Reader) (err error) {
	if x.session, err = x.file(in, x.before, x.yield); err != nil {
		return err
	}
	for i, part := range parts {
		if x.next != nil {
			x.next()
		}
		s, err := x.file(part, 0, x.as(fmt.Sprint("file ", i+1)))
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
// digest. Its first line is the next one behind some lines.
func (x *reading) file(in io.Reader, behind int, yield func(turns.Turn) error) (turns.Session, error) {
	in = io.TeeReader(in, x.sum)
	r := turns.NewReader(in, yield)
	r.Redact = x.redact
	r.Behind(behind)
	if err := x.format.Read(r); err != nil {
		return r.Session, err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return r.Session, err
	}
	for _, d := range r.Remarks() {
		if d.Line > 0 {
			d.Line += x.before - behind
		}
		x.remarks = append(x.remarks, d)
	}
	x.before += r.Extent() - behind
	return r.Session, nil
}
