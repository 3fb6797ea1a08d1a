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

	"pgregory.net/rapid"
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
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, Spec{Shell: "sleep 10"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("interrupted: %v", err)
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

// Of what is written the start and the end are kept, in memory that is bounded, however it
// comes in pieces.
func TestBufferKeepsBothEnds(t *testing.T) {
	for _, piece := range []int{1000, 64 << 10, Limit/2 + 1, 3 * Limit} {
		var b buffer
		b.Write([]byte("start"))
		for n := 0; n < 3*Limit; n += piece {
			b.Write(bytes.Repeat([]byte("x"), piece))
		}
		b.Write([]byte("end"))
		if kept := cap(b.kept); kept > 3*Limit/2 {
			t.Errorf("%d bytes are held", kept)
		}
		got := b.bytes()
		if !b.cut || len(got) != Limit || !bytes.HasPrefix(got, []byte("startx")) || !bytes.HasSuffix(got, []byte("xend")) {
			t.Errorf("pieces of %d: %d bytes, cut %v", piece, len(got), b.cut)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // short ones are whole
		var b buffer
		var want []byte
		for _, p := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 100)).Draw(t, "pieces") {
			b.Write(p)
			want = append(want, p...)
		}
		if got := b.bytes(); b.cut || !bytes.Equal(got, want) {
			t.Fatalf("%q of %q", got, want)
		}
	})
}
