package learning

import (
	"context"
	"fmt"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/keys"
	"episodes/reflexion"
)

// recalled is how many lessons of other sessions are put into a prompt, of how many that
// the search finds.
const (
	recalled = 3
	looked   = 30
)

// likeTask is the least similarity of a lesson, or of the task of its session, with the task.
const likeTask = 0.15

// maxKnown is the largest number of bytes of a lesson in a prompt.
const maxKnown = 180

// recall finds the lessons of other sessions that bear on a loop's task, with their
// references. Private ones are left out, since records are in git. That they cannot be read
// is a note: the attempt does not depend on it.
func (f *Folder) recall(ctx context.Context, task, own string) (said, refs []string) {
	m, err := ask.Open(f.Options)
	if err != nil {
		f.note("the lessons were not read: %v", err)
		return nil, nil
	}
	defer m.Close()
	found, err := m.Search(ctx, ask.SearchRequest{Text: task, Kind: "lesson", Limit: looked})
	if err != nil {
		f.note("the lessons were not read: %v", err)
		return nil, nil
	}
	words := keys.Canonical(task)
	for _, h := range found.Hits {
		if h.Private || h.Episode == own || h.Record == "" || len(said) == recalled {
			continue
		}
		ep, err := m.Load(h.Episode)
		if err != nil {
			continue // it went meanwhile
		}
		for i, l := range ep.Lessons {
			if episode.LessonID(i+1) == h.Record && max(keys.Similarity(words, keys.Canonical(l)),
				keys.Similarity(words, keys.Canonical(ep.Task))) >= likeTask {
				said = append(said, fmt.Sprintf("noted earlier (%s): %s", ep.ID, plain.Quote(l, maxKnown)))
				refs = append(refs, ep.ID+"#"+h.Record)
			}
		}
	}
	return said, refs
}

// prior is what other loops did about failures like those of a new task.
func (f *Folder) prior(t reflexion.NewTask) []string {
	rs, err := f.Records()
	if err != nil {
		f.note("the records of other loops were not read: %v", err)
		return nil
	}
	known := reflexion.Prior(rs, t)
	return known.Lines()
}
