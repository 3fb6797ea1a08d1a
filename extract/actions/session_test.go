package actions

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
)

// talk makes the turns of a session; each stands on a line of its own, a call and its
// result on two.
type talk struct {
	turns []turns.Turn
	line  int
	sub   string
}

func (k *talk) put(t turns.Turn) *talk {
	k.line++
	t.At, t.Sub = episode.Span{k.line, k.line}, k.sub
	k.turns = append(k.turns, t)
	return k
}

func (k *talk) user(text string) *talk { return k.put(turns.Turn{Role: turns.User, Text: text}) }
func (k *talk) says(text string) *talk { return k.put(turns.Turn{Role: turns.Agent, Text: text}) }
func (k *talk) stop() *talk            { return k.put(turns.Turn{Role: turns.Stop}) }

func (k *talk) call(c turns.ToolCall, r turns.ToolResult) *talk {
	id := fmt.Sprintf("t%d", k.line)
	c.ID, r.ID = id, id
	k.put(turns.Turn{Role: turns.Call, Call: &c})
	return k.put(turns.Turn{Role: turns.Result, Result: &r})
}

func (k *talk) sh(command string, code int, text string) *talk {
	return k.call(turns.ToolCall{Name: "Bash", Tool: turns.Shell, Command: command}, result(code, text))
}

func (k *talk) edit(file, before, after string) *talk {
	return k.call(turns.ToolCall{Name: "Edit", Tool: turns.Edit, Files: []string{file}, Old: before, New: after}, turns.ToolResult{State: turns.OK})
}

func (k *talk) tool(tool turns.Tool, name, file string, state turns.State, text string) *talk {
	return k.call(turns.ToolCall{Name: name, Tool: tool, Files: []string{file}}, turns.ToolResult{State: state, Text: text})
}

func (k *talk) in(sub string) *talk {
	k.sub = sub
	return k
}

func (k *talk) draft(tb testing.TB) *facts.Draft {
	tb.Helper()
	b := New()
	for _, t := range k.turns {
		if err := b.Add(t); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Draft(turns.Session{ID: "s"})
}

// told writes the facts of a kind, those of events by type.
func told(d *facts.Draft, kind string) []string {
	var out []string
	for _, f := range d.Facts {
		if f.Kind == facts.Event && string(f.Event) == kind || f.Kind == facts.Decision && kind == "decision" {
			out = append(out, f.Content)
		}
	}
	return out
}

// linked writes the links as "content -> content".
func linked(d *facts.Draft) string {
	var out []string
	for _, l := range d.Links {
		out = append(out, l.From.Content+" -> "+l.To.Content)
	}
	return strings.Join(out, "\n")
}
