package actions

import (
	"testing"

	"episodes/internal/turns"
)

// A quiet commit prints nothing: that it was made is shown by a log behind it with its subject.
func TestQuietCommits(t *testing.T) {
	const log = "1f0c9e2 Lids are closed\n88aa11b Add a lid\n"
	const long = "commit 1f0c9e2aa0b7c4d5e6f708192a3b4c5d6e7f8091 (HEAD -> main)\nAuthor: A <a@example.org>\nDate:   Mon\n\n    Lids are closed\n\n lid.go | 2 +-\n"
	for _, c := range []struct {
		command, output string
		exit            *int
		hash            string // "": no commit
	}{
		{"git add -A && git commit -q -m 'Lids are closed' && git log --oneline -2", log, turns.Exited(0), "1f0c9e2"},
		{"git commit -q -m 'Lids are closed' && git log --oneline | head -2", log, nil, "1f0c9e2"},
		{"git commit -q -m \"Lids are closed\"; git log -1 --oneline --decorate", "1f0c9e2 (HEAD -> main, origin/main) Lids are closed\n", nil, "1f0c9e2"},
		{"git commit -q -m 'Lids are closed' ; git log -1 --stat", long, nil, "1f0c9e2aa0b7c4d5e6f708192a3b4c5d6e7f8091"},
		// the newest commit is another one
		{"git commit -q -m 'Lids are open'; git log --oneline -2", log, nil, ""},
		// the log is of before
		{"git log --oneline -2; git commit -q -m 'Lids are closed' || true", log, nil, ""},
	} {
		b := New()
		for _, turn := range []turns.Turn{
			{Role: turns.Call, Call: &turns.ToolCall{Tool: turns.Shell, Command: c.command}},
			{Role: turns.Result, Result: &turns.ToolResult{Text: c.output, Exit: c.exit}},
		} {
			if err := b.Add(turn); err != nil {
				t.Fatal(err)
			}
		}
		hash := ""
		if made := b.steps[0].made; made != nil {
			hash = made.hash
			if made.message != "Lids are closed" {
				t.Errorf("%s: subject %q", c.command, made.message)
			}
		}
		if hash != c.hash {
			t.Errorf("%s: commit %q, want %q", c.command, hash, c.hash)
		}
	}
}
