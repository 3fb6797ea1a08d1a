package patterns

import (
	"cmp"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
	"episodes/query"
)

// Note is a lesson as an episode has it.
type Note struct {
	Record string
	Text   string
	Lines  *episode.Span // of the log; nil when it is not known
	Within []string      // decisions whose lines contain it
}

// NotesOf returns the lessons of an episode.
func NotesOf(ep *episode.Episode) (out []Note) {
	for i, text := range ep.Lessons {
		n := Note{Record: episode.LessonID(i + 1), Text: strings.Join(strings.Fields(text), " ")}
		if at, ok := ep.Provenance.Spans[n.Record]; ok {
			n.Lines = &at
			for j := range ep.Decisions {
				if d, ok := ep.Provenance.Spans[ep.Decisions[j].ID]; ok && d[0] <= at[0] && at[1] <= d[1] {
					n.Within = append(n.Within, ep.Decisions[j].ID)
				}
			}
		}
		out = append(out, n)
	}
	return out
}

// A lesson explains a decision when it lies within the decision's own lines, or has most
// of the words of what was decided. For 413 lessons and 1078 decisions of real logs, all
// pairs that shared at least three words and three fifths of them were about the same
// thing; of those that shared two words a third were not.
const (
	sharedWords = 3
	sharedMost  = .6
	askedWords  = 2 // of the question, besides all words of a short option
	askedMost   = .5
	mostLessons = 3 // of a pattern
)

// How a lesson relates to a decision, the closest last.
const (
	unrelated = iota
	namesQuestion
	namesOther
	namesAction
	within
)

// attachLessons adds to every pattern the lessons of the sessions that confirm it, the
// most closely related first, then those that most sessions noted.
func (g *decisions) attachLessons(list []Pattern, notes func(episode string) []Note) {
	if notes == nil || len(list) == 0 {
		return
	}
	uses := map[string]*causal.Use{}
	for i := range g.uses {
		uses[g.uses[i].Episode+"#"+g.uses[i].Record] = &g.uses[i]
	}
	for i := range list {
		list[i].Lessons = explaining(&list[i], uses, notes)
	}
}

func explaining(p *Pattern, uses map[string]*causal.Use, notes func(string) []Note) []query.Lesson {
	type learned struct {
		query.Lesson
		relation int
		episodes map[string]bool
	}
	byKey := map[string]*learned{}
	for _, at := range p.Uses {
		if !at.Outcome.Known() || (at.Outcome == episode.Success) != (p.Kind == query.GoodPattern) {
			continue
		}
		u := uses[at.Episode+"#"+at.Record]
		if u == nil {
			continue
		}
		for _, n := range notes(at.Episode) {
			relation := n.relation(u)
			key := keys.Canonical(n.Text)
			if relation == unrelated || key == "" {
				continue
			}
			l := byKey[key]
			if l == nil {
				l = &learned{relation: -1, episodes: map[string]bool{}}
				byKey[key] = l
			}
			l.episodes[at.Episode] = true
			if relation > l.relation || relation == l.relation && at.Episode+n.Record < l.Episode+l.Record {
				l.relation, l.Lesson = relation, query.Lesson{Text: n.Text, Episode: at.Episode, Record: n.Record,
					Lines: n.Lines, Decision: at.Record}
			}
		}
	}
	var all []*learned
	for _, l := range byKey {
		l.Sessions = len(l.episodes)
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b *learned) int {
		return cmp.Or(b.relation-a.relation, b.Sessions-a.Sessions, strings.Compare(a.Episode, b.Episode),
			strings.Compare(a.Record, b.Record))
	})
	var out []query.Lesson
	for _, l := range all[:min(len(all), mostLessons)] {
		out = append(out, l.Lesson)
	}
	return out
}

// bearing says how a lesson relation on a decision of its session.
func (n *Note) relation(u *causal.Use) int {
	if slices.Contains(n.Within, u.Record) {
		return within
	}
	have, question := words(n.Text), words(u.Context)
	asked, askedShare := shared(question, have)
	names := func(option string) bool {
		of := words(option)
		k, share := shared(of, have)
		if len(of) < sharedWords {
			return len(of) > 0 && k == len(of) && asked >= askedWords && askedShare >= askedMost
		}
		return k >= sharedWords && share >= sharedMost
	}
	switch {
	case names(u.Chosen):
		return namesAction
	case slices.ContainsFunc(u.Rejected, names):
		return namesOther
	case asked >= sharedWords && askedShare >= sharedMost:
		return namesQuestion
	}
	return unrelated
}

func words(text string) []string { return strings.Fields(keys.Canonical(text)) }

// shared returns how many of the words the sorted list has, and their share.
func shared(of, have []string) (n int, share float64) {
	for _, w := range of {
		if _, ok := slices.BinarySearch(have, w); ok {
			n++
		}
	}
	return n, float64(n) / float64(max(len(of), 1))
}
