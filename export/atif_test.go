package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/export"
	"episodes/internal/plain"
	"episodes/internal/testing/wild"
)

// trajectory is an episode in ATIF, of a program that knows the format "claude-code".
func trajectory(t rapid.TB, e *episode.Episode) string {
	t.Helper()
	var b bytes.Buffer
	o := export.ATIFOptions{Version: "1.2.3", Recorded: func(format string) bool { return format == "claude-code" }}
	if err := export.WriteATIF(&b, e, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checker checks trajectories against the schema, and what no schema can say.
func checker(t *testing.T) func(doc string) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("testdata/atif-1.7.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(doc string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
		if err != nil {
			return err
		}
		if err := s.Validate(v); err != nil {
			return err
		}
		for i, step := range v.(map[string]any)["steps"].([]any) {
			if id := fmt.Sprint(step.(map[string]any)["step_id"]); id != fmt.Sprint(i+1) {
				return fmt.Errorf("step %d has the id %s", i+1, id)
			}
		}
		return nil
	}
}

// session is an episode of a transcript, with a record that a reader added and one that
// has no place.
func session() *episode.Episode {
	gone, two := "", 2
	return &episode.Episode{
		ID: "episode-s", Session: "s", Timestamp: "2026-03-02T09:00:07+01:00", Outcome: episode.Partial, OutcomeSource: episode.Measured, Task: "make the total right",
		Decisions: []episode.Decision{{ID: "d001", Timestamp: "2026-03-02T09:00:35.5Z", Type: episode.Design, Key: "where discount", OptionKeys: []string{"sum", "item"}, Context: "Where does the discount go?",
			Options: []string{"the sum", "each item"}, Chosen: "the sum", Rationale: "rounding differs", Outcome: episode.Success, Superseded: &gone}},
		Events: []episode.Event{
			{ID: "e001", Type: episode.Milestone, Content: "no place in the log"},
			{ID: "e002", Type: episode.Commit, Content: "commit 3c4d5e6: cart"},
			{ID: "e003", Timestamp: "2026-03-02T09:00:21Z", Type: episode.Error, Key: "error: go test: TestTotal", Content: "go test: TestTotal:\n<got> 30\x1b[31m\u202e"},
			{ID: "e004", Timestamp: "later", Type: episode.Error, Content: "a reader says so"},
			{ID: "e005", Type: episode.Correction, Content: "No, keep the name."},
			{ID: "e006", Type: episode.Test, Content: "go test: passed"},
		},
		Metrics: episode.Metrics{Errors: &two}, Lessons: []string{"round once"},
		Links: []episode.Link{{Source: "e003", Target: "d001", Type: episode.Causes, Explicit: true}},
		Provenance: episode.Provenance{
			Source: episode.Source{Path: "logs/s.jsonl", SHA256: "00", Format: "claude-code", Session: "5f0e"}, Extractor: "5", By: map[string]string{"e004": "reader m"},
			Spans: map[string]episode.Span{"task": {1, 1}, "e003": {4, 4}, "d001": {5, 6}, "e004": {7, 7}, "e005": {8, 8}, "e006": {9, 9}, "e002": {10, 10}, "e003>d001": {5, 6}, "l001": {11, 11}, "outcome": {9, 9}},
		},
	}
}

// A small memory, whole: a transcript, logs that people wrote, and an episode of nothing.
func TestATIFGolden(t *testing.T) {
	check := checker(t)
	var got bytes.Buffer
	for _, e := range append([]*episode.Episode{session(), {ID: "episode-empty", Session: "empty"}}, twoEpisodes()...) {
		doc := trajectory(t, e)
		if err := check(doc); err != nil {
			t.Errorf("%s: %v", e.ID, err)
		}
		if strings.Count(doc, "\n") != 1 {
			t.Errorf("%s: not one line", e.ID)
		}
		if err := json.Indent(&got, []byte(doc), "", " "); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "small.atif", got.String())
}

// Whatever an episode says, its trajectory is valid and clean, and has each record once.
func TestATIFIsValid(t *testing.T) {
	check := checker(t)
	rapid.Check(t, func(t *rapid.T) {
		e := wild.Episode(t, "episode-s")
		e.Task = rapid.SampledFrom([]string{"", "mend\x1b[1m it"}).Draw(t, "task")
		e.Provenance.Source.Format = rapid.SampledFrom([]string{"markdown", "claude-code"}).Draw(t, "format")
		e.Provenance.Spans = map[string]episode.Span{}
		var want []string
		record := func(id, text string) {
			want = append(want, plain.Line(id)+": "+plain.Text(text))
			if at := rapid.IntRange(0, 5).Draw(t, "line"); at > 0 {
				e.Provenance.Spans[id] = episode.Span{at, at}
			}
		}
		if e.Task != "" {
			record("task", e.Task)
		}
		for _, d := range e.Decisions {
			record(d.ID, d.Chosen)
		}
		for i := range e.Events {
			e.Events[i].Type = rapid.SampledFrom(episode.EventTypes()).Draw(t, "type")
			e.Events[i].Timestamp = rapid.SampledFrom([]string{"", "soon", "2026-01-02T03:04:05,5Z", "2026-01-02T05:04:05+02:00"}).Draw(t, "time")
			record(e.Events[i].ID, e.Events[i].Content)
		}
		if len(want) == 0 {
			want = []string{"outcome: The episode has no records."}
		}
		doc := trajectory(t, e)
		if err := check(doc); err != nil {
			t.Fatalf("%v in\n%s", err, doc)
		}
		if plain.Text(doc) != doc {
			t.Errorf("not clean: %+q", doc)
		}
		var out struct {
			Steps []struct {
				Message     string
				Observation struct{ Results []struct{ Content string } }
				Extra       struct {
					Record string
					Span   *episode.Span
				}
			}
		}
		if err := json.Unmarshal([]byte(doc), &out); err != nil {
			t.Fatal(err)
		}
		var got []string
		last := 0
		for _, s := range out.Steps {
			text := s.Message
			for _, r := range s.Observation.Results {
				text += r.Content
			}
			got = append(got, s.Extra.Record+": "+text)
			if s.Extra.Span == nil || s.Extra.Record == "task" {
				continue
			}
			if s.Extra.Span[0] < last {
				t.Errorf("line %d after line %d", s.Extra.Span[0], last)
			}
			last = s.Extra.Span[0]
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	})
}
