package extract

import (
	"slices"

	"episodes/episode"
	"episodes/keys"
)

// subjectLinks links a choice with the work named after the same thing ("Cache
// limit: 10" and "Cache (cache.yaml): capped the entries"), and a choice or fault
// with the work whose first words repeat two of its own. A name tells something
// only when one piece of work bears it.
func (x *extraction) subjectLinks(sim *likeness) {
	choices, works, faults := map[string]int{}, map[string]int{}, map[string]int{}
	names := map[*fact][]string{}
	for _, f := range x.facts {
		switch {
		case f.kind == decisionFact:
			names[f] = f.topic()
			count(choices, names[f])
		case f.isFault():
			names[f] = subject(f.text, 3)
			count(faults, names[f])
		case f.kind == eventFact && f.event == episode.Milestone:
			names[f] = subject(f.text, 4)
			count(works, names[f])
		}
	}
	const few = 2
	for _, f := range x.facts {
		var bearers map[string]int
		need, within := 2, 4
		switch {
		case f.kind == decisionFact:
			bearers = choices
			if len(names[f]) == 1 {
				need, within = 1, 2
			}
		case f.isFault():
			bearers = faults
		default:
			continue
		}
		for _, w := range near(sim.work, f.span[0]) {
			shared := 0
			for _, n := range names[f] {
				at := slices.Index(names[w.fact], n)
				if at >= 0 && at < within && bearers[n] <= few && works[n] == 1 {
					shared++
				}
			}
			if shared >= need {
				x.join(f, w.fact, episode.Causes, false, "the work is named after the same thing")
			}
		}
	}
}

// topic is what a decision is about: the name that its question opens with where
// that is short, else the first words of the choice.
func (f *fact) topic() []string {
	if t := plain(f.dec.Context); len(t.words) > 0 && len(t.words) <= 5 {
		return subject(t, 1)
	}
	return subject(plain(f.dec.Chosen), 3)
}

// subject is the first n words of a text that name something: stems, without
// verbs of work and entries of trackers.
func subject(t text, n int) []string {
	var out []string
	for _, w := range t.words {
		if len(out) == n {
			break
		}
		if c := w.classes; isNumber(w.s) || c.has(classMake) || c.has(classAdopt) || c.has(classTracker) || c.has(classRoutine) || c.has(classTest) {
			continue
		}
		if s := keys.Word(w.s); len(s) > 2 {
			out = append(out, s)
		}
	}
	return out
}

func count(into map[string]int, names []string) {
	for _, n := range names {
		into[n]++
	}
}
