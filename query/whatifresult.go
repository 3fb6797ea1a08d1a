package query

import (
	"fmt"

	"episodes/episode"
)

// WhatIfResult compares the option asked about with what was done instead.
type WhatIfResult struct {
	Decision    WhatIfDecision `json:"decision"`
	Actual      OptionStats    `json:"actual"`
	Alternative OptionStats    `json:"alternative"`
	// Options are those at this decision point, best first: the two that are compared and
	// the most used, at most MostOptions; the others are one, the last.
	Options []OptionStats `json:"options"`
	Effect  *Effect       `json:"effect"` // null when the verdict is not_enough_evidence
	Verdict Verdict       `json:"verdict"`
	// Spread is that of the episodes of both sides with a known outcome.
	Spread
	// HangsOn is a day without whose sessions the verdict changes; null if no such day
	// exists. See setVerdict.
	HangsOn *HangsOn     `json:"hangs_on,omitempty"`
	Method  string       `json:"method"`
	Matched []MatchedUse `json:"matched"` // the decisions that were counted
	Note    string       `json:"note,omitempty"`
	// Asked are the options that the words name, as in "A or B?", where the logs know some of
	// them but never compare them.
	Asked []AskedOption `json:"asked,omitempty"`
	// Later is what was decided after the option asked about was last taken.
	Later *LaterDecision `json:"later,omitempty"`
	// Closest is the option that the words come nearest to, where they name none. Nothing
	// is answered for it.
	Closest *ClosestChoice `json:"closest,omitempty"`
	// Rationales are the reasons that the logs give for the two options, the newest first;
	// Of is the option.
	Rationales []Said `json:"rationales,omitempty"`
	// Ended is what ended the failures that the option asked about answers, where it was
	// something else; Of is the failure.
	Ended  []Said        `json:"ended,omitempty"`
	AlsoAt []OtherChoice `json:"also_at,omitempty"`
}

// WhatIfDecision is the decision that was asked about.
type WhatIfDecision struct {
	Context string `json:"context"` // the question
	Chosen  string `json:"chosen"`
	Episode string `json:"episode"` // "" when no single episode was asked about
	Record  string `json:"record,omitempty"`
}

// Effect is the difference of two rates of success, alternative minus actual.
type Effect struct {
	Difference float64 `json:"difference"` // of the two estimates
	Low        float64 `json:"low"`        // Newcombe's, of the difference of rates
	High       float64 `json:"high"`
}

// MatchedUse is one decision behind the figures.
type MatchedUse struct {
	Episode  string          `json:"episode"`
	Decision string          `json:"decision"`
	Chosen   string          `json:"chosen"`
	Outcome  episode.Outcome `json:"outcome"`
	Own      bool            `json:"own_result"` // else the outcome is its session's
	// Superseded is what took its place, causal.NotNamed where nothing is named; "" while
	// it holds.
	Superseded string `json:"superseded,omitempty"`
}

// OtherChoice is another decision point at which the option was named.
type OtherChoice struct {
	Context string `json:"context"`
	Option  string `json:"option"`
	Uses    int    `json:"uses"`
}

// ClosestChoice is an option that may be meant.
type ClosestChoice struct {
	Context string   `json:"context"` // the question
	Option  string   `json:"option"`
	Not     []string `json:"not,omitempty"` // the options that were not taken then
	Reason  string   `json:"reason,omitempty"`
	Episode string   `json:"episode,omitempty"` // where it was taken last
	Record  string   `json:"record,omitempty"`
}

// leastKnown is the number of known outcomes that each side needs for a verdict other than
// NotEnoughEvidence, regardless of the interval.
const leastKnown = 3

// method describes how the figures were computed and their limits.
func (r *WhatIfResult) method() string {
	switch {
	case len(r.Matched) == 0:
		return "none: no decision here bears on it"
	case min(r.Alternative.Known(), r.Actual.Known()) < leastKnown:
		return fmt.Sprintf("counts of sessions; options are compared when each has %d known outcomes", leastKnown)
	case r.Judged():
		return "a logistic regression on option, task and what was seen before the choice, averaged over like sessions, and the 90 % interval of its difference"
	}
	return "counts of sessions, and Newcombe's 90 % interval of the difference of their rates; what else differed is not adjusted for"
}
