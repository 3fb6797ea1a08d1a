package mcpserver

//lint:file-ignore SA1019 agents have roots until they speak protocol 2026-07-28

import (
	"cmp"
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// roots is the folder that a client works in, where it says so.
type roots struct {
	mu     sync.Mutex
	known  bool
	folder string // "": it names none, or several
}

// patience is how long a client may take to say its roots; then the folder of the process
// is taken.
const patience = 5 * time.Second

// folder is where the memory is looked for: the only root of the client, else the folder of
// the process. Clients of protocol 2026-07-28, where roots are on their way out, are not asked.
func (s *server) folder(ctx context.Context, session *mcp.ServerSession) string {
	if !s.Roots {
		return s.Cwd
	}
	s.roots.mu.Lock()
	defer s.roots.mu.Unlock()
	if !s.roots.known {
		s.roots.folder, s.roots.known = onlyRoot(ctx, session), ctx.Err() == nil
	}
	return cmp.Or(s.roots.folder, s.Cwd)
}

// follow makes a server ask again when a client says that it has other roots.
func (r *roots) follow(o *mcp.ServerOptions) {
	o.RootsListChangedHandler = func(context.Context, *mcp.RootsListChangedRequest) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.known = false
	}
}

func onlyRoot(ctx context.Context, session *mcp.ServerSession) string {
	p := session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	list, err := session.ListRoots(ctx, nil)
	if err != nil || len(list.Roots) != 1 {
		return ""
	}
	return pathOf(list.Roots[0].URI)
}

// pathOf is the path of a file URI; "" for others.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		return ""
	}
	return path
}
