package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/ledger"
)

// patience is how long a call may take. Whoever waits for it gets nothing then.
const patience = time.Second

// compact is the Source of a session whose context was compacted.
const compact = "compact"

// Options say who calls, and from where.
type Options struct {
	Agent, Event string // as the agent's settings spell them
	Stdin        io.Reader
	Getenv       func(string) string
	Home         string // of the user
	Cwd          string // of this process, where a payload names no folder
	Root, Memory string // of the repository and its memory, where they were named
	Store        string
	Now          func() time.Time
	// Record, if not nil, is called with each answer before it is printed or withheld.
	Record func(Delivery)
	// Launch starts a run of this program that outlives it; nil: Launch.
	Launch func(args ...string) error
}

// Delivery is the answer to one hook event.
type Delivery struct {
	Time         time.Time
	Agent, Event string
	Session      string // a hash of the session's id
	Location     ask.Location
	Facts        []ledger.Fact
	Kind         string // brief, prompt, edit, command or failure
	Held         bool   // it is not printed; see ask.UserConfig.Holdout
}

// hook is one call.
type hook struct {
	Options
	dir    *fsstore.Dir // see state
	dirErr error
}

func (h *hook) now() time.Time {
	if h.Now == nil {
		return time.Now()
	}
	return h.Now()
}

// Off reports whether the user wants no hooks: EPISODES_OFF is set.
func Off(getenv func(string) string) bool { return ledger.Off(getenv) }

// Run answers one call of an agent: with what is to be printed, which is nil for silence.
// It never fails and never panics; what went wrong is in the log.
func Run(ctx context.Context, o Options) []byte {
	if Off(o.Getenv) {
		return nil
	}
	h := &hook{Options: o}
	type result struct {
		out []byte
		err error
	}
	done := make(chan result, 1)
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: fmt.Errorf("panic: %T", p)} // its text may be of the payload
			}
			done <- r
		}()
		r.out, r.err = h.call(ctx)
	}()
	select {
	case r := <-done:
		if r.err != nil && !errors.Is(r.err, ask.ErrNoMemory) { // most repositories have none
			h.trouble(r.err)
		}
		return r.out
	case <-ctx.Done():
		(&hook{Options: o}).trouble(fmt.Errorf("not done in time: %w", ctx.Err())) // h is still at work
		return nil
	}
}

var (
	errAgent = errors.New("unknown agent")
	errEvent = errors.New("unknown event")
)

func (h *hook) call(ctx context.Context) ([]byte, error) {
	a := agents.Named(h.Agent)
	if a == nil || a.Hooks == nil {
		return nil, errAgent
	}
	if _, ok := a.Hooks.Event(h.Event); !ok {
		return nil, errEvent
	}
	data, err := io.ReadAll(io.LimitReader(h.Stdin, maxPayload+1))
	_, _ = io.Copy(io.Discard, h.Stdin) // who writes should not find the pipe closed
	if err != nil {
		return nil, fmt.Errorf("read the payload: %w", err)
	}
	p, err := parse(data)
	if err != nil {
		return nil, err
	}
	a = p.sender(a)
	h.Agent = a.Name
	e, ok := a.Hooks.Event(h.Event)
	if !ok || e.Moment == agent.Silent {
		return nil, nil
	}
	v := p.read(a, e)
	v.Cwd = cmp.Or(v.Cwd, h.Cwd)
	loc, err := ask.Locate(h.Root, h.Memory, v.Cwd)
	if err != nil {
		return nil, err
	}
	if e.Moment == agent.End {
		return h.end(ctx, loc, a, e, v)
	}
	text, err := h.deliver(ctx, loc, a, v)
	if text == "" || err != nil {
		return nil, err
	}
	return json.Marshal(e.Answer(h.Event, text))
}

// deliver returns the answer to an event, "" for none, and records it.
func (h *hook) deliver(ctx context.Context, loc ask.Location, a *agent.Agent, v *Event) (string, error) {
	question, ok := v.question(loc.WorkTree())
	if !ok && v.Moment != agent.Start && v.Moment != agent.Prompt {
		return "", nil
	}
	config, err := ask.ReadUserConfig()
	if err != nil { // the answer does not depend on it
		h.trouble(err)
		config = ask.UserConfig{}
	}
	m, err := h.memory(loc)
	if err != nil {
		return "", err
	}
	defer m.Close()
	t := &telling{hook: h, m: m, v: v, loc: loc, session: h.session(loc, v), config: config, question: question}
	if v.Moment == agent.Start {
		return t.start(ctx, a)
	}
	if h.off(ctx, loc, v) {
		return "", nil
	}
	if v.Moment == agent.Prompt {
		if text, err := t.brief(ctx, ask.BriefLines); text != "" || err != nil || !ok {
			return text, err
		}
	}
	return t.exact(ctx)
}

// memory opens a memory as the last command left it.
func (h *hook) memory(loc ask.Location) (*ask.Memory, error) {
	return ask.Open(ask.Options{Location: loc, Store: h.Store, Who: "episodes hook", Now: h.now, AsItIs: true})
}

// session names the context that gets an answer. A sub-agent has a context of its own. Without
// an id it is one day on the repository.
func (h *hook) session(loc ask.Location, v *Event) string {
	if v.Session == "" {
		return nameOf("none", loc.Root, h.now().Format(time.DateOnly))
	}
	return nameOf("session", v.Session, v.Sub)
}
