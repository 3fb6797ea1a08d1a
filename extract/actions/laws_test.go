package actions

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
	"episodes/outcome"
)

// Words of which random sessions are made, so that their parts bear on each other.
var (
	someCommands = rapid.SampledFrom([]string{
		"go test ./...", "go test ./cart", "go test ./... | tail -3", "npm run lint", "npm run lnt", "npm test; echo done", "git commit -am x", "git add -A && git commit -m y",
		"grep -r x .", "ls dist 2>/dev/null", "cat a.go", "gh run view 7 --log", "sudo apt-get install jq", "jq . a.json", "docker exec web pytest -q", "bash -c 'pytest -q'", "", "|", "cat <<EOF", "if (Test-Path x) { npm test }",
	})
	someOutputs = rapid.SampledFrom([]string{
		"", "ok", failing, passing, "Tests: 1 failed, 3 passed, 4 total", "Tests: 4 passed, 4 total", "npm error Missing script: \"lnt\"", "cart.go:9:2: undefined: total", "error: x", "bash: jq: command not found",
		"[main 1a2b3c4] x\n 1 file changed", "nothing to commit", "##[error]Process completed with exit code 1.", "File has not been read yet.", "Traceback (most recent call last):\nKeyError: 'x'", "\x00", "…\n\n---\n", "1 failed, 2 passed, 1 error in 0.1s",
	})
	someWords = rapid.SampledFrom([]string{
		"", "fix it", "No, use the other one.", "great, thanks", "I'll use a map instead of a list.", "I'm going with SQLite because it is one file.", "Let me look.", "```\nno", "/clear", "you broke it\nagain",
	})
	someFiles = rapid.SampledFrom([]string{"/src/a.go", "a.go", "/src/b.go", "", "/"})
)

// randomTurns are turns as a bad writer may give them: results of calls that were never
// made, or twice, or before others; calls without a result.
func randomTurns(t *rapid.T) []turns.Turn {
	var out []turns.Turn
	line := 0
	for range rapid.IntRange(0, 40).Draw(t, "turns") {
		line += rapid.IntRange(0, 2).Draw(t, "step")
		turn := turns.Turn{
			Role: turns.Role(rapid.IntRange(int(turns.User), int(turns.Stop)).Draw(t, "role")),
			At:   episode.Span{max(line, 1), max(line, 1) + rapid.SampledFrom([]int{0, 0, 0, 3, 60}).Draw(t, "length")},
			Sub:  rapid.SampledFrom([]string{"", "", "", "a1"}).Draw(t, "sub"),
		}
		line = turn.At[1]
		id := rapid.SampledFrom([]string{"", "t1", "t2", "t3"}).Draw(t, "id")
		text := rapid.OneOf(someOutputs, rapid.String())
		switch turn.Role {
		case turns.User, turns.Agent:
			turn.Text = rapid.OneOf(someWords, rapid.String()).Draw(t, "words")
		case turns.Call:
			turn.Call = &turns.ToolCall{ID: id, Name: rapid.SampledFrom([]string{"Bash", "Edit", "", "mcp__x__y"}).Draw(t, "name"), Tool: turns.Tool(rapid.IntRange(int(turns.Other), int(turns.Plan)).Draw(t, "tool")),
				Command: rapid.OneOf(someCommands, rapid.String()).Draw(t, "command"), Old: text.Draw(t, "old"), New: text.Draw(t, "new")}
			if rapid.Bool().Draw(t, "has files") {
				turn.Call.Files = []string{someFiles.Draw(t, "file")}
			}
		case turns.Result:
			turn.Result = &turns.ToolResult{ID: id, State: turns.State(rapid.IntRange(int(turns.Unsaid), int(turns.Empty)).Draw(t, "state")), Text: text.Draw(t, "text")}
			if rapid.Bool().Draw(t, "has exit") {
				turn.Result.Exit = turns.Exited(rapid.SampledFrom([]int{0, 0, 1, 2, 127, 130, -1}).Draw(t, "exit"))
			}
			if rapid.IntRange(0, 4).Draw(t, "says") == 0 {
				turn.Result.Said = someWords.Draw(t, "said")
			}
			turn.Result.Commit = rapid.SampledFrom([]string{"", "", "", "1a2b3c4"}).Draw(t, "commit")
		}
		out = append(out, turn)
	}
	return out
}

// soundDraft holds what is true of the facts of any turns.
func soundDraft(t *rapid.T) {
	all := randomTurns(t)
	session := turns.Session{ID: "s", NoResults: rapid.IntRange(0, 9).Draw(t, "no results") == 0}
	build := func() *facts.Draft {
		b := New()
		for _, turn := range all {
			turn.Call, turn.Result = clone(turn.Call), clone(turn.Result)
			if err := b.Add(turn); err != nil {
				t.Fatal(err)
			}
		}
		return b.Draft(session)
	}
	d := build()
	first, last := 1, 1
	for _, turn := range all {
		last = max(last, turn.At[1])
	}
	in := func(what string, s episode.Span) {
		if s[0] < first || s[1] < s[0] || s[1] > last {
			t.Errorf("%s at %v of %d lines", what, s, last)
		}
	}
	for _, f := range d.Facts {
		in(f.Content, f.Span)
		if f.Content == "" {
			t.Error("a fact that says nothing")
		}
		if shows := f.Event == episode.Error || f.Event == episode.Test || f.Event == episode.Commit; session.NoResults && shows {
			t.Errorf("%s, but nothing shows it", f.Content)
		}
	}
	for _, l := range d.Links {
		in("a link", l.Span)
		if !slices.Contains(d.Facts, l.From) || !slices.Contains(d.Facts, l.To) {
			t.Error("a link of a fact that is not there")
		}
		if l.Type != episode.Prevents {
			continue
		}
		if l.To.Event != episode.Error || l.From.Event == episode.Error || l.From.Kind != facts.Event {
			t.Errorf("%s prevents %s", l.From.Content, l.To.Content)
		}
		if l.From.Span[1] < l.To.Span[0] {
			t.Errorf("%s at %v prevents what came later: %s at %v", l.From.Content, l.From.Span, l.To.Content, l.To.Span)
		}
	}
	if verdict := outcome.Decide(d.Signs...); verdict.Outcome.Known() {
		in("the outcome", verdict.Lines)
	}
	ep, _ := d.Build()
	ep.Session, ep.ID = "s", episode.IDFromSession("s")
	ep.Provenance.Source = episode.Source{Path: "s.jsonl", SHA256: fmt.Sprintf("%064d", 0), Format: "x"}
	for _, p := range ep.Validate() {
		t.Errorf("not legal: %s", p.Msg)
	}
	again, _ := build().Build()
	again.Session, again.ID, again.Provenance.Source = ep.Session, ep.ID, ep.Provenance.Source
	if diff := cmp.Diff(ep, again); diff != "" {
		t.Errorf("the same turns give other facts:\n%s", diff)
	}
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func TestFactsOfAnyTurns(t *testing.T) { rapid.Check(t, soundDraft) }

func FuzzBuilder(f *testing.F) { f.Fuzz(rapid.MakeFuzz(soundDraft)) }
