package rules

import (
	"cmp"
	"strconv"
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// sessionPart is the part of a file that is about one session. A file may contain many,
// the newest first or last; task and outcome are those of the newest.
type sessionPart struct {
	head     *doc.Section // nil when the file is about one session
	from, to int          // lines, inclusive
}

func (s sessionPart) contains(line int) bool { return line >= s.from && line <= s.to }

// newestSession finds the newest session of the file: the one whose heading has the
// latest date, or the highest number; among equals the first where the file goes
// from new to old, else the last.
func newestSession(d *doc.Document) sessionPart {
	whole := sessionPart{from: 1, to: d.Lines}
	heads := sessionHeads(d)
	if len(heads) < 2 {
		return whole
	}
	newFirst := later(heads[0], heads[len(heads)-1]) > 0
	best := heads[0]
	for _, h := range heads[1:] {
		if c := later(h, best); c > 0 || c == 0 && !newFirst {
			best = h
		}
	}
	out := sessionPart{head: best.section, from: best.section.Line, to: d.Lines}
	for _, s := range d.Sections {
		if s.Line > out.from && s.Level <= best.section.Level {
			out.to = s.Line - 1
			break
		}
	}
	return out
}

// sessionHead is a heading that opens a session.
type sessionHead struct {
	section *doc.Section
	date    string // ISO, or ""
	number  int    // 0 when it has none
}

func later(a, b sessionHead) int {
	if a.date != "" && b.date != "" {
		return cmp.Or(strings.Compare(a.date, b.date), cmp.Compare(a.number, b.number))
	}
	return cmp.Compare(a.number, b.number)
}

// sessionHeads are the headings of the highest level on which at least two, and
// at least half, have a date or call themselves a session.
func sessionHeads(d *doc.Document) []sessionHead {
	for level := 1; level <= 3; level++ {
		var out []sessionHead
		n := 0
		for _, s := range d.Sections[1:] {
			if s.Level != level {
				continue
			}
			n++
			if h, ok := readHead(s); ok {
				out = append(out, h)
			}
		}
		if len(out) >= 2 && 2*len(out) >= n {
			return out
		}
	}
	return nil
}

func readHead(s *doc.Section) (sessionHead, bool) {
	h := sessionHead{section: s, date: lex.FirstDay(s.Title.Raw)}
	t := s.Title
	for i := 0; i < len(t.Words) && i < 6; i++ {
		if t.At(i, lex.ClassSession) && i+1 < len(t.Words) && lex.IsNumber(t.Words[i+1].Lower) {
			h.number, _ = strconv.Atoi(t.Words[i+1].Lower)
		}
	}
	return h, h.date != "" || h.number > 0
}
