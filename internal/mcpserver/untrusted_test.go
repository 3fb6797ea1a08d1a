package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"episodes/episode"
	"episodes/internal/ask"
)

// writeEpisode puts an episode into the memory of a folder as somebody else might.
func writeEpisode(t *testing.T, root string, ep *episode.Episode) {
	t.Helper()
	data, err := json.Marshal(ep)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(location(t, root).Dir, "episodes", ep.ID+".json"), data, 0o644))
}

// An episode that would fill the context of a model is cut; the resource has all of it.
func TestLargeEpisode(t *testing.T) {
	const most = 48 << 10
	root := manyEpisodes(t, 0)
	ep := &episode.Episode{ID: "episode-large", Session: "large", Outcome: episode.Unknown, Provenance: episode.Provenance{Spans: map[string]episode.Span{}}}
	for range most / 100 {
		ep.Lessons = append(ep.Lessons, strings.Repeat("a lesson ", 12))
	}
	writeEpisode(t, root, ep)
	s := connect(t, options(t, root), newClient(nil))
	r := call(t, s, "show", map[string]any{"ref": "large"})
	if r.IsError || len(text(r)) > 4*mostTokens || !strings.HasSuffix(text(r), " lines left out)\n") {
		t.Errorf("%v %q", r.IsError, text(r))
	}
	whole, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uriPrefix + ep.ID})
	if err != nil || len(whole.Contents[0].Text) < most {
		t.Errorf("%v", err)
	}
}

// A call that breaks the program is an error of that call.
func TestBrokenCall(t *testing.T) {
	o := options(t, t.TempDir())
	trouble := ""
	o.Memory = func(string) (ask.Options, error) { panic("broken") }
	o.Trouble = func(text string) { trouble = text }
	s := connect(t, o, newClient(nil))
	if r := call(t, s, "show", map[string]any{"ref": "x"}); !r.IsError || !strings.Contains(trouble, "broken") {
		t.Errorf("%q, %q", text(r), trouble)
	}
}
