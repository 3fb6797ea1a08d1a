package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"episodes/agents/agent"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// Options say which memory is asked, and as whom.
type Options struct {
	Version string // of the program
	Cwd     string // of the process
	// Roots: the only root of a client is asked in place of Cwd.
	Roots bool
	// Memory finds the memory of a folder.
	Memory func(cwd string) (ask.Options, error)
	// Explain gives the message of an error, and what to do; "" where there is nothing to do.
	Explain func(error) (message, hint string)
	// Sources says where transcripts of agents are.
	Sources ask.SourcesRequest
	// Off: there is nothing to ask, see EPISODES_OFF.
	Off bool
	// Trouble gets what is wrong with the program itself.
	Trouble func(text string)
}

// server is one server process, or one side of a test.
type server struct {
	Options
	mcp   *mcp.Server
	roots roots
	began time.Time // of this process, which a client starts for a session
}

// private is how long and by whom what is said may be kept: it is one user's, and other
// processes change it.
var private = mcp.Cacheable{TTLMs: 0, CacheScope: "private"}

// instructions are the first words of the server. Clients may show a model no more than these and the
// names of the tools.
var instructions = agent.Words("`ask`", "`show`", "`record`, as a lesson or a decision") + `
brief: once, as you begin. path: how one thing led to another. whatif: how each option of a choice went. patterns: what works here, and what fails. complete_session: at the end, if you are asked for it.`

// New makes a server of a memory, which need not exist yet.
func New(o Options) *mcp.Server {
	s := &server{Options: o, began: time.Now()}
	about := &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { *c = private },
	}
	if o.Off {
		about.Instructions = ""
	}
	s.roots.follow(about)
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "episodes", Version: o.Version}, about)
	s.mcp.AddReceivingMiddleware(s.filter)
	if !o.Off {
		s.addTools()
		s.addResources()
	}
	return s.mcp
}

// Serve answers on a pair of streams until the input ends or ctx does.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	to := &answers{Writer: out}
	from := io.NopCloser(&messages{in: bufio.NewReader(in), out: to})
	err := New(o).Run(ctx, &mcp.IOTransport{Reader: from, Writer: to})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // a client that is done ends the process in either way
	}
	return err
}

// filter makes the errors of tools harmless, since the arguments that they repeat may come from a log. It lists resources,
// and leaves tools without a description out of the list: they are there for who knows them.
func (s *server) filter(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if r, ok := req.(*mcp.ListResourcesRequest); ok && !s.Off {
			return s.listEpisodes(ctx, r)
		}
		result, err := next(ctx, method, req)
		switch is := result.(type) {
		case *mcp.CallToolResult:
			if is != nil && is.IsError {
				for _, c := range is.Content {
					if text, ok := c.(*mcp.TextContent); ok {
						text.Text = harmless(text.Text)
					}
				}
			}
		case *mcp.ListToolsResult:
			if is != nil {
				is.Tools = slices.DeleteFunc(is.Tools, func(t *mcp.Tool) bool { return t.Description == "" })
			}
		}
		var wire *jsonrpc.Error
		if errors.As(err, &wire) { // an address in its data makes it no JSON, and ends the server
			err = &jsonrpc.Error{Code: wire.Code, Message: wire.Message}
		}
		return result, err
	}
}

// asked opens the memory, asks and closes it. notes are remarks for the user, in addition
// to the answer.
func asked[A any](ctx context.Context, s *server, from caller,
	question func(*ask.Memory) (A, error)) (answer A, notes []string, err error) {
	defer func() {
		if broken := recover(); broken != nil { // one call fails, not the server
			s.Trouble(fmt.Sprintf("a call failed: %v", broken))
			err = errors.New("the program failed at this call")
		}
	}()
	o, err := s.Memory(s.folder(ctx, from.session))
	if err != nil {
		return answer, nil, err
	}
	note := func(text string) { notes = append(notes, plain.Words(text)) }
	o.Note, o.Warn = note, note
	if from.token != nil {
		p := progress{from: from}
		o.Working = func(what string) func() { p.send(ctx, what, 0, 0); return func() {} }
		o.Progress = func(what string, done, total int, _ float64) { p.send(ctx, what, float64(done), float64(total)) }
	}
	m, err := ask.Open(o)
	if err != nil {
		return answer, nil, err
	}
	defer m.Close()
	if err := ctx.Err(); err != nil {
		return answer, nil, err
	}
	answer, err = question(m)
	return answer, notes, err
}

// caller is who asked, and how it wants to hear of progress.
type caller struct {
	session *mcp.ServerSession
	token   any
}

// mostTokens bounds what show says of one episode or place: it is whole, but not what would fill the context of a model.
const mostTokens = 5000

// result is an answer as text within its budget. There is no structured copy of it, which some clients
// show to the model in place of the text, at several times its length.
func (s *server) result(m *ask.Memory, answer ask.Answer) (*mcp.CallToolResult, error) {
	text, _, err := m.Render(answer, 0)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: term.Cut(strings.TrimSuffix(text, "\n"), mostTokens)}}}, nil
}

// noted adds remarks for the user: as text if the answer is empty, else only for the
// client.
func noted(r *mcp.CallToolResult, empty string, notes []string) {
	t, _ := r.Content[0].(*mcp.TextContent)
	if t.Text == "" {
		t.Text = term.Cut(strings.Join(append([]string{empty}, notes...), "\n"), noteTokens)
	} else if len(notes) > 0 {
		r.Meta = mcp.Meta{"notes": notes}
	}
}

// noteTokens is the budget of what is said where there is no answer.
const noteTokens = 100

// failed is an error as the model reads it: what failed, and what to do.
func (s *server) failed(err error) *mcp.CallToolResult {
	message, hint := s.Explain(err)
	var request *ask.RequestError
	var unnamed *ask.NoEpisodeError
	switch {
	case errors.As(err, &request): // of flags the model knows nothing
		message, hint = request.Error(), "see the description of the tool's arguments"
	case errors.As(err, &unnamed) && len(unnamed.Near) == 0:
		hint = "ask finds passages by words"
	case errors.Is(err, ask.ErrNoRecord):
		hint = "show with the episode alone lists its records"
	}
	if hint != "" {
		message += "; to do: " + hint
	}
	return &mcp.CallToolResult{IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: term.Cut(plain.Words(message), noteTokens)}}}
}
