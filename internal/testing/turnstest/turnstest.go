// Package turnstest shows what a format reads in a transcript, for the goldens of formats.
package turnstest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/testing/golden"
	"episodes/internal/turns"
)

// Golden compares the turns of each file of testdata that matches pattern with the golden
// file NAME.turns next to it.
func Golden(t *testing.T, f turns.Format, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !f.Detect(data) {
				t.Error("not detected")
			}
			golden.Is(t, path+".turns", Dump(t, f, data))
		})
	}
}

// Dump reads a transcript and writes what was found, a line each turn.
func Dump(t testing.TB, f turns.Format, data []byte) string {
	t.Helper()
	var b strings.Builder
	r := turns.NewReader(bytes.NewReader(data), func(turn turns.Turn) error {
		line(&b, turn)
		return nil
	})
	if err := f.Read(r); err != nil {
		t.Fatalf("read: %v", err)
	}
	for _, d := range r.Remarks() {
		fmt.Fprintf(&b, "remark %d %s: %s\n", d.Line, d.Code, d.Message)
	}
	session := strings.Replace(fmt.Sprintf("%+v", r.Session), " Cut:false", "", 1)
	return session + "\n" + b.String()
}

var roles = [...]string{turns.User: "user", turns.Agent: "agent", turns.Call: "call", turns.Result: "result", turns.Stop: "stop"}

var tools = [...]string{"other", "shell", "edit", "write", "read", "search", "ask", "delegate", "plan"}

var states = [...]string{"unsaid", "ok", "failed", "refused", "not run", "running", "empty"}

func line(b *strings.Builder, t turns.Turn) {
	fmt.Fprintf(b, "%v %s", t.At, roles[t.Role])
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, " %s=%q", name, value)
		}
	}
	field("time", t.Time)
	field("sub", t.Sub)
	field("text", t.Text)
	if c := t.Call; c != nil {
		fmt.Fprintf(b, " %s", tools[c.Tool])
		field("id", c.ID)
		field("name", c.Name)
		field("command", c.Command)
		field("dir", c.Dir)
		field("files", strings.Join(c.Files, ","))
		field("old", c.Old)
		field("new", c.New)
		field("text", c.Text)
	}
	if r := t.Result; r != nil {
		fmt.Fprintf(b, " %s", states[r.State])
		if r.Exit != nil {
			fmt.Fprintf(b, " exit=%d", *r.Exit)
		}
		field("id", r.ID)
		field("text", r.Text)
		field("said", r.Said)
		field("commit", r.Commit)
	}
	b.WriteByte('\n')
}

// Fuzz checks that no bytes make a format fail or panic, and that every turn names places
// that can be.
func Fuzz(f *testing.F, format turns.Format) {
	f.Fuzz(func(t *testing.T, data []byte) {
		format.Detect(data)
		r := turns.NewReader(bytes.NewReader(data), func(turn turns.Turn) error {
			if turn.At[0] < 1 || turn.At[1] < turn.At[0] {
				t.Fatalf("a turn at %v", turn.At)
			}
			if (turn.Role == turns.Call) != (turn.Call != nil) || (turn.Role == turns.Result) != (turn.Result != nil) {
				t.Fatalf("a turn of role %d with %+v and %+v", turn.Role, turn.Call, turn.Result)
			}
			return nil
		})
		if err := format.Read(r); err != nil && err != io.ErrUnexpectedEOF {
			t.Logf("not read: %v", err)
		}
	})
}
