package extract

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

// said writes what an episode says, without ids and places: one line each fact, link and
// the outcome.
func said(ep *episode.Episode) []string {
	content := map[string]string{}
	var out []string
	for _, v := range ep.Events {
		content[v.ID] = v.Content
		out = append(out, string(v.Type)+": "+v.Content+" ["+v.Key+"]")
	}
	for _, d := range ep.Decisions {
		content[d.ID] = d.Chosen
		out = append(out, "decision: "+d.Chosen+" | because "+d.Rationale+" | of "+strings.Join(d.Options, " / "))
	}
	for _, l := range ep.Links {
		out = append(out, "link: "+content[l.Source]+" "+string(l.Type)+" "+content[l.Target])
	}
	slices.Sort(out)
	return append(out, "task: "+ep.Task, "outcome: "+string(ep.Outcome)+" ("+string(ep.OutcomeSource)+")")
}

// The same session gives the same facts, whatever agent wrote it down.
func TestSameSessionInAllFormats(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/same/*")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{}
	seen := map[string]bool{}
	for _, path := range files { // claude-code.jsonl is the first
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		res, err := extractor.Read(Source{Path: path}, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		format := res.Episode.Provenance.Source.Format
		seen[format] = true
		t.Run(name, func(t *testing.T) {
			if !strings.HasPrefix(format, name) {
				t.Errorf("read as %s", format)
			}
			got := said(res.Episode)
			if len(want) == 0 {
				want = got
				for _, line := range []string{
					"error: go test: ", "error: edit: ", "test: go test: passed", "commit: commit 3c4d5e6", "correction: No, keep",
					"decision: I'll apply it to the sum", "decision: I'll leave Discount untouched", "link: edit of cart.go", "outcome: success (measured)",
				} {
					if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, line) }) {
						t.Errorf("nothing begins with %q in\n%s", line, strings.Join(got, "\n"))
					}
				}
			}
			if diff := cmp.Diff(expected(name, want), got); diff != "" {
				t.Errorf("other facts than in Claude Code (-want +got):\n%s", diff)
			}
		})
	}
	if len(seen) < 7 {
		t.Errorf("only %d formats: %q", len(seen), slices.Sorted(maps.Keys(seen)))
	}
}

// expected are the facts that a format can say.
func expected(name string, all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool {
		// Nobody answers in a trajectory of SWE-agent, so that there are no corrections.
		return name == "swe-agent" && (strings.HasPrefix(s, "correction: ") || strings.HasPrefix(s, "link: No, keep"))
	})
}
