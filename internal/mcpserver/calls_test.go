package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Calls at once are each answered as alone.
func TestConcurrentCalls(t *testing.T) {
	root := repository(t)
	s := connect(t, options(t, root), newClient(nil))
	want := text(call(t, s, "search", map[string]any{"text": "lock timeout"}))
	var wg sync.WaitGroup
	for i := range 12 {
		name, args, want := "search", map[string]any{"text": "lock timeout"}, want
		if i%4 == 0 {
			name, args, want = "record", map[string]any{"kind": "lesson", "text": fmt.Sprintf("zebras number %d graze", i)}, "recorded "
		}
		wg.Go(func() {
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
			if err != nil || r.IsError || !strings.HasPrefix(text(r), want) {
				t.Errorf("%s: %v, %q", name, err, text(r))
			}
		})
	}
	wg.Wait()
	if got := text(call(t, s, "search", map[string]any{"text": "zebras graze"})); strings.Count(got, "zebras number") != 3 {
		t.Errorf("%q", got)
	}
}

// A call that is cancelled ends, and leaves a memory that answers.
func TestCancellation(t *testing.T) {
	root := manyEpisodes(t, 600)
	ended := make(chan error, 1)
	o := options(t, root)
	o.Explain = func(err error) (string, string) {
		ended <- err
		return err.Error(), ""
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	var told []float64
	s := connect(t, o, newClient(&mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, r.Params.Progress)
		cancel()
	}}))
	p := &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"text": "timeout"}}
	p.SetProgressToken("the graph")
	if _, err := s.CallTool(ctx, p); err == nil {
		t.Fatal("a call that was cancelled answered")
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the work ended with %v", err)
	}
	if r := call(t, s, "search", map[string]any{"text": "timeout"}); r.IsError {
		t.Error(text(r))
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) == 0 || !slices.IsSorted(told) || len(slices.Compact(slices.Clone(told))) != len(told) {
		t.Errorf("progress %v", told)
	}
}
