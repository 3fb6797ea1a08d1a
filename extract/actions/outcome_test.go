package actions

import (
	"testing"

	"episodes/episode"
	"episodes/internal/turns"
	"episodes/outcome"
)

func TestWhatASessionCameTo(t *testing.T) {
	fail, pass := "Tests: 1 failed, 3 passed, 4 total", "Tests: 4 passed, 4 total"
	start := func() *talk { return (&talk{}).user("make the cart add up") }
	refused := turns.ToolResult{State: turns.Refused}
	for _, c := range []struct {
		name string
		k    *talk
		want episode.Outcome
		from episode.OutcomeSource
	}{
		{"nothing", &talk{}, episode.Unknown, episode.Default},
		{"words alone", start().says("Done, all tests pass."), episode.Unknown, episode.Default},
		{"an edit that nothing checks", start().edit("/a.go", "a", "b").says("Done."), episode.Unknown, episode.Default},
		{"the check passes", start().edit("/a.go", "a", "b").sh("npm test", 0, pass), episode.Success, episode.Measured},
		{"it fails, and then passes", start().sh("npm test", 1, fail).edit("/a.go", "a", "b").sh("npm test", 0, pass), episode.Success, episode.Measured},
		{"a commit", start().edit("/a.go", "a", "b").sh("git commit -m x", 0, "[main 1a2b3c4] x\n 1 file changed"), episode.Success, episode.Stated},
		{"the check fails at the end", start().edit("/a.go", "a", "b").sh("npm test", 1, fail), episode.Failure, episode.Measured},
		{"a runner that is not installed", start().edit("/a.go", "a", "b").sh("pytest", 127, "sh: command not found: pytest"), episode.Unknown, episode.Default},
		{"a check that the machine does not let run", start().edit("/a.go", "a", "b").sh("npm test", 1, "failed in sandbox: mkdir /opt/cache: permission denied"), episode.Unknown, episode.Default},
		{"broken off at a new order", start().edit("/a.go", "a", "b").sh("npm test", 0, pass).user("add a discount").sh("node seed.js", 1, "TypeError: x is not a function"), episode.Unknown, episode.Default},
		{"ended at a failing check", start().edit("/a.go", "a", "b").sh("npm test", 0, pass).user("add a discount").sh("npm run lint", 1, "error  bad  no-x"), episode.Partial, episode.Measured},
		{"stopped, and told what to do", start().edit("/a.go", "a", "b").sh("npm test", 0, pass).stop().user("use cents").sh("cat a.go", 0, "x"), episode.Unknown, episode.Default},
		{"one check passes, another fails", start().sh("npm run lint", 1, "error  bad  no-x").edit("/a.go", "a", "b").sh("npm test", 0, pass), episode.Partial, episode.Measured},
		{"edited after the last check", start().edit("/a.go", "a", "b").sh("npm test", 0, pass).edit("/a.go", "b", "c"), episode.Unknown, episode.Default},
		{"stopped by the human", start().edit("/a.go", "a", "b").sh("npm test", 0, pass).stop(), episode.Unknown, episode.Default},
		{"a correction at the end", start().edit("/a.go", "a", "b").sh("npm test", 0, pass).user("No, that is the wrong total."), episode.Partial, episode.Stated},
		{"a correction, and then right", start().edit("/a.go", "a", "b").sh("npm test", 0, pass).user("No, that is the wrong total.").edit("/a.go", "b", "c").sh("npm test", 0, pass), episode.Success, episode.Measured},
		{"a rejected command says nothing", start().call(turns.ToolCall{Name: "Bash", Tool: turns.Shell, Command: "npm test"}, refused), episode.Unknown, episode.Default},
		{"a commit past a failing check", start().sh("npm run lint", 1, "error  bad  no-x").edit("/a.go", "a", "b").sh("git commit -m x", 0, "[main 1a2b3c4] x\n 1 file changed"), episode.Success, episode.Stated},
		{"a pipeline that failed elsewhere", start().sh("git commit -m x", 0, "[main 1a2b3c4] x\n 1 file changed").sh("gh run view 7 --log-failed", 0, "##[error]Process completed with exit code 1."), episode.Partial, episode.Measured},
		{"a pipeline that passes after it failed", start().sh("git push", 0, "").sh("gh run view 7 --log-failed", 0, "##[error]Process completed with exit code 1.").edit("/a.go", "a", "b").sh("gh run watch 8 --exit-status", 0, "completed"), episode.Success, episode.Measured},
		{"a pipeline that failed before the commit, read again", start().sh("gh run view 7", 1, "X main").edit("/a.go", "a", "b").sh("npm test", 0, pass).sh("git commit -m x", 0, "[main 1a2b3c4] x\n 1 file changed").sh("gh run view 7 --log-failed", 0, "##[error]Process completed with exit code 1."), episode.Success, episode.Measured},
		{"a pipeline that failed after a push", start().sh("gh run view 7", 1, "X main").edit("/a.go", "a", "b").sh("git push", 0, "").sh("gh run view 8 --log-failed", 0, "##[error]Process completed with exit code 1."), episode.Failure, episode.Measured},
		{"all checks of a line pass", start().sh("npm run lint", 1, "error  bad  no-x").edit("/a.go", "a", "b").sh("npm run lint && npm test", 0, pass), episode.Success, episode.Measured},
		{"a script that runs at last", start().sh("node app.js", 1, "TypeError: x is not a function").edit("/app.js", "x()", "y()").sh("node app.js", 0, "3 carts"), episode.Success, episode.Measured},
		{"an install is not what was asked for", start().sh("npm ci", 0, "added 3 packages"), episode.Unknown, episode.Default},
	} {
		if got := outcome.Decide(c.k.draft(t).Signs...); got.Outcome != c.want || got.From != c.from {
			t.Errorf("%s: got %s (%s), want %s (%s)", c.name, got.Outcome, got.From, c.want, c.from)
		}
	}
	b := New()
	for _, turn := range start().edit("/a.go", "a", "b").sh("npm test", 0, pass).turns {
		if err := b.Add(turn); err != nil {
			t.Fatal(err)
		}
	}
	d := b.Draft(turns.Session{NoResults: true})
	if got := outcome.Decide(d.Signs...); got.Outcome != episode.Unknown || got.From != episode.Default || len(told(d, "test")) > 0 {
		t.Errorf("a format without results shows nothing: %s, %q", got.Outcome, told(d, "test"))
	}
}

// The file of a sub-agent is read after that of its session; its checks count where they were made.
func TestChecksOfSubAgents(t *testing.T) {
	at := func(k *talk, minutes ...string) (out []turns.Turn) {
		for i, turn := range k.turns {
			turn.Time = "2026-03-01T10:" + minutes[i] + ":00Z"
			out = append(out, turn)
		}
		return out
	}
	for _, c := range []struct {
		name   string
		ran    string // minutes
		output string
		code   int
		want   episode.Outcome
	}{
		{"it passes", "03", "Tests: 4 passed, 4 total", 0, episode.Success},
		{"it fails", "03", "Tests: 1 failed, 3 passed, 4 total", 1, episode.Failure},
		{"it passes before an edit", "01", "Tests: 4 passed, 4 total", 0, episode.Unknown},
		{"it passes after the end", "09", "Tests: 4 passed, 4 total", 0, episode.Unknown},
	} {
		b := New()
		for _, turn := range at((&talk{}).user("make the cart add up").edit("/a.go", "a", "b").says("done"), "00", "02", "02", "05") {
			if err := b.Add(turn); err != nil {
				t.Fatal(err)
			}
		}
		b.NextFile()
		for _, turn := range at((&talk{}).in("file 1").sh("npm test", c.code, c.output), c.ran, c.ran) {
			if err := b.Add(turn); err != nil {
				t.Fatal(err)
			}
		}
		if got := outcome.Decide(b.Draft(turns.Session{}).Signs...); got.Outcome != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Outcome, c.want)
		}
	}
}
