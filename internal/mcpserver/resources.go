package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// uriPrefix and the id of an episode make the URI of a resource.
const uriPrefix = "episodes://episode/"

// mostListed is how many resources are listed; ask finds older episodes.
const mostListed = 200

const jsonType = "application/json"

func (s *server) addResources() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{Name: "episode", URITemplate: uriPrefix + "{id}", MIMEType: jsonType,
		Description: "One past session as JSON: task, outcome, decisions, events, links, lessons, with the lines of its log."},
		s.readEpisode)
}

// listEpisodes lists the newest episodes. Without a memory there are none.
func (s *server) listEpisodes(ctx context.Context, req *mcp.ListResourcesRequest) (*mcp.ListResourcesResult, error) {
	from := caller{session: req.Session}
	if req.Params != nil {
		from.token = req.Params.GetProgressToken()
		if req.Params.Cursor != "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this list has no cursor"}
		}
	}
	out := &mcp.ListResourcesResult{Cacheable: private, Resources: []*mcp.Resource{}}
	_, _, err := asked(ctx, s, from, func(m *ask.Memory) (struct{}, error) {
		list, err := m.List(ctx, ask.ListRequest{Limit: mostListed})
		if err != nil {
			return struct{}{}, err
		}
		for _, e := range list.Episodes {
			if !m.Reviewed(e.ID) { // nobody asked for it
				continue
			}
			out.Resources = append(out.Resources, &mcp.Resource{URI: uriPrefix + e.ID, Name: e.ID, MIMEType: jsonType,
				Description: plain.Cut(plain.Words(strings.TrimSpace(string(e.Outcome)+": "+e.Task)), 120)})
		}
		return struct{}{}, nil
	})
	if errors.Is(err, ask.ErrNoMemory) {
		return out, nil
	}
	return out, s.protocolError(err)
}

// readEpisode gives one episode.
func (s *server) readEpisode(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	data, _, err := asked(ctx, s, caller{req.Session, req.Params.GetProgressToken()}, func(m *ask.Memory) ([]byte, error) {
		ep, err := m.Episode(ctx, ask.EpisodeRequest{Ref: strings.TrimPrefix(uri, uriPrefix)})
		if err != nil {
			return nil, err
		}
		_, data, err := m.Render(ep, 0)
		return term.JSON(data), err
	})
	if errors.Is(err, ask.ErrNoEpisode) || errors.Is(err, ask.ErrNoRef) {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, s.protocolError(err)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: jsonType, Text: string(data)}}}, nil
}

// protocolError is an error outside of tools: it has no other form than a code and a message.
func (s *server) protocolError(err error) error {
	if err == nil {
		return nil
	}
	t, _ := s.failed(err).Content[0].(*mcp.TextContent)
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: t.Text}
}
