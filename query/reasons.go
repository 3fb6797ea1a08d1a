package query

import (
	"fmt"
	"slices"

	"episodes/infer"
	"episodes/internal/plain"
)

// Reasons explain an answer: the method, the evidence, what was adjusted for, and what
// would change it.
type Reasons struct {
	Method      []string `json:"method"`
	Rests       []string `json:"rests_on"`
	Adjusted    []string `json:"adjusted_for"` // empty: nothing was
	WouldChange []string `json:"would_change"`
}

func newReasons(h infer.Health) *Reasons {
	return &Reasons{Method: []string{}, Adjusted: []string{}, WouldChange: []string{},
		Rests: []string{fmt.Sprintf("%d of %s with a measured outcome, %d of them good", h.Measured,
			plain.Plural(h.Sessions, "session"), h.Successes)}}
}

func (r *Reasons) by(format string, args ...any) {
	r.Method = append(r.Method, fmt.Sprintf(format, args...))
}
func (r *Reasons) on(format string, args ...any) {
	r.Rests = append(r.Rests, fmt.Sprintf(format, args...))
}
func (r *Reasons) change(format string, args ...any) {
	r.WouldChange = append(r.WouldChange, fmt.Sprintf(format, args...))
}

// adjust adds what was adjusted for, once.
func (r *Reasons) adjust(what string) {
	if !slices.Contains(r.Adjusted, what) {
		r.Adjusted = append(r.Adjusted, what)
	}
}

// Quote puts words of a log into quotation marks that they cannot end.
func Quote(s string) string { return plain.Quote(s, maxQuoted) }

// maxQuoted is the largest number of bytes of a quotation in a sentence.
const maxQuoted = 300

// more adds what the records as a whole lack.
func (r *Reasons) more(h infer.Health) *Reasons {
	for _, w := range h.Wanted {
		r.change("%s", w)
	}
	if h.Random > 0 {
		r.change("more choices made at random, of which there are %d: only they rule out hidden causes", h.Random)
	}
	return r
}

// Reasons explain the answer to a what-if.
func (r *WhatIfResult) Reasons(h infer.Health) *Reasons {
	out := newReasons(h)
	sides := []OptionStats{r.Alternative, r.Actual}
	for _, s := range sides {
		if s.Option != "" {
			unknown := ""
			if s.Unknown > 0 {
				unknown = fmt.Sprintf(", %d more unknown", s.Unknown)
			}
			out.on("%s: %s with a known outcome at this question%s", Quote(s.Option), plain.Plural(s.Known(), "session"), unknown)
		}
	}
	m := r.Model
	switch {
	case len(r.Matched) == 0:
		out.by("none: no decision names the option or the question")
	case r.Judged():
		out.by("outcome model: hierarchical logistic regression of option, task, instance and what was seen before the choice, with interactions and a spread that all questions share, averaged over like sessions (g-formula)")
		out.by("90 %% intervals of that average, or of the very thing asked about, which hold the spread between things; better or worse where that of the difference leaves out zero, no difference where it is within 0.1")
		if m.ByTask {
			out.adjust("the task")
		}
		for _, seen := range m.Adjusted {
			out.adjust(Quote(seen))
		}
	default:
		out.by("rates of success with 90 %% Wilson intervals, their difference by Newcombe's method, from %d known outcomes of each side",
			leastKnown)
	}
	if m != nil && m.Alternative.Supported {
		out.on("the model counts the question in all its wordings: %s, %d in this very context",
			plain.Plural(m.Alternative.N, "use"), m.Alternative.Exact)
		if m.Random > 0 {
			out.by("the choices made at random decide, which nothing confounds")
		}
		if m.Since != "" {
			out.on("only what came since %s, when outcomes changed: %s left out", m.Since, plain.Plural(m.Older, "older decision"))
		}
	}
	out.addWhatWouldChange(r)
	return out.more(h)
}

// addWhatWouldChange adds what would change the verdict of a what-if.
func (out *Reasons) addWhatWouldChange(r *WhatIfResult) {
	for _, s := range []OptionStats{r.Alternative, r.Actual} {
		if k := s.Known(); s.Option != "" && k < leastKnown {
			out.change("%d more of known outcome of %s", leastKnown-k, Quote(s.Option))
		}
	}
	if r.Actual.Option == "" || min(r.Alternative.Known(), r.Actual.Known()) < leastKnown {
		return
	}
	if r.Verdict == NotEnoughEvidence {
		out.change("more sessions of both")
		return
	}
	if r.Judged() && r.Model.Random == 0 && r.Model.Gain.EValueLimit > 1 {
		out.change("something not logged that makes both choice and outcome %.1f times as likely (E-value of the limit)",
			r.Model.Gain.EValueLimit)
	}
}

// Reasons explain an answer about a path.
func (r *PathResult) Reasons(h infer.Health) *Reasons {
	out := newReasons(h)
	out.by("stated: what logs say; the weight of a step is the share of the sessions with its beginning that state it (Jeffreys prior; implied links count half), that of a path the product of its steps")
	if len(r.Paths) > 0 {
		p := r.Paths[0]
		w := p.Hops[p.Weakest]
		out.on("stated: %s; its weakest step is said in %d of %s", plain.Plural(len(r.Paths), "path"), w.EvidenceCount,
			plain.Plural(max(w.Of, w.EvidenceCount), "session"))
		out.change("logs that state, or leave out, %s %s %s", Quote(w.Source.Label), LinkVerb(w.Type, false), Quote(w.Target.Label))
	} else {
		out.on("stated: no path")
		out.change("a log that states what leads there")
	}
	l := r.Learned
	switch {
	case l == nil:
		out.on("across sessions: nothing is known of both ends")
	case !l.Any():
		out.by("across sessions: exact stratified tests (mid-p) of what goes with what, false-discovery rate 10 %%, then what other causes explain goes")
		out.on("across sessions: no edge between them stands")
	default:
		out.by("across sessions: exact stratified tests (mid-p) of what goes with what, false-discovery rate 10 %%, then what other causes explain goes; the weight of a step is its causal power")
		list := append(append([]LearnedPath{}, l.Raises...), l.Lowers...)
		w := list[0].Hops[list[0].Weakest]
		out.on("across sessions: its weakest step: %d sessions with %s and %d without, q %.3g", w.N, Quote(w.Source), w.OtherN, w.Q)
		out.Adjusted = append(out.Adjusted, "the task",
			"what else causes the end of a hop, where that explains it",
			"order in time (a cause comes first in four of five sessions)")
	}
	return out.more(h)
}

// PatternReasons explain a list of patterns, mined among so many candidates.
func PatternReasons(list []Pattern, considered, testable int, h infer.Health) *Reasons {
	out := newReasons(h)
	out.by("exact stratified test (mid-p) of an action against the other options of its question, in every context known before the choice; false-discovery rate 10 %% (Benjamini and Hochberg)")
	out.by("an interval of a rate is Wilson's, of an adjusted difference Mantel and Haenszel's or, with one stratum, Newcombe's; 90 %%")
	out.on("pairs of a context and an action: %d, of which %d have counts that could show anything", considered, testable)
	for _, p := range list {
		out.on("%s %s: %s, against %d of %s", p.ID, Quote(p.Action), plain.Plural(p.Occurrences, "session"), p.BaselineN, p.Basis)
		if p.Adjusted != nil {
			out.adjust("the task")
			for _, a := range p.Adjusted.For {
				out.adjust(Quote(a))
			}
		}
	}
	if len(list) == 0 {
		out.change("sessions that take different options at one question, under the same task, with measured outcomes")
	}
	return out.more(h)
}
