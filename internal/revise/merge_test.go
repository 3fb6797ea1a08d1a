package revise

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
)

// drawEpisode makes an episode that holds together, from few words, so that two
// of them often say the same.
func drawEpisode(t *rapid.T) *episode.Episode {
	word := rapid.SampledFrom([]string{"retry", "lock", "cache", "index"})
	ep := &episode.Episode{
		ID: "episode-s", Session: "s",
		Task:      rapid.SampledFrom([]string{"", "untitled", "mend the cache", "ship it"}).Draw(t, "task"),
		Outcome:   rapid.SampledFrom(episode.Outcomes()).Draw(t, "outcome"),
		Timestamp: rapid.SampledFrom([]string{"", "2026-01-02T00:00:00Z", "2026-01-02T10:20:30Z"}).Draw(t, "time"),
		Provenance: episode.Provenance{
			Source:    episode.Source{Path: "s.md", SHA256: strings.Repeat(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "sha"), 64), Format: "markdown"},
			Extractor: "1", Spans: map[string]episode.Span{},
		},
	}
	var ids []string
	for i := range rapid.IntRange(0, 4).Draw(t, "decisions") {
		d := episode.Decision{ID: episode.DecisionID(i + 1), Type: episode.Design, Chosen: word.Draw(t, "chosen"), Outcome: rapid.SampledFrom(episode.Outcomes()).Draw(t, "own outcome")}
		ids = append(ids, d.ID)
		ep.Decisions = append(ep.Decisions, d)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "events") {
		v := episode.Event{ID: episode.EventID(i + 1), Type: rapid.SampledFrom([]episode.EventType{episode.Commit, episode.Error}).Draw(t, "type"), Content: word.Draw(t, "content")}
		ids = append(ids, v.ID)
		ep.Events = append(ep.Events, v)
	}
	for range rapid.IntRange(0, 4).Draw(t, "links") {
		if len(ids) == 0 {
			break
		}
		l := episode.Link{Source: rapid.SampledFrom(ids).Draw(t, "source"), Target: rapid.SampledFrom(append(slices.Clone(ids), episode.OutcomeRef)).Draw(t, "target"), Type: episode.Causes}
		if l.Source != l.Target {
			ep.Links = append(ep.Links, l)
			ep.Provenance.Spans[episode.LinkID(l.Source, l.Target)] = episode.Span{7, 8}
		}
	}
	for _, id := range ids {
		ep.Provenance.Spans[id] = episode.Span{1, 2}
	}
	for range rapid.IntRange(0, 3).Draw(t, "lessons") {
		ep.Lessons = append(ep.Lessons, word.Draw(t, "lesson"))
	}
	if rapid.Bool().Draw(t, "counted") {
		n := rapid.IntRange(0, 5).Draw(t, "errors")
		ep.Metrics.Errors = &n
	}
	return ep
}

func marshal(t interface{ Fatal(...any) }, ep *episode.Episode) []byte {
	data, err := episode.Marshal(ep)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The laws of a merge: nothing of either side is lost, links never dangle, ids
// follow order, metrics agree with events, and merging again changes no byte.
func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, fresh := drawEpisode(t), drawEpisode(t)
		once, err := Merge(marshal(t, old), fresh)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := Merge(once, fresh)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(once, twice) {
			t.Fatalf("merging twice differs:\n%s", cmp.Diff(string(once), string(twice)))
		}
		got, err := episode.Parse(once)
		if err != nil {
			t.Fatal(err)
		}
		if ps := got.Validate(); len(ps) > 0 {
			t.Fatalf("invalid: %v\n%s", ps, once)
		}
		if got.Sealed() || OriginOf(got, once) != Merged {
			t.Fatal("a merged episode is taken for an extracted one")
		}
		commits := 0
		for i, v := range got.Events {
			if v.ID != episode.EventID(i+1) {
				t.Fatalf("event %d has id %q", i, v.ID)
			}
			if v.Type == episode.Commit {
				commits++
			}
		}
		if commits > 0 && (got.Metrics.Commits == nil || *got.Metrics.Commits != commits) {
			t.Fatalf("%d commit events, metrics %v", commits, got.Metrics)
		}
		for _, side := range []*episode.Episode{old, fresh} {
			for i := range side.Decisions {
				if n := count(got.Decisions, side.Decisions, decisionKey, i); n < 0 {
					t.Fatalf("lost decision %v", side.Decisions[i])
				}
			}
			for i := range side.Events {
				if n := count(got.Events, side.Events, eventKey, i); n < 0 {
					t.Fatalf("lost event %v", side.Events[i])
				}
			}
			for _, l := range side.Lessons {
				if !slices.Contains(got.Lessons, l) {
					t.Fatalf("lost lesson %q", l)
				}
			}
			if side.Metrics.Errors != nil && *got.Metrics.Errors < *side.Metrics.Errors {
				t.Fatal("metric went down")
			}
		}
		for i, d := range old.Decisions {
			if got.Decisions[i].Chosen != d.Chosen {
				t.Fatal("existing decisions do not come first")
			}
		}
	})
}

// count compares how often two lists hold what stands at i of the second.
func count[T any](have, want []T, key func(*T) string, i int) int {
	n := 0
	for j := range have {
		if key(&have[j]) == key(&want[i]) {
			n++
		}
	}
	for j := range want {
		if key(&want[j]) == key(&want[i]) {
			n--
		}
	}
	return n
}

func fresh() *episode.Episode {
	return &episode.Episode{
		ID: "episode-s", Session: "s", Outcome: episode.Success, OutcomeSource: episode.Stated, Task: "Mend the cache",
		Decisions: []episode.Decision{{ID: "d001", Type: episode.Design, Context: "which key", Chosen: "content hash", Outcome: episode.Unknown}},
		Events:    []episode.Event{{ID: "e001", Type: episode.Commit, Content: "abc1234 mend the cache", CausedBy: []string{"d001"}}},
		Lessons:   []string{"Hash before you store."},
		Links:     []episode.Link{{Source: "d001", Target: "e001", Type: episode.Causes, Explicit: true}},
		Provenance: episode.Provenance{Source: episode.Source{Path: "s.md", SHA256: strings.Repeat("f", 64), Format: "markdown"}, Extractor: "1",
			Spans: map[string]episode.Span{"d001": {3, 4}, "e001": {6, 6}, "l001": {8, 8}, "d001>e001": {6, 6}, "task": {1, 1}}},
	}
}

// What older tools and people left in files: bare decisions, nulls, fields of
// their own, torn-out JSON among the lessons, a task that says nothing.
func TestMergeOlderFile(t *testing.T) {
	old := `{
  "id": "episode-s", "session": "s", "task": "[Migrated from markdown]", "outcome": "partial", "timestamp": "2026-01-02T00:00:00Z",
  "migration_note": "by hand & with care",
  "decisions": ["content hash", "", "  ", null, "keep the old index", {"id": "d007", "type": "recovery", "chosen": "roll back", "context": "", "outcome": "success", "effects": ["e009", "d099"], "reviewer": "ann"}, "roll back"],
  "events": [null, {"id": "e009", "type": "error", "content": "cache miss", "_source_session": "x", "leads_to": ["d007", "e404"]}],
  "metrics": {"tool_calls": 3, "duration_minutes": null, "commits": 9, "reviews": 2},
  "lessons": ["\"Evidence\": \"see above\",", "},", "Ask for evidence first.", "hash  before you STORE."],
  "links": [{"source": "e009", "target": "d007", "type": "causes", "explicit": false}, {"source": "e404", "target": "d007", "type": "causes", "explicit": false}],
  "provenance": null
}`
	data, err := Merge([]byte(old), fresh())
	if err != nil {
		t.Fatal(err)
	}
	got, err := episode.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var chosen []string
	for _, d := range got.Decisions {
		chosen = append(chosen, d.ID+" "+d.Chosen)
	}
	if want := []string{"d001 roll back", "d002 content hash", "d003 keep the old index"}; !slices.Equal(chosen, want) {
		t.Errorf("decisions %q, want %q", chosen, want)
	}
	if got.Decisions[1].Context != "which key" {
		t.Errorf("bare text and object with that text were not made one: %+v", got.Decisions[1])
	}
	if d := got.Decisions[0]; !slices.Equal(d.Effects, []string{"e001"}) {
		t.Errorf("effects did not follow: %v", d.Effects)
	}
	if want := []string{"Ask for evidence first.", "hash  before you STORE."}; !slices.Equal(got.Lessons, want) {
		t.Errorf("lessons %q, want %q", got.Lessons, want)
	}
	if want := []episode.Link{{Source: "e001", Target: "d001", Type: episode.Causes}, {Source: "d002", Target: "e002", Type: episode.Causes, Explicit: true}}; !slices.Equal(got.Links, want) {
		t.Errorf("links %v, want %v", got.Links, want)
	}
	wantSpans := map[string]episode.Span{"d002": {3, 4}, "e002": {6, 6}, "l002": {8, 8}, "d002>e002": {6, 6}, "task": {1, 1}}
	if diff := cmp.Diff(wantSpans, got.Provenance.Spans); diff != "" {
		t.Errorf("spans: %s", diff)
	}
	if got.Task != "Mend the cache" || got.Outcome != episode.Success || *got.Metrics.ToolCalls != 3 || *got.Metrics.Commits != 1 || got.Timestamp != "2026-01-02T00:00:00Z" {
		t.Errorf("task %q, outcome %q, metrics %+v, time %q", got.Task, got.Outcome, got.Metrics, got.Timestamp)
	}
	var raw struct {
		Note      string           `json:"migration_note"`
		Metrics   map[string]any   `json:"metrics"`
		Decisions []map[string]any `json:"decisions"`
		Events    []map[string]any `json:"events"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	if raw.Note != "by hand & with care" || raw.Metrics["reviews"] != 2.0 || raw.Decisions[0]["reviewer"] != "ann" || raw.Events[0]["_source_session"] != "x" {
		t.Errorf("fields of others were dropped: %s", data)
	}
	again, err := Merge(data, fresh())
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("merging twice differs (%v): %s", err, cmp.Diff(string(data), string(again)))
	}
}

// A stored task stays when the log gives none; an outcome set by hand stays when
// the log did not change, and yields when the log shows another since.
func TestMergeScalars(t *testing.T) {
	old, f := fresh(), fresh()
	old.Task, old.Outcome = "Stored title", episode.Failure
	for _, task := range []string{"", "untitled", "Unknown", "[Migrated from markdown]"} {
		f.Task = task
		if got := mustMerge(t, old, f); got.Task != "Stored title" {
			t.Errorf("task %q replaced the stored one", task)
		}
	}
	if got := mustMerge(t, old, f); got.Outcome != episode.Failure {
		t.Errorf("same log: outcome %q, want the one set by hand", got.Outcome)
	}
	f.Provenance.Source.SHA256 = strings.Repeat("0", 64)
	if got := mustMerge(t, old, f); got.Outcome != episode.Success {
		t.Errorf("changed log: outcome %q, want what it shows", got.Outcome)
	}
}

func mustMerge(t *testing.T, old, fresh *episode.Episode) *episode.Episode {
	t.Helper()
	data, err := Merge(marshal(t, old), fresh)
	if err != nil {
		t.Fatal(err)
	}
	ep, err := episode.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return ep
}

// What cannot be read must not be merged into, and the message names the line.
func TestMergeRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		data string
		line int
	}{
		"truncated":      {`{"id": "episode-s", "ses`, 1},
		"empty":          {"", 1},
		"a list":         {"[]", 1},
		"odd decisions":  {"{\"id\": \"episode-s\",\n\"decisions\": {}}", 2},
		"odd decision":   {"{\"id\": \"episode-s\",\n\"decisions\": [3]}", 2},
		"odd event":      {"{\"id\": \"episode-s\",\n\"events\": [\"x\"]}", 2},
		"task no text":   {"{\"id\": \"episode-s\", \"task\": 4}", 1},
		"trailing words": {"{\"id\": \"episode-s\"} more", 1},
	} {
		var se *episode.SyntaxError
		_, err := Merge([]byte(tt.data), fresh())
		if !errors.As(err, &se) || se.Line != tt.line {
			t.Errorf("%s: got %v, want a syntax error on line %d", name, err, tt.line)
		}
	}
}
