package query

import (
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
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
	Base   Base          `json:"base"`
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

// Base is the overall success rate of the graph's sessions.
type Base struct {
	Successes int `json:"successes"`
	N         int `json:"n"` // sessions with a known outcome
}

// leastKnown is the number of known outcomes that each side needs for a verdict other than
// NotEnoughEvidence, regardless of the interval.
const leastKnown = 3

// method describes how the figures were computed and their limits.
func (r *WhatIfResult) method() string {
	if len(r.Matched) == 0 {
		return fmt.Sprintf("not answered: no decision here bears on it; of all sessions with a known outcome %d of %d succeeded",
			r.Base.Successes, r.Base.N)
	}
	var unknown, borrowed int
	for _, m := range r.Matched {
		if !m.Outcome.Known() {
			unknown++
		} else if !m.Own {
			borrowed++
		}
	}
	parts := []string{
		fmt.Sprintf("counted over the %s that decided this; an estimate is the rate of success shrunk towards one half, the centre of its 90 %% Wilson interval",
			plain.Plural(countEpisodes(r.Matched), "session")),
	}
	switch {
	case r.Judged() && min(r.Alternative.Known(), r.Actual.Known()) >= leastKnown:
		parts = append(parts,
			"the verdict is that of the outcome model: a logistic regression on option, task and what was seen before, with interactions and shared shrinkage, averaged over like sessions; its 90 % interval is by the delta method")
	case r.Effect != nil:
		parts = append(parts, "the effect is alternative minus actual with Newcombe's 90 % interval")
	case min(r.Alternative.Known(), r.Actual.Known()) < leastKnown:
		parts = append(parts, fmt.Sprintf("options are compared when each has %d known outcomes", leastKnown))
	default:
		parts = append(parts, "Newcombe's 90 % interval of the difference holds both better and worse")
	}
	if unknown > 0 {
		parts = append(parts, fmt.Sprintf("%s with unknown outcome counted for neither side", plain.Plural(unknown, "decision")))
	}
	if borrowed > 0 {
		parts = append(parts,
			fmt.Sprintf("for %s the outcome is that of the whole session, since the log gives none of its own",
				plain.Plural(borrowed, "decision")))
	}
	if !r.Judged() {
		parts = append(parts, "what else differed between the sessions is not adjusted for")
	}
	if r.Decision.Episode != "" {
		parts = append(parts, "what this one session would have come to cannot be known")
	}
	return strings.Join(parts, "; ")
}
