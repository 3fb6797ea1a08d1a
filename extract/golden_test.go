package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

// The golden episodes show in a diff what a change of the rules does.
//
// Rows A7 A8 A19.
func TestGolden(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range sessionLogs(t) {
		t.Run(l.name, func(t *testing.T) {
			res := read(t, l.source(), l.data)
			sound(t, res, l.data)
			got := marshal(t, res.Episode)
			if again := marshal(t, read(t, l.source(), l.data).Episode); !bytes.Equal(got, again) {
				t.Error("the same log gives other bytes the second time")
			}
			path := filepath.Join(goldenDir, res.Episode.Session+".json")
			seen[path] = true
			isGolden(t, path, res.Episode)
		})
	}
	left, err := filepath.Glob(filepath.Join(goldenDir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range left {
		if !seen[p] {
			t.Errorf("%s has no log", p)
		}
	}
}

// isGolden compares an episode with its golden file, which keeps the version of the rules that wrote it: a new version
// alone changes no golden file.
func isGolden(t *testing.T, path string, ep *episode.Episode) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatalf("%v (go test ./extract -run Golden -update writes it)", err)
	}
	as := *ep
	if old, err := episode.Parse(want); err == nil {
		as.Provenance.Extractor = old.Provenance.Extractor
		if err := as.Seal(); err != nil {
			t.Fatal(err)
		}
	}
	diff := cmp.Diff(string(want), string(marshal(t, &as)))
	switch {
	case diff == "":
	case !*update:
		t.Errorf("episode differs from %s (-want +got); if it is better, run with -update:\n%s", path, diff)
	default:
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, marshal(t, ep), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Line ends and a byte order mark are how a file is stored, not what it says.
func TestStorageFormDoesNotMatter(t *testing.T) {
	facts := func(t *testing.T, l logFile, data []byte) string {
		res := read(t, l.source(), data)
		sound(t, res, data)
		ep := *res.Episode
		ep.Provenance.Source.SHA256, ep.Provenance.Seal = "", ""
		return string(marshal(t, &ep))
	}
	for _, l := range sessionLogs(t) {
		t.Run(l.name, func(t *testing.T) {
			lf := bytes.ReplaceAll(l.data, []byte("\r\n"), []byte("\n"))
			want := facts(t, l, lf)
			forms := map[string][]byte{
				"CRLF":           bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n")),
				"BOM":            append([]byte("\xef\xbb\xbf"), lf...),
				"no end of line": bytes.TrimRight(lf, "\n"),
			}
			if !bytes.ContainsAny(lf, "\r") && bytes.Contains(lf, []byte("\n")) {
				forms["CR"] = bytes.ReplaceAll(lf, []byte("\n"), []byte("\r"))
			}
			for name, data := range forms {
				if diff := cmp.Diff(want, facts(t, l, data)); diff != "" {
					t.Errorf("%s gives other facts (-LF +%s):\n%s", name, name, diff)
				}
			}
		})
	}
}
