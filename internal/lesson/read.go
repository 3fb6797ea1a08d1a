package lesson

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/corrections"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Edit is a change of a file.
type Edit struct {
	File     string // as the call spells it
	Old, New string // "" where they are not known
}

// Read makes a Session of a transcript in a format, whose bytes are redacted, with those of its sub-agents as parts. One whose
// spans do not count lines is held to its rendering (extract.Extractor.Rendering), another one to the lines of its files.
func Read(f turns.Format, rendering corrections.Lines, files ...[]byte) (*Session, error) {
	r := reading{calls: map[string]int{}}
	var first turns.Session
	for n, file := range files {
		r.before, r.part = len(r.lines), n > 0
		in := turns.NewReader(bytes.NewReader(file), r.put)
		if err := f.Read(in); err != nil {
			return nil, err
		}
		if n == 0 {
			first = in.Session
		}
		r.lines = append(r.lines, corrections.Split(file)...)
		r.lines = slices.Grow(r.lines, in.Extent())[:r.before+in.Extent()]
	}
	if first.Unit != "" {
		if rendering == nil {
			return nil, fmt.Errorf("it counts in %ss, and there is no rendering of it", first.Unit)
		}
		clear(r.lines)
		copy(r.lines, rendering)
	}
	s := FromTurns(r.lines, r.turns)
	s.dir = first.Dir
	return s, nil
}

// reading collects the turns of the files of a session.
type reading struct {
	lines  corrections.Lines
	turns  []Turn
	calls  map[string]int // their turns, by the ids of their results
	part   bool           // of a sub-agent: its prompts are an agent's
	before int            // units of spans in the files before
}

func (r *reading) put(t turns.Turn) error {
	t.At[0], t.At[1] = t.At[0]+r.before, t.At[1]+r.before
	put := func(who Who, edits []Edit, text ...string) {
		if s := strings.TrimSpace(strings.Join(text, "\n")); s != "" {
			r.turns = append(r.turns, Turn{t.At, who, s, edits})
		}
	}
	switch c, res := t.Call, t.Result; {
	case c != nil:
		r.calls[c.ID] = len(r.turns)
		put(ByCall, edits(c), append([]string{c.Command, c.Old, c.New, c.Text}, c.Files...)...)
	case res != nil:
		if i, ok := r.calls[res.ID]; ok && i < len(r.turns) && res.State >= turns.Failed && res.State <= turns.NotRun {
			r.turns[i].Edits = nil
		}
		put(ByPerson, nil, res.Said)
		put(ByTool, nil, res.Text)
	case t.Role == turns.User && !r.part:
		put(ByPerson, nil, t.Text)
	default:
		put(ByAgent, nil, t.Text)
	}
	return nil
}

var (
	hunk   = lazy.Pattern(`(?m)^(?:@@|\*\*\* )`)
	notNew = lazy.Pattern(`(?m)^(?:-.*\n?|[+ ])`)
)

// edits are the changes that a call makes, one for each file. Of several files their texts are not told apart.
func edits(c *turns.ToolCall) (out []Edit) {
	if c.Tool != turns.Edit && c.Tool != turns.Write {
		return nil
	}
	e := Edit{Old: c.Old, New: c.New}
	switch {
	case len(c.Files) > 1:
		e = Edit{}
	case c.Tool == turns.Edit && c.Old == "" && hunk().MatchString(c.New):
		e.New = notNew().ReplaceAllString(c.New, "")
	}
	for _, e.File = range c.Files {
		out = append(out, e)
	}
	return out
}
