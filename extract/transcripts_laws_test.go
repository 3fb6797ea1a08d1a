package extract

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
)

// How the bytes of a transcript arrive does not matter.
func TestTranscriptReadByteByByte(t *testing.T) {
	for _, f := range transcriptFiles(t) {
		want := marshal(t, f.read(t).Episode)
		res, err := extractor.Read(Source{Path: f.path}, iotest.OneByteReader(bytes.NewReader(f.data)))
		if err != nil {
			t.Errorf("%s: %v", f.path, err)
			continue
		}
		if diff := cmp.Diff(string(want), string(marshal(t, res.Episode))); diff != "" {
			t.Errorf("%s: another episode (-at once +byte by byte):\n%s", f.path, diff)
		}
	}
}

// shown are the facts that a call and its result alone show, with their places.
func shown(ep *episode.Episode) map[string]bool {
	out := map[string]bool{}
	for _, v := range ep.Events {
		if v.Type == episode.Error || v.Type == episode.Test || v.Type == episode.Commit {
			out[fmt.Sprint(ep.Provenance.Spans[v.ID], v.Type, v.Content)] = true
		}
	}
	return out
}

// A transcript may be read while it is written, up to any byte: what is read then is legal. Of one that
// has lines it is a part of what is read later, and cites no line that was not there.
func TestTranscriptCutAtAnyByte(t *testing.T) {
	for _, f := range transcriptFiles(t) {
		full := f.read(t).Episode
		byLine := strings.HasSuffix(f.path, ".jsonl") && full.Provenance.Source.Unit == ""
		if !byLine && full.Provenance.Source.Unit == "" {
			continue // Markdown, which is read whole
		}
		t.Run(f.name(), func(t *testing.T) {
			later := shown(full)
			rapid.Check(t, func(t *rapid.T) {
				cut := rapid.IntRange(0, len(f.data)).Draw(t, "cut")
				src := Source{Path: f.path, Format: full.Provenance.Source.Format}
				res, err := extractor.Read(src, bytes.NewReader(f.data[:cut]))
				if err != nil {
					t.Fatalf("cut at %d: %v", cut, err)
				}
				for _, p := range res.Episode.Validate() {
					t.Errorf("cut at %d: %s", cut, p.Msg)
				}
				if !byLine { // one value is read as far as it is whole
					return
				}
				lines := lineCount(f.data[:cut])
				for id, s := range res.Episode.Provenance.Spans {
					if s[1] > lines {
						t.Errorf("cut at %d: %s cites %v of %d lines", cut, id, s, lines)
					}
				}
				for fact := range shown(res.Episode) {
					if !later[fact] {
						t.Errorf("cut at %d: %s is not in the whole", cut, fact)
					}
				}
			})
		})
	}
}

// Agents run at the same time: how the records of a sub-agent are mixed with those of the
// session changes no fact of either. (In Claude Code each record says whose it is; the
// other formats have files or parts of their own for sub-agents.)
func TestOrderOfSubAgentRecordsDoesNotMatter(t *testing.T) {
	files := transcriptFiles(t)
	f := files[slices.IndexFunc(files, func(f transcriptFile) bool { return strings.HasSuffix(f.path, "claude-compact.jsonl") })]
	var main, sub [][]byte
	started := 0 // main records before those of the sub-agent
	for line := range bytes.Lines(f.data) {
		if bytes.Contains(line, []byte(`"isSidechain": true`)) {
			sub = append(sub, line)
			continue
		}
		if main = append(main, line); len(sub) == 0 {
			started = len(main)
		}
	}
	want := said(f.read(t).Episode)
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(started, len(main)-1).Draw(t, "first")
		mixed := slices.Concat(main[:first]...)
		a, b := main[first:], sub
		for len(a)+len(b) > 0 {
			if len(b) == 0 || len(a) > 1 && rapid.Bool().Draw(t, "main") { // the last record is the session's own
				mixed, a = append(mixed, a[0]...), a[1:]
			} else {
				mixed, b = append(mixed, b[0]...), b[1:]
			}
		}
		res, err := extractor.Read(Source{Path: f.path}, bytes.NewReader(mixed))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, said(res.Episode)); diff != "" {
			t.Errorf("(-as written +mixed):\n%s", diff)
		}
	})
}
