package extract

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

// failed are the failures and test runs of an episode with their places, moved by so many.
func failed(ep *episode.Episode, by int) (out []string) {
	for _, v := range ep.Events {
		if v.Type == episode.Error || v.Type == episode.Test {
			at := ep.Provenance.Spans[v.ID]
			out = append(out, fmt.Sprint(at[0]+by, at[1]+by, v.Type, v.Content))
		}
	}
	return out
}

// What is read as a part of a session gives the facts that it gives alone, with places that
// go on counting, and can be quoted from there; but no words of the user. Its checks count for
// the outcome.
func TestPartsKeepTheirFacts(t *testing.T) {
	tried := map[string]int{}
	files := transcriptFiles(t)
	results := make([]*Result, len(files))
	for i, f := range files {
		results[i] = f.read(t)
	}
	for i, a := range files {
		for j, b := range files {
			main, part := results[i], results[j]
			format := main.Episode.Provenance.Source.Format
			if strings.Contains(main.Episode.ID, "-agent-") || format != part.Episode.Provenance.Source.Format || !slices.Contains([]string{"claude-code", "codex", "gemini-cli", "opencode"}, format) {
				continue
			}
			got, err := extractor.Read(Source{Path: a.path}, bytes.NewReader(a.data), bytes.NewReader(b.data))
			if err != nil {
				t.Fatal(err)
			}
			name := a.path + " + " + b.path
			for _, p := range got.Episode.Validate() {
				t.Errorf("%s: %s", name, p.Msg)
			}
			before, after := failed(main.Episode, 0), failed(got.Episode, 0)
			if len(after) < len(before) || !slices.Equal(before, after[:len(before)]) {
				t.Errorf("%s: of the session itself (-alone +with a part):\n%s", name, cmp.Diff(before, after))
				continue
			}
			by := lineCount(a.data)
			if main.Episode.Provenance.Source.Unit != "" { // elements: all are moved by the same
				for by = 1; !slices.Equal(failed(part.Episode, by), after[len(before):]) && by < len(a.data); {
					by++
				}
			}
			if want := failed(part.Episode, by); !slices.Equal(want, after[len(before):]) {
				t.Errorf("%s: of the part (-alone +as a part):\n%s", name, cmp.Diff(want, after[len(before):]))
			}
			tried[format]++
			quoted(t, name, got, a.data, b.data)
			if ep := got.Episode; ep.Task != main.Episode.Task || ep.ID != main.Episode.ID {
				t.Errorf("%s: another task or id than the session has alone", name)
			}
		}
	}
	for _, format := range []string{"claude-code", "codex", "gemini-cli", "opencode"} {
		if tried[format] == 0 {
			t.Errorf("no fixtures of %s", format)
		}
	}
}

// quoted fails unless there is something at the place of each fact, in the files that were
// read and in no others.
func quoted(t *testing.T, name string, res *Result, data ...[]byte) {
	t.Helper()
	open := func() (in io.Reader, parts []io.Reader) {
		for _, d := range data[1:] {
			parts = append(parts, bytes.NewReader(d))
		}
		return bytes.NewReader(data[0]), parts
	}
	src := res.Episode.Provenance.Source
	for id, span := range res.Episode.Provenance.Spans {
		in, parts := open()
		lines, digest, _, err := extractor.Excerpts(in, res.Episode.Provenance.Source, []episode.Span{span}, parts...)
		if err != nil || len(lines[0]) == 0 || digest != src.SHA256 {
			t.Errorf("%s: %s at %v: %q, %v", name, id, span, lines, err)
		}
	}
}
