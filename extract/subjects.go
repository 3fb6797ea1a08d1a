package extract

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// subjectLinks links a choice with the work named after the same thing ("Cache
// limit: 10" and "Cache (cache.yaml): capped the entries"), and a choice or fault
// with the work whose first words repeat two of its own. A name tells something
// only when one piece of work bears it.
func (x *extraction) subjectLinks(sim *likeness) {
	choices, faults := map[string]int{}, map[string]int{}
	works, opens := map[string]int{}, map[string]int{} // by the first words of a piece of work, and by its very first
	names := map[*fact][]string{}
	for _, f := range x.facts {
		switch {
		case f.kind == decisionFact:
			names[f] = f.topic()
			count(choices, names[f])
		case f.isFault():
			names[f] = subject(f.text(), 5)
			count(faults, names[f])
		case f.kind == eventFact && f.event == episode.Milestone:
			names[f] = subject(f.text(), 4)
			count(works, names[f])
			count(opens, names[f][:min(len(names[f]), 2)])
		}
	}
	const few = 2
	for _, f := range x.facts {
		var bearers map[string]int
		need, within, borne := 2, 4, works
		switch {
		case f.kind == decisionFact:
			bearers = choices
			if len(names[f]) == 1 {
				need, within, borne = 1, 2, opens
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
				if at >= 0 && at < within && bearers[n] <= few && borne[n] == 1 {
					shared++
				}
			}
			if shared >= need {
				x.join(f, w.fact, episode.Causes, false, "the work is named after the same thing")
			}
		}
	}
}

// lackLinks links a fault that says what is missing with the work that says it
// was added: "no tests for the parser", "Added 12 parser tests".
func (x *extraction) lackLinks(sim *likeness) {
	for _, e := range sim.errors {
		i := e.text().index(classLack)
		if i < 0 {
			continue
		}
		lacked := things(e.text(), i+1, 1)
		for _, w := range near(sim.work, e.span[0]) {
			at := w.text().index(classMake)
			if w.span[0] <= e.span[0] || at < 0 || at > 4 || len(lacked) == 0 {
				continue
			}
			if slices.Contains(things(w.text(), at+1, 3), lacked[0]) {
				x.join(e.fact, w.fact, episode.Causes, false, "what was missing was added")
				break
			}
		}
	}
}

// countLinks links a fault with the work that repeats its figure and what was
// counted: "34 lint errors", "Resolved all 34 lint errors".
func (x *extraction) countLinks(sim *likeness) {
	for _, e := range sim.errors {
		told := counted(e.text())
		if len(told) == 0 {
			continue
		}
		for _, w := range near(sim.work, e.span[0]) {
			if w.span[0] > e.span[0] && slices.ContainsFunc(counted(w.text()), func(s string) bool { return slices.Contains(told, s) }) {
				x.join(e.fact, w.fact, episode.Causes, false, "the work repeats the figure of the fault")
			}
		}
	}
}

// counted are the figures of a text of two digits or more, each with the two words
// after it.
func counted(t text) []string {
	var out []string
	for i := 0; i+2 < len(t.words); i++ {
		if n := t.words[i].s; len(n) > 1 && isNumber(n) {
			if a, b := keys.Word(t.words[i+1].s), keys.Word(t.words[i+2].s); a != "" && b != "" {
				out = append(out, n+" "+a+" "+b)
			}
		}
	}
	return out
}

// things are the first n words from word i on that carry a fact, but for numbers.
func things(t text, i, n int) []string {
	var out []string
	for ; i < len(t.words) && len(out) < n; i++ {
		if s := keys.Word(t.words[i].s); s != "" && !isNumber(t.words[i].s) && s != "new" {
			out = append(out, s)
		}
	}
	return out
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
		if s := keys.Word(w.s); (len(s) > 2 || len(s) > 1 && strings.ContainsAny(s, "0123456789")) && !slices.Contains(out, s) { // "P1"
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
