package ask

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"episodes/internal/reader"
	"episodes/internal/sources"
	"episodes/internal/term"
)

// CompleteRequest lets an agent complete the session that it is in.
type CompleteRequest struct {
	Session string // untrusted; "": the newest of the repository
	Answer  string // to the order; "": the order is wanted
	By      string // name of the agent
	// Since is when the agent's program that asks began: a session that was not written since is not its own.
	Since   time.Time
	Sources SourcesRequest
}

// CompleteAnswer is the order, or what became of the answer to it.
type CompleteAnswer struct {
	full
	Session string           `json:"session"`
	Order   string           `json:"order,omitempty"`
	Taken   int              `json:"taken"` // lessons, and what else was taken
	Refused []reader.Refusal `json:"refused,omitempty"`
}

// Complete gives the work order for a session of an agent on this machine, or takes the answer to
// it. The transcript is read as it is now.
func (m *Memory) Complete(ctx context.Context, r CompleteRequest) (*CompleteAnswer, error) {
	if err := m.mayRead(); err != nil {
		return nil, err
	}
	s, err := m.transcriptOf(r)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
	if r.Answer == "" {
		order, err := m.orderOf(ctx, s)
		if err != nil {
			return nil, err
		}
		return &CompleteAnswer{Session: name, Order: order}, nil
	}
	extract := ExtractRequest{From: []string{s.Agent}, Only: s.Path, Cwd: m.Location.Root, Jobs: 1, Sources: r.Sources,
		Reader: &ReaderRequest{Answer: &r.Answer, Name: r.By}}
	done, err := Extract(ctx, m.Options, extract)
	if err != nil {
		return nil, err
	}
	a := &CompleteAnswer{Session: name}
	for _, it := range done.Episodes {
		if it.Status == Failed && len(it.Diagnostics) > 0 {
			return nil, fmt.Errorf("the transcript was not taken in: %s", it.Diagnostics[0].Message)
		}
		if it.Reader != nil {
			a.Taken, a.Refused = a.Taken+it.Reader.Taken, append(a.Refused, it.Reader.Refused...)
		}
	}
	return a, nil
}

// transcriptOf finds the transcript of a session in this repository.
func (m *Memory) transcriptOf(r CompleteRequest) (found sources.Session, err error) {
	for _, f := range sources.Find(r.Sources.environment(), sources.NewHere(m.Location.Root), sources.All) {
		for _, s := range f.Sessions {
			named := (r.Session == "" || s.Named(r.Session)) && s.Modified >= r.Since.UnixNano()
			if f.Note == "" && named && s.Modified > found.Modified {
				found = s
			}
		}
	}
	if found.Path == "" {
		return found, &RequestError{Params: []string{"session"}, Value: r.Session, Message: "no session of this repository that is going on has this id",
			Hint: "without it the newest session is meant"}
	}
	return found, nil
}

// Text is the order, which is never cut, or what was taken and what was refused.
func (a *CompleteAnswer) Text(int) string {
	if a.Order != "" {
		return a.Order + "\nGive these lines to complete_session as answer, with the session " +
			term.Line(a.Session) + ".\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s taken, %s refused\n", term.Plural(a.Taken, "addition"), term.Plural(len(a.Refused), "line"))
	for _, f := range a.Refused {
		fmt.Fprintf(&b, "line %d: %s\n", f.Line, term.Line(f.Reason))
	}
	return b.String()
}
