package reader

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// script makes a runner of a shell script, in a folder of its own.
func script(t *testing.T, text string) *Runner {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "reader.sh"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return &Runner{Command: "sh reader.sh", Dir: dir, By: "reader script", Timeout: time.Minute, Cache: Cache(t.TempDir())}
}

// calls is how often the script was run: each writes a line.
func (r *Runner) calls(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir, "calls"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(data), "\n")
}

const good = "cat > prompt.$$; echo call >> calls\n"

func TestReadOnce(t *testing.T) {
	r := script(t, good+`echo "drop e002"`)
	v, err := r.Read(context.Background(), handDraft())
	if err != nil || len(v.Entries) != 1 || len(v.Refused) > 0 {
		t.Fatal(v, err)
	}
	if n := r.calls(t); n != 1 {
		t.Errorf("asked %d times", n)
	}
	again, err := r.Read(context.Background(), handDraft())
	if err != nil || len(again.Entries) != 1 || r.calls(t) != 1 {
		t.Errorf("the cache: %v, %v, %d calls", again, err, r.calls(t))
	}
	if s := r.Spent(); s.Asked != 1 || s.Cached != 1 || s.In == 0 || s.Out == 0 {
		t.Errorf("%+v", s)
	}
	r.By = "reader other"
	if _, err := r.Read(context.Background(), handDraft()); err != nil || r.calls(t) != 2 {
		t.Errorf("the answer of another reader was taken: %v", err)
	}
	for _, e := range entries(t, string(r.Cache)) {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", e.Name(), info.Mode(), err)
		}
	}
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return list
}

// A refused line goes back once, with its reason, and what was right is kept.
func TestReadAsksBack(t *testing.T) {
	r := script(t, good+`if grep -q Refused prompt.$$; then
  grep -q 'it ends at 27' prompt.$$ && grep -q '^drop e002' prompt.$$ && echo '+x1 error 10 "the upload still times"'
else
  echo 'drop e002 d009'; echo '+x1 error 99 "the upload still times"'; echo '+d1 recovery 14 "Switched to chunked"'; echo 'd1>x1 prevents 14'
fi`)
	v, err := r.Read(context.Background(), handDraft())
	if err != nil || len(v.Refused) > 0 || len(v.Entries) != 4 || r.calls(t) != 2 {
		t.Fatalf("%+v, %v, %d calls", v, err, r.calls(t))
	}
	again, err := r.Read(context.Background(), handDraft())
	if err != nil || !again.Cached || again.text() != v.text() || r.calls(t) != 2 {
		t.Errorf("%s, %v; want %s", again.text(), err, v.text())
	}
}

// It is asked back once and never again; what is still refused is counted by its line of the second answer.
func TestReadAsksBackOnce(t *testing.T) {
	for _, answer := range []string{"nonsense", "e001 error 5\noutcome success 10"} {
		r := script(t, good+"printf '"+answer+"\n'")
		v, err := r.Read(context.Background(), handDraft())
		if err != nil || r.calls(t) != 2 || len(v.Refused) != 1 || v.Refused[0].Line != 1+strings.Count(answer, "\n") {
			t.Errorf("%q: %+v, %v, %d calls", answer, v, err, r.calls(t))
		}
	}
}

func TestReadFails(t *testing.T) {
	for name, c := range map[string]struct{ script, says string }{
		"exit code":          {good + "echo 'no credit left' >&2; exit 7", "exit code 7: no credit left"},
		"never ends":         {good + "sleep 600", "no answer within"},
		"prints for ever":    {good + "exec yes drop e002", "longer than"},
		"output without end": {good + "head -c 300000000 /dev/zero", "longer than"},
		"no program":         {"exec /nonexistent/reader", "exit code 127"},
		"killed":             {good + "kill -9 $$", "exit code 137"},
		"ignores pipe":       {"echo 'drop e002'; exit 1", "exit code 1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := script(t, c.script)
			if strings.HasPrefix(name, "never") {
				r.Timeout = 300 * time.Millisecond
			}
			v, err := r.Read(context.Background(), handDraft())
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, %v; want %q", v, err, c.says)
			}
			if list, _ := os.ReadDir(string(r.Cache)); len(list) > 0 {
				t.Error("a failure was kept as an answer")
			}
		})
	}
}

// A reader that prints more than its budget is ended there, and costs no more than that.
func TestAnswerWithinBudget(t *testing.T) {
	r := script(t, good+"exec yes drop e002")
	order := Tokens(Order(handDraft(), handDraft().Suffix()))
	r.PerLog, r.PerRun = order+100, order+1000
	told := 0
	r.Cost = func(in, out int) error { told += in + out; return nil }
	if v, err := r.Read(context.Background(), handDraft()); err == nil || !strings.Contains(err.Error(), "longer than the 400 bytes") {
		t.Errorf("%+v, %v", v, err)
	}
	if s := r.Spent(); s.In+s.Out != r.PerLog || told != r.PerLog {
		t.Errorf("%+v, %d told, the budget was %d", s, told, r.PerLog)
	}
}

// A reader without a folder runs in one that is new and empty, and what it says of its failure is redacted.
func TestNewFolder(t *testing.T) {
	r := script(t, "")
	r.Dir, r.Command = "", "cat >/dev/null; ls >&2; pwd >left; exit 1"
	r.Redact = func(text string) string { return strings.ReplaceAll(text, "left", "[redacted]") }
	for range 2 {
		if _, err := r.Read(context.Background(), handDraft()); err == nil || err.Error() != "reader: exit code 1" {
			t.Error(err)
		}
	}
	r.Command = "cat >/dev/null; echo what is left >&2; exit 1"
	if _, err := r.Read(context.Background(), handDraft()); err == nil || err.Error() != "reader: exit code 1: what is [redacted]" {
		t.Error(err)
	}
}

// What a reader prints reaches nothing but the lines that it points at.
func TestReadHostileOutput(t *testing.T) {
	r := script(t, good+`printf '\033[2Jdrop e001\n../../etc/passwd\n+x1 error 5 "$(rm -rf /)"\n\0\0\377\ndrop e002\n'`)
	v, err := r.Read(context.Background(), handDraft())
	if err != nil || len(v.Entries) != 1 || len(v.Refused) != 4 {
		t.Fatalf("%+v, %v", v, err)
	}
	if strings.ContainsRune(Again(v), 0x1b) {
		t.Error("a mark of a terminal goes back to the reader")
	}
}

// A reader that says nothing has failed: what readers said before must not go for it.
func TestEmptyAnswer(t *testing.T) {
	r := script(t, good+"echo")
	if v, err := r.Read(context.Background(), handDraft()); err == nil || r.calls(t) != 1 {
		t.Errorf("%+v, %d calls", v, r.calls(t))
	}
	// Nor is an answer kept of which nothing was taken.
	r = script(t, good+"echo nonsense")
	for range 2 {
		if v, err := r.Read(context.Background(), handDraft()); err != nil || len(v.Refused) == 0 {
			t.Errorf("%+v, %v", v, err)
		}
	}
	if kept, err := os.ReadDir(string(r.Cache)); err != nil || len(kept) > 0 || r.calls(t) != 4 {
		t.Errorf("kept %v, %v, %d calls", kept, err, r.calls(t))
	}
}

func TestBudgets(t *testing.T) {
	r := script(t, good+"echo drop e002")
	r.PerLog = 100
	if _, err := r.Read(context.Background(), handDraft()); !errors.Is(err, ErrBudget) || r.calls(t) != 0 {
		t.Errorf("%v after %d calls", err, r.calls(t))
	}
	order := Tokens(Order(handDraft(), handDraft().Suffix()))
	r.PerLog, r.PerRun = order+50, 2*order+50
	if _, err := r.Read(context.Background(), handDraft()); err != nil {
		t.Error(err)
	}
	second := handDraft()
	second.Lines[0] += " 2"
	third := handDraft()
	third.Lines[0] += " 3"
	if _, err := r.Read(context.Background(), second); err != nil {
		t.Error(err)
	}
	if _, err := r.Read(context.Background(), third); !errors.Is(err, ErrBudget) || r.calls(t) != 2 {
		t.Errorf("%v after %d calls", err, r.calls(t))
	}
	if _, err := r.Read(context.Background(), handDraft()); err != nil { // what is known costs nothing
		t.Error(err)
	}
	// No budget to ask back: what was right is taken.
	r = script(t, good+"echo drop e002; echo nonsense")
	r.PerLog = order + 50
	if v, err := r.Read(context.Background(), handDraft()); err != nil || len(v.Entries) != 1 || len(v.Refused) != 1 || r.calls(t) != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

// Several logs at once never cost more than the run may.
func TestBudgetOfManyAtOnce(t *testing.T) {
	r := script(t, good+"echo drop e002")
	order := Tokens(Order(handDraft(), handDraft().Suffix()))
	r.PerRun = 3*order + order/2
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			l := handDraft()
			l.Lines[0] += strings.Repeat("!", n)
			if _, err := r.Read(context.Background(), l); err != nil && !errors.Is(err, ErrBudget) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := r.calls(t); n != 3 {
		t.Errorf("asked about %d logs, the budget is for 3", n)
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	r := script(t, good+"sleep 600")
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := r.Read(ctx, handDraft()); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
