package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
	"episodes/internal/plain"
)

// WhatIfQuery asks what the outcome of another option would have been.
type WhatIfQuery struct {
	Option  string // words of the option; or a decision, EPISODE#d001 or a node id
	Episode string // ask about this episode's decision; id or session
	Context string // words of the question that was decided
	// Episodes, when not nil, give the reasons of the decisions.
	Episodes Episodes
	// Study, when not nil, adds the outcome model, on which the verdict then rests.
	Study *infer.Study
}

// ErrContradiction means that the parts of a what-if contradict each other: a decision
// given by reference has its own question and its own episode.
var ErrContradiction = errors.New("the parts of the question contradict each other")

// Verdict is the short answer of a what-if.
type Verdict string

// The verdicts. A difference counts when its whole interval lies on one side of
// zero, none when the whole interval lies within a tenth of zero.
const (
	Better            Verdict = "better"
	Worse             Verdict = "worse"
	NoDifference      Verdict = "no_difference"
	NotEnoughEvidence Verdict = "not_enough_evidence"
)

// noDifference is the largest absolute difference that counts as none.
const noDifference = 0.1

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
	// HangsOn is the day without whose sessions the verdict is another one; null when
	// there is none. See setVerdict.
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
	Rationales []Said        `json:"rationales,omitempty"`
	AlsoAt     []OtherChoice `json:"also_at,omitempty"`
	Base       Base          `json:"base"`
	// Model is the outcome model's answer; null without a study, or where it does not
	// know the option.
	Model   *Modelled `json:"model,omitempty"`
	Explain *Reasons  `json:"explain,omitempty"` // nil unless asked for
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
	Low        float64 `json:"low"`        // Newcombe's interval for the difference of the rates
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

// WhatIf compares an option with what was done instead at the same decision
// point. With an episode that decided there, the actual option is that episode's;
// otherwise it is the most used other option. When the words name what the episode
// chose, the alternative is the most used other option.
//
// Each side is counted over episodes (see OptionStats); an unknown outcome counts
// for neither. Where a side has less than leastKnown known outcomes, or its
// interval leaves the sign of the difference open, the verdict is NotEnoughEvidence
// and there is no effect; an option that nobody named is no error. A context that
// fits no question is ignored, with a note. A decision given by reference together with
// a context or another episode is an ErrContradiction.
func WhatIf(r Reader, q WhatIfQuery) (*WhatIfResult, error) {
	totals, err := r.Totals()
	if err != nil {
		return nil, err
	}
	res := &WhatIfResult{Options: []OptionStats{}, Matched: []MatchedUse{}, Verdict: NotEnoughEvidence}
	res.Base = Base{Successes: totals.Outcomes.Success, N: totals.Outcomes.Known()}
	asked := strings.Join(strings.Fields(q.Option), " ")
	if err := q.countedOnly(r); err != nil {
		return nil, err
	}
	all, err := decisions(r)
	if err != nil {
		return nil, err
	}
	f, closest, err := findChoice(r, q, all)
	if err == nil && f == nil && closest == nil && strings.TrimSpace(q.Context) != "" {
		res.addNote("the context %q matches no question here and is left aside", q.Context)
		q.Context = ""
		f, closest, err = findChoice(r, q, all)
	}
	if options, _ := optionsOf(q.Option); err == nil && options != nil && (f == nil || f.option != nil && f.fit < 1) {
		if f != nil { // it has the words of all options, so it is none of them
			closest = f.choice.closest(f.option.key, Commonest(f.option.wordings))
		}
		f, err = res.askEach(r, q, all)
	}
	if err != nil {
		return nil, err
	}
	if f == nil {
		res.Alternative = (&option{wordings: map[string]int{asked: 1}}).stats()
		res.Actual = OptionStats{High: 1}
		if res.Method = res.method(); res.Asked == nil {
			res.addNote("%s", nothingFound(q, all))
			res.Closest = closest
		}
		return res, nil
	}
	if f.note != "" {
		res.addNote("%s", f.note)
	}
	actual, alternative := f.sides(asked, res)
	res.Actual, res.Alternative = optionStats(actual), optionStats(alternative)
	res.Decision.Context = f.choice.question()
	if f.own == nil {
		res.Decision.Chosen = res.Actual.Option
	}
	shown, rest := f.choice.shown(actual, alternative)
	for _, o := range shown {
		res.Options = append(res.Options, o.stats())
	}
	if rest != nil {
		res.Options = append(res.Options, *rest)
	}
	for _, u := range f.choice.uses {
		res.Matched = append(res.Matched, matchedUse(u))
	}
	res.AlsoAt = f.also
	res.Later = laterThanOption(all, f.choice, alternative)
	if q.Study != nil {
		res.Model = modelOf(q.Study, f, actual, alternative)
	}
	if res.Judged() {
		f.expect(q.Study, shown, res.Options)
	}
	slices.SortFunc(res.Options, compareStats)
	res.setVerdict(q.Study, f, actual, alternative)
	res.Method = res.method()
	if q.Episodes != nil {
		res.Rationales, err = rationales(q.Episodes, f.choice, alternative, actual)
	}
	return res, err
}

// askEach says of each option that the question names what the logs know, if they know any.
// Where the options were named at one decision point it returns that, for they can be
// compared there.
func (res *WhatIfResult) askEach(r Reader, q WhatIfQuery, all []causal.Use) (*found, error) {
	asked, err := findAsked(r, q, all)
	known := slices.DeleteFunc(slices.Clone(asked), func(a askedAbout) bool { return a.found == nil })
	if err != nil || len(known) == 0 {
		return nil, err
	}
	if len(asked) == 2 && len(known) == 2 {
		f := known[0].found
		if f.against = f.choice.options[known[1].option.key]; f.against != nil && f.against != f.option {
			return f, nil
		}
	}
	for _, a := range asked {
		o, err := a.ledger(all, q.Episodes)
		if err != nil {
			return nil, err
		}
		res.Asked = append(res.Asked, o)
	}
	return nil, nil
}

// mostRationales is the largest number of reasons in an answer.
const mostRationales = 6

// rationales returns the reasons that the logs give for options, each once.
func rationales(eps Episodes, c *choice, options ...*option) (out []Said, err error) {
	s := sources{eps: eps, seen: map[string]*episode.Episode{}}
	uses := slices.Clone(c.uses)
	slices.SortStableFunc(uses, func(a, b causal.Use) int { return b.Day - a.Day })
	for _, o := range options {
		for _, u := range uses[:min(len(uses), mostPlaces)] {
			if o == nil || u.ChosenKey != o.key || len(out) == mostRationales {
				continue
			}
			ep, err := s.load(u.Episode)
			if err != nil {
				return nil, err
			}
			if ep == nil || ep.Decision(u.Record) == nil || ep.Decision(u.Record).Rationale == "" {
				continue
			}
			said := place{ep, u.Record}.said(u.Record, u.Chosen)
			said.Text, said.Rationale = said.Rationale, ""
			out = addSaid(out, said, false)
		}
	}
	return out, nil
}

// A Reader may implement copies, to say which episode counts for the session of one.
type copies interface {
	CountsAs(id string) (string, error)
}

// countedOnly puts the episodes that count in place of their copies.
func (q *WhatIfQuery) countedOnly(r Reader) (err error) {
	c, ok := r.(copies)
	if !ok {
		return nil
	}
	if q.Episode != "" {
		if !strings.HasPrefix(q.Episode, episode.IDFromSession("")) {
			q.Episode = episode.IDFromSession(q.Episode)
		}
		if q.Episode, err = c.CountsAs(q.Episode); err != nil {
			return err
		}
	}
	if m := decisionRef.FindStringSubmatch(strings.TrimSpace(q.Option)); m != nil && m[1] != "" {
		id, err := c.CountsAs(m[1])
		q.Option = id + "#" + m[2]
		return err
	}
	return nil
}

// sides returns the option that was taken and the one it is compared with;
// either may be nil.
func (f *found) sides(asked string, res *WhatIfResult) (actual, alternative *option) {
	alternative = f.option
	if alternative == nil && !f.byQuestion { // nobody named it here
		alternative = &option{wordings: map[string]int{asked: 1}}
	}
	if f.against != nil {
		return f.against, f.option
	}
	if f.own != nil {
		actual = f.choice.options[f.own.ChosenKey]
		res.Decision = WhatIfDecision{Chosen: f.own.Chosen, Episode: f.own.Episode, Record: f.own.Record}
		if alternative == actual || alternative == nil {
			res.addNote("the episode chose %s; the most used other option is the alternative", Quote(f.own.Chosen))
			alternative = f.choice.mostUsed(actual.key)
		}
		return actual, alternative
	}
	if alternative == nil {
		actual = f.choice.mostUsed()
		res.addNote("the words name the question, so its two most used options are compared")
		return actual, f.choice.mostUsed(actual.key)
	}
	return f.choice.mostUsed(alternative.key), alternative
}

func optionStats(o *option) OptionStats {
	if o == nil {
		return OptionStats{High: 1, Note: "no other option is on record"}
	}
	return o.stats()
}

func (r *WhatIfResult) addNote(format string, args ...any) {
	if r.Note != "" {
		r.Note += "; "
	}
	r.Note += fmt.Sprintf(format, args...)
}

// leastKnown is the number of known outcomes that each side needs for a verdict other
// than NotEnoughEvidence, whatever the interval.
const leastKnown = 3

// method describes how the figures were computed and their limits.
func (r *WhatIfResult) method() string {
	if len(r.Matched) == 0 {
		return fmt.Sprintf("not answered: no decision here bears on it; of all sessions with a known outcome %d of %d succeeded", r.Base.Successes, r.Base.N)
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
		fmt.Sprintf("counted over the %s that decided this; an estimate is the rate of success shrunk towards one half, the centre of its 90 %% Wilson interval", plural(countEpisodes(r.Matched), "session")),
	}
	switch {
	case r.Judged() && min(r.Alternative.Known(), r.Actual.Known()) >= leastKnown:
		parts = append(parts, "the verdict is that of the outcome model: a logistic regression on option, task and what was seen before, with interactions and shared shrinkage, averaged over like sessions; its 90 % interval is by the delta method")
	case r.Effect != nil:
		parts = append(parts, "the effect is alternative minus actual with Newcombe's 90 % interval")
	case min(r.Alternative.Known(), r.Actual.Known()) < leastKnown:
		parts = append(parts, fmt.Sprintf("options are compared when each has %d known outcomes", leastKnown))
	default:
		parts = append(parts, "Newcombe's 90 % interval of the difference holds both better and worse")
	}
	if unknown > 0 {
		parts = append(parts, fmt.Sprintf("%s with unknown outcome counted for neither side", plural(unknown, "decision")))
	}
	if borrowed > 0 {
		parts = append(parts, fmt.Sprintf("for %s the outcome is that of the whole session, since the log gives none of its own", plural(borrowed, "decision")))
	}
	if !r.Judged() {
		parts = append(parts, "what else differed between the sessions is not adjusted for")
	}
	if r.Decision.Episode != "" {
		parts = append(parts, "what this one session would have come to cannot be known")
	}
	return strings.Join(parts, "; ")
}

func countEpisodes(ms []MatchedUse) int {
	ids := map[string]bool{}
	for _, m := range ms {
		ids[m.Episode] = true
	}
	return len(ids)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// nothingFound is the note for when no decision fits.
func nothingFound(q WhatIfQuery, all []causal.Use) string {
	if q.Episode == "" {
		return "no decision names it as an option or a question"
	}
	var chosen []string
	for _, u := range all {
		if isEpisode(u.Episode, q.Episode) {
			chosen = append(chosen, fmt.Sprintf("%s %s", plain.Name(u.Record, maxQuoted), Quote(u.Chosen)))
		}
	}
	if len(chosen) == 0 {
		return fmt.Sprintf("no decision names it, and no decision of %q is in the graph", q.Episode)
	}
	return fmt.Sprintf("no decision names it; the episode decided %s", strings.Join(chosen, ", "))
}

// decisions reads all decisions.
func decisions(r Reader) (all []causal.Use, err error) {
	err = r.Uses(func(u causal.Use) error {
		all = append(all, u)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the decisions: %w", err)
	}
	return all, nil
}

func isEpisode(id, ref string) bool { return id == ref || id == episode.IDFromSession(ref) }
