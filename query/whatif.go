package query

import (
	"cmp"
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
	Option  string // words, EPISODE#d001 or a node id
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
	res := &WhatIfResult{Options: []OptionStats{}, Matched: []MatchedUse{}, Verdict: NotEnoughEvidence}
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
		if f != nil { // a match with all options selects no option
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
	res.Later = laterThanOption(q.Episodes, all, f.choice, alternative)
	var model *infer.Comparison
	if q.Study != nil {
		model = f.expect(q.Study, res, actual, alternative, shown)
	}
	slices.SortFunc(res.Options, compareStats)
	res.setVerdict(actual, alternative, model)
	res.Method = res.method()
	if q.Episodes != nil {
		if res.Rationales, err = rationales(q.Episodes, f.choice, alternative, actual); err == nil {
			res.Ended, err = endedOtherwise(r, q.Episodes, f.choice, cmp.Or(alternative, actual))
		}
	}
	return res, err
}

// endedOtherwise returns what ended the failures that an option answers, unless that is the
// option itself.
func endedOtherwise(r Reader, eps Episodes, c *choice, o *option) (out []Said, err error) {
	asked := map[string]bool{}
	for _, u := range c.uses {
		if o == nil || u.ChosenKey != o.key {
			continue
		}
		for _, id := range u.Triggers {
			if asked[id+" "+u.Node] {
				continue
			}
			asked[id+" "+u.Node] = true
			end, err := endOf(r, eps, id)
			if err != nil {
				return nil, err
			}
			if end != nil && end.Node != u.Node {
				out = addSaid(out, *end, true)
			}
		}
	}
	return out[:min(len(out), mostRationales)], nil
}

// askEach looks up each option that the question names. If the options were named at one
// decision point, it returns that point, since they can be compared there.
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
	s := sources{eps: eps, seen: map[string]*session{}}
	uses := slices.Clone(c.uses)
	slices.SortStableFunc(uses, func(a, b causal.Use) int { return b.Day - a.Day })
	for _, o := range options {
		for _, u := range uses[:min(len(uses), mostPlaces)] {
			if o == nil || u.ChosenKey != o.key || len(out) == mostRationales {
				continue
			}
			ep, err := s.session(u.Episode)
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
	if m := decisionRef().FindStringSubmatch(strings.TrimSpace(q.Option)); m != nil && m[1] != "" {
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
