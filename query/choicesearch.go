package query

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/keys"
	"episodes/stats"
)

// choiceSearch collects the decision points that fit.
type choiceSearch struct {
	all            []causal.Use // by point
	q              WhatIfQuery
	asked          string // key of the option
	words, context *matcher
	untried        bool // looking for a point by its context alone
	byOption       []*found
	byQuestion     []*found
	best           float64
	closest        *ClosestChoice // of the options that the words come near but do not name
	closestFit     float64
	partial        []partialQuestion // of the choice that is being considered
}

// visitAll considers the decision points that the words may name, the decisions without
// a question and, where nothing fits, the points that the context may name.
func (s *choiceSearch) visitAll(points, atContext []candidate) {
	s.visit(points)
	s.visitUnasked()
	if len(s.byOption) == 0 && len(s.byQuestion) == 0 {
		s.untried = true
		s.visit(atContext)
	}
}

// visit considers decision points, best bound first, until no other can fit better.
func (s *choiceSearch) visit(points []candidate) {
	for _, p := range points[:min(len(points), maxReads)] {
		if p.bound < s.floor() {
			return
		}
		s.consider(newChoice(p.id, usesAt(s.all, p.id)))
	}
}

// floor returns the fit below which a decision point cannot be the answer. With an episode it
// is minFit: a point at which the episode decided beats a better fit.
func (s *choiceSearch) floor() float64 {
	if s.q.Episode != "" {
		return minFit
	}
	return max(minFit, closeFit*s.best)
}

// visitUnasked looks through the decisions whose log gives no question. Only
// the options named together make a choice there, so a context cannot fit.
func (s *choiceSearch) visitUnasked() {
	if s.context != nil {
		return
	}
	uses := usesAt(s.all, "")
	all := newChoice("", uses)
	own := map[string]bool{} // named by the episode asked about
	for i, u := range uses {
		if s.q.Episode != "" && isEpisode(u.Episode, s.q.Episode) {
			for _, k := range append([]string{u.ChosenKey}, all.rejected[i]...) {
				own[k] = true
			}
		}
	}
	type fitting struct {
		*option
		fit float64
	}
	var fit []fitting
	s.partial = s.partialQuestions(all)
	for _, o := range all.sorted() {
		if f := s.fitOption(all, o); f >= minFit {
			fit = append(fit, fitting{o, f})
		}
	}
	slices.SortStableFunc(fit, func(a, b fitting) int {
		return cmp.Or(stats.Indicator(own[b.key])-stats.Indicator(own[a.key]), cmp.Compare(b.fit, a.fit), len(b.results)-len(a.results))
	})
	for _, o := range fit[:min(len(fit), 1+maxAlsoAt)] {
		if o.fit >= s.floor() {
			s.consider(all.namedTogether(o.key))
		}
	}
}

// consider computes how well one decision point fits, and keeps it if it does.
func (s *choiceSearch) consider(c *choice) {
	if s.context != nil && s.fitQuestion(s.context, c) < minFit {
		return
	}
	f := &found{choice: c}
	s.partial = s.partialQuestions(c)
	for _, o := range c.sorted() {
		if fit := s.fitOption(c, o); fit > f.fit || fit == f.fit && f.option != nil && len(o.results) > len(f.option.results) {
			f.fit, f.option = fit, o
		}
	}
	switch {
	case s.untried:
		f.option, f.fit = nil, s.fitQuestion(s.context, c)
		s.byOption = append(s.byOption, f)
	case f.fit >= minFit:
		s.best = max(s.best, f.fit)
		s.byOption = append(s.byOption, f)
	default:
		f.option, f.byQuestion, f.fit = nil, true, s.fitQuestion(s.words, c)
		if f.fit >= minFit && (s.q.Episode != "" || len(c.options) > 1) {
			s.byQuestion = append(s.byQuestion, f)
		}
	}
}

// fitOption returns how well the words name an option. They may also name its question,
// as a decision's label does, but not the question alone.
func (s *choiceSearch) fitOption(c *choice, o *option) float64 {
	best := 0.0
	for _, wording := range slices.Sorted(maps.Keys(o.wordings)) {
		fit, shared, of, named := s.fitWording(o, wording)
		if named {
			best = max(best, fit)
		} else if shared >= min(2, of) && fit > s.closestFit {
			s.closestFit, s.closest = fit, c.closest(o.key, wording)
		}
	}
	return best
}

// fitWording returns how well the words fit a wording of an option, how many telling words
// they share of how many, and whether that is enough to name it: an option of which the words say the
// opposite is not meant, nor one that has too few of them.
func (s *choiceSearch) fitWording(o *option, wording string) (fit float64, shared, of int, named bool) {
	full := wording
	if fit = s.words.fit(wording); o.key == s.asked {
		fit = 1
	}
	for _, q := range s.partial {
		if q.rest.fit(wording) > 0 {
			if f := s.words.fit(q.question + ": " + wording); f > fit {
				fit, full = f, q.question+": "+wording
			}
		}
	}
	shared, of = s.telling(full)
	return fit, shared, of, !keys.Opposite(s.q.Option, wording) && (fit == 1 || float64(shared) >= leastShared*float64(of))
}

// telling counts the words asked for that say what is done, not that it is, and those of
// them that a text has.
func (s *choiceSearch) telling(text string) (shared, of int) {
	without := s.words.without(text)
	for _, w := range s.words.words {
		if keys.Stance(w) {
			continue
		}
		of++
		if !slices.Contains(without, w) {
			shared++
		}
	}
	return shared, of
}

// partialQuestion is a question that has some of the words asked for; rest has the others.
type partialQuestion struct {
	question string
	rest     *matcher
}

// partialQuestions returns the questions of a choice that leave some of the words to its
// options.
func (s *choiceSearch) partialQuestions(c *choice) (out []partialQuestion) {
	if c.point == "" {
		return nil // what was asked, if anything, was the option itself
	}
	for question := range c.questions {
		if rest := s.words.without(question); len(rest) > 0 && len(rest) < len(s.words.words) {
			out = append(out, partialQuestion{question, &matcher{words: rest, weight: s.words.weight, total: 1}})
		}
	}
	return out
}

func (s *choiceSearch) fitQuestion(m *matcher, c *choice) float64 {
	return bestFit(m, c.questions)
}

func bestFit(m *matcher, wordings map[string]int) float64 {
	best := 0.0
	for w := range wordings {
		best = max(best, m.fit(w))
	}
	return best
}

// pick returns the best of the decision points that fit: with an episode a point at which
// it decided, then the best fit, then the most evidence.
func (s *choiceSearch) pick(list []*found) *found {
	if len(list) == 0 {
		return nil
	}
	for _, f := range list {
		if s.q.Episode != "" {
			taken := ""
			if f.option != nil {
				taken = f.option.key
			}
			f.own = ownUse(f.choice, s.q.Episode, taken)
		}
	}
	slices.SortStableFunc(list, func(a, b *found) int {
		return cmp.Or(stats.Indicator(b.own != nil)-stats.Indicator(a.own != nil), cmp.Compare(b.fit, a.fit), b.known()-a.known(),
			len(b.choice.uses)-len(a.choice.uses), strings.Compare(a.choice.point, b.choice.point))
	})
	best := list[0]
	if s.q.Episode != "" && best.own == nil {
		best.note = fmt.Sprintf("%s has no decision at this point, so the most used other option stands for what was done",
			s.q.Episode)
	}
	for _, f := range list[1:] {
		if f.option != nil && len(best.also) < maxAlsoAt && f.fit >= closeFit*best.fit {
			best.also = append(best.also,
				OtherChoice{Context: f.choice.question(), Option: Commonest(f.option.wordings), Uses: len(f.choice.uses)})
		}
	}
	return best
}

// closest describes an option, with the last decision for it if it was ever taken.
func (c *choice) closest(key, wording string) *ClosestChoice {
	var last *causal.Use
	for i := range c.uses {
		if u := &c.uses[i]; u.ChosenKey == key && (last == nil || u.Day >= last.Day) {
			last = u
		}
	}
	out := &ClosestChoice{Context: c.question(), Option: wording}
	if last != nil {
		out.Episode, out.Record = last.Episode, last.Record
	}
	return out
}

func (f *found) known() int {
	n := 0
	for _, o := range f.choice.options {
		n += o.tally().Known()
	}
	return n
}

// ownUse returns the decision of an episode at a choice: the last one that took
// another option than the one asked about, or else the last one.
func ownUse(c *choice, ep, asked string) *causal.Use {
	var own *causal.Use
	for i := range c.uses {
		u := &c.uses[i]
		if isEpisode(u.Episode, ep) && (own == nil || u.ChosenKey != asked || own.ChosenKey == asked) {
			own = u
		}
	}
	return own
}
