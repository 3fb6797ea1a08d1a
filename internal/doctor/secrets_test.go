package doctor

import (
	"context"
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

	states := func(fix bool) (states map[string]State, all string) {
		rep, err := Secrets(context.Background(), c.Options, redact.Default, fix)
		must(t, err)
		states = map[string]State{}
		for _, f := range rep.Findings {
			name, what, _ := strings.Cut(f.Text, ": ")
			if states[strings.Trim(name, `"`)] = f.State; f.State != OK && what != "1 url-password" {
				t.Errorf("%+v", f)
			}
			all += f.Text + f.Todo
		}
		return states, all
	}
	check := func(got map[string]State, want map[string]State) {
		t.Helper()
		for name, state := range want {
			if got[name] != state {
				t.Errorf("%s: %q, want %q (%v)", name, got[name], state, got)
			}
		}
		if len(got) != len(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	found, said := states(false)
	check(found, map[string]State{"episodes/episode-s.json": Problem, "episodes/episode-t.json": Problem, "reflections/x.jsonl": Problem, "reflexion/loops/ralph-l/log.md": Problem, "notes.md": Problem})
	if strings.Contains(said, secret) {
		t.Errorf("the secret is told: %s", said)
	}
	found, _ = states(true)
	check(found, map[string]State{"episodes/episode-s.json": Fixed, "episodes/episode-t.json": Problem, "reflections/x.jsonl": Fixed, "reflexion/loops/ralph-l/log.md": Fixed, "notes.md": Fixed})
	found, _ = states(false)
	check(found, map[string]State{"episodes/episode-t.json": Problem})
	for name, mended := range map[string]bool{"episodes/episode-s.json": true, "episodes/episode-t.json": false, "reflections/x.jsonl": true, "reflexion/loops/ralph-l/log.md": true, "notes.md": true} {
		data, err := os.ReadFile(c.path(name))
		must(t, err)
		if strings.Contains(string(data), secret) == mended {
			t.Errorf("%s: %s", name, data)
		}
	}
	data, err = os.ReadFile(c.path("episodes/episode-s.json"))
	must(t, err)
	if ep, err := episode.ParseExact(data); err != nil || !ep.Sealed() {
		t.Errorf("not sealed: %v, %s", err, data)
	}
}
