package repotest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/extract"
)

// TestExampleMemoryIsInStep keeps .agents/memory what extraction makes of testdata/sessions, so that the
// README's examples run as they are. It may be of an older version with the same facts.
func TestExampleMemoryIsInStep(t *testing.T) {
	root := repoRoot(t)
	logs, err := filepath.Glob(filepath.Join(root, "testdata/sessions/*.md"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs in testdata/sessions (%v)", err)
	}
	extractor, want := extract.New(extract.Vocabulary{}), map[string]string{}
	for _, log := range logs {
		data, err := os.ReadFile(log)
		must(t, err)
		res, err := extractor.Log(extract.Source{Path: "testdata/sessions/" + filepath.Base(log)}, data)
		must(t, err)
		ep := res.Episode
		if old, err := os.ReadFile(filepath.Join(root, ".agents/memory/episodes", ep.ID+".json")); err == nil {
			if kept, err := episode.Parse(old); err == nil {
				ep.Provenance.Extractor = kept.Provenance.Extractor
				must(t, ep.Seal())
			}
		}
		b, err := episode.Marshal(ep)
		must(t, err)
		want[ep.ID+".json"] = string(b)
	}
	files, err := filepath.Glob(filepath.Join(root, ".agents/memory/episodes/*.json"))
	must(t, err)
	got := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		must(t, err)
		got[filepath.Base(f)] = string(b)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf(".agents/memory is not what the logs give (make memory):\n%s", diff)
	}
}
