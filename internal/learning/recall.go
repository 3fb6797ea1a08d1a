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

const (
	recalled = 3   // how many lessons, and how many changes, of other sessions are put into a prompt
	looked   = 30  // how many lessons the search finds for it
	maxKnown = 300 // bytes of one of them
	// likeLesson is the least similarity of a lesson, or of the task of its session, with the task,
	// and likeTask that of the task of another loop.
	likeLesson = 0.15
	likeTask   = 0.25
)

// recall finds what bears on a loop's task: the lessons that people and agents stated, and what
// other sessions learned, of that of models only what has earned it (reflexion.Earned), with the
// changes after which errors went in loops on like tasks. What is private is left out, since
// records are in git. That it cannot be read is a note: the attempt does not depend on it.
func (f *Folder) recall(ctx context.Context, task, own string) (said, learned []reflexion.Known) {
	records, err := f.Records()
	if err != nil {
		f.note("the records of other loops were not read: %v", err)
	}
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
	earned := map[string]int{} // by reference
	words := keys.Canonical(task)
	for _, h := range found.Hits {
		if h.Private || h.Note != "" || h.Episode == own || h.Record == "" || h.NotReviewed || h.Doubt == ask.NotSaid {
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
			k := reflexion.Known{Lesson: text, Ref: ep.ID + "#" + h.Record,
				Text: fmt.Sprintf("noted earlier (%s): %s", ep.ID, plain.Quote(text, maxKnown))}
			earned[k.Ref] = reflexion.Earned(records, k.Ref, text)
			if by := ep.Provenance.By[h.Record]; by != "" && !strings.HasPrefix(by, "reader") {
				said = append(said, k)
			} else if !loop.Made(ep) || earned[k.Ref] > 0 {
				learned = append(learned, k)
			}
		}
	}
	best := func(list []reflexion.Known, most int) []reflexion.Known {
		slices.SortStableFunc(list, func(a, b reflexion.Known) int { return cmp.Compare(earned[b.Ref], earned[a.Ref]) })
		return list[:min(len(list), most)]
	}
	said = best(said, recalled)
	learned = best(learned, recalled-len(said))
	return said, append(learned, solved(ctx, m, records, words, own)...)
}

// solved are the changes after which errors went in loops that passed on like tasks, of each loop
// the last: as the episodes of these loops, if they are shared, say it.
func solved(ctx context.Context, m *ask.Memory, records []*reflexion.Record, words, own string) (out []reflexion.Known) {
	loops, like := reflexion.ByLoop(records), map[string]float64{}
	for _, rs := range loops {
		like[rs[0].LoopID] = keys.Similarity(words, keys.Canonical(rs[0].Task))
	}
	slices.SortStableFunc(loops, func(a, b []*reflexion.Record) int {
		return cmp.Compare(like[b[0].LoopID], like[a[0].LoopID])
	})
	for _, rs := range loops {
		id := episode.IDFromSession(rs[0].LoopID)
		if id == own || len(out) == recalled || like[rs[0].LoopID] < likeTask || !m.Reviewed(id) {
			continue
		}
		a, err := m.Episode(ctx, ask.EpisodeRequest{Ref: id})
		if err != nil || a.Private || a.Episode.ID != id || a.Episode.Outcome != episode.Success {
			continue
		}
		for _, d := range slices.Backward(a.Episode.Decisions) {
			if d.Outcome == episode.Success && m.Risk(d.Chosen) == "" {
				what, says := strings.TrimPrefix(d.Context, loop.ToMend), plain.Quote(d.Chosen, maxKnown)
				out = append(out, reflexion.Known{Lesson: says,
					Text: fmt.Sprintf("%s: %s went after %s", a.Episode.Session, plain.Quote(what, maxKnown/3), says)})
				break
			}
		}
	}
	return out
}
