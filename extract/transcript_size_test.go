package extract

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
)

// endless is a transcript of about size bytes: an agent that edits, tests, fails and mends
// for days. It is made while it is read.
type endless struct {
	left int
	n    int
	buf  []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.buf) == 0 {
		if e.left <= 0 {
			return 0, io.EOF
		}
		e.n++
		e.buf = e.round()
		e.left -= len(e.buf)
	}
	n := copy(p, e.buf)
	e.buf = e.buf[n:]
	return n, nil
}

// round is one red test, its edit and the green test, with a page of output each.
func (e *endless) round() []byte {
	var b strings.Builder
	row := func(kind string, content ...any) {
		line, _ := json.Marshal(map[string]any{"type": kind, "uuid": fmt.Sprint(kind, e.n), "sessionId": "7f0a1c22-0000-4000-8000-0123456789ab", "timestamp": "2026-04-01T10:00:00Z",
			"message": map[string]any{"role": kind, "content": content}})
		b.Write(append(line, '\n'))
	}
	call := func(id, name string, input map[string]any) {
		row("assistant", map[string]any{"type": "tool_use", "id": id, "name": name, "input": input})
	}
	result := func(id, text string, failed bool) {
		row("user", map[string]any{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed})
	}
	id := func(k int) string { return fmt.Sprintf("t%d-%d", e.n, k) }
	page := strings.Repeat(fmt.Sprintf("compiled unit %d of the parser without a warning\n", e.n), 60)
	call(id(1), "Read", map[string]any{"file_path": fmt.Sprintf("/src/unit%d.go", e.n%97)})
	result(id(1), page, false)
	call(id(2), "Bash", map[string]any{"command": fmt.Sprintf("go test ./unit%d", e.n%97)})
	result(id(2), fmt.Sprintf("Exit code 1\n%s--- FAIL: TestUnit%d (0.01s)\n    unit_test.go:9: want %d\nFAIL", page, e.n%97, e.n), true)
	call(id(3), "Edit", map[string]any{"file_path": fmt.Sprintf("/src/unit%d.go", e.n%97), "old_string": page[:200], "new_string": page[:100]})
	result(id(3), "updated", false)
	call(id(4), "Bash", map[string]any{"command": fmt.Sprintf("go test ./unit%d", e.n%97)})
	result(id(4), page+"ok  \tunit\t0.1s", false)
	return []byte(b.String())
}

// The memory that a transcript takes does not follow its size: what is kept is a little
// for each call. 24 MB take less than 60 MB, and 96 MB, of which are more facts, less than 120.
func TestTranscriptTakesLittleMemory(t *testing.T) {
	size, most := 24<<20, uint64(60<<20)
	if os.Getenv("EPISODES_HEAVY") != "" {
		size, most = 4*size, 2*most
	}
	var peak uint64
	watched := &watching{in: &endless{left: size}, each: 4 << 20, look: func() {
		var m runtime.MemStats
		runtime.GC() // what other tests left is not counted
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapInuse)
	}}
	res, err := New(Vocabulary{}).Read(Source{Path: "big.jsonl"}, watched)
	if err != nil {
		t.Fatal(err)
	}
	watched.look()
	t.Logf("%d MB: %d MB of heap, %d events", size>>20, peak>>20, len(res.Episode.Events))
	if peak > most {
		t.Errorf("%d MB of heap for %d MB, want at most %d", peak>>20, size>>20, most>>20)
	}
	if len(res.Episode.Events) == 0 || len(res.Episode.Links) == 0 {
		t.Error("nothing was found")
	}
}

// watching looks at something every so many bytes.
type watching struct {
	in         io.Reader
	each, left int
	look       func()
}

func (w *watching) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	if w.left -= n; w.left <= 0 {
		w.left = w.each
		w.look()
	}
	return n, err
}
