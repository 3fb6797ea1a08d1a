package extract

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/extract/actions"
	"episodes/internal/plain"
	"episodes/internal/telling"
	"episodes/internal/turns"
)

// Said is what one turn of a transcript contributes to full-text search.
type Said struct {
	At   episode.Span // the place in the transcript, in the unit of its format
	Line int          // the line of the transcript on which Text begins, if its lines are those from there on, or 0
	Who  Speaker
	Text string // redacted; may have several lines
	From int    // offset of Text in the file of ParseSaid, or 0
}

// Speaker says whose words a text is.
type Speaker byte

// The speakers: people, the agent, and tools. NoSpeaker: it is not known, as in files of earlier versions.
const (
	NoSpeaker Speaker = 0
	Person    Speaker = 'p'
	Agent     Speaker = 'a'
	Printed   Speaker = 't'
)

// WordsBytes is the size of the largest file that MarshalSaid returns for one session.
const WordsBytes = 64 << 10

// placeBytes is what the place of a turn takes in the file.
const placeBytes = len("\f1234567-1234567 p1234567\n\n")

// MarshalSaid returns the turns as a file: before each of them a form feed, its place, its speaker, and the line of
// its text if that is known.
func MarshalSaid(said []Said) []byte {
	var b strings.Builder
	for _, s := range said {
		on := ""
		if s.Who != NoSpeaker {
			on = " " + string(s.Who)
		}
		if s.Line > 0 {
			on = cmp.Or(on, " ") + fmt.Sprint(s.Line)
		}
		fmt.Fprintf(&b, "\f%d-%d%s\n%s\n", s.At[0], s.At[1], on, s.Text)
	}
	return []byte(b.String())
}

// ParseSaid returns the turns of a file of MarshalSaid. The file may come from others; what is no
// turn is left out.
func ParseSaid(file string) (out []Said) {
	for from := 0; from < len(file); {
		end := len(file)
		if n := strings.IndexByte(file[from+1:], '\f'); n >= 0 {
			end = from + 1 + n
		}
		place, text, _ := strings.Cut(file[from:end], "\n")
		first, last, _ := strings.Cut(strings.TrimPrefix(place, "\f"), "-")
		a, notFirst := strconv.Atoi(first)
		last, line, lined := strings.Cut(last, " ")
		who := NoSpeaker
		if line != "" && strings.ContainsRune("pat", rune(line[0])) {
			who, line = Speaker(line[0]), line[1:]
			lined = line != ""
		}
		b, notLast := strconv.Atoi(last)
		on, notOn := strconv.Atoi(line)
		text = strings.TrimSuffix(text, "\n")
		if notFirst == nil && notLast == nil && 0 < a && a <= b && text != "" &&
			(!lined || notOn == nil && a <= on && on <= b-strings.Count(text, "\n")) {
			out = append(out, Said{At: episode.Span{a, b}, Line: on, Who: who, Text: text, From: from + len(place) + 1})
		}
		from = end
	}
	return out
}

// How much of a text is searchable, in bytes, from most to least. What tools printed is shortened first, then
// what the agent wrote and people pasted, each at the largest limit at which the session fits into WordsBytes.
var textLimits = []int{32 << 10, 16 << 10, 8 << 10, 4 << 10, 2 << 10, 1 << 10, 512, 256, 128}

// pasteLimit is the least limit of what a person wrote.
const pasteLimit = 2 << 10

// mostReported is the number of lines of one result that are searchable.
const mostReported = 8

// Words returns the text of a transcript that is worth searching: what the user and the agent
// wrote, and the lines of tools that report an error. Files that were read, and lines that the
// session repeats, are left out. digest, of and parts
// are as for Excerpts. The result is nil for a format of logs.
func (e *Extractor) Words(in io.Reader, of episode.Source, parts ...io.Reader) (said []Said, digest string, err error) {
	f, ok := Transcript(of.Format)
	if !ok {
		return nil, "", nil
	}
	w := newWords()
	x := newReading(f, func(t turns.Turn) error { w.add(t); return nil }, e.redact.String)
	digest, err = x.one(of.Session, in, parts, func(found bool) {
		if found {
			said = w.fitted()
		}
		w = newWords()
	})
	return said, digest, err
}

// words collects the searchable turns of one session.
type words struct {
	said  []spoken
	calls map[string]turns.Turn // by id; "" is the last call without one
	seen  map[uint64]bool       // lines so far, by hash
	seed  maphash.Seed
	size  int // that said takes in the file at least, in bytes
}

// spoken is what one turn contributes, and whose it is: a result's is printed.
type spoken struct {
	Said
	by turns.Role
}

var speakers = map[turns.Role]Speaker{turns.User: Person, turns.Agent: Agent, turns.Result: Printed}

// within is the text within the limits of what tools printed and of other texts.
func (s *spoken) within(printed, others int) string {
	switch s.by {
	case turns.Result:
		others = printed
	case turns.User:
		others = max(others, pasteLimit)
	}
	if s.Line > 0 {
		return turns.EndsInPlace(s.Text, others)
	}
	return turns.Ends(s.Text, others)
}

func newWords() *words {
	return &words{seen: map[uint64]bool{}, seed: maphash.MakeSeed(), calls: map[string]turns.Turn{}}
}

func (w *words) add(t turns.Turn) {
	if w.size > WordsBytes {
		return // fitted would leave it out
	}
	switch t.Role {
	case turns.User, turns.Agent:
		w.put(t.At, t.Role, strings.Split(t.Text, "\n"), t.Lines)
	case turns.Call:
		w.calls[t.Call.ID] = t
	case turns.Result:
		w.put(t.At, turns.User, strings.Split(t.Result.Said, "\n"), nil)
		if lines := w.reported(t.Result); len(lines) > 0 { // with the command above them
			w.put(episode.Span{w.calls[t.Result.ID].At[0], t.At[1]}, turns.Result, lines, nil)
		}
		if t.Result.State != turns.Running {
			delete(w.calls, t.Result.ID)
		}
	}
}

// reported returns the lines of a result that report an error, below the call. A tool that only shows files
// or searches them reports nothing, even if the files contain errors, unless it failed.
func (w *words) reported(r *turns.ToolResult) (out []string) {
	call := w.calls[r.ID].Call
	failed := r.State == turns.Failed || r.Exit != nil && *r.Exit != 0
	if r.State == turns.Empty || call == nil || !failed && call.Tool != turns.Shell && call.Tool != turns.Other {
		return nil
	}
	if call.Tool == turns.Shell && !failed && actions.OnlyLooks(call.Command) {
		return nil
	}
	least := telling.Reported
	if failed {
		least = telling.Vague
	}
	for _, l := range telling.Read(r.Text) {
		if len(out) < mostReported && l.Level >= least {
			out = append(out, turns.Start(l.Text, lineBytes))
		}
	}
	if l := telling.In(r.Text); failed && len(out) == 0 && l != "" {
		out = []string{turns.Start(l, lineBytes)}
	}
	switch {
	case len(out) == 0:
	case call.Command != "":
		out = append([]string{"$ " + turns.Start(strings.TrimSpace(call.Command), lineBytes)}, out...)
	case call.Tool == turns.Read && len(call.Files) > 0:
		out = append([]string{"> " + call.Name + " " + turns.Start(call.Files[0], lineBytes)}, out...)
	}
	return out
}

// put keeps the lines that the session has not had yet, and all that a person wrote. If it is known on which
// lines of the file they are, what is not kept of these is an empty line.
func (w *words) put(at episode.Span, by turns.Role, lines []string, on []int) {
	kept := lines[:0:0]
	for i, l := range lines {
		l = plain.Text(strings.TrimRight(l, " \t\r"))
		h := maphash.String(w.seed, l)
		known := l != "" && w.seen[h] && by != turns.User
		w.seen[h] = true
		switch {
		case on != nil:
			for len(kept) <= on[i]-on[0] {
				kept = append(kept, "")
			}
			if !known {
				kept[on[i]-on[0]] = strings.TrimPrefix(kept[on[i]-on[0]]+" "+strings.ReplaceAll(l, "\n", " "), " ")
			}
		case !known:
			kept = append(kept, l)
		}
	}
	all := strings.Join(kept, "\n")
	text := strings.TrimLeft(all, "\n")
	s := spoken{Said{At: at, Who: speakers[by]}, by}
	if on != nil {
		s.Line = on[0] + len(all) - len(text)
	}
	if s.Text = strings.TrimRight(text, "\n"); s.Text != "" {
		s.Text = strings.Clone(s.within(textLimits[0], textLimits[0]))
		w.said, w.size = append(w.said, s), w.size+placeBytes+len(s.within(0, textLimits[len(textLimits)-1]))
	}
}

// fitted shortens texts until the session fits into WordsBytes; a session of very many turns loses the last ones.
func (w *words) fitted() []Said {
	last := len(textLimits) - 1
	for _, printed := range append(textLimits[2:], 0) {
		if out, all := w.fit(printed, textLimits[0]); all {
			return out
		}
	}
	for _, limit := range textLimits[1:last] {
		if out, all := w.fit(0, limit); all {
			return out
		}
	}
	out, _ := w.fit(0, textLimits[last])
	return out
}

// fit returns the turns within the limits, as far as they fit into WordsBytes, and whether all of them do.
func (w *words) fit(printed, others int) (out []Said, all bool) {
	size := 0
	for i := range w.said {
		s := w.said[i]
		if s.Text = s.within(printed, others); s.Text == "" {
			continue
		}
		if size += placeBytes + len(s.Text); size > WordsBytes {
			return out, false
		}
		out = append(out, s.Said)
	}
	return out, true
}
