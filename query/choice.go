package query

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
	"episodes/stats"
)

// OptionStats is what came of one option at one decision point. An episode
// counts once for an option, however often it took it (see Combine).
type OptionStats struct {
	Option    string `json:"option"`
	N         int    `json:"n"` // episodes that took it
	Successes int    `json:"successes"`
	Partial   int    `json:"partial"` // known, but no success
	Failures  int    `json:"failures"`
	Unknown   int    `json:"unknown"` // in none of the figures below
	// Estimate is the rate of success among the known outcomes, shrunk towards
	// one half: the centre of the Wilson interval that Low and High give. It is
	// null when no outcome is known, and Low and High are then 0 and 1.
	Estimate *float64 `json:"estimate"`
	Low      float64  `json:"low"`
	High     float64  `json:"high"`
	Note     string   `json:"note,omitempty"`
	// Expected is the probability of success by the outcome model, under like
	// conditions; null where that does not judge, or nobody tried the option.
	Expected *float64 `json:"expected,omitempty"`
}

// Known is the number of episodes whose outcome is known.
func (s OptionStats) Known() int { return s.N - s.Unknown }

// neverTried is the note of an option that nobody took.
const neverTried = "never tried here"

// choice is a decision point with all that was named and taken there.
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
}

func newChoice(point string, uses []causal.Use) *choice {
	c := &choice{point: point, options: map[string]*option{}, uses: uses, rejected: make([][]string, len(uses)), questions: map[string]int{}}
	for _, u := range uses {
		if u.Context != "" {
			c.questions[u.Context]++
		}
		o := c.option(u.ChosenKey)
		o.wordings[u.Chosen]++
		o.results[u.Episode] = Combine(o.results[u.Episode], u.Outcome)
	}
	keyOf := takenAs(point, uses)
	named := map[string]string{} // options are named again and again in the same words
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

// takenAs maps the key that the wording of an option gives to the key under which
// it was taken. An episode may give its options keys of their own, but a use names
// only that of the one taken; the same wording elsewhere leads to it. Without a
// question there are too many options for that to be worth its time.
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
		o = &option{key: key, wordings: map[string]int{}, results: map[string]episode.Outcome{}}
		c.options[key] = o
	}
	return o
}

// question is the commonest wording of what is being decided; the key where
// there is only that, and "" where the log does not say.
func (c *choice) question() string { return cmp.Or(Commonest(c.questions), c.point) }

// sorted returns the options by key.
func (c *choice) sorted() []*option {
	var out []*option
	for _, k := range slices.Sorted(maps.Keys(c.options)) {
		out = append(out, c.options[k])
	}
	return out
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

// together narrows decisions without a question to one choice: the option with
// the given key and those that some decision named beside it. Without a question
// nothing else says that two decisions were about the same thing.
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

func (o *option) tally() causal.Tally {
	var t causal.Tally
	for _, out := range o.results {
		t.Add(out, 1)
	}
	return t
}

func (o *option) stats() OptionStats {
	t := o.tally()
	s := OptionStats{Option: Commonest(o.wordings), N: t.Total(), Successes: t.Success, Partial: t.Partial, Failures: t.Failure, Unknown: t.Unknown, High: 1}
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

// compareStats puts the options with known outcomes first, the best before: by what
// the outcome model expects where it does.
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
	return cmp.Or(cmp.Compare(expected(b), expected(a)), cmp.Compare(value(b), value(a)), b.N-a.N, strings.Compare(a.Option, b.Option))
}
