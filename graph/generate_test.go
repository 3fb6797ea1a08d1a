package graph

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"episodes/episode"
	"episodes/keys"
)

// memorySource is a set of episodes in memory, kept as the bytes of their files.
type memorySource struct {
	mu    sync.Mutex
	files map[string][]byte
	bad   map[string]error // what Load returns instead
}

func newSource(eps ...*episode.Episode) *memorySource {
	s := &memorySource{files: map[string][]byte{}, bad: map[string]error{}}
	for _, ep := range eps {
		s.put(ep)
	}
	return s
}

func (s *memorySource) put(ep *episode.Episode) {
	b, err := episode.Marshal(ep)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[ep.ID] = b
}

func (s *memorySource) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, id)
}

func (s *memorySource) List() ([]Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Entry, 0, len(s.files))
	for id, b := range s.files {
		out = append(out, entryOf(id, b))
	}
	slices.SortFunc(out, compareEntries)
	return out, nil
}

func (s *memorySource) Load(id string) (*episode.Episode, error) {
	s.mu.Lock()
	b, ok := s.files[id]
	err := s.bad[id]
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", id, fs.ErrNotExist)
	}
	return episode.Parse(b)
}

// generator makes episodes that look like real ones: a few decisions, more
// events, links between them; some errors and questions that many share, most of
// the rest their own. Equal numbers give equal episodes.
type generator struct{ seed uint64 }

var (
	gVerbs   = strings.Fields("retry pin cache drop rename split merge bump revert mock stub rewrite isolate batch stream lock index vendor inline extract")
	gThings  = strings.Fields("lockfile fixture migration manifest tokenizer scheduler renderer linker sandbox registry snapshot journal ledger router broker cursor parser channel worker session handler schema policy bundle adapter replica segment buffer gateway resolver")
	gPlaces  = strings.Fields("staging release nightly windows arm64 postgres redis webhook frontend backend mobile billing search upload export import login sync report archive")
	gErrors  = []string{"TimeoutError: deadline exceeded while dialing upstream", "SQLITE_BUSY: database is locked", "ECONNRESET: connection reset by peer", "AssertionError: expected 3 rows, got 2", "ENOSPC: no space left on device", "PermissionError: access denied to artifact bucket"}
	gPoints  = []string{"How should the flaky upload test be handled?", "Which isolation level for the ledger import?", "Where should retries live?", "How to ship the schema change?"}
	gOptions = []string{"retry three times with backoff", "quarantine the test", "fix the race in the handler", "serializable", "read committed", "in the client", "in the queue worker", "expand then contract", "single migration in a maintenance window"}
)

func (g generator) episode(i int) *episode.Episode {
	r := rand.New(rand.NewPCG(g.seed, uint64(i)))
	pick := func(words []string) string { return words[r.IntN(len(words))] }
	phrase := func() string {
		return fmt.Sprintf("%s the %s %s for %s %s", pick(gVerbs), pick(gPlaces), pick(gThings), pick(gThings), pick(gPlaces))
	}
	session := fmt.Sprintf("2026-%02d-%02d-session-%05d", 1+i/28%12, 1+i%28, i)
	ep := &episode.Episode{
		ID: episode.IDFromSession(session), Session: session,
		Timestamp:     fmt.Sprintf("2026-%02d-%02dT%02d:00:00Z", 1+i/28%12, 1+i%28, i%24),
		Outcome:       []episode.Outcome{episode.Success, episode.Success, episode.Failure, episode.Partial, episode.Unknown}[r.IntN(5)],
		OutcomeSource: episode.Measured, Task: phrase(),
		Provenance: episode.Provenance{Source: episode.Source{Path: "sessions/" + session + ".md", SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(session))), Format: "markdown"}},
	}
	for n := range 2 + r.IntN(3) {
		d := episode.Decision{ID: episode.DecisionID(n + 1), Type: episode.Design, Outcome: episode.Outcomes()[r.IntN(4)], Rationale: phrase()}
		if r.IntN(3) == 0 {
			d.Context, d.Options = pick(gPoints), []string{pick(gOptions), pick(gOptions)}
		} else {
			d.Context, d.Options = "How should we "+phrase()+"?", []string{phrase(), phrase()}
		}
		d.Chosen = d.Options[0]
		if i%7 > 0 { // the others come from an older tool
			d.Key = keys.Decision(d.Context)
			for _, o := range d.Options {
				d.OptionKeys = append(d.OptionKeys, keys.Option(o))
			}
		}
		ep.Decisions = append(ep.Decisions, d)
	}
	for n := range 4 + r.IntN(8) {
		v := episode.Event{ID: episode.EventID(n + 1), Type: episode.Milestone, Content: phrase()}
		if r.IntN(4) == 0 {
			v.Type, v.Content = episode.Error, pick(gErrors)
		}
		if i%7 > 0 {
			v.Key = keys.Event(string(v.Type), v.Content)
		}
		ep.Events = append(ep.Events, v)
	}
	ref := func() string {
		if r.IntN(2) == 0 {
			return ep.Decisions[r.IntN(len(ep.Decisions))].ID
		}
		return ep.Events[r.IntN(len(ep.Events))].ID
	}
	for range 3 + r.IntN(4) {
		l := episode.Link{Source: ref(), Target: ref(), Type: episode.LinkTypes()[r.IntN(4)], Explicit: r.IntN(3) > 0}
		if r.IntN(4) == 0 {
			l.Target = episode.OutcomeRef
		}
		ep.Links = append(ep.Links, l)
	}
	return ep
}

// episodes makes the episodes with numbers from i to before j.
func (g generator) episodes(i, j int) []*episode.Episode {
	var out []*episode.Episode
	for ; i < j; i++ {
		out = append(out, g.episode(i))
	}
	return out
}

func generated(seed uint64, n int) *memorySource {
	return newSource(generator{seed}.episodes(0, n)...)
}
