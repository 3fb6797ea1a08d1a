package ask

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/graph"
	"episodes/graph/stores"
	"episodes/internal/gitdir"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/team"
	"episodes/recall"
	"episodes/redact"
)

// A question to a team's store is answered from what was pushed there: nothing of this
// machine's memory is in the answer, and nothing is brought up to date. What takes long to
// compute is kept in derived files of this machine, under names of the project's own.

// IsTeam reports whether a URL is that of a team's store.
func IsTeam(url string) bool { return team.Is(url) }

// ErrNoProject: the team's store has no such project, or this login may not read it.
var ErrNoProject = team.ErrNoProject

// TeamURL completes the URL of a team's store with the project of a repository where it names
// none: that from which it was cloned.
func TeamURL(url string, loc Location) (string, error) {
	named, err := team.ProjectOf(url)
	if err != nil || named != "" {
		return url, err
	}
	repo, _ := gitdir.Find(loc.Root)
	for _, remote := range repo.Remotes {
		if name := projectName(remote); name != "" {
			return team.WithProject(url, name)
		}
	}
	return "", &RequestError{Params: []string{"store"}, Message: "names no project, and the repository has no remote to take one from", Hint: "add ?project=NAME to the URL"}
}

// projectName makes host/owner/name of the URL of a remote; "" of a path.
func projectName(remote string) string {
	_, rest, found := strings.Cut(remote, "://")
	if !found {
		host, path, found := strings.Cut(remote, ":") // git@host:owner/name
		if !found || strings.ContainsAny(host, `/\`) || len(host) == 1 {
			return ""
		}
		rest = host + "/" + path
	} else if strings.HasPrefix(remote, "file:") {
		return ""
	}
	if at := strings.LastIndex(rest[:max(0, strings.Index(rest+"/", "/"))], "@"); at >= 0 {
		rest = rest[at+1:]
	}
	host, path, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" {
		return ""
	}
	return plain.Cut(plain.Words(strings.ToLower(host)+"/"+path), longestPlace)
}

// teamStore connects, once.
func (m *Memory) teamStore(ctx context.Context) (*team.Store, error) {
	if m.team != nil {
		return m.team, nil
	}
	var err error
	m.team, err = team.Open(ctx, m.Team, m.Who)
	return m.team, err
}

// openTeamGraph opens a graph of the project's shared episodes, which is kept on this machine and
// brought to what the store holds now.
func (m *Memory) openTeamGraph(ctx context.Context) (*graph.Graph, error) {
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.Project(ctx); err != nil {
		return nil, err
	}
	defer m.working("bringing the graph up to date")()
	o := m.store
	o.Store = m.folder.GraphNamed(m.derived("graph"))
	o = m.folder.Bind(o)
	rep, err := m.updateTeamGraph(ctx, s, o)
	if unwritable(err) {
		o.Store = m.folder.ThisRun()
		rep, err = m.updateTeamGraph(ctx, s, o)
	}
	if err != nil {
		return nil, fmt.Errorf("make the graph of the project: %w", err)
	}
	for _, e := range rep.Skipped {
		m.note("left out: %v", e.Err)
	}
	m.store = o
	m.graph, err = m.openStore(ctx, o.Store)
	return m.graph, err
}

// updateTeamGraph makes the graph anew where it is damaged or of another version.
func (m *Memory) updateTeamGraph(ctx context.Context, s *team.Store, o memory.GraphOptions) (graph.Report, error) {
	if !stores.Private(o.Store) {
		if err := m.folder.EnsureDerived(); err != nil {
			return graph.Report{}, err
		}
	}
	src := &team.Source{Context: ctx, Store: s, Parse: m.parseTeam}
	rep, err := graph.Update(ctx, o.Store, src, o.Options)
	if Damaged(err) {
		rep, err = graph.Rebuild(ctx, o.Store, src, o.Options)
	}
	return rep, err
}

// parseTeam reads an episode of the store, which is text of others.
func (m *Memory) parseTeam(id string, body []byte) (*episode.Episode, error) {
	ep, err := m.folder.Parse(id, body)
	if err != nil {
		var file *memory.FileError
		if errors.As(err, &file) {
			err = file.Err // there is no such file here
		}
		return nil, fmt.Errorf("episode %q of the team store: %w", id, err)
	}
	redact.Default.Foreign(ep)
	return ep, nil
}

// teamBodies are episodes of the project that were fetched together.
type teamBodies struct {
	of    *Memory
	known map[string][]byte
}

// Load parses one of them.
func (b *teamBodies) Load(id string) (*episode.Episode, error) {
	body, ok := b.known[id]
	if !ok {
		return nil, fmt.Errorf("episode %q of the team store: %w", id, fs.ErrNotExist)
	}
	return b.of.parseTeam(id, body)
}

// fetched is how many episodes are fetched at once.
const fetched = 500

// teamLoader loads episodes of the project; hash is what the store has of each.
func (m *Memory) teamLoader(ids []string) (b *teamBodies, hash map[string]string, err error) {
	ctx := context.Background() // whoever reads records was given none
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, nil, err
	}
	b, hash = &teamBodies{m, map[string][]byte{}}, map[string]string{}
	for part := range slices.Chunk(ids, fetched) {
		found, err := s.Bodies(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range found {
			if _, shared := b.known[e.ID]; !shared { // the shared one comes first
				b.known[e.ID], hash[e.ID] = e.Body, e.SHA256
			}
		}
	}
	return b, hash, nil
}

// loadFromTeam is Load for a question to a team's store.
func (m *Memory) loadFromTeam(id string) (*episode.Episode, error) {
	ctx := context.Background()
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.Bodies(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, noEpisode(id, nil)
	}
	m.setPrivate(id, found[0].Private)
	return m.parseTeam(id, found[0].Body)
}

// findInTeam is find for a question to a team's store.
func (m *Memory) findInTeam(ref string) (string, error) {
	ctx := context.Background()
	s, err := m.teamStore(ctx)
	if err != nil {
		return "", err
	}
	fits, err := s.Named(ctx, ref, episode.IDFromSession(ref))
	switch {
	case err != nil:
		return "", err
	case len(fits) == 0:
		return "", noEpisode(ref, nil)
	case len(fits) > 1 && fits[0] != ref && fits[0] != episode.IDFromSession(ref):
		return "", &AmbiguousError{Ref: ref, IDs: fits}
	}
	return fits[0], nil
}

// derived is the name of a derived file: a project of a team has its own.
func (m *Memory) derived(name string) string {
	if m.Team == "" {
		return name
	}
	sum := sha256.Sum256([]byte(m.Team))
	return teamPrefix + hex.EncodeToString(sum[:8]) + "-" + name
}

const teamPrefix = "team-"

// recallTeam answers a question from the episodes of the store that fit it best: those of the
// project, or of all.
func (m *Memory) recallTeam(ctx context.Context, q *recall.Question, ask func(*recall.Index) error) error {
	var sessions []*recall.Session
	prints := map[string]causal.Print{}
	sums, err := m.eachInTeam(ctx, q, func(ep *episode.Episode) {
		sessions = append(sessions, recall.FromEpisode(ep))
		prints[ep.ID] = causal.PrintOf(ep)
	})
	if err != nil {
		return err
	}
	data := recall.Build(sessions)
	seg, err := recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("index the episodes: %w", err)
	}
	x := recall.NewIndex([]*recall.Segment{seg}, []map[int]bool{nil})
	votes := causal.Votes(prints) // copies count once, as in a graph
	x.CountsAs = func(id string) string { return votes[id] }
	x.Group = func(id string) string {
		project, _ := m.project(id)
		return project
	}
	x.Of(recall.Whole{Sessions: sums.Sessions, Holding: sums.Holding})
	return ask(x)
}

// eachInTeam calls fn with the episodes that fit a question best; in several projects their
// ids are those of inProject.
func (m *Memory) eachInTeam(ctx context.Context, q *recall.Question, fn func(ep *episode.Episode)) (sums team.Sums, err error) {
	s, err := m.teamStore(ctx)
	if err != nil {
		return sums, err
	}
	var of []team.Project
	if m.Org {
		of, err = s.Projects(ctx)
	} else {
		of = make([]team.Project, 1)
		of[0], err = s.Project(ctx)
	}
	if err != nil {
		return sums, err
	}
	found, sums, err := s.Find(ctx, of, q.Hashes())
	if err != nil {
		return sums, err
	}
	for _, f := range found {
		ep, err := m.parseTeam(f.ID, f.Body)
		if err != nil {
			m.note("left out: %v", err)
			continue
		}
		if m.Org {
			ep.ID = inProject(f.Project, ep.ID)
		}
		m.setPrivate(ep.ID, f.Private)
		fn(ep)
	}
	return sums, nil
}

// inProject is the name of an episode in an answer of several projects. An id has no space.
func inProject(project, id string) string { return project + " " + id }

// project takes the name of an episode apart.
func (m *Memory) project(name string) (project, id string) {
	if at := strings.LastIndexByte(name, ' '); m.Org && at >= 0 {
		return name[:at], name[at+1:]
	}
	return "", name
}

func (m *Memory) setPrivate(name string, private bool) {
	if private {
		if m.private == nil {
			m.private = map[string]bool{}
		}
		m.private[name] = true
	}
}

// isPrivate reports whether an episode is this user's alone.
func (m *Memory) isPrivate(id string) bool {
	if m.Team != "" {
		return m.private[id]
	}
	return m.folder.IsPrivate(id)
}
