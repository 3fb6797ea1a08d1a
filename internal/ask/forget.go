package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"episodes/causal"
	"episodes/episode"
	"episodes/extract"
	"episodes/graph"
	"episodes/internal/additions"
	"episodes/internal/capture"
	"episodes/internal/corrections"
	"episodes/internal/fsstore"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/internal/reader"
	"episodes/internal/term"
	"episodes/internal/track"
)

// ForgetRequest says which episodes to forget.
type ForgetRequest struct {
	Episodes  []string // ids, sessions, or prefixes that fit no other; or lessons
	Logs      []string // paths of logs, or of logs of the same bytes
	Cwd       string   // where relative paths start
	OlderThan string   // an age (36h, 180d, 26w), a date or a time
	DryRun    bool     // change nothing
}

// ForgetAnswer is what was forgotten.
type ForgetAnswer struct {
	Forgotten []string `json:"forgotten"` // ids of the episodes
	// Copies are the remaining episodes of the same sessions, which count instead.
	Copies []string `json:"copies"`
	// Lessons were forgotten; Saw are the additions of readers who had been shown one of them.
	Lessons []string `json:"lessons,omitempty"`
	Saw     []string `json:"saw,omitempty"`
	Graph   *Change  `json:"graph,omitempty"` // absent in a dry run
	DryRun  bool     `json:"dry_run,omitempty"`
}

// Check refuses a request that cannot be carried out.
func (r ForgetRequest) Check() error {
	if len(r.Episodes)+len(r.Logs) == 0 && r.OlderThan == "" {
		return &RequestError{Message: "what to forget: an EPISODE, --log FILE or --older-than WHEN", Help: true}
	}
	if r.OlderThan != "" {
		_, err := moment("older-than", r.OlderThan, time.Now(), "180d")
		return err
	}
	return nil
}

// Forget removes episodes, rebuilds the graph and all other derived files without them, and
// records their logs, so that these are only read again when they are named. Answers are then
// as if the logs had never been read. The logs themselves stay. If a reference names no episode,
// the error is ErrNoEpisode and nothing is removed.
func (m *Memory) Forget(ctx context.Context, r ForgetRequest) (*ForgetAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	all, err := m.readAll()
	if err != nil {
		return nil, err
	}
	lessons, err := m.lessonsToForget(&r)
	if err != nil {
		return nil, err
	}
	named, err := m.toForget(r, all)
	if err != nil {
		return nil, err
	}
	a := &ForgetAnswer{Forgotten: named, Copies: copiesOf(all, named), DryRun: r.DryRun, Lessons: slices.Sorted(maps.Keys(lessons))}
	if r.DryRun || len(named)+len(lessons) == 0 {
		return a, nil
	}
	m.here.close() // what is open is of episodes that are about to go
	m.figures = figures{}
	rep, _, err := m.write(ctx, func(o memory.GraphOptions) (graph.Report, *track.Set, error) {
		var logs [2][]string // of the shared and of the private part
		for _, id := range named {
			part := 0
			if m.folder.IsPrivate(id) {
				part = 1
			}
			if ep := all[id]; ep != nil {
				logs[part] = append(logs[part], ep.Provenance.Source.SHA256)
				if s := ep.Provenance.Source.Session; s != "" && episode.IDFromSession(s) == id {
					logs[part] = append(logs[part], id)
				}
			}
		}
		for ref, of := range lessons {
			if err := m.forgetLesson(of.id, of.lesson, a); err != nil {
				return graph.Report{}, nil, fmt.Errorf("forget %s: %w", ref, err)
			}
		}
		for part := range logs { // first: what was removed must not come back
			if err := m.folder.Forget(logs[part], part > 0); err != nil {
				return graph.Report{}, nil, err
			}
		}
		for _, id := range named {
			if err := errors.Join(m.forgetAnswers(id), m.folder.DropCorrections(id), m.folder.DropAdditions(id)); err != nil {
				return graph.Report{}, nil, err
			}
			if err := m.folder.Remove(id); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return graph.Report{}, nil, err
			}
		}
		m.folder.Clean()
		rep, src, err := track.Load(m.folder).Rebuild(ctx, o, m.Indexer())
		if err != nil {
			return rep, src, fmt.Errorf("make the graph without what was forgotten: %w", err)
		}
		return rep, src, nil
	})
	if err != nil {
		return nil, err
	}
	a.Graph = capture.ChangeOf(rep)
	return a, m.forgetDelivered(ctx, named, all)
}

// ofLesson is a lesson of an episode.
type ofLesson struct {
	id     string
	lesson lesson.Ref
}

// lessonsToForget takes the lessons out of a request, by their whole references.
func (m *Memory) lessonsToForget(r *ForgetRequest) (map[string]ofLesson, error) {
	out, others := map[string]ofLesson{}, []string{}
	for _, ref := range r.Episodes {
		id, l, err := m.lessonRef(ref)
		switch {
		case l == "":
			others = append(others, ref)
		case err != nil:
			return nil, err
		default:
			out[id+"#"+string(l)] = ofLesson{id, l}
		}
	}
	r.Episodes = others
	return out, nil
}

// forgetLesson writes the additions of all episodes without a lesson and what was said of it, and leaves its id as
// forgotten: so an older branch brings nothing back.
func (m *Memory) forgetLesson(id string, l lesson.Ref, a *ForgetAnswer) error {
	to, err := m.adding(id, nil, lesson.Person, "")
	if err == nil {
		err = to.write([]additions.Entry{{Entry: lesson.Entry{Forgotten: &lesson.Forgotten{ID: l}}}})
	}
	added, failed := m.folder.Added()
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	for _, of := range slices.Sorted(maps.Keys(added)) {
		list, _, err := m.folder.Additions(of)
		if err != nil {
			return err
		}
		for _, f := range list {
			if slices.Contains(additions.Parse(f).Saw, l) {
				a.Saw = append(a.Saw, memory.AdditionName(of, f.Hash))
			}
		}
		err = m.rewrite(of, func(e additions.Entry) (additions.Entry, bool) {
			switch {
			case e.Lesson != nil && e.Lesson.ID == l, e.Correct != nil && e.Correct.Of == l:
				return e, false
			case e.Again != nil && e.Again.Of == l && e.Again.Say != "":
				again := *e.Again
				again.Say = ""
				e.Again = &again
			}
			return e, true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetAnswers removes what readers answered about the log of an episode from the user's cache, also
// where it was not taken in.
func (m *Memory) forgetAnswers(id string) error {
	log := track.Load(m.folder).Episodes[id].Log
	if !filepath.IsAbs(log) {
		log = filepath.Join(m.Location.Root, log)
	}
	answers := []string{reader.PathMark(log)}
	for _, e := range m.here.corrected(id) {
		if e.Op == corrections.Read {
			answers = append(answers, e.Key)
		}
	}
	for _, f := range m.here.additionsOf(id) {
		if f.Key != "" {
			answers = append(answers, f.Key)
		}
	}
	return reader.Forget(answers...)
}

// readAll reads every episode, by id; nil for one that cannot be read.
func (m *Memory) readAll() (map[string]*episode.Episode, error) {
	files, _, err := m.folder.Files()
	if err != nil {
		return nil, err
	}
	all := make(map[string]*episode.Episode, len(files))
	for _, f := range files {
		all[f.ID], _ = m.folder.Load(f.ID) // to forget an episode it need not be sound
	}
	return all, nil
}

// toForget returns the ids of the episodes that a request names, sorted.
func (m *Memory) toForget(r ForgetRequest, all map[string]*episode.Episode) ([]string, error) {
	out := []string{}
	for _, ref := range r.Episodes {
		id, err := m.find(ref)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	for _, log := range r.Logs {
		ids := m.readFrom(log, r.Cwd, all)
		if len(ids) == 0 {
			return nil, fmt.Errorf("no episode was read from %q: %w", log, ErrNoEpisode)
		}
		out = append(out, ids...)
	}
	if r.OlderThan != "" {
		before, err := moment("older-than", r.OlderThan, m.now(), "180d")
		if err != nil {
			return nil, err
		}
		for id, ep := range all {
			if ep == nil {
				continue
			}
			if t, ok := ep.Time(); ok && t.Before(before) {
				out = append(out, id)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// readFrom returns the episodes that were read from a log, which may be gone, or from
// another one with the same bytes. A relative path that leads to none from cwd is taken
// from the root, as answers name logs.
func (m *Memory) readFrom(log, cwd string, all map[string]*episode.Episode) []string {
	if filepath.IsAbs(log) {
		return m.readAt(log, all)
	}
	if ids := m.readAt(filepath.Join(cwd, log), all); len(ids) > 0 {
		return ids
	}
	return m.readAt(filepath.Join(m.Location.Root, log), all)
}

func (m *Memory) readAt(path string, all map[string]*episode.Episode) (ids []string) {
	path = fsstore.Real(path)
	place, inside := m.Location.Inside(path)
	if !inside {
		place = filepath.ToSlash(path)
	}
	sum, seen := digestOf(path), track.Load(m.folder).Episodes
	for id, ep := range all {
		if ep == nil {
			continue
		}
		src := ep.Provenance.Source
		at := cmp.Or(seen[id].Log, src.Path) // outside the root only the file name is known
		if at == place || sum != "" && src.SHA256 == sum {
			ids = append(ids, id)
		}
	}
	return ids
}

// digestOf is the SHA-256 of a log; "" when it cannot be read.
func digestOf(path string) string {
	data, err := fsstore.ReadInput(path, extract.MaxBytes)
	if err != nil {
		return ""
	}
	return memory.Hash(data)
}

// copiesOf returns the episodes of the same sessions as some others that are not among
// these.
func copiesOf(all map[string]*episode.Episode, of []string) []string {
	prints := map[string]causal.Print{}
	for id, ep := range all {
		if ep != nil {
			prints[id] = causal.PrintOf(ep)
		}
	}
	votes := causal.Votes(prints)
	gone := map[string]bool{}
	for _, id := range of {
		if votes[id] != "" {
			gone[votes[id]] = true
		}
	}
	out := []string{}
	for id, counts := range votes {
		if gone[counts] && !slices.Contains(of, id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// Text lists what was forgotten.
func (a *ForgetAnswer) Text(tokens int) string {
	verb := wouldBe(a.DryRun) + "forgotten"
	if a.Empty() {
		return term.Cut("nothing "+verb, tokens)
	}
	var lines []string
	add := func(what string, list []string) {
		if len(list) > 0 {
			lines = append(lines, what+": "+strings.Join(list, ", "))
		}
	}
	add(term.Plural(len(a.Forgotten), "episode")+" "+verb, a.Forgotten)
	add(term.Plural(len(a.Lessons), "lesson")+" "+verb, a.Lessons)
	add("readers had been shown it before they wrote", a.Saw)
	add("other episodes of the same sessions remain and count", a.Copies)
	if a.Graph != nil {
		lines = append(lines, a.Graph.String())
	}
	return term.Cut(strings.Join(lines, "\n"), tokens)
}

// Empty reports whether nothing was to be forgotten.
func (a *ForgetAnswer) Empty() bool { return len(a.Forgotten)+len(a.Lessons) == 0 }
