package ask

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"episodes/episode"
	"episodes/internal/memory"
)

// noon is the time of the statements.
func noon() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) }

// sealed writes an episode as extraction does, so that it does not count as edited by hand.
func sealed(t *testing.T, m *Memory, ep *episode.Episode) {
	t.Helper()
	data, err := episode.MarshalSealed(ep)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.folder.Write(context.Background(), []memory.Pending{{ID: ep.ID, Data: data}}, 1); err != nil {
		t.Fatal(err)
	}
}

// state records a statement with a memory of its own, as each run of the command does.
func state(t *testing.T, of *Memory, r StateRequest) *StateAnswer {
	t.Helper()
	m := opened(t, Options{Location: of.Location, Now: noon})
	defer m.Close()
	a, err := m.State(context.Background(), r)
	if err != nil || a.Empty() || !strings.HasPrefix(a.Text(0), "recorded "+a.Ref+": "+r.Kind+" ") {
		t.Fatalf("%+v: %+v, %v", r, a, err)
	}
	return a
}

// The statements of one session are in one private episode, from the first one on.
func TestStateOfARunningSession(t *testing.T) {
	m := memoryOf(t, 2)
	session := "5f0e2a10-1111"
	decision := state(t, m, StateRequest{Kind: "decision", Session: session, Text: "Raise the busy timeout", Over: []string{"Retry in a loop", "Raise the busy timeout"},
		Question: "How to mend the uploads?", Why: "the loop hid the lock", By: "claude"})
	lesson := state(t, m, StateRequest{Kind: "lesson", Session: session, Text: "Uploads share one connection"})
	outcome := state(t, m, StateRequest{Kind: "outcome", Session: session, Text: "partial"})
	id := episode.IDFromSession(session)
	if decision.Ref != id+"#d001" || lesson.Ref != id+"#l001" || outcome.Ref != id || !decision.Private || decision.File != outcome.File {
		t.Errorf("%+v, %+v, %+v", decision, lesson, outcome)
	}
	now := opened(t, Options{Location: m.Location})
	a, err := now.Episode(context.Background(), EpisodeRequest{Ref: session})
	if err != nil || !a.Private {
		t.Fatalf("%+v, %v", a, err)
	}
	ep, err := now.load(id)
	if err != nil || ep.Outcome != episode.Partial || len(ep.Lessons) != 1 || len(ep.Decisions) != 1 {
		t.Fatalf("%+v, %v", ep, err)
	}
	d := ep.Decisions[0]
	if d.Chosen != "Raise the busy timeout" || len(d.Options) != 2 || d.Context != "How to mend the uploads?" || d.Rationale != "the loop hid the lock" || d.Outcome != episode.Unknown {
		t.Errorf("%+v", d)
	}
	of := state(t, m, StateRequest{Kind: "outcome", Of: id + "#d001", Text: "success"})
	if ep, err := opened(t, Options{Location: m.Location}).load(id); err != nil || of.Ref != id+"#d001" || ep.Decisions[0].Outcome != episode.Success || ep.Outcome != episode.Partial {
		t.Errorf("%+v, %+v, %v", of, ep, err)
	}
}

// What names no session has an episode of its own for each day and text; what names an episode
// is kept with it and stays in its part of the memory.
func TestStateWithoutASession(t *testing.T) {
	m := memoryOf(t, 2)
	one := state(t, m, StateRequest{Kind: "lesson", Text: "The runner has no IPv6"})
	again := state(t, m, StateRequest{Kind: "lesson", Text: "The runner has no IPv6"})
	other := state(t, m, StateRequest{Kind: "lesson", Text: "The cache is per branch"})
	if one.Ref != again.Ref || one.Ref == other.Ref || !strings.Contains(one.Ref, "stated-2026-05-10") || !one.Private {
		t.Errorf("%s, %s, %s", one.Ref, again.Ref, other.Ref)
	}
	sealed(t, m, uploads(1))
	kept := state(t, m, StateRequest{Kind: "lesson", Of: uploads(1).Session, Text: "The loop hides the lock"})
	if kept.Private || !strings.HasPrefix(kept.Ref, uploads(1).ID+"#l") {
		t.Errorf("%+v", kept)
	}
}

// A statement is text of a model: secrets, line ends and what cannot be seen are not kept.
func TestStateIsCleaned(t *testing.T) {
	m := memoryOf(t, 1)
	a := state(t, m, StateRequest{Kind: "decision", Session: "s", Text: "Rotate AKIA5XQ2ZP7LM3RT9KWB\x1b[2J\nnow", Why: "it was in \xff the log"})
	ep, err := opened(t, Options{Location: m.Location}).load(episode.IDFromSession("s"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{a.Said, a.Text(0), ep.Decisions[0].Chosen, ep.Decisions[0].Rationale} {
		if strings.ContainsAny(text, "\x1b\n") || !utf8.ValidString(text) || strings.Contains(text, "AKIA5") {
			t.Errorf("%q", text)
		}
	}
	if len(a.Text(5)) > 20 {
		t.Errorf("%q is longer than 5 tokens", a.Text(5))
	}
}

func TestStateRefuses(t *testing.T) {
	long := strings.Repeat("x", maxStated+1)
	for _, c := range []struct {
		what   string
		r      StateRequest
		params []string
	}{
		{"a kind", StateRequest{Kind: "event", Text: "x"}, nil},
		{"no text", StateRequest{Kind: "lesson", Text: " \u200b"}, nil},
		{"a long text", StateRequest{Kind: "lesson", Text: long}, nil},
		{"a long reason", StateRequest{Kind: "decision", Text: "x", Why: long}, []string{"because"}},
		{"an outcome with a reason", StateRequest{Kind: "outcome", Text: "success", Of: "a", Why: "y"}, []string{"when", "was", "over", "because", "lines", "mends"}},
		{"two sessions", StateRequest{Kind: "lesson", Text: "x", Of: "a", Session: "b"}, []string{"of", "session"}},
		{"an outcome", StateRequest{Kind: "outcome", Text: "good", Of: "a"}, nil},
		{"the outcome of nothing", StateRequest{Kind: "outcome", Text: "success"}, []string{"of"}},
		{"the outcome of an event", StateRequest{Kind: "outcome", Text: "success", Of: "a#e001"}, []string{"of"}},
		{"a lesson of a record", StateRequest{Kind: "lesson", Text: "x", Of: "a#d001"}, []string{"of"}},
		{"a name", StateRequest{Kind: "lesson", Text: "x", By: "a\nb"}, []string{"by"}},
	} {
		refuses(t, c.what, c.r.Check(), c.params...)
	}
	m := newMemory(t)
	sealed(t, m, uploads(0))
	for what, c := range map[string]struct {
		r    StateRequest
		want error
	}{
		"no episode": {StateRequest{Kind: "lesson", Text: "x", Of: "none"}, ErrNoEpisode},
		"no record":  {StateRequest{Kind: "outcome", Text: "success", Of: uploads(0).ID + "#d099"}, ErrNoRecord},
	} {
		if _, err := m.State(context.Background(), c.r); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
