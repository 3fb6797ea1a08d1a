package mcpserver

//lint:file-ignore SA1019 agents have roots until they speak protocol 2026-07-28

import (
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The client's only root is asked; of several none, and not where a memory was named.
func TestRoots(t *testing.T) {
	with, without := repository(t), t.TempDir()
	uri := "file://" + filepath.ToSlash(with)
	answers := func(o Options, roots ...string) bool {
		client := newClient(nil)
		for _, r := range roots {
			client.AddRoots(&mcp.Root{URI: r})
		}
		return !call(t, connect(t, o, client), "search", map[string]any{"text": "lock"}).IsError
	}
	o := options(t, without)
	if !answers(o, uri) {
		t.Error("the only root is not asked")
	}
	if answers(o, uri, "file://"+filepath.ToSlash(without)) {
		t.Error("one of two roots is asked")
	}
	if answers(o) || answers(o, "https://example.com/x") {
		t.Error("no root is asked")
	}
	if o.Roots = false; answers(o, uri) {
		t.Error("the root is asked in place of the memory that was named")
	}
	client := newClient(nil)
	s := connect(t, options(t, without), client)
	if r := call(t, s, "search", map[string]any{"text": "lock"}); !r.IsError {
		t.Error("a memory without roots")
	}
	client.AddRoots(&mcp.Root{URI: uri})
	var r *mcp.CallToolResult
	for range 1000 { // the client tells it when it likes
		if r = call(t, s, "search", map[string]any{"text": "lock"}); !r.IsError {
			break
		}
	}
	if r.IsError {
		t.Error("roots that were added are not asked")
	}
}
