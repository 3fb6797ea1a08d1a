package extract

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/actions"
	"episodes/extract/transcript/aider"
	"episodes/extract/transcript/atif"
	"episodes/extract/transcript/claudecode"
	"episodes/extract/transcript/cline"
	"episodes/extract/transcript/codex"
	"episodes/extract/transcript/copilot"
	"episodes/extract/transcript/cursor"
	"episodes/extract/transcript/gemini"
	"episodes/extract/transcript/minisweagent"
	"episodes/extract/transcript/opencode"
	"episodes/extract/transcript/openhands"
	"episodes/extract/transcript/specstory"
	"episodes/extract/transcript/sweagent"
	"episodes/internal/turns"
	"episodes/redact"
)

// transcript is a format that an agent writes by itself. It is read as a stream: its size
// has no limit.
type transcript struct {
	name    string
	matches func(head []byte) bool // whether a file that begins so is of this format
	read    func(*turns.Reader) error
}

// transcripts are tried in this order, before the formats of logs.
var transcripts = []transcript{
	{claudecode.Name, claudecode.Detect, claudecode.Read},
	{codex.Name, codex.Detect, codex.Read},
	{copilot.Name, copilot.Detect, copilot.Read},
	{opencode.Name, opencode.Detect, opencode.Read},
	{gemini.Name, gemini.Detect, gemini.Read},
	{openhands.Name, openhands.Detect, openhands.Read},
	{sweagent.Name, sweagent.Detect, sweagent.Read},
	{minisweagent.Name, minisweagent.Detect, minisweagent.Read},
	{atif.Name, atif.Detect, atif.Read},
	{cline.Name, cline.Detect, cline.Read},
	{cursor.Name, cursor.Detect, cursor.Read},
	{specstory.Name, specstory.Detect, specstory.Read},
	{aider.Name, aider.Detect, aider.Read},
}

// IsTranscript reports whether a format is one that an agent writes by itself.
func IsTranscript(format string) bool {
	return slices.ContainsFunc(transcripts, func(t transcript) bool { return t.name == format })
}

// headBytes is how much of a file is looked at to tell its format.
const headBytes = 256 << 10

// ErrNoLog is wrapped by the InputError of JSON that is of no known format.
var ErrNoLog = errors.New("JSON of no known format of logs or transcripts")

// ErrOwn is wrapped by the InputError of what this program itself exported.
var ErrOwn = turns.ErrOwn

// Formats lists the names of the formats that Read tells apart.
func Formats() []string {
	var out []string
	for _, f := range transcripts {
		out = append(out, f.name)
	}
	for _, f := range formats {
		out = append(out, f.name)
	}
	return out
}

// FormatNamed is the format of a name, which may leave out what follows the agent's own
// name: "claude" is claude-code.
func FormatNamed(name string) (string, bool) {
	for _, f := range Formats() {
		if f == name || f == name+"-code" || f == name+"-cli" {
			return f, true
		}
	}
	return "", false
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
	i := slices.IndexFunc(transcripts, func(t transcript) bool {
		return src.Format == t.name || src.Format == "" && t.matches(head)
	})
	if i < 0 {
		data, err := io.ReadAll(io.LimitReader(b, MaxBytes+1))
		if err != nil {
			return nil, err
		}
		if len(data) > MaxBytes {
			more, err := io.Copy(io.Discard, b)
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
	t, builder, counts := transcripts[i], actions.New(), redact.Counts{}
	x := newReading(t, builder.Add, func(s string) string {
		s, found := e.redact.Text(s)
		counts.Add(found)
		return s
	})
	x.next = builder.NextFile
	switch err := x.all(b, parts); {
	case errors.Is(err, ErrOwn):
		return nil, &InputError{Err: err}
	case err != nil:
		return nil, fmt.Errorf("read as %s: %w", t.name, err)
	}
	s := x.session
	ep, taken := builder.Draft(s).Build()
	ep.Session = sessionName(s, src)
	ep.ID = episode.IDFromSession(ep.Session)
	ep.Provenance.Source = episode.Source{Path: src.Path, SHA256: x.digest(), Format: t.name, Unit: s.Unit, Session: wholeSession(s)}
	ep.Provenance.Extractor = e.Rules()
	res, err := e.finish(ep, taken, counts, slices.Concat(x.remarks, builder.Remarks(), remarks(ep)))
	if err == nil {
		res.Parts, res.Acts = x.parts, builder.Acts
	}
	return res, err
}

// wholeSession is the id of the session that a transcript is of: for a sub-agent the one
// that it is part of, so that all of them are one vote.
func wholeSession(s turns.Session) string {
	if s.Parent != "" {
		return s.Parent
	}
	return s.ID
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
