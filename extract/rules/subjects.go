package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// names are the names that facts bear, and how many facts bear each: choices, errors,
// and work by its first words and by its very first ones.
type names struct {
	of                           map[*fact][]int32
	choices, faults, work, opens map[int32]int
}

// names are those of a log's decisions, errors and milestones.
func (x linker) names() names {
	n := names{map[*fact][]int32{}, map[int32]int{}, map[int32]int{}, map[int32]int{}, map[int32]int{}}
	for _, f := range x.facts {
		switch {
		case f.Kind == facts.Decision:
			n.of[f] = x.topic(x.sim, f)
			tallyNames(n.choices, n.of[f])
		case f.isError():
			n.of[f] = x.sim.subject(f.text, 5)
			tallyNames(n.faults, n.of[f])
		}
	}
	for _, w := range x.sim.work {
		if w.Event == episode.Milestone {
			n.of[w.fact] = x.sim.subject(w.text, 4)
			tallyNames(n.work, n.of[w.fact])
			tallyNames(n.opens, n.of[w.fact][:min(len(n.of[w.fact]), 2)])
		}
	}
	return n
}

// sameSubject links a choice with the work named after the same thing ("Cache
// limit: 10" and "Cache (cache.yaml): capped the entries"), and a choice or error
// with the work whose first words repeat two of its own. A name is evidence only if
// exactly one piece of work has it.
func (x linker) sameSubject() {
	if len(x.sim.work) == 0 {
		return
	}
	n := x.names()
	for _, f := range x.facts {
		need, within, bearers, work := 2, 4, n.faults, n.work
		switch {
		case f.Kind == facts.Decision && len(n.of[f]) == 1:
			need, within, bearers, work = 1, 2, n.choices, n.opens
		case f.Kind == facts.Decision:
			bearers = n.choices
		case !f.isError():
			continue
		}
		const few = 2
		for _, w := range near(x.sim.work, f.Span[0]) {
			shared := 0
			for _, name := range n.of[f] {
				at := slices.Index(n.of[w.fact], name)
				if at >= 0 && at < within && bearers[name] <= few && work[name] == 1 {
					shared++
				}
			}
			if shared >= need {
				x.link(f, w.fact, episode.Causes, false)
			}
		}
	}
}

// topic is what a decision is about: the name that its question opens with where
// that is short, else the first words of the choice.
func (x *extraction) topic(l *likeness, f *fact) []int32 {
	if t := x.plain(f.Decision.Context); len(t.Words) > 0 && len(t.Words) <= 5 {
		return l.subject(t, 1)
	}
	return l.subject(x.plain(f.Decision.Chosen), 3)
}

// subject is the first n words of a text that name something, without verbs of
// work and entries of trackers.
func (l *likeness) subject(t lex.Text, n int) []int32 {
	out := make([]int32, 0, n)
	for _, w := range t.Words {
		if len(out) == n {
			break
		}
		if lex.IsNumber(w.Lower) || w.Any(lex.ClassMake, lex.ClassAdopt, lex.ClassTracker, lex.ClassRoutine, lex.ClassTest) {
			continue
		}
		if len(w.Lower) < 3 && (len(w.Lower) < 2 || !strings.ContainsAny(w.Lower, "0123456789")) { // "P1" names something
			continue
		}
		if s := l.words.one(w.Lower); s != noWord && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func tallyNames(into map[int32]int, names []int32) {
	for _, n := range names {
		into[n]++
	}
}
