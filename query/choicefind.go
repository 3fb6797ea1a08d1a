package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/internal/lazy"
	"episodes/keys"
)

// found is a decision point that a what-if may be about.
type found struct {
	choice     *choice
	option     *option     // the one asked about; nil when the words name none
	against    *option     // to be compared with, or nil
	byQuestion bool        // the words name the question instead
	own        *causal.Use // the decision of the episode asked about
	note       string
	also       []OtherChoice

	fit float64
}

var decisionRef = lazy.Pattern(`^(?:([^#\s]+)#)?(d\d{3,})$`)

// maxAlsoAt is how many other decision points are named.
const maxAlsoAt = 5

const (
	// leastShared is the share of the telling words that an option must have.
	leastShared = 0.7
	// leastClose is the least fit of an option that is offered instead of an answer.
	leastClose = 0.25
)

// findChoice finds the decision point that a query is about, or nil, and then perhaps what
// comes closest. The query names it by a decision, by a node, or by words, which are compared with the options first, then
// with the questions. An option that fits nowhere is still looked for where the context
// fits.
func findChoice(r Reader, q WhatIfQuery, all []causal.Use) (*found, *ClosestChoice, error) {
	if f, ok, err := namedChoice(q, all); ok || err != nil {
		return f, nil, err
	}
	pointsWith := pointsByWord(all)
	if err := q.splitHyphens(r, pointsWith); err != nil {
		return nil, nil, err
	}
	s := &choiceSearch{all: all, q: q, asked: keys.Option(q.Option)}
	var points, atContext []candidate
	var err error
	if s.words, points, err = newMatcher(q.Option, len(all), pointsWith); err != nil {
		return nil, nil, err
	}
	if q.Context != "" {
		if s.context, atContext, err = newMatcher(q.Context, len(all), pointsWith); err != nil {
			return nil, nil, err
		}
	}
	s.visitAll(points, atContext)
	best, asked := s.pick(s.byOption), s.pick(s.byQuestion)
	if best == nil || best.own == nil && asked != nil && asked.own != nil {
		best = asked // a point at which the episode decided is the better match
	}
	if best == nil && s.closestFit >= leastClose {
		return nil, s.closest, nil
	}
	return best, nil, nil
}

// pointsByWord returns what finds the keys of the decision points whose question or
// options, taken or rejected, have a word.
func pointsByWord(all []causal.Use) func(word string) ([]string, error) {
	points := map[string][]string{}
	for _, u := range all[len(usesAt(all, "")):] { // without a question there is no point to find
		for _, text := range append([]string{u.Context, u.Chosen}, u.Rejected...) {
			for _, w := range keys.Words(text) {
				if at := points[w]; len(at) == 0 || at[len(at)-1] != u.Point { // they come by point
					points[w] = append(at, u.Point)
				}
			}
		}
	}
	return func(word string) ([]string, error) { return points[word], nil }
}

// usesAt returns the decisions at a decision point; at "" those whose log gives no
// question. all is sorted by point.
func usesAt(all []causal.Use, point string) []causal.Use {
	byPoint := func(u causal.Use, p string) int { return strings.Compare(u.Point, p) }
	i, _ := slices.BinarySearchFunc(all, point, byPoint)
	n, _ := slices.BinarySearchFunc(all[i:], point+"\x00", byPoint)
	return all[i : i+n]
}

// splitHyphens splits the hyphenated words of the query that no decision has.
func (q *WhatIfQuery) splitHyphens(r Reader, pointsWith func(string) ([]string, error)) (err error) {
	named := func(w string) ([]string, error) {
		// Decisions without a question are only found by the labels of their nodes.
		if ids, err := pointsWith(w); err != nil || len(ids) > 0 {
			return ids, err
		}
		return r.WithWord(w)
	}
	if q.Option, err = spaced(q.Option, named); err != nil {
		return err
	}
	q.Context, err = spaced(q.Context, named)
	return err
}

// namedChoice handles a decision (EPISODE#d001, or d001 of the episode asked
// about) and a decision node (n…).
func namedChoice(q WhatIfQuery, all []causal.Use) (*found, bool, error) {
	ref := strings.TrimSpace(q.Option)
	keep, err := q.namedUse(ref)
	if keep == nil || err != nil {
		return nil, false, err
	}
	i := slices.IndexFunc(all, keep)
	if i < 0 {
		return nil, false, nil
	}
	if strings.TrimSpace(q.Context) != "" {
		return nil, false, fmt.Errorf("%w: %q has a question of its own, so the context %q has no place",
			ErrContradiction, ref, q.Context)
	}
	u := all[i]
	c := newChoice(u.Point, usesAt(all, u.Point))
	if u.Point == "" {
		c = c.namedTogether(u.ChosenKey)
	}
	f := &found{choice: c, option: c.options[u.ChosenKey]}
	if !nodeRef().MatchString(ref) {
		f.own = &u
	} else if q.Episode != "" {
		f.own = ownUse(c, q.Episode, u.ChosenKey)
	}
	return f, true, nil
}

// namedUse returns a filter for the decisions that ref names; nil when it names none.
func (q *WhatIfQuery) namedUse(ref string) (func(causal.Use) bool, error) {
	if m := decisionRef().FindStringSubmatch(ref); m != nil && (m[1] != "" || q.Episode != "") {
		ep := cmp.Or(m[1], q.Episode)
		if q.Episode != "" && !isEpisode(ep, q.Episode) && !isEpisode(q.Episode, ep) {
			return nil, fmt.Errorf("%w: %q is no decision of episode %q", ErrContradiction, ref, q.Episode)
		}
		return func(u causal.Use) bool { return u.Record == m[2] && isEpisode(u.Episode, ep) }, nil
	}
	if nodeRef().MatchString(ref) {
		return func(u causal.Use) bool { return u.Node == ref }, nil
	}
	return nil, nil
}
