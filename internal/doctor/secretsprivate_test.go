package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/redact"
)

// What is mended in the private part stays there, and stays private; a private part of
// somebody else is neither read nor written.
func TestSecretsOfThePrivatePart(t *testing.T) {
	const secret = "postgres://app:hunter2hunter2@db.example.org/app"
	root := t.TempDir()
	loc := memory.Location{Root: root, Dir: filepath.Join(root, ".agents", "memory")}
	m, _, err := memory.Create(loc)
	must(t, err)
	defer m.Close()
	must(t, m.MakePrivate())
	ep := &episode.Episode{ID: "episode-a", Session: "a", Outcome: episode.Unknown, Task: "connect to " + secret}
	must(t, ep.Seal())
	data, err := episode.Marshal(ep)
	must(t, err)
	_, err = m.Write(context.Background(), []memory.Pending{{ID: ep.ID, Data: data, Private: true}}, 1)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(m.CorrectionsPath(ep.ID)), 0o700))
	must(t, os.WriteFile(m.CorrectionsPath(ep.ID), []byte(`{"text":"connect to `+secret+`"}`+"\n"), 0o600))
	must(t, m.Add(ep.ID, []byte(`{"by":"agent","at":"2026-02-03T10:00:00Z"}`+"\n"+`{"id":"l11111111","kind":"trap","say":"connect to `+secret+`"}`+"\n"), true))
	must(t, m.SaveSaid(ep.ID, []byte("\f1-1\nconnect to "+secret+"\n\f2-2\nit works\n"), true))
	must(t, m.WriteDerived("recall-0", "k", nil))
	files := map[string]string{}
	for _, name := range []string{"owner", "episodes/episode-a.json", "corrections/episode-a.jsonl", "said/episode-a.txt"} {
		files[name] = filepath.Join(m.PrivateDir(), filepath.FromSlash(name))
	}
	read := func(name string) string {
		data, err := os.ReadFile(files[name])
		must(t, err)
		return string(data)
	}
	owner := read("owner")

	must(t, os.WriteFile(files["owner"], []byte("somebody else\n"), 0o600))
	rep, err := Secrets(context.Background(), Options{Location: loc, Command: strings.TrimSpace}, redact.Default, true)
	must(t, err)
	if rep.Problems+rep.Fixed > 0 || !strings.Contains(read("episodes/episode-a.json"), secret) {
		t.Errorf("of somebody else: %+v", rep)
	}
	must(t, os.WriteFile(files["owner"], []byte(owner), 0o600))
	rep, err = Secrets(context.Background(), Options{Location: loc, Command: strings.TrimSpace}, redact.Default, true)
	must(t, err)
	if rep.Fixed != 4 || rep.Problems != 0 {
		t.Errorf("one's own: %+v", rep)
	}
	if text := read("said/episode-a.txt"); !strings.HasPrefix(text, "\f1-1\nconnect to ") || !strings.HasSuffix(text, "\n\f2-2\nit works\n") {
		t.Errorf("the text of the transcript: %q", text)
	}
	if _, there := m.StatDerived("recall-0"); there {
		t.Error("the index of what was mended is there still")
	}
	if files, leftOut, err := m.Additions(ep.ID); err != nil || len(files) != 1 || len(leftOut) > 0 || strings.Contains(string(files[0].Data), "hunter2") || !strings.Contains(string(files[0].Data), "l11111111") {
		t.Errorf("additions: %s, %v, %v", files, leftOut, err)
	}
	if read("owner") != owner {
		t.Error("the mark of the private part was changed")
	}
	for name, path := range files {
		if strings.Contains(read(name), "hunter2") {
			t.Errorf("%s: the secret is there still", name)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(loc.Dir, "episodes")); err != nil || len(entries) > 0 {
		t.Errorf("the shared part holds %v, %v", entries, err)
	}
}
