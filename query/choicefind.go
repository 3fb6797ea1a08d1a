package query

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/keys"
)

// found is the decision point that a what-if is about.
type found struct {
	choice     *choice
	option     *option     // the one asked about; nil when the words name none
	byQuestion bool        // the words name the question instead
	own        *causal.Use // the decision of the episode asked about
	note       string
	also       []OtherChoice

	fit float64
}

var decisionRef = regexp.MustCompile(`^(?:([^#\s]+)#)?(d\d{3,})$`)

// maxAlsoAt is how many other decision points are named.
const maxAlsoAt = 5

// findChoice finds the decision point. A decision or a node is taken at its
// word. Words are held against the options first, then against the questions; an
// option that fits nowhere is still asked about where the context fits. nil means
// that nothing fits.
func findChoice(r Reader, q WhatIfQuery, decisions int) (*found, error) {
	if f, ok, err := namedChoice(r, q); ok || err != nil {
		return f, err
	}
	pointsWith, err := pointsByWord(r, q.Choices)
	if err != nil {
		return nil, err
	}
	named := func(w string) ([]string, error) {
		// Only nodes show the decisions without a question.
		if ids, err := pointsWith(w); err != nil || len(ids) > 0 {
			return ids, err
		}
		return r.WithWord(w)
	}
	if q.Option, err = spaced(q.Option, named); err != nil {
		return nil, err
	}
	if q.Context, err = spaced(q.Context, named); err != nil {
		return nil, err
	}
	s := &choiceSearch{r: r, q: q, asked: keys.Option(q.Option)}
	var points []candidate
	if s.words, points, err = newMatcher(q.Option, decisions, pointsWith); err != nil {
		return nil, err
	}
	var atContext []candidate
	if q.Context != "" {
		if s.context, atContext, err = newMatcher(q.Context, decisions, pointsWith); err != nil {
			return nil, err
		}
	}
	if err := s.visit(points); err != nil {
		return nil, err
	}
	if err := s.visitUnasked(); err != nil {
		return nil, err
	}
	if len(s.byOption) == 0 && len(s.byQuestion) == 0 {
		s.untried = true
		if err := s.visit(atContext); err != nil {
			return nil, err
		}
	}
	best, asked := s.pick(s.byOption), s.pick(s.byQuestion)
	if best == nil || best.own == nil && asked != nil && asked.own != nil {
		return asked, nil // that an episode decided there says more than how its words are meant
	}
	return best, nil
}

// namedChoice handles a decision (EPISODE#d001, or d001 of the episode asked
// about) and a decision node (n…).
func namedChoice(r Reader, q WhatIfQuery) (*found, bool, error) {
	var keep func(causal.Use) bool
	ref := strings.TrimSpace(q.Option)
	if m := decisionRef.FindStringSubmatch(ref); m != nil && (m[1] != "" || q.Episode != "") {
		ep := cmp.Or(m[1], q.Episode)
		if q.Episode != "" && !isEpisode(ep, q.Episode) && !isEpisode(q.Episode, ep) {
			return nil, false, fmt.Errorf("%w: %q is no decision of episode %q", ErrContradiction, ref, q.Episode)
		}
		keep = func(u causal.Use) bool { return u.Record == m[2] && isEpisode(u.Episode, ep) }
	} else if nodeRef.MatchString(ref) {
		keep = func(u causal.Use) bool { return u.Node == ref }
	} else {
		return nil, false, nil
	}
	uses, err := usesOf(r, keep)
	if err != nil || len(uses) == 0 {
		return nil, false, err
	}
	if strings.TrimSpace(q.Context) != "" {
		return nil, false, fmt.Errorf("%w: %q has a question of its own, so the context %q has no place", ErrContradiction, ref, q.Context)
	}
	u := uses[0]
	at, err := r.UsesAt(u.Point)
	if err != nil {
		return nil, false, err
	}
	c := newChoice(u.Point, at)
	if u.Point == "" {
		c = c.together(u.ChosenKey)
	}
	f := &found{choice: c, option: c.options[u.ChosenKey]}
	if !nodeRef.MatchString(ref) {
		f.own = &u
	} else if q.Episode != "" {
		f.own = ownUse(c, q.Episode, u.ChosenKey)
	}
	return f, true, nil
}

// choiceSearch collects the decision points that fit.
type choiceSearch struct {
	r              Reader
	q              WhatIfQuery
	asked          string // key of the option
	words, context *matcher
	untried        bool // looking for a point by its context alone
	byOption       []*found
	byQuestion     []*found
	best           float64
	beside         []beside // of the choice that is being judged
}

// pointsByWord returns what finds the keys of the decision points whose question or
// options, taken or rejected, have a word: an index or, without one, all decisions,
// which are read once.
func pointsByWord(r Reader, index *ChoiceIndex) (func(word string) ([]string, error), error) {
	if index != nil {
		return index.PointsWithWord, nil
	}
	points := map[string][]string{}
	err := r.Uses(func(u causal.Use) error {
		if u.Point == "" {
			return nil // without a question there is no point to find
		}
		for _, text := range append([]string{u.Context, u.Chosen}, u.Rejected...) {
			for _, w := range keys.Words(text) {
				if at := points[w]; len(at) == 0 || at[len(at)-1] != u.Point { // they come by point
					points[w] = append(at, u.Point)
				}
			}
		}
		return nil
	})
	return func(word string) ([]string, error) { return points[word], nil }, err
}

// visit reads decision points, best bound first, until no other can fit better.
func (s *choiceSearch) visit(points []candidate) error {
	for _, p := range points[:min(len(points), maxReads)] {
		if p.bound < s.floor() {
			return nil
		}
		uses, err := s.r.UsesAt(p.id)
		if err != nil {
			return fmt.Errorf("read the decisions at %q: %w", p.id, err)
		}
		if len(uses) > 0 {
			s.consider(newChoice(p.id, uses))
		}
	}
	return nil
}

// floor is the fit below which a decision point cannot be the answer. For an
// episode a worse fit that is its own beats any other.
func (s *choiceSearch) floor() float64 {
	if s.q.Episode != "" {
		return minFit
	}
	return max(minFit, closeFit*s.best)
}

// visitUnasked looks through the decisions whose log gives no question. Only
// the options named together make a choice there, so a context cannot fit.
func (s *choiceSearch) visitUnasked() error {
	if s.context != nil {
		return nil
	}
	uses, err := s.unasked()
	if err != nil || len(uses) == 0 {
		return err
	}
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
	s.beside = s.besides(all)
	for _, o := range all.sorted() {
		if f := s.fitOption(all, o); f >= minFit {
			fit = append(fit, fitting{o, f})
		}
	}
	slices.SortStableFunc(fit, func(a, b fitting) int {
		return cmp.Or(truth(own[b.key])-truth(own[a.key]), cmp.Compare(b.fit, a.fit), len(b.results)-len(a.results))
	})
	for _, o := range fit[:min(len(fit), 1+maxAlsoAt)] {
		if o.fit >= s.floor() {
			s.consider(all.together(o.key))
		}
	}
	return nil
}

// unasked returns the decisions whose log gives no question, as far as they bear
// on the answer.
func (s *choiceSearch) unasked() ([]causal.Use, error) {
	if s.q.Choices != nil {
		return s.q.Choices.unasked(s.words, s.asked)
	}
	return s.r.UsesAt("")
}

// consider judges one decision point.
func (s *choiceSearch) consider(c *choice) {
	if s.context != nil && s.fitQuestion(s.context, c) < minFit {
		return
	}
	f := &found{choice: c}
	s.beside = s.besides(c)
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
		if f.fit >= minFit {
			s.byQuestion = append(s.byQuestion, f)
		}
	}
}

// fitOption returns how well the words name an option. They may name its
// question beside it, as a decision's label does, but not the question alone.
func (s *choiceSearch) fitOption(c *choice, o *option) float64 {
	if o.key == s.asked {
		return 1
	}
	best := bestFit(s.words, o.wordings)
	for _, q := range s.beside {
		for wording := range o.wordings {
			if q.rest.fit(wording) > 0 {
				best = max(best, s.words.fit(q.question+": "+wording))
			}
		}
	}
	return best
}

// beside is a question with the words asked for that it does not have itself.
type beside struct {
	question string
	rest     *matcher
}

// besides returns the questions of a choice that leave some of the words to its
// options.
func (s *choiceSearch) besides(c *choice) (out []beside) {
	if c.point == "" {
		return nil // what was asked, if anything, was the option itself
	}
	for question := range c.questions {
		if rest := s.words.without(question); len(rest) > 0 && len(rest) < len(s.words.words) {
			out = append(out, beside{question, &matcher{words: rest, weight: s.words.weight, total: 1}})
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

// pick takes the best of the decision points that fit: with an episode one that
// it decided at, then the best fit, then the most evidence.
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
		return cmp.Or(truth(b.own != nil)-truth(a.own != nil), cmp.Compare(b.fit, a.fit), b.known()-a.known(),
			len(b.choice.uses)-len(a.choice.uses), strings.Compare(a.choice.point, b.choice.point))
	})
	best := list[0]
	if s.q.Episode != "" && best.own == nil {
		best.note = fmt.Sprintf("%s has no decision at this point, so the most used other option stands for what was done", s.q.Episode)
	}
	for _, f := range list[1:] {
		if f.option != nil && len(best.also) < maxAlsoAt && f.fit >= closeFit*best.fit {
			best.also = append(best.also, OtherChoice{Context: f.choice.question(), Option: Commonest(f.option.wordings), Uses: len(f.choice.uses)})
		}
	}
	return best
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
