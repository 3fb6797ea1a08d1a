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

// found is a decision point that a what-if may be about.
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

// findChoice finds the decision point that a query is about, or nil. The query names it
// by a decision, by a node, or by words, which are compared with the options first, then
// with the questions. An option that fits nowhere is still looked for where the context
// fits.
func findChoice(r Reader, q WhatIfQuery, decisions int) (*found, error) {
	if f, ok, err := namedChoice(r, q); ok || err != nil {
		return f, err
	}
	pointsWith := r.PointsWithWord
	if q.Choices != nil {
		pointsWith = q.Choices.PointsWithWord
	}
	if err := q.splitHyphens(r, pointsWith); err != nil {
		return nil, err
	}
	s := &choiceSearch{r: r, q: q, asked: keys.Option(q.Option)}
	var points, atContext []candidate
	var err error
	if s.words, points, err = newMatcher(q.Option, decisions, pointsWith); err != nil {
		return nil, err
	}
	if q.Context != "" {
		if s.context, atContext, err = newMatcher(q.Context, decisions, pointsWith); err != nil {
			return nil, err
		}
	}
	if err := s.visitAll(points, atContext); err != nil {
		return nil, err
	}
	best, asked := s.pick(s.byOption), s.pick(s.byQuestion)
	if best == nil || best.own == nil && asked != nil && asked.own != nil {
		return asked, nil // a point at which the episode decided is the better match
	}
	return best, nil
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
func namedChoice(r Reader, q WhatIfQuery) (*found, bool, error) {
	ref := strings.TrimSpace(q.Option)
	keep, err := q.namedUse(ref)
	if keep == nil || err != nil {
		return nil, false, err
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
		c = c.namedTogether(u.ChosenKey)
	}
	f := &found{choice: c, option: c.options[u.ChosenKey]}
	if !nodeRef.MatchString(ref) {
		f.own = &u
	} else if q.Episode != "" {
		f.own = ownUse(c, q.Episode, u.ChosenKey)
	}
	return f, true, nil
}

// namedUse returns a filter for the decisions that ref names; nil when it names none.
func (q *WhatIfQuery) namedUse(ref string) (func(causal.Use) bool, error) {
	if m := decisionRef.FindStringSubmatch(ref); m != nil && (m[1] != "" || q.Episode != "") {
		ep := cmp.Or(m[1], q.Episode)
		if q.Episode != "" && !isEpisode(ep, q.Episode) && !isEpisode(q.Episode, ep) {
			return nil, fmt.Errorf("%w: %q is no decision of episode %q", ErrContradiction, ref, q.Episode)
		}
		return func(u causal.Use) bool { return u.Record == m[2] && isEpisode(u.Episode, ep) }, nil
	}
	if nodeRef.MatchString(ref) {
		return func(u causal.Use) bool { return u.Node == ref }, nil
	}
	return nil, nil
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
	partial        []partialQuestion // of the choice that is being considered
}

// visitAll considers the decision points that the words may name, the decisions without
// a question and, where nothing fits, the points that the context may name.
func (s *choiceSearch) visitAll(points, atContext []candidate) error {
	if err := s.visit(points); err != nil {
		return err
	}
	if err := s.visitUnasked(); err != nil {
		return err
	}
	if len(s.byOption) == 0 && len(s.byQuestion) == 0 {
		s.untried = true
		return s.visit(atContext)
	}
	return nil
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

// floor is the fit below which a decision point cannot be the answer. With an episode
// there is none but minFit: a point at which the episode decided beats a better fit.
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
	s.partial = s.partialQuestions(all)
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
			s.consider(all.namedTogether(o.key))
		}
	}
	return nil
}

// unasked returns the decisions whose log gives no question, as far as they can affect
// the answer.
func (s *choiceSearch) unasked() ([]causal.Use, error) {
	if s.q.Choices != nil {
		return s.q.Choices.unasked(s.words, s.asked)
	}
	return s.r.UsesAt("")
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
		if f.fit >= minFit {
			s.byQuestion = append(s.byQuestion, f)
		}
	}
}

// fitOption returns how well the words name an option. They may also name its question,
// as a decision's label does, but not the question alone.
func (s *choiceSearch) fitOption(c *choice, o *option) float64 {
	if o.key == s.asked {
		return 1
	}
	best := bestFit(s.words, o.wordings)
	for _, q := range s.partial {
		for wording := range o.wordings {
			if q.rest.fit(wording) > 0 {
				best = max(best, s.words.fit(q.question+": "+wording))
			}
		}
	}
	return best
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
