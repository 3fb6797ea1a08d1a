package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"episodes/graph"
	"episodes/internal/lazy"
	"episodes/internal/lock"
	"episodes/internal/track"
)

func (p *patient) store(ctx context.Context) error {
	const check = "graph"
	x := track.Load(p.m)
	set, err := x.Set()
	if err != nil {
		return err
	}
	if p.Index.Logs != nil {
		set.Logs = p.Index.Logs(x)
	}
	if p.m.Local() != nil {
		p.add(Note, check, "", "none is kept: each question builds it from %d episodes", len(set.Entries))
		return nil
	}
	if p.Graph.Store == p.m.DefaultStore() && slices.Contains(p.foreign, filepath.Base(p.m.GraphDir())) {
		p.add(Note, check, "", "not made here: the next question builds it from %d episodes", len(set.Entries))
		return nil
	}
	p.Graph = p.m.Bind(p.Graph)
	for _, s := range track.KeptPassages(p.m).Segments {
		if p.m.ReadDerivedHead(s.Name, p.IndexKey, int64(len(p.IndexKey))+1) == nil {
			p.add(Note, check, "", "the search index is of another version, or incomplete: the next question makes it again")
			break
		}
	}
	var other *graph.FormatError
	g, err := graph.Open(ctx, p.Graph.Store, p.Graph.Options)
	switch {
	case errors.Is(err, graph.ErrMissing):
		p.add(Note, check, "", "none yet: the next question builds it from %d episodes", len(set.Entries))
		return nil
	case errors.As(err, &other) && !other.Newer():
		p.add(Note, check, "", "of an older version (%d): the next question builds it again from %d episodes", other.Found, len(set.Entries))
		return nil
	case other != nil:
		p.add(Problem, check, "update this program; or "+p.Command("graph rebuild")+" makes a graph that it knows", "%v", err)
		return nil
	case errors.Is(err, graph.ErrDamaged), errors.Is(err, graph.ErrVersion):
		p.mend, p.rebuild = true, true
		p.add(Problem, check, p.Command("graph rebuild"), "%v", err)
		return nil
	case errors.Is(err, lock.ErrTimeout):
		p.add(Note, check, "", "not looked at: %v", err)
		return nil
	case err != nil:
		return fmt.Errorf("open the graph: %w", err)
	}
	info := g.Info()
	size, sizeErr := g.Size()
	in, inErr := g.Episodes()
	if err := errors.Join(sizeErr, inErr, g.Close()); err != nil {
		return fmt.Errorf("read the graph: %w", err)
	}
	against := graph.Source(set)
	if behind := p.compare(set, in); behind > 0 {
		against = nil
		p.add(Note, check, "", "behind the files by %d of %d episodes: the next question brings it in step", behind, len(set.Entries))
	}
	wrong, err := graph.Verify(ctx, p.Graph.Store, against, p.Graph.Options)
	if err != nil {
		return fmt.Errorf("verify the graph: %w", err)
	}
	for _, w := range wrong {
		p.mend, p.rebuild = true, true
		text, kind := plain(w)
		p.findings = append(p.findings,
			Finding{Check: check, State: Problem, Text: text, Todo: p.Command("graph rebuild"), kind: kind})
	}
	if len(wrong) == 0 {
		p.add(OK, check, "", "format %d, generation %s, %d KB, %d episodes, consistent and with right checksums",
			info.Format, info.Generation, size>>10, len(in))
	}
	return nil
}

var (
	quoted = lazy.Pattern(`"(?:[^"\\]|\\.)*"`)
	number = lazy.Pattern(`[0-9]+`)
)

// plain takes out of what Verify found the keys and figures that are for
// programs; kind is what findings of the same kind have in common.
func plain(found string) (text, kind string) {
	text = found
	if head, _, cut := strings.Cut(found, " {"); cut && strings.HasPrefix(head, "the figures of the graph") {
		text = "the figures of the graph are not those counted anew"
	}
	if strings.HasPrefix(text, `record "`) {
		text = strings.Replace(text, quoted().FindString(text), "of the graph", 1)
	}
	text = quoted().ReplaceAllStringFunc(text, func(q string) string {
		if strings.Contains(q, `\`) {
			return "(no readable name)"
		}
		return q
	})
	return text, number().ReplaceAllString(quoted().ReplaceAllString(text, ""), "")
}

// compare counts the episodes by which the graph and the files differ. Files
// that cannot be loaded are taken out of set: they are in no graph.
func (p *patient) compare(set *track.Set, inGraph []graph.Entry) (differ int) {
	in := map[graph.Entry]bool{}
	for _, e := range inGraph {
		in[e] = true
	}
	var loadable []graph.Entry
	for _, e := range set.Entries {
		if !in[e] {
			ep, err := set.Load(e.ID)
			if err != nil {
				continue
			}
			if err := graph.Fits(ep); err != nil {
				p.add(Note, "graph", "", "left out: %v", err)
				continue
			}
			differ++
		}
		loadable = append(loadable, e)
		delete(in, e)
	}
	for e := range in {
		if !slices.ContainsFunc(loadable, func(l graph.Entry) bool { return l.ID == e.ID }) {
			differ++ // its file is gone
		}
	}
	set.Entries = loadable
	return differ
}
