package ask

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/ledger"
)

func TestReaderRefuses(t *testing.T) {
	answer, empty := "outcome success", " "
	for _, c := range []struct {
		what   string
		r      ReaderRequest
		logs   []string
		params []string
	}{
		{"an answer and a command", ReaderRequest{Answer: &answer, Command: "cat"}, []string{"a.md"}, []string{"answer", "reader"}},
		{"neither", ReaderRequest{Command: " "}, []string{"a.md"}, []string{"reader"}},
		{"an answer about two logs", ReaderRequest{Answer: &answer}, []string{"a.md", "b.md"}, []string{"answer"}},
		{"an answer about standard input", ReaderRequest{Answer: &answer}, []string{Stdin}, []string{"answer"}},
		{"an empty answer", ReaderRequest{Answer: &empty}, []string{"a.md"}, []string{"answer"}},
		{"a name", ReaderRequest{Command: "cat", Name: "a\x1b"}, nil, []string{"reader"}},
		{"a budget", ReaderRequest{Command: "cat", PerLog: -1}, nil, []string{"budget"}},
		{"a budget of a run", ReaderRequest{Command: "cat", PerRun: -1}, nil, []string{"budget"}},
		{"a time", ReaderRequest{Command: "cat", Timeout: -time.Second}, nil, []string{"reader-timeout"}},
	} {
		refuses(t, c.what, c.r.check(c.logs), c.params...)
	}
	if err := (*ReaderRequest)(nil).check(nil); err != nil {
		t.Error(err)
	}
	for command, want := range map[string]string{"/opt/bin/model --fast": "model", "'odd name' x": ""} {
		if got := (&ReaderRequest{Command: command}).by(); strings.HasSuffix(got, " "+want) != (want != "") {
			t.Errorf("%q: %q", command, got)
		}
	}
}

// An answer that is known from before was counted then. It is forgotten with the log, also where it was
// never taken.
func TestKnownAnswers(t *testing.T) {
	cache, ctx := t.TempDir(), context.Background()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	o := repository(t, map[string]string{"a.md": lockLog})
	r := ExtractRequest{Logs: []string{"a.md"}, Cwd: o.Location.Root, Create: true}
	if _, err := Extract(ctx, o, r); err != nil {
		t.Fatal(err)
	}
	r.DryRun, r.Reader = true, &ReaderRequest{Command: `printf 'drop d099\noutcome unknown 3\n'`, Timeout: time.Minute}
	for range 2 {
		if _, err := Extract(ctx, o, r); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := ledger.Readers(func(ledger.Reading) bool { return true })
	if err != nil || sum.Answers != 1 || sum.Refused != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	answers := func() int {
		files, _ := filepath.Glob(filepath.Join(cache, "episodes", "reader", "*"))
		return len(files)
	}
	before := answers()
	if _, err := opened(t, o).Forget(ctx, ForgetRequest{Logs: []string{"a.md"}, Cwd: o.Location.Root}); err != nil || before != 1 || answers() != 0 {
		t.Errorf("%d answers, %d once they are forgotten; %v", before, answers(), err)
	}
}

// The name of a transcript, which may be anything, drives no terminal.
func TestNameOfASession(t *testing.T) {
	if text := (&CompleteAnswer{Order: "order", Session: "a\x1b[2Jb"}).Text(0); strings.Contains(text, "\x1b") || !strings.Contains(text, "the session a") {
		t.Errorf("%q", text)
	}
}

// A reader who says that the outcome of a log is unknown has read it: nothing more is asked or remarked.
func TestReaderSaysUnknown(t *testing.T) {
	o := repository(t, map[string]string{"a.md": "# Session\n\nLook at the cache.\n"})
	answer := "outcome unknown 3"
	for _, r := range []*ReaderRequest{nil, {Answer: &answer, Name: "reader 1"}} {
		a, err := Extract(context.Background(), o, ExtractRequest{Logs: []string{"a.md"}, Cwd: o.Location.Root, Create: true, Reader: r})
		if err != nil || len(a.Episodes) != 1 || (len(a.Episodes[0].Diagnostics) == 0) != (r != nil) {
			t.Errorf("%+v, %v", a, err)
		}
	}
}

// The order shows the log with its draft, whole, and quotes a hostile log between marks that the
// log cannot know. The answer is taken where lines of the log support it.
func TestOrderAndAnswer(t *testing.T) {
	ctx := context.Background()
	o := repository(t, map[string]string{"a.md": lockLog, "b.md": laterLog})
	r := ExtractRequest{Logs: []string{"a.md"}, Cwd: o.Location.Root, Create: true}
	order, err := Order(ctx, o, r)
	if err != nil || order.Empty() || !strings.Contains(order.Order, "advisory lock") || order.Text(10) != order.Order || order.Tokens < len(order.Order)/4-1 {
		t.Fatalf("%+v, %v", order, err)
	}
	again, err := Order(ctx, o, r)
	if err != nil || again.Order != order.Order {
		t.Errorf("two orders for a log differ: %v", err)
	}
	r.Logs = []string{"a.md", "b.md"}
	_, err = Order(ctx, o, r)
	refuses(t, "two logs", err, "ask")
	r.Logs, r.Session = nil, "a/b"
	if _, err := Order(ctx, o, r); err == nil {
		t.Error("a session that is a path")
	}
	answer := "? error 4 \"two jobs wait, mail ann.lee@harbourcranes.dev\"\n+l1 lesson 4 \"release the lock before the index build\"\n+l2 lesson 4 \"invented by a reader\"\n"
	r = ExtractRequest{Logs: []string{"a.md"}, Cwd: o.Location.Root, Create: true, Reader: &ReaderRequest{Answer: &answer, Name: "reader 1"}}
	a, err := Extract(ctx, o, r)
	if err != nil || len(a.Episodes) != 1 || a.Written() != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	ep, err := opened(t, o).load(a.Episodes[0].ID)
	if err != nil || strings.Contains(strings.Join(ep.Lessons, "\n"), "invented") {
		t.Errorf("%+v, %v", ep, err)
	}
	if q := ep.Questions; len(q) != 1 || q[0].Of == "" || strings.Contains(q[0].Text, "ann.lee") {
		t.Errorf("%+v", q)
	}
	shown, err := opened(t, o).Episode(ctx, EpisodeRequest{Ref: ep.ID})
	if err != nil || !strings.Contains(shown.Text(500), "two jobs wait") {
		t.Errorf("%+v, %v", shown, err)
	}
}
