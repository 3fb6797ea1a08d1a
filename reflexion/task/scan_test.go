package task

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/reflexion"
)

// What this program writes is read by the scanner alone, and comes back as it was.
func TestScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Map(rapid.String(), func(s string) string { return strings.ToValidUTF8(s, "?") })
		want := Trajectory{TaskID: "task-001", Attempts: []Step{}}
		for i := range rapid.IntRange(0, 5).Draw(t, "attempts") {
			x := Step{AttemptID: i + 1, Started: "2026-01-01T00:00:00Z", Outcome: Failure, Actions: rapid.IntRange(0, 1<<30).Draw(t, "actions"), Plan: text.Draw(t, "plan")}
			if rapid.Bool().Draw(t, "more") {
				x.Quality = reflexion.Ptr(float64(rapid.IntRange(0, 1000).Draw(t, "quality")) / 1000)
				x.Milestones = []Milestone{{Timestamp: "2026-01-01T00:00:00Z", Event: "compiles", Details: text.Draw(t, "details")}}
			}
			want.Attempts = append(want.Attempts, x)
		}
		data, err := encode(&want)
		if err != nil {
			t.Fatal(err)
		}
		plain := !strings.Contains(string(data), `\`)
		s := scanner{data: data, ok: true}
		if s.trajectory(); s.ok != plain {
			t.Fatalf("scanned %v, without escapes %v: %s", s.ok, plain, data)
		}
		var got Trajectory
		if err := got.decode(data); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Whatever the bytes: the scanner gives what encoding/json gives, or leaves it to it.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"task_id":"task-001","attempts":[]}`, `{"attempts":[{"attempt_id":1,"started":"x","final_quality":0.5,"milestones":[{"event":"a"}]}],"task_id":"x"}`,
		`{"attempts":[{"attempt_id":01}]}`, `{"attempts":[{"final_quality":1.}]}`, `{"attempts":null} x`, `{"attempts":[{"plan":"\u0041"}],"attempts":[]}`, `{"Attempts":[]}`, `{"attempts":[{"final_quality":1e999}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := scanner{data: data, ok: true}
		got := s.trajectory()
		if !s.ok {
			return
		}
		var want Trajectory
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", data, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
