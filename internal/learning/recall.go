package learning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/keys"
	"episodes/reflexion"
	"episodes/reflexion/loop"
)

// recalled is how many lessons, and how many changes, of other sessions are put into a prompt;
// looked is how many lessons the search finds for it.
const (
	recalled = 3
	looked   = 30
)

// likeLesson is the least similarity of a lesson, or of the task of its session, with the task,
// and likeTask that of the task of another loop.
const (
	likeLesson = 0.15
	likeTask   = 0.25
)

// maxKnown is the largest number of bytes of a lesson in a prompt.
const maxKnown = 300

// recall finds what bears on a loop's task: the lessons that people and agents stated, and what
// other sessions learned, of that of models only what has earned it (reflexion.Earned), with the
// changes after which errors went in loops on like tasks. What is private is left out, since
// records are in git. That it cannot be read is a note: the attempt does not depend on it.
func (f *Folder) recall(ctx context.Context, task, own string) (said, learned []reflexion.Known) {
	m, err := ask.Open(f.Options)
	if err != nil {
		f.note("the lessons were not read: %v", err)
		return nil, nil
	}
	defer m.Close()
	records, err := f.Records()
	if err != nil {
		f.note("the records of other loops were not read: %v", err)
	}
	found, err := m.Search(ctx, ask.SearchRequest{Text: task, Kind: "lesson", Limit: looked})
	if err != nil {
		f.note("the lessons were not read: %v", err)
		return nil, nil
	}
	type lesson struct {
		reflexion.Known
		rank, earned int
	}
	var lessons []lesson
	words := keys.Canonical(task)
	for _, h := range found.Hits {
		if h.Private || h.Episode == own || h.Record == "" || h.NotReviewed || h.Doubt == ask.NotSaid {
			continue
		}
		ep, err := m.Load(h.Episode)
		if err != nil {
			continue // it went meanwhile
		}
		for i, text := range ep.Lessons {
			if episode.LessonID(i+1) != h.Record || max(keys.Similarity(words, keys.Canonical(text)),
				keys.Similarity(words, keys.Canonical(ep.Task))) < likeLesson {
				continue
			}
			l := lesson{rank: 1, earned: reflexion.Earned(records, ep.ID+"#"+h.Record, text)}
			by := ep.Provenance.By[h.Record]
			if l.Known = known(ep, text); by != "" && !strings.HasPrefix(by, "reader") {
				l.rank = 0
			}
			if l.Ref = ep.ID + "#" + h.Record; l.rank > 0 && loop.Made(ep) && l.earned <= 0 {
				continue
			}
			lessons = append(lessons, l)
		}
	}
	slices.SortStableFunc(lessons, func(a, b lesson) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.earned, a.earned)) })
	for _, l := range lessons[:min(len(lessons), recalled)] {
		if l.rank == 0 {
			said = append(said, l.Known)
		} else {
			learned = append(learned, l.Known)
		}
	}
	return said, append(learned, solved(m, records, words, own)...)
}

// known is a lesson with its source.
func known(ep *episode.Episode, text string) reflexion.Known {
	return reflexion.Known{Text: fmt.Sprintf("noted earlier (%s): %s", ep.ID, plain.Quote(text, maxKnown)), Says: text}
}

// solved are the changes after which errors went in loops that passed on like tasks, of each loop
// the last: as the episodes of these loops say it.
func solved(m *ask.Memory, records []*reflexion.Record, words, own string) (out []reflexion.Known) {
	type like struct {
		id    string
		score float64
	}
	var loops []like
	for _, rs := range reflexion.ByLoop(records) {
		x := like{episode.IDFromSession(rs[0].LoopID), keys.Similarity(words, keys.Canonical(rs[0].Task))}
		if x.id != own && x.score >= likeTask && m.Reviewed(x.id) {
			loops = append(loops, x)
		}
	}
	slices.SortStableFunc(loops, func(a, b like) int { return cmp.Compare(b.score, a.score) })
	for _, x := range loops {
		ep, err := m.Load(x.id)
		if err != nil || ep.Outcome != episode.Success || len(out) == recalled {
			continue
		}
		for _, d := range slices.Backward(ep.Decisions) {
			if d.Outcome != episode.Success {
				continue
			}
			what, says := strings.TrimPrefix(d.Context, loop.ToMend), plain.Quote(d.Chosen, maxKnown)
			out = append(out, reflexion.Known{Text: fmt.Sprintf("%s: %s went after %s", ep.Session, plain.Quote(what, maxKnown/3), says), Says: says})
			break
		}
	}
	return out
}
