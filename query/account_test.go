package query_test

import (
	"fmt"
	"runtime"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// An end is claimed only of a call that has to do with the error and after which the session did
// not meet it again, and of a fix that a log links to the error in so many words.
func TestEnd(t *testing.T) {
	const missing = "forge pack: cannot open the archive 'parts/b.tar' for reading"
	call := func(failure, fix string, after ...string) *querytest.Builder {
		b := querytest.Build("s", episode.Unknown).Event(episode.Error, failure).Event(episode.ToolCall, fix)
		for _, content := range after {
			b.Event(episode.Error, content)
		}
		return b.Link("e002", "e001", episode.Prevents)
	}
	decided := func(outcome episode.Outcome) *querytest.Builder {
		return querytest.Build("s", outcome).Event(episode.Error, missing).Decide("", "build the parts first", episode.Unknown).
			Link("e001", "d001", episode.Causes)
	}
	const check, edit = "forge test: total › adds the tax: wrong total", "edit of total.go: `a - b` → `a + b`"
	for _, c := range []struct {
		what string
		b    *querytest.Builder
		want string
	}{
		{"another argument that names the same", call(missing, "`out/b.tar` instead of `parts/b.tar archive`"), "`out/b.tar` instead of `parts/b.tar archive`"},
		{"something added", call(missing, "with `--force`"), "with `--force`"},
		{"another number", call(missing, "`15` instead of `10`"), ""},
		{"the error came again, about another file", call(missing, "with `--force`", "forge pack: cannot open the archive 'parts/c.tar' for reading"), ""},
		{"another error came", call(missing, "with `--force`", "forge pack: the disk of the mirror is full"), "with `--force`"},
		{"an edit ends a check", call(check, edit).Event(episode.Test, "forge test: 3 passed, 0 failed"), edit},
		{"an edit ends no other program", call(check, edit), ""},
		{"one of several edits", call(check, edit+", and more").Event(episode.Test, "forge test: 3 passed, 0 failed"), ""},
		{"a log says so", decided(episode.Success), "build the parts first"},
		{"a log says so, of a session that failed", decided(episode.Failure), ""},
		{"a log implies it", decided(episode.Success).Implied(), ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			g := querytest.New(c.b.Done())
			x, err := query.Explain(g, g, "s#e001", query.ExplainOptions{})
			if err != nil {
				t.Fatal(err)
			}
			end, err := query.EndOf(g, g, x.Record.Node.ID)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if end != nil {
				got = end.Text
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// One error many times in a session: what the session adds to the graph is worked out once, not for each of them.
func TestOneErrorManyTimes(t *testing.T) {
	b := querytest.Build("s", episode.Success)
	for i := range 400 {
		b.Event(episode.Error, "forge pack: cannot open the archive 'parts/b.tar' for reading").Event(episode.ToolCall, fmt.Sprintf("with `--force%d`", i))
		b.Link(episode.EventID(2*i+2), episode.EventID(2*i+1), episode.Prevents)
	}
	ep := b.Done()
	other := querytest.Build("t", episode.Success).Event(episode.Error, ep.Events[0].Content).Done()
	g := querytest.New(ep, other)
	list, err := query.Recurrences(g, append(query.ErrorsMet(ep), query.ErrorsMet(other)...))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	once := allocated(func() { causal.Contribute(ep) })
	if all := allocated(func() { err = list[0].Fill(g, g) }); err != nil || all > 10*once {
		t.Errorf("%d bytes, %d for the session once; %v", all, once, err)
	}
}

func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
