package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"episodes/agents/agent"
	"episodes/episode"
	"episodes/extract/actions"
	"episodes/internal/ask"
	"episodes/internal/turns"
)

// askedDir has an empty file for each session whose agent was asked to complete it.
const askedDir = "asked"

// maxAsked is the size in bytes of the largest transcript that is looked through for a change.
const maxAsked = 64 << 20

// question is what an agent is asked at the end of its session.
const question = `Before you end, complete what is kept of this session for later ones: call the tool complete_session of the MCP server episodes with {"session":%q}, then once more with your answer to what it returns. If there is no such tool, end now. You are asked this once.`

// end queues the transcript of a turn or session that ended. Where the user wants that, it asks the
// agent once in a session to complete it.
func (h *hook) end(ctx context.Context, loc ask.Location, a *agent.Agent, e *agent.Event, v *Event) ([]byte, error) {
	if err := h.enqueue(loc, v); err != nil || e.Ask == nil {
		return nil, err
	}
	config, err := ask.ReadUserConfig()
	if err != nil || !config.AsksAtEnd(loc.Root) || v.Going || v.Sub != "" || v.Session == "" || v.Transcript == "" {
		return nil, err
	}
	state, err := h.state()
	if err != nil {
		return nil, err
	}
	dir, err := state.SubPrivate(askedDir)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	name := nameOf(v.Session)
	if dir.Exists(name) || a.Format == nil || !changed(ctx, a.Format, v.Transcript) {
		return nil, nil
	}
	prune(dir, mostSessions, leaveSessions)
	if err := dir.WriteOncePrivate(name, nil); errors.Is(err, fs.ErrExist) {
		return nil, nil // another hook of the same moment
	} else if err != nil {
		return nil, err
	}
	return json.Marshal(e.Ask(fmt.Sprintf(question, episode.SafeSession(v.Session))))
}

// changed reports whether an agent changed a file in a session, and the user has not stopped it
// since the last prompt.
func changed(ctx context.Context, format *turns.Format, path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxAsked {
		return false
	}
	edited, stopped := false, false
	r := turns.NewReader(f, func(t turns.Turn) error {
		switch {
		case t.Role == turns.Stop:
			stopped = true
		case t.Role == turns.User:
			stopped = false
		case t.Role == turns.Call && t.Call != nil && !edited:
			edited = actions.Changes(*t.Call)
		}
		return ctx.Err()
	})
	return format.Read(r) == nil && edited && !stopped
}
