package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Resources are a bounded list, newest first, and each episode by its id.
func TestResources(t *testing.T) {
	root := manyEpisodes(t, mostListed+70)
	s := connect(t, options(t, root), newClient(nil))
	list, err := s.ListResources(t.Context(), nil)
	must(t, err)
	seen := map[string]bool{}
	for _, r := range list.Resources {
		seen[r.URI] = true
	}
	if len(seen) != mostListed || list.NextCursor != "" {
		t.Errorf("%d are listed, then %q", len(seen), list.NextCursor)
	}
	for uri := range seen {
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		must(t, err)
		var ep struct{ ID string }
		if err := json.Unmarshal([]byte(got.Contents[0].Text), &ep); err != nil || uriPrefix+ep.ID != uri {
			t.Errorf("%s: %v, %q", uri, err, ep.ID)
		}
		break
	}
	for _, uri := range []string{uriPrefix + "episode-none", uriPrefix + "..%2F..%2Fx", "file:///etc/passwd"} {
		if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s was read", uri)
		}
	}
	if _, err := s.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: "made up"}); err == nil {
		t.Error("a cursor that was made up was taken")
	}
	if templates, err := s.ListResourceTemplates(t.Context(), nil); err != nil || len(templates.ResourceTemplates) != 1 {
		t.Errorf("%v, %v", templates, err)
	}
}
