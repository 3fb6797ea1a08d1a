package ask

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The address of a file is that of a known forge, without what may be secret in the remote.
func TestAddressesAtForges(t *testing.T) {
	for remote, want := range map[string]string{
		"https://github.com/harbor/harbord.git":               "https://github.com/harbor/harbord/blob/HEAD#L3-L5",
		"https://user:token@github.com/harbor/harbord":        "https://github.com/harbor/harbord/blob/HEAD#L3-L5",
		"https://x-access-token@GitHub.com/harbor/harbord/":   "https://github.com/harbor/harbord/blob/HEAD#L3-L5",
		"git@github.com:harbor/harbord.git":                   "https://github.com/harbor/harbord/blob/HEAD#L3-L5",
		"ssh://git@github.com/harbor/harbord.git":             "https://github.com/harbor/harbord/blob/HEAD#L3-L5",
		"git://github.com/harbor/harbord.git":                 "https://github.com/harbor/harbord/blob/HEAD#L3-L5",
		"https://github.harbor.example:8443/tide/harbord.git": "https://github.harbor.example:8443/tide/harbord/blob/HEAD#L3-L5",
		"git@github.harbor.example:tide/harbord.git":          "https://github.harbor.example/tide/harbord/blob/HEAD#L3-L5",
		"http://github.harbor.example:8080/tide/harbord":      "https://github.harbor.example/tide/harbord/blob/HEAD#L3-L5",
		"ssh://git@gitlab.example.org:2222/a/b/c.git":         "https://gitlab.example.org/a/b/c/-/blob/HEAD#L3-5",
		"https://oauth2:token@gitlab.com/a/b.git":             "https://gitlab.com/a/b/-/blob/HEAD#L3-5",
		"https://github.com/../../harbord":                    "https://github.com/harbord/blob/HEAD#L3-L5",
		"https://bitbucket.org/harbor/harbord.git":            "",
		"https://example.org/harbor/harbord.git":              "",
		"https://example.org/github/harbord.git":              "",
		"git@example.org:github.com/harbord.git":              "",
		"/srv/github/harbord.git":                             "",
		"../github/harbord":                                   "",
		"file:///srv/github.com/harbord.git":                  "",
		"javascript:alert(1)//github.com/a/b":                 "",
		"https://github.com/a/b\" onclick=\"x":                "",
		"https://github.com@attacker.example/harbor/harbor":   "",
		"": "",
	} {
		base, lines := forgeOf(remote)
		if base != "" {
			base += fmt.Sprintf(lines, 3, 5)
		}
		if base != want {
			t.Errorf("%q: %q, want %q", remote, base, want)
		}
	}
}

// A session has an address where its log is in the repository; a private one has none.
func TestAddressOfASession(t *testing.T) {
	m := memoryOf(t, 1)
	writePrivate(t, m, uploads(1))
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(m.Location.Root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(".git/HEAD", "ref: refs/heads/main\n")
	put(".git/config", "[remote \"origin\"]\n\turl = https://me:token@github.com/harbor/harbord.git\n")
	put("sessions/"+uploads(0).Session+".md", uploads(0).Session)
	put("sessions/"+uploads(1).Session+".md", uploads(1).Session)
	for i, want := range []string{"https://github.com/harbor/harbord/blob/HEAD/sessions/2026-04-01-session-000.md", ""} {
		a, err := opened(t, m.Options).Session(context.Background(), EpisodeRequest{Ref: uploads(i).ID})
		if err != nil {
			t.Fatal(err)
		}
		ofError := want
		if want != "" {
			ofError += "#L20-L21"
		}
		if a.LogState != Same || a.Address != want || a.Errors[0].Address != ofError {
			t.Errorf("%s, %q, %q, want %q", a.LogState, a.Address, a.Errors[0].Address, want)
		}
	}
	put("sessions/"+uploads(0).Session+".md", "something else")
	a, err := opened(t, m.Options).Session(context.Background(), EpisodeRequest{Ref: uploads(0).ID})
	if err != nil || a.LogState != Changed || len(a.Errors[0].Quote) > 0 {
		t.Errorf("%s, %q, %v", a.LogState, a.Errors[0].Quote, err)
	}
}
