package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"episodes/internal/ask"
)

// memoryOf makes a memory of the logs with some names and texts.
func memoryOf(t *testing.T, logs map[string]string) ask.Options {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	loc, err := ask.Locate("", "", root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask.Create(loc); err != nil {
		t.Fatal(err)
	}
	for name, text := range logs {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := ask.Options{Location: loc}
	if _, err := ask.Extract(t.Context(), o, ask.ExtractRequest{Logs: []string{"*.md"}, Cwd: root}); err != nil {
		t.Fatal(err)
	}
	return o
}

// example is the memory of the logs that the documents use.
func example(t *testing.T) ask.Options {
	t.Helper()
	files, err := filepath.Glob("../../testdata/sessions/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	logs := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		logs[filepath.Base(f)] = string(data)
	}
	return memoryOf(t, logs)
}

// served serves a memory until the test ends, and returns the address of its first page.
func served(t *testing.T, o ask.Options, name string) string {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Memory: o, Name: name, Explain: func(err error) (string, string) { return err.Error(), "" },
		Trouble: func(text string) { t.Error(text) }}, l.Addr())
	done := make(chan error)
	go func() { done <- s.Serve(t.Context(), l) }()
	t.Cleanup(func() { // t.Context has ended by now
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s.URL()
}

// What a person does with the graph: look at what is linked to a fact, and how one led to another.
func TestGraphInBrowser(t *testing.T) {
	base := served(t, example(t), "the example")
	for _, l := range []look{desk, phone} {
		b := open(t, l)
		b.visit(base + "graph?at=" + "lock+timeout")
		b.until(`document.querySelectorAll(".drawing .fact").length > 2`)
		b.accessible()
		b.fits(l)
		b.check()
	}
}

const facts = `document.querySelectorAll(".drawing .fact").length`

var _ = chromedp.Void{}
var _ = strings.Join
