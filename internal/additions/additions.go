// Package additions is what was added to an episode after the rules read its log: lessons, what became of earlier
// ones, corrections. A file of additions never changes (package memory keeps them). An episode is read as Join makes it
// of the facts of the rules and of its files.
//
//	additions.go  a file: who says it, and its entries
//	join.go       facts and files → one episode
//	take.go       entries that come in → a file
package additions

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
	"episodes/internal/lesson"
	"episodes/internal/local"
	"episodes/internal/memory"
	"episodes/internal/plain"
)

// Head is the first line of a file: who says what follows, and of what.
type Head struct {
	By           lesson.By    `json:"by"`
	Name         string       `json:"name,omitempty"` // of the agent or reader
	At           string       `json:"at"`             // RFC 3339
	Session      string       `json:"session,omitempty"`
	Log          string       `json:"log,omitempty"`          // the SHA-256 of the log that lines are of
	Instructions string       `json:"instructions,omitempty"` // of a reader: their number
	Key          string       `json:"key,omitempty"`          // of a reading: what was read
	Saw          []lesson.Ref `json:"saw,omitempty"`          // earlier lessons that were shown to a reader
	// Mark is of the user whose program wrote the file, by which it knows its own. It is the last member.
	Mark string `json:"mark,omitempty"`
}

// Entry is a line behind the head.
type Entry struct {
	lesson.Entry
	Record *corrections.Entry // in its place: about a record of the rules
}

// File is what one reading, statement or correction adds.
type File struct {
	Head
	Hash    string // its name
	Own     bool   // this user's program wrote it
	Entries []Entry
	Bad     []error // lines that are left out
}

var mark = lazy.Pattern(`,"mark":"[0-9a-f]*"\}`)

// Encode returns the bytes of a file, under the mark of this user.
func (h Head) Encode(entries []Entry) ([]byte, error) {
	h.Mark = ""
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(h)
	for _, e := range entries {
		if e.Record != nil {
			err = errors.Join(err, enc.Encode(e.Record))
		} else {
			err = errors.Join(err, enc.Encode(e.Entry))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("encode additions: %w", err)
	}
	own, _ := local.Mark("addition " + b.String())
	if own == "" {
		return b.Bytes(), nil
	}
	head, rest, _ := strings.Cut(b.String(), "}\n")
	return []byte(head + `,"mark":"` + own + "\"}\n" + rest), nil
}

// Parse reads a file, whoever wrote it. Lines that are no entries are left out.
func Parse(a memory.Addition) *File {
	f := &File{Hash: a.Hash}
	head, rest, _ := strings.Cut(string(a.Data), "\n")
	if err := json.Unmarshal([]byte(head), &f.Head); err != nil {
		f.Bad = append(f.Bad, fmt.Errorf("line 1: %w", err))
		return f
	}
	plain.All(&f.Head)
	if f.Mark != "" {
		own, _ := local.Mark("addition " + mark().ReplaceAllString(head, "}") + "\n" + rest)
		f.Own = own == f.Mark
	}
	for i, line := range strings.Split(rest, "\n") {
		if line == "" {
			continue
		}
		e, err := parse(line)
		if err != nil {
			f.Bad = append(f.Bad, fmt.Errorf("line %d: %w", i+2, err))
			continue
		}
		f.Entries = append(f.Entries, e)
	}
	return f
}

func parse(line string) (e Entry, err error) {
	var of struct{ Op string }
	if json.Unmarshal([]byte(line), &of); of.Op != "" {
		f, err := corrections.Parse([]byte(line))
		if err != nil || len(f.Entries) != 1 {
			return e, errors.Join(errors.New("not a correction"), err)
		}
		return Entry{Record: &f.Entries[0]}, nil
	}
	entries, refused := lesson.Parse(line)
	if len(entries) != 1 {
		for _, r := range refused {
			err = errors.New(r.Text)
		}
		return e, errors.Join(errors.New("no entry"), err)
	}
	return Entry{Entry: entries[0]}, nil
}

// All reads what files say, in the order of their time.
func All(list []memory.Addition) (out []*File) {
	for _, a := range list {
		out = append(out, Parse(a))
	}
	slices.SortFunc(out, func(a, b *File) int { return cmp.Or(a.time().Compare(b.time()), strings.Compare(a.Hash, b.Hash)) })
	return out
}

// time is when a file was written; the zero time if it does not say.
func (h Head) time() time.Time {
	t, _ := time.Parse(time.RFC3339, h.At)
	return t
}

// After is the time of a file that is written now, behind others.
func After(files []*File, now time.Time) string {
	for _, f := range files {
		if t := f.time(); !now.After(t) && t.Before(now.Add(time.Minute)) { // else of a clock that was wrong
			now = t.Add(1)
		}
	}
	return now.UTC().Format(time.RFC3339Nano)
}

// who is Who; a person that is not this user is a file that says so.
func (f *File) who() string {
	if f.By == lesson.Person && !f.Own {
		return episode.FileSays
	}
	return f.Who()
}

// Who names the author of a file, as episode.Provenance.By does.
func (h Head) Who() string { return strings.TrimSpace(string(h.By) + " " + h.Name) }
