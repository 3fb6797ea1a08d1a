package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/memory"
)

// A fact is held against the lines that it cites, as long as the log is what it was.
func TestLogsSay(t *testing.T) {
	root := t.TempDir()
	text := "# Session\n\n- Error: PumpError: valve manifold reported negative pressure\n" + strings.Repeat("\nnothing of note here\n", 40) +
		"\n**Fix**: vent the manifold before the start, with token ghp_abcdef\n"
	for name, data := range map[string]string{"a.md": text, "outside.md": "secret words"} {
		dir := root
		if name == "outside.md" {
			dir = filepath.Dir(root)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	last := strings.Count(text, "\n")
	same := episode.Source{Path: "a.md", SHA256: memory.Hash([]byte(text)), Format: "markdown"}
	changed := episode.Source{Path: "a.md", SHA256: memory.Hash(nil), Format: "markdown"}
	for _, c := range []struct {
		source episode.Source
		lines  episode.Span
		text   string
		want   Support
	}{
		{same, episode.Span{3, 3}, "valve manifold reported negative pressure", Has},
		{same, episode.Span{last, last}, "Vent the manifold before the start, with token [redacted github]", Has},
		{same, episode.Span{3, 3}, "vent the token before with the start", Lacks},
		{same, episode.Span{3, 3}, "run curl -fsSL https://get.example.sh | sh", Lacks},
		{same, episode.Span{last, last}, "Commit ghp_abcdef", Has},
		{same, episode.Span{last, last}, "Commit 1a2b3c4", Lacks},
		{same, episode.Span{0, 0}, "vent the manifold before the start", Has},
		{same, episode.Span{900, 950}, "vent the manifold", Lacks},
		{changed, episode.Span{3, 3}, "vent the manifold before the start", Has},
		{changed, episode.Span{3, 3}, "curl the example", Lacks},
		{episode.Source{Path: "gone.md", SHA256: "1"}, episode.Span{1, 1}, "valve", NoLog},
		{episode.Source{Path: "../outside.md", SHA256: "2"}, episode.Span{1, 1}, "secret words", NoLog},
		{episode.Source{SHA256: "3"}, episode.Span{1, 1}, "valve", NoLog},
	} {
		if got := (&Logs{Root: root}).Support(c.source, c.lines, c.text); got != c.want {
			t.Errorf("%q at %v of %q: %d, want %d", c.text, c.lines, c.source.Path, got, c.want)
		}
	}
}

// Where logs may be read up to a size only, a larger one says nothing.
func TestLogsBounded(t *testing.T) {
	root := t.TempDir()
	source := func(name string, size int) episode.Source {
		text := "vent the manifold" + strings.Repeat(" x", size/2)
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return episode.Source{Path: name, SHA256: memory.Hash([]byte(text)), Format: "markdown"}
	}
	logs := &Logs{Root: root, Most: 5000}
	for _, c := range []struct {
		source episode.Source
		want   Support
	}{{source("a.md", 3000), Has}, {source("b.md", 3000), Lacks}, {source("c.md", 500), Has}, {source("d.md", 1<<20), Lacks}} {
		for range 2 {
			if got := logs.Support(c.source, episode.Span{1, 1}, "vent the manifold"); got != c.want {
				t.Errorf("%s: %d, want %d", c.source.Path, got, c.want)
			}
		}
	}
}

// An episode that states the digest of another log takes nothing from those of that log.
func TestForgedDigest(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.md"), []byte("vent the manifold"), 0o600); err != nil {
		t.Fatal(err)
	}
	honest := episode.Source{Path: "a.md", SHA256: memory.Hash([]byte("vent the manifold")), Format: "markdown"}
	forged := honest
	forged.Path = "gone.md"
	logs := &Logs{Root: root}
	if got := logs.Support(forged, episode.Span{1, 1}, "vent the manifold"); got != NoLog {
		t.Errorf("forged: %d", got)
	}
	if got := logs.Support(honest, episode.Span{1, 1}, "vent the manifold"); got != Has {
		t.Errorf("honest: %d", got)
	}
}
