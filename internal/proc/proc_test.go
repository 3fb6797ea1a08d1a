//go:build unix

package proc

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	r, err := Run(context.Background(), Spec{Shell: `cat; echo "$WORD" >&2; exit 3`, Stdin: []byte("in"), Env: []string{"WORD=x"}})
	if err != nil || r.Exit != 3 || string(r.Stdout) != "in" || string(r.Stderr) != "x\n" || r.TimedOut {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Run(context.Background(), Spec{Shell: "kill -9 $$"}); err != nil || r.Exit != 137 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := Run(context.Background(), Spec{Args: []string{"no-such-program-here"}}); err == nil || !strings.Contains(err.Error(), `run "no-such-program-here": `) {
		t.Error(err)
	}
	// Unread input is not an error.
	if r, err := Run(context.Background(), Spec{Shell: "exit 0", Stdin: bytes.Repeat([]byte("x"), 1<<20)}); err != nil || r.Exit != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A command that overruns is ended with all that it started.
func TestTimeout(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	start := time.Now()
	r, err := Run(context.Background(), Spec{Shell: `(trap "" TERM; sleep 3; echo late >"$MARK") & echo begun; wait`, Env: []string{"MARK=" + mark}, Timeout: 200 * time.Millisecond})
	if err != nil || !r.TimedOut || string(r.Stdout) != "begun\n" {
		t.Errorf("%+v, %v after %s", r, err, time.Since(start))
	}
	time.Sleep(time.Until(start.Add(3500 * time.Millisecond)))
	if _, err := os.Stat(mark); err == nil {
		t.Error("a child outlived its time")
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, Spec{Shell: "sleep 10"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestBufferKeepsBothEnds(t *testing.T) {
	var b buffer
	block := bytes.Repeat([]byte("x"), 1<<20)
	b.Write([]byte("start"))
	for range 3 * Limit >> 20 {
		b.Write(block)
	}
	b.Write([]byte("end"))
	got := b.bytes()
	if !b.cut || len(got) > 2*Limit || !bytes.HasPrefix(got, []byte("start")) || !bytes.HasSuffix(got, []byte("end")) {
		t.Errorf("%d bytes, cut %v", len(got), b.cut)
	}
}
