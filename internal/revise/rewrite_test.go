package revise

import (
	"bytes"
	"strings"
	"testing"

	"episodes/episode"
)

// edited is an episode that another tool wrote, with fields of its own.
const edited = `{
  "id": "episode-s", "session": "s", "outcome": "success", "task": "t", "mine": {"a": 1},
  "decisions": [
    {"id": "d001", "type": "design", "options": [], "chosen": "one", "outcome": "unknown", "cost": 3},
    {"id": "d002", "type": "design", "options": [], "chosen": "two", "outcome": "unknown", "cost": 4}
  ],
  "events": [], "metrics": {"reviews": 12}, "lessons": [],
  "provenance": {"source": {"path": "s.md", "sha256": "", "format": "markdown"}, "spans": {}, "tool": "x"}
}
`

// What others put into a file stays with its record, also when another record goes.
func TestRewriteKeepsFieldsOfOthers(t *testing.T) {
	ep, err := episode.Parse([]byte(edited))
	if err != nil {
		t.Fatal(err)
	}
	ep.Decisions = ep.Decisions[1:]
	ep.Decisions[0].Outcome = episode.Failure
	out, err := Rewrite([]byte(edited), Edited, ep)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"mine": {`, `"cost": 4`, `"reviews": 12`, `"tool": "x"`, `"outcome": "failure"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is lost:\n%s", want, out)
		}
	}
	if strings.Contains(string(out), `"cost": 3`) || !bytes.HasSuffix(out, []byte("}\n")) {
		t.Errorf("%s", out)
	}
	back, err := episode.Parse(out)
	if err != nil || OriginOf(back, out) != Edited {
		t.Errorf("%v, written by %v", err, OriginOf(back, out))
	}
}

// A rewritten file is still known for what it was.
func TestRewriteKeepsTheOrigin(t *testing.T) {
	ep, err := episode.Parse([]byte(edited))
	if err != nil {
		t.Fatal(err)
	}
	if err := ep.Seal(); err != nil {
		t.Fatal(err)
	}
	sealed, err := episode.Marshal(ep)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := Merge([]byte(edited), ep)
	if err != nil {
		t.Fatal(err)
	}
	for want, data := range map[Origin][]byte{Extracted: sealed, Merged: merged} {
		ep, err := episode.Parse(data)
		if err != nil || OriginOf(ep, data) != want {
			t.Fatalf("%v: %v, %v", want, OriginOf(ep, data), err)
		}
		ep.Task = "another"
		out, err := Rewrite(data, want, ep)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := episode.Parse(out); err != nil || back.Task != "another" || OriginOf(back, out) != want {
			t.Errorf("%v became %v: %v", want, OriginOf(back, out), err)
		}
	}
}

// Who said what goes with the record into a merge.
func TestMergeKeepsWhoSaidIt(t *testing.T) {
	old, err := episode.Parse([]byte(edited))
	if err != nil {
		t.Fatal(err)
	}
	old.Provenance.By = map[string]string{"d002": "person"}
	data, err := episode.Marshal(old)
	if err != nil {
		t.Fatal(err)
	}
	fresh := &episode.Episode{ID: "episode-s", Session: "s", Outcome: episode.Partial, Lessons: []string{"new"},
		Decisions: []episode.Decision{{ID: "d001", Type: episode.Design, Chosen: "three", Outcome: episode.Unknown}}}
	fresh.Provenance.Source.SHA256 = "another state of the log"
	fresh.Provenance.By = map[string]string{"d001": "reader x", "outcome": "reader x", "l001": "reader x"}
	out, err := Merge(data, fresh)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := episode.Parse(out)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"d002": "person", "d003": "reader x", "outcome": "reader x", "l001": "reader x"}
	for id, by := range want {
		if merged.Provenance.By[id] != by {
			t.Errorf("%s is by %q, want %q", id, merged.Provenance.By[id], by)
		}
	}
	if len(merged.Provenance.By) != len(want) {
		t.Errorf("%v", merged.Provenance.By)
	}
}
