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
	"episodes/internal/memory"
	"episodes/internal/team"
	"episodes/query"
	"episodes/recall"
	"episodes/redact"
)

// teamProject is a project of a team's store, or with Options.Org all of its projects. The graph
// is made here, of the shared episodes of the project, and kept in derived files.
type teamProject struct {
	*Options
	here *local // keeps the derived files

	store   *team.Store     // nil until it is needed
	graph   *graph.Graph    // likewise
	private map[string]bool // episodes of this login alone, of those that were read
}

func (p *teamProject) close() {
	if p.graph != nil {
		_ = p.graph.Close()
	}
	if p.store != nil {
		p.store.Close()
	}
}

func (p *teamProject) teamStore(ctx context.Context) (*team.Store, error) {
	if p.store != nil {
		return p.store, nil
	}
	var err error
	p.store, err = team.Open(ctx, p.Team, p.Who)
	return p.store, err
}

// openGraph lists what the store holds, whenever it is called first: the graph that is kept
// shows what this login may read now.
func (p *teamProject) openGraph(ctx context.Context) (*graph.Graph, error) {
	if p.graph != nil {
		return p.graph, nil
	}
	s, err := p.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.Project(ctx); err != nil {
		return nil, err
	}
	defer p.working("bringing the graph up to date")()
	o := p.GraphOptions()
	o.Store = p.here.folder.GraphNamed(p.name())
	o = p.here.folder.Bind(o)
	src := &team.Source{Context: ctx, Store: s, Parse: p.parse}
	rep, err := updateKept(ctx, p.here.folder, src, o)
	if unwritable(err) || errors.Is(err, ErrLocked) {
		o.Store = p.here.folder.ThisRun() // an older graph may hold what was removed since
		rep, err = updateKept(ctx, p.here.folder, src, o)
	}
	if err != nil {
		return nil, fmt.Errorf("make the graph of the project: %w", err)
	}
	for _, e := range rep.Skipped {
		p.note("left out: %v", e.Err)
	}
	p.graph, err = openStore(ctx, o)
	return p.graph, err
}

// updateKept brings a graph to a set of episodes. One that cannot be used is made again.
func updateKept(ctx context.Context, folder *memory.Memory, set graph.Source, o memory.GraphOptions) (graph.Report, error) {
	if !stores.Private(o.Store) {
		if err := folder.EnsureDerived(); err != nil {
			return graph.Report{}, err
		}
	}
	rep, err := graph.Update(ctx, o.Store, set, o.Options)
	if Damaged(err) {
		rep, err = graph.Rebuild(ctx, o.Store, set, o.Options)
	}
	return rep, err
}

func (p *teamProject) parse(id string, body []byte) (*episode.Episode, error) {
	return parseForeign(p.here.folder, id, body)
}

// parseForeign reads an episode of a store, which is text of others.
func parseForeign(folder *memory.Memory, id string, body []byte) (*episode.Episode, error) {
	ep, err := folder.Parse(id, body)
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

// recall makes an index of the episodes that fit the question best. Copies of a session count
// once, as in a graph, and counts of words are those of all that the store holds.
func (p *teamProject) recall(ctx context.Context, q *recall.Question, ask func(*recall.Index) error) error {
	var b recall.Builder
	found, votes, sums, err := p.best(ctx, q)
	if err != nil {
		return err
	}
	for _, ep := range found {
		b.Add(recall.FromEpisode(ep))
	}
	data := b.Segment()
	seg, err := recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("index the episodes: %w", err)
	}
	x := recall.NewIndex([]*recall.Segment{seg}, []map[int]bool{nil})
	x.CountsAs = func(id string) string { return votes[id] }
	x.Of(recall.Corpus{Sessions: sums.Sessions, Holding: sums.Holding})
	return ask(x)
}

// withNotes adds none: the notes of a repository are not pushed.
func (p *teamProject) withNotes(x *recall.Index) (*recall.Index, error) { return x, nil }

// best returns the episodes that fit a question best, with the one that counts for the session of
// each; in several projects their ids are those of inProject.
func (p *teamProject) best(ctx context.Context,
	q *recall.Question) (list []*episode.Episode, votes map[string]string, sums team.Sums, err error) {
	s, err := p.teamStore(ctx)
	if err != nil {
		return nil, nil, sums, err
	}
	var of []team.Project
	if p.Org {
		of, err = s.Projects(ctx)
	} else {
		of = make([]team.Project, 1)
		of[0], err = s.Project(ctx)
	}
	if err != nil {
		return nil, nil, sums, err
	}
	found, sums, err := s.Find(ctx, of, q.Hashes())
	if err != nil {
		return nil, nil, sums, err
	}
	prints := map[string]causal.Print{}
	for _, f := range found {
		if f.Private && p.Shared {
			continue
		}
		ep, err := p.parse(f.ID, f.Body)
		if err != nil {
			p.note("left out: %v", err)
			continue
		}
		if p.Org {
			ep.ID = inProject(f.Project, ep.ID)
		}
		p.setPrivate(ep.ID, f.Private)
		list, prints[ep.ID] = append(list, ep), causal.PrintOf(ep)
	}
	return list, causal.Votes(prints), sums, nil
}

// fetched is how many episodes are fetched at once.
const fetched = 500

func (p *teamProject) loader(ids []string) (query.Episodes, map[string]string, error) {
	ctx := context.Background() // whoever reads records was given none
	s, err := p.teamStore(ctx)
	if err != nil {
		return nil, nil, err
	}
	b, hash := &teamBodies{p, map[string][]byte{}}, map[string]string{}
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

// teamBodies are episodes of the project that were fetched together.
type teamBodies struct {
	of    *teamProject
	known map[string][]byte
}

// Load parses one of them.
func (b *teamBodies) Load(id string) (*episode.Episode, error) {
	body, ok := b.known[id]
	if !ok {
		return nil, fmt.Errorf("episode %q of the team store: %w", id, fs.ErrNotExist)
	}
	return b.of.parse(id, body)
}

func (p *teamProject) load(id string) (*episode.Episode, error) {
	ctx := context.Background()
	s, err := p.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.Bodies(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || found[0].Private && p.Shared {
		return nil, noEpisode(id, nil)
	}
	p.setPrivate(id, found[0].Private)
	return p.parse(id, found[0].Body)
}

func (p *teamProject) find(ref string) (string, error) {
	ctx := context.Background()
	s, err := p.teamStore(ctx)
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

// inProject is the name of an episode in an answer of several projects. An id has no space.
func inProject(project, id string) string { return project + " " + id }

func (p *teamProject) project(name string) (project, id string) {
	if at := strings.LastIndexByte(name, ' '); p.Org && at >= 0 {
		return name[:at], name[at+1:]
	}
	return "", name
}

func (p *teamProject) setPrivate(name string, private bool) {
	if private {
		if p.private == nil {
			p.private = map[string]bool{}
		}
		p.private[name] = true
	}
}

func (p *teamProject) isPrivate(name string) bool { return p.private[name] }

func (p *teamProject) there(string) bool { return true }

// view is everything: what the view of a memory hides is of that memory.
func (p *teamProject) view() memory.View { return memory.View{} }

// name distinguishes what is kept of the project from what is kept of the memory and of other
// projects.
func (p *teamProject) name() string { return teamName(p.Team) }

func teamName(url string) string {
	sum := sha256.Sum256([]byte(url))
	return "team-" + hex.EncodeToString(sum[:8])
}

func (p *teamProject) readKept(name, key string) []byte {
	return p.here.readKept(p.name()+"-"+name, key)
}

func (p *teamProject) writeKept(name, key string, data []byte) error {
	return p.here.writeKept(p.name()+"-"+name, key, data)
}
