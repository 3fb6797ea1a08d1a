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
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(location(t, root).Dir, "episodes", ep.ID+".json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Secrets and what cannot be seen leave neither as text nor as data, whoever wrote the episode.
func TestUntrustedText(t *testing.T) {
	root := manyEpisodes(t, 0)
	const secret = "https://mira:tr0ub4dor@zoo.example/x"
	writeEpisode(t, root, &episode.Episode{ID: "episode-evil", Session: "evil", Outcome: episode.Unknown, Task: "task \u202e\x1b]0;title\x07 of " + secret,
		Decisions:  []episode.Decision{{ID: "d001", Type: episode.Design, Chosen: "quagga \x1b[2J\u200b at " + secret, Rationale: "zebras \u2066 say so", Outcome: episode.Failure}},
		Lessons:    []string{"quagga lesson \u202e with " + secret},
		Provenance: episode.Provenance{Spans: map[string]episode.Span{}}})
	s := connect(t, options(t, root), newClient(nil))
	var said []string
	for tool, args := range map[string]map[string]any{
		"show": {"ref": "evil"}, "search": {"text": "quagga"}, "advise": {"text": "quagga or zebras?", "kind": "choice"}, "path": {"from": "quagga", "to": "failure"},
		"whatif": {"decision": "quagga"}, "patterns": {"bad": true}, "record": {"kind": "lesson", "text": "okapi \x1b[2J\u202e of " + secret},
	} {
		r := call(t, s, tool, args)
		if r.IsError {
			t.Fatal(text(r))
		}
		said = append(said, text(r))
	}
	list, err := s.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) == 0 {
		t.Fatal(err, list)
	}
	for _, r := range list.Resources {
		said = append(said, r.Description)
	}
	whole, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uriPrefix + "episode-evil"})
	if err != nil {
		t.Fatal(err)
	}
	said = append(said, whole.Contents[0].Text)
	for _, text := range said {
		if strings.Contains(text, "tr0ub4dor") || strings.ContainsAny(text, "\x1b\x07\u202e\u2066\u200b") {
			t.Errorf("%q", text)
		}
	}
	if !strings.Contains(strings.Join(said, ""), "quagga") {
		t.Error("nothing was said")
	}
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
	if r.IsError || len(text(r)) > 4*600 {
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
