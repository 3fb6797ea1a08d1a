package query

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
	"episodes/stats"
)

// OptionStats counts the outcomes of one option at one decision point. An episode
// counts once for an option, however often it took it (see Combine).
type OptionStats struct {
	Option    string `json:"option"`
	N         int    `json:"n"` // episodes that took it
	Successes int    `json:"successes"`
	Partial   int    `json:"partial"` // known, but no success
	Failures  int    `json:"failures"`
	Unknown   int    `json:"unknown"` // not part of the figures below
	Days      int    `json:"days"`    // days of the N episodes; no date is one day
	// Estimate is the rate of success among the known outcomes, shrunk towards
	// one half: the centre of the Wilson interval that Low and High give. It is
	// null when no outcome is known, and Low and High are then 0 and 1.
	Estimate *float64 `json:"estimate"`
	Low      float64  `json:"low"`
	High     float64  `json:"high"`
	Note     string   `json:"note,omitempty"`
	// Pooled is the number of options that this one aggregates; 0 for a single option.
	Pooled int `json:"pooled,omitempty"`
	// Expected is the probability of success by the outcome model; null where the
	// verdict does not rest on the model, or nobody tried the option.
	Expected *float64 `json:"expected,omitempty"`
}

// Known is the number of episodes whose outcome is known.
func (s OptionStats) Known() int { return s.N - s.Unknown }

// neverTried is the note of an option that nobody took.
const neverTried = "never tried here"

// choice is a decision point with the decisions and options there.
type choice struct {
	point     string
	questions map[string]int     // its wordings
	options   map[string]*option // by key
	uses      []causal.Use
	rejected  [][]string // keys of the options that each use rejected
}

// option is one way to act at a decision point.
type option struct {
	key      string
	wordings map[string]int
	results  map[string]episode.Outcome // by episode that took it
	days     map[string]int             // likewise, of the session
}

func newChoice(point string, uses []causal.Use) *choice {
	c := &choice{point: point, options: map[string]*option{}, uses: uses, rejected: make([][]string, len(uses)),
		questions: map[string]int{}}
	for _, u := range uses {
		if u.Context != "" {
			c.questions[u.Context]++
		}
		o := c.option(u.ChosenKey)
		o.wordings[u.Chosen]++
		o.results[u.Episode] = Combine(o.results[u.Episode], u.Outcome)
		o.days[u.Episode] = u.Day
	}
	keyOf := takenAs(point, uses)
	named := map[string]string{} // keys by text, since the same texts recur
	for i, u := range uses {
		for _, text := range u.Rejected {
			key, ok := named[text]
			if !ok {
				key = keys.Option(text)
				if k, ok := keyOf[key]; ok {
					key = k
				}
				named[text] = key
			}
			if key != "" {
				c.option(key).wordings[text]++
				c.rejected[i] = append(c.rejected[i], key)
			}
		}
	}
	return c
}

// takenAs maps the key that follows from the wording of an option to the key under which
// it was taken. An episode may give its options explicit keys, but a use has only that
// of the option taken; the same wording elsewhere leads to it. Not done for decisions
// without a question, which have too many options.
func takenAs(point string, uses []causal.Use) map[string]string {
	out := map[string]string{}
	if point != "" {
		named := map[string]string{}
		for _, u := range uses {
			key, ok := named[u.Chosen]
			if !ok {
				key = keys.Option(u.Chosen)
				named[u.Chosen] = key
			}
			out[key] = u.ChosenKey
		}
	}
	return out
}

func (c *choice) option(key string) *option {
	o := c.options[key]
	if o == nil {
		o = &option{key: key, wordings: map[string]int{}, results: map[string]episode.Outcome{}, days: map[string]int{}}
		c.options[key] = o
	}
	return o
}

// question is the commonest wording of the question, or its key; "" where the logs give
// none.
func (c *choice) question() string { return cmp.Or(Commonest(c.questions), c.point) }

// sorted returns the options by key.
func (c *choice) sorted() []*option {
	var out []*option
	for _, k := range slices.Sorted(maps.Keys(c.options)) {
		out = append(out, c.options[k])
	}
	return out
}

// MostOptions is how many options of a question an answer shows one by one.
const MostOptions = 50

// shown returns the options to show one by one, by key, and the others as one; nil when
// there are none. The two that are compared are always shown, named here or not.
func (c *choice) shown(actual, alternative *option) (list []*option, rest *OptionStats) {
	list = c.sorted()
	if alternative != nil && c.options[alternative.key] != alternative {
		list = append(list, alternative)
	}
	if len(list) <= MostOptions {
		return list, nil
	}
	compared := func(o *option) int { return stats.Indicator(o == actual || o == alternative) }
	slices.SortStableFunc(list, func(a, b *option) int { return cmp.Or(compared(b)-compared(a), len(b.results)-len(a.results)) })
	pool := &option{results: map[string]episode.Outcome{}, days: map[string]int{}}
	for _, o := range list[MostOptions:] {
		for id, out := range o.results {
			pool.results[id] = Combine(pool.results[id], out)
			pool.days[id] = o.days[id]
		}
	}
	s := pool.stats()
	s.Pooled, s.Note = len(list)-MostOptions, ""
	s.Option = fmt.Sprintf("and %d others, pooled", s.Pooled)
	list = list[:MostOptions]
	slices.SortFunc(list, func(a, b *option) int { return strings.Compare(a.key, b.key) })
	return list, &s
}

// mostUsed returns the option that most episodes took, leaving out some by key;
// ties go to the one with more known outcomes, then to the first by key. It is
// nil when there is no other.
func (c *choice) mostUsed(not ...string) *option {
	var best *option
	for _, o := range c.sorted() {
		if slices.Contains(not, o.key) {
			continue
		}
		if best == nil || cmp.Or(len(o.results)-len(best.results), o.tally().Known()-best.tally().Known()) > 0 {
			best = o
		}
	}
	return best
}

// namedTogether narrows decisions without a question to one choice: the option with the
// given key and those that some decision listed with it. Without a question there is no
// other evidence that two decisions were about the same thing.
func (c *choice) namedTogether(key string) *choice {
	beside := map[string]bool{key: true}
	for i, u := range c.uses {
		named := append([]string{u.ChosenKey}, c.rejected[i]...)
		if slices.Contains(named, key) {
			for _, k := range named {
				beside[k] = true
			}
		}
	}
	var uses []causal.Use
	for _, u := range c.uses {
		if beside[u.ChosenKey] {
			uses = append(uses, u)
		}
	}
	out := newChoice(c.point, uses)
	maps.DeleteFunc(out.options, func(k string, _ *option) bool { return !beside[k] })
	return out
}

func (o *option) tally() causal.Tally { return o.tallyWhere(func(int) bool { return true }) }

// tallyWithout leaves out the episodes of a day.
func (o *option) tallyWithout(day int) causal.Tally {
	return o.tallyWhere(func(d int) bool { return d != day })
}

func (o *option) tallyWhere(counts func(day int) bool) causal.Tally {
	var t causal.Tally
	for id, out := range o.results {
		if counts(o.days[id]) {
			t.Add(out, 1)
		}
	}
	return t
}

func (o *option) stats() OptionStats {
	s := o.statsOf(o.tally())
	s.Days = spreadOf(o.days).Days
	return s
}

// statsOf are the figures of some of its episodes.
func (o *option) statsOf(t causal.Tally) OptionStats {
	s := OptionStats{Option: Commonest(o.wordings), N: t.Total(), Successes: t.Success, Partial: t.Partial,
		Failures: t.Failure, Unknown: t.Unknown, High: 1}
	if s.N == 0 {
		s.Note = neverTried
	}
	if known := t.Known(); known > 0 {
		mean := stats.WilsonCentre(t.Success, known, Level)
		i := stats.Wilson(t.Success, known, Level)
		s.Estimate, s.Low, s.High = &mean, i.Low, i.High
	}
	return s
}

// compareStats orders options, the best first: by what the outcome model expects, then
// by estimate, those without either last, and then those that are pooled.
func compareStats(a, b OptionStats) int {
	value := func(s OptionStats) float64 {
		if s.Estimate == nil {
			return -1
		}
		return *s.Estimate
	}
	expected := func(s OptionStats) float64 {
		if s.Expected == nil {
			return -1
		}
		return *s.Expected
	}
	return cmp.Or(stats.Indicator(a.Pooled > 0)-stats.Indicator(b.Pooled > 0), cmp.Compare(expected(b), expected(a)),
		cmp.Compare(value(b), value(a)), b.N-a.N, strings.Compare(a.Option, b.Option))
}
