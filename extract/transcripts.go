package extract

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"episodes/agents"
	"episodes/episode"
	"episodes/extract/actions"
	"episodes/extract/statements"
	"episodes/extract/transcript/atif"
	"episodes/extract/transcript/chat"
	"episodes/extract/transcript/entire"
	"episodes/extract/transcript/minisweagent"
	"episodes/extract/transcript/specstory"
	"episodes/extract/transcript/sweagent"
	"episodes/internal/turns"
	"episodes/redact"
)

// transcripts are the formats of transcripts in the order in which they are tried, before those
// of logs. Each is read as a stream: its size has no limit.
var transcripts = sync.OnceValue(func() (out []turns.Format) {
	for _, a := range agents.All() {
		if a.Format != nil {
			out = append(out, *a.Format)
		}
	}
	return append(out, sweagent.Format, minisweagent.Format, atif.Format, chat.Format, entire.Format, specstory.Format)
})

// Transcript returns the transcript format with a name; ok is false if it does not exist.
func Transcript(name string) (f turns.Format, ok bool) {
	i := slices.IndexFunc(transcripts(), func(f turns.Format) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return transcripts()[i], true
}

// IsTranscript reports whether a format is one that an agent writes by itself.
func IsTranscript(format string) bool {
	_, ok := Transcript(format)
	return ok
}

// headBytes is the number of bytes that are read to detect the format of a file.
const headBytes = 256 << 10

// ErrNoLog is wrapped by the InputError of JSON that is of no known format.
var ErrNoLog = errors.New("JSON of no known format of logs or transcripts")

// ErrOwn is wrapped by the InputError of what this program itself exported.
var ErrOwn = turns.ErrOwn

// Formats lists the names of the formats that Read detects.
func Formats() []string {
	var out []string
	for _, f := range transcripts() {
		out = append(out, f.Name)
	}
	for _, f := range formats {
		out = append(out, f.name)
	}
	return out
}

// TranscriptTitles lists the formats of transcripts as people call them.
func TranscriptTitles() (out []string) {
	for _, f := range transcripts() {
		out = append(out, f.Title)
	}
	return out
}

// FormatNamed is the format of a name, which may be that of the agent whose format it is:
// "claude" is claude-code.
func FormatNamed(name string) (string, bool) {
	if a := agents.Named(name); a != nil && a.Format != nil {
		return a.Format.Name, true
	}
	return name, slices.Contains(Formats(), name)
}

// Detect is the name of the format that a file is of by its beginning; "" for documents, and for what is no log.
func Detect(head []byte) string {
	if i := slices.IndexFunc(transcripts(), func(f turns.Format) bool { return f.Detect(head) }); i >= 0 {
		return transcripts()[i].Name
	}
	if f := formatOf("", head); f.matches != nil {
		return f.name
	}
	return ""
}

// Read reads a log or transcript of any format. What is no transcript is read whole, as
// Log does; Result.Data has its bytes then. parts are the transcripts of the session's
// sub-agents in files of their own, which are read after it.
func (e *Extractor) Read(src Source, in io.Reader, parts ...io.Reader) (*Result, error) {
	b := bufio.NewReaderSize(in, headBytes)
	head, err := b.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	i := slices.IndexFunc(transcripts(), func(f turns.Format) bool {
		return src.Format == f.Name || src.Format == "" && f.Detect(head)
	})
	if i < 0 {
		data, err := io.ReadAll(io.LimitReader(b, MaxBytes+1))
		if err != nil {
			return nil, err
		}
		if len(data) > MaxBytes {
			more, err := io.Copy(io.Discard, io.LimitReader(b, counted))
			if err != nil {
				return nil, err
			}
			return nil, TooLarge(int64(len(data)) + more)
		}
		if src.Format == "" && looksJSON(data) && formatOf("", data).matches == nil {
			return nil, &InputError{Err: ErrNoLog}
		}
		return e.Log(src, data)
	}
	t := transcripts()[i]
	var builder *actions.Builder
	var counts redact.Counts
	var said *words
	var shown records
	var heard *statements.Session
	before := 0 // lines of the sessions before
	begin := func() {
		builder, counts, said, shown, heard = actions.New(), redact.Counts{}, newWords(), nil, statements.New(e.lex)
	}
	begin()
	yield := func(t turns.Turn) error {
		heard.Add(t)
		if src.Explain {
			shown.add(t)
		}
		said.add(t)
		return builder.Add(t)
	}
	x := newReading(t, yield, func(s string) string {
		s, found := e.redact.Text(s)
		counts.Add(found)
		return s
	})
	x.next = builder.NextFile // only a file with one session has parts
	var out []*Result
	var bad error
	switch err := x.sessions(b, parts, func(more bool) (err error) {
		defer func() { bad, before = err, x.before; begin() }()
		if len(said.said) == 0 && (more || len(out) > 0) {
			return nil
		}
		s := x.session
		draft := builder.Draft(s)
		draft.Facts = append(draft.Facts, e.lessons(heard.Statements())...)
		if err := checkFacts(draft); err != nil {
			return err
		}
		ep, taken := draft.Build()
		if src.Explain {
			taken = append(taken, builder.PassedOver(taken)...)
			taken = append(taken, shown.rest(before, x.before, taken)...)
		}
		ep.Session = sessionName(s, src)
		ep.ID = episode.IDFromSession(ep.Session)
		ep.Provenance.Source = episode.Source{Path: src.Path, SHA256: x.digest(), Format: t.Name, Unit: s.Unit, Session: wholeSession(s)}
		ep.Provenance.Extractor = e.Rules()
		res, err := e.finish(ep, nil, taken, counts, slices.Concat(x.remarks, builder.Remarks(), remarks(ep, before+1)))
		if err == nil {
			res.Parts, res.Acts, res.Records, res.Said = x.parts, builder.Acts, shown, said.fitted
			res.Statements = heard.Statements
			out = append(out, res)
		}
		return err
	}); {
	case errors.Is(err, ErrOwn), errors.Is(err, ErrTooLarge):
		return nil, &InputError{Err: err}
	case bad != nil:
		return nil, bad
	case err != nil:
		return nil, fmt.Errorf("read as %s: %w", t.Name, err)
	}
	out[0].More = out[1:]
	return out[0], nil
}

// wholeSession is the id of the session that a transcript is of: for a sub-agent the one
// that it is part of, so that all of them are one vote.
func wholeSession(s turns.Session) string {
	return cmp.Or(s.Parent, s.ID)
}

// ownName is the name of a session by its own id, "" where it has none that can be part of
// a file's name.
func ownName(s turns.Session) string {
	name := s.ID
	if s.Agent != "" {
		name = wholeSession(s) + "-agent-" + strings.TrimPrefix(s.Agent, "agent-")
	}
	if s.ID == "" || episode.SafeSession(name) != name || !episode.ValidID(episode.IDFromSession(name)) {
		return ""
	}
	return name
}

// sessionName is the session's own id, where it has one that can be part of a file's name.
func sessionName(s turns.Session, src Source) string {
	if name := ownName(s); name != "" {
		return name
	}
	if src.Session != "" {
		return src.Session
	}
	return episode.SessionFromPath(src.Path)
}
