package aider

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

var (
	fenceMark  = lazy.Pattern("^\\s*(`{3,}|~{3,})([A-Za-z0-9_+#.-]*)\\s*$")
	searchMark = lazy.Pattern(`^<{5,9} (?:SEARCH|ORIGINAL)\b`)
	middleMark = lazy.Pattern(`^={5,9}\s*$`)
	endMark    = lazy.Pattern(`^>{5,9} (?:REPLACE|UPDATED)\b`)
	patchMark  = lazy.Pattern(`^\+\+\+ (?:b/)?(\S+)`)
	nameMark   = lazy.Pattern("^[\\s`*#:]*([^\\s`*]+?)[`*:]*\\s*$")
)

// words parses a line of the model. Fenced blocks hold edits, whole files and examples; they are
// not part of the model's message.
func (r *reader) words(n int, line []byte) {
	fence := fenceMark().FindSubmatch(line)
	if fence == nil && !searchMark().Match(line) {
		r.unnamed()
	}
	r.named = 0
	switch e := r.edit; {
	case searchMark().Match(line):
		if e != nil { // its name may be within the fence
			if m := nameMark().FindStringSubmatch(e.new.String()); m != nil {
				r.name = m[1]
			}
		}
		r.edit, r.side = &edit{at: episode.Span{n, n}, file: r.name}, oldSide
	case e != nil && !e.whole && r.side == oldSide && middleMark().Match(line):
		r.side = newSide
	case e != nil && !e.whole && r.side == newSide && endMark().Match(line):
		r.propose(n)
	case e != nil && !e.whole:
		e.add(r.side, line)
	case r.fence == "" && fence != nil:
		r.fence = string(fence[1])
		r.edit, r.side = &edit{at: episode.Span{n, n}, file: r.name, whole: true, diff: string(fence[2]) == "diff"}, newSide
	case r.fence != "" && fence != nil && len(fence[2]) == 0 && string(fence[1]) == r.fence:
		r.fence = ""
		if e != nil {
			r.propose(n)
		}
	case e != nil:
		if m := patchMark().FindSubmatch(line); m != nil && e.diff {
			e.file = string(m[1])
		}
		e.add(r.side, line)
	case r.fence == "":
		if m := nameMark().FindSubmatch(line); m != nil {
			r.name, r.named, r.namedBy = string(m[1]), n, string(line)
			return
		} else if len(bytes.TrimSpace(line)) > 0 {
			r.name = ""
		}
		r.gather(n, line)
	}
}

// unnamed adds the previous line to the message, since it did not name the file of an edit.
func (r *reader) unnamed() {
	if r.named > 0 {
		r.gather(r.named, []byte(r.namedBy))
		r.named = 0
	}
}

func (e *edit) add(s side, line []byte) {
	if s == oldSide {
		e.old.Add(line)
	} else {
		e.new.Add(line)
	}
}

// propose completes the current edit at line n. It now waits to be applied.
func (r *reader) propose(n int) {
	r.edit.at[1] = n
	r.edits = append(r.edits, *r.edit)
	r.edit, r.side = nil, noSide
}

// unfence closes a fenced block that the model left open, and drops its edit.
func (r *reader) unfence() { r.fence, r.edit, r.side = "", nil, noSide }

// changes removes the proposed edits of a file from the queue and returns them as one call with its
// span. For "" these are the edits of all files, except whole files. It returns nil if there are none.
func (r *reader) changes(file string) (*turns.ToolCall, episode.Span) {
	var c *turns.ToolCall
	var at episode.Span
	var rest []edit
	for _, e := range r.edits {
		switch {
		case file != "" && strings.TrimPrefix(e.file, "./") != strings.TrimPrefix(file, "./"), file == "" && e.whole:
			rest = append(rest, e)
			continue
		case c == nil:
			at = e.at
			if c = (&turns.ToolCall{Name: "edit", Tool: turns.Edit}); e.whole && !e.diff {
				c.Name, c.Tool = "write", turns.Write
			}
		default:
			at[1] = e.at[1]
			c.Old += "\n"
			c.New += "\n"
		}
		c.Old += e.old.String()
		c.New += e.new.String()
		if e.file != "" && !slices.Contains(c.Files, e.file) {
			c.Files = append(c.Files, e.file)
		}
	}
	if c != nil {
		c.ID = "line " + strconv.Itoa(at[0])
	}
	r.edits = rest
	return c, at
}
