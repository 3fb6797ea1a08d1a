package extract

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
)

var update = flag.Bool("update", false, "rewrite the golden episodes and the score floors")

const (
	sessionsDir = "../testdata/sessions"
	goldenDir   = "../testdata/golden"
	labelsDir   = "../testdata/labels"
)

// extractor has the built-in vocabulary.
var extractor = New(Vocabulary{})

// logFile is one log of testdata/sessions.
type logFile struct {
	name string // without .md
	data []byte
}

func (l logFile) source() Source { return Source{Path: "testdata/sessions/" + l.name + ".md"} }

func sessionLogs(tb testing.TB) []logFile { return logsIn(tb, sessionsDir) }

func logsIn(tb testing.TB, dir string) []logFile {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no logs in %s: %v", dir, err)
	}
	var out []logFile
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, logFile{strings.TrimSuffix(filepath.Base(p), ".md"), data})
	}
	return out
}

// read extracts a log that must be readable.
func read(tb testing.TB, src Source, data []byte) *Result {
	tb.Helper()
	res, err := extractor.Log(src, data)
	if err != nil {
		tb.Fatalf("Log(%q): %v", src.Path, err)
	}
	return res
}

func marshal(tb testing.TB, ep *episode.Episode) []byte {
	tb.Helper()
	b, err := episode.Marshal(ep)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// lineCount is the number of lines as a person counts them: a carriage return
// ends a line only in a text without line feeds.
func lineCount(data []byte) int {
	mark := []byte("\n")
	if !bytes.Contains(data, mark) {
		mark = []byte("\r")
	}
	n := bytes.Count(data, mark)
	if len(data) > 0 && !bytes.HasSuffix(data, mark) {
		n++
	}
	return n
}

// sound fails unless the result is a legal episode of data: valid, sealed, and
// with every span inside the file.
func sound(tb testing.TB, res *Result, data []byte) {
	tb.Helper()
	ep := res.Episode
	for _, p := range ep.Validate() {
		tb.Errorf("invalid episode: %s", p.Msg)
	}
	if !ep.Sealed() {
		tb.Error("episode is not sealed")
	}
	if !episode.ValidID(ep.ID) {
		tb.Errorf("id %q is not legal", ep.ID)
	}
	n := lineCount(data)
	for id, s := range ep.Provenance.Spans {
		if s[0] < 1 || s[1] < s[0] || s[1] > n {
			tb.Errorf("span %s = %v is outside the file of %d lines", id, s, n)
		}
	}
	for _, d := range res.Diagnostics {
		if d.Line < 1 || d.Line > max(n, 1) {
			tb.Errorf("diagnostic %s stands on line %d of %d", d.Code, d.Line, n)
		}
	}
	for _, d := range ep.Decisions {
		if d.Chosen == "" {
			tb.Errorf("%s chooses nothing", d.ID)
		}
		if ep.Provenance.Spans[d.ID] == (episode.Span{}) {
			tb.Errorf("%s has no lines", d.ID)
		}
	}
	for _, v := range ep.Events {
		if v.Content == "" {
			tb.Errorf("%s says nothing", v.ID)
		}
		if ep.Provenance.Spans[v.ID] == (episode.Span{}) {
			tb.Errorf("%s has no lines", v.ID)
		}
	}
	commits, failed := 0, 0
	for _, v := range ep.Events {
		switch v.Type {
		case episode.Commit:
			commits++
		case episode.Error:
			failed++
		}
	}
	if got := ep.Metrics.Commits; (got == nil) != (commits == 0) || got != nil && *got != commits {
		tb.Errorf("metrics and events differ on %d commits", commits)
	}
	if got := ep.Metrics.Errors; (got == nil) != (failed == 0) || got != nil && *got != failed {
		tb.Errorf("metrics and events differ on %d errors", failed)
	}
	if n := len(ep.Provenance.Spans) + len(ep.Taught) - len(ep.Lessons); len(res.Taken) != n { // lessons cite their lines
		tb.Errorf("%d spans and lines, but %d things taken", n, len(res.Taken))
	}
	for i, l := range ep.Lessons {
		if l == "" {
			tb.Errorf("lesson %d says nothing", i+1)
		}
	}
	for _, l := range ep.Links {
		if ep.Provenance.Spans[episode.LinkID(l.Source, l.Target)] == (episode.Span{}) {
			tb.Errorf("link %s>%s has no lines", l.Source, l.Target)
		}
	}
	b := marshal(tb, ep)
	back, err := episode.Parse(b)
	if err != nil {
		tb.Fatalf("own episode does not parse: %v", err)
	}
	if again := marshal(tb, back); !bytes.Equal(b, again) {
		tb.Error("episode changes when it is read and written")
	}
}
