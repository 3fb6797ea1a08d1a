package doctor

import (
	"context"
	"maps"
	"os"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/redact"
)

// TestSecrets: what is there is found by file and kind, and mended where that is safe.
func TestSecrets(t *testing.T) {
	const secret, text = "Kw9Trq2Zx7Lm", "connect to postgres://app:Kw9Trq2Zx7Lm@db/app"
	c := newClinic(t)
	sealed := &episode.Episode{ID: "episode-s", Session: "s", Outcome: episode.Unknown, Lessons: []string{text}}
	must(t, sealed.Seal())
	data, err := episode.Marshal(sealed)
	must(t, err)
	c.write("episodes/episode-s.json", data)
	edited := strings.ReplaceAll(strings.ReplaceAll(string(data), "episode-s", "episode-t"), `"s"`, `"t"`)
	c.write("episodes/episode-t.json", []byte(edited))
	c.write("reflections/x.jsonl", []byte(`{"a":"`+text+`"}`+"\n"))
	c.write("reflexion/loops/ralph-l/log.md", []byte(text+"\n"))
	c.write("notes.md", []byte(text+"\n"))

	found := func(fix bool) map[string]State {
		rep, err := Secrets(context.Background(), c.Options, redact.Default, fix)
		must(t, err)
		states := map[string]State{}
		for _, f := range rep.Findings {
			name, what, _ := strings.Cut(f.Text, ": ")
			if states[strings.Trim(name, `"`)] = f.State; f.State != OK && what != "1 url-password" || strings.Contains(f.Text+f.Todo, secret) {
				t.Errorf("%+v", f)
			}
		}
		return states
	}
	// What Fix makes of each: the one that was edited is left to a person.
	want := map[string]State{"episodes/episode-s.json": Fixed, "episodes/episode-t.json": Problem, "reflections/x.jsonl": Fixed, "reflexion/loops/ralph-l/log.md": Fixed, "notes.md": Fixed}
	before := found(false)
	for name := range want {
		if before[name] != Problem || len(before) != len(want) {
			t.Errorf("%s: %v", name, before)
		}
	}
	if got := found(true); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for name, state := range want {
		data, err := os.ReadFile(c.path(name))
		must(t, err)
		if strings.Contains(string(data), secret) == (state == Fixed) {
			t.Errorf("%s: %s", name, data)
		}
	}
	data, err = os.ReadFile(c.path("episodes/episode-s.json"))
	must(t, err)
	if ep, err := episode.ParseExact(data); err != nil || !ep.Sealed() {
		t.Errorf("not sealed: %v, %s", err, data)
	}
}
