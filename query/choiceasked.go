package query

import (
	"slices"
	"strings"

	"episodes/causal"
	"episodes/internal/lazy"
	"episodes/keys"
)

// AskedOption is what the logs know of one of the options that a question names, as in "A or
// B for C?".
type AskedOption struct {
	Asked    string       `json:"asked"`            // in the words of the question
	Option   *OptionStats `json:"option"`           // null when no decision names it
	Question string       `json:"question"`         // that was decided
	Last     *MatchedUse  `json:"last,omitempty"`   // the newest decision for it, or else that names it
	Reason   string       `json:"reason,omitempty"` // of that decision

	Later *LaterDecision `json:"later,omitempty"` // what was decided after it was last taken
}

var (
	betweenOptions = lazy.Pattern(`(?i),?\s+(?:or|vs\.?|versus|oder|eller)\s+`)
	beforeOptions  = lazy.Pattern(`(?i)^(?:(?:should|shall|do|can|could) (?:we|i|it|you)\b|should|whether(?: to)?|which is better[:,]?|either)\s+`)
	afterOptions   = lazy.Pattern(`(?i)\s(?:for|in|on|when|at|as|für|för)\s.*$`)
)

// mostOptionsAsked is the largest number of options that a question is taken to name.
const mostOptionsAsked = 4

// optionsOf returns the options that a question is between, and what it is about as far as
// that follows the last of them; nil where it names no two.
func optionsOf(question string) (options []string, about string) {
	question = strings.TrimRight(strings.Join(strings.Fields(question), " "), "?! ")
	parts := betweenOptions().Split(beforeOptions().ReplaceAllString(question, ""), -1)
	if len(parts) < 2 || len(parts) > mostOptionsAsked {
		return nil, ""
	}
	last := &parts[len(parts)-1]
	if i := afterOptions().FindStringIndex(*last); i != nil && i[0] > 0 {
		*last, about = (*last)[:i[0]], (*last)[i[0]:]
	}
	for i, p := range parts {
		if parts[i] = strings.Trim(p, " ,;:"); parts[i] == "" {
			return nil, ""
		}
	}
	return parts, about
}

// askedAbout is an option that a question names, with the decision point that knows it.
type askedAbout struct {
	asked string
	*found
}

// findAsked looks for each option that a question names; found is nil for those that no
// decision names.
func findAsked(r Reader, q WhatIfQuery, all []causal.Use) (out []askedAbout, err error) {
	options, about := optionsOf(q.Option)
	for _, o := range options {
		var f *found
		for _, text := range slices.Compact([]string{o + about, o}) {
			if f, _, err = findChoice(r, WhatIfQuery{Option: text, Context: q.Context}, all); err != nil {
				return nil, err
			}
			if f != nil && (f.option == nil || !meansOption(text, o, about != "", f.option)) {
				f = nil
			}
			if f != nil {
				break
			}
		}
		out = append(out, askedAbout{o, f})
	}
	return out, nil
}

// meansOption reports whether an option is the one that a text names. A single word is
// ambiguous: then the option may have few other words, and if the question names a subject,
// the option must contain it.
func meansOption(text, asked string, about bool, o *option) bool {
	named := Commonest(o.wordings)
	switch {
	case keys.Opposite(asked, named):
		return false
	case len(keys.Words(asked)) > 1:
		return true
	}
	if w := keys.Words(asked); len(w) == 1 && keys.Stance(w[0]) {
		return false // says that something is undone or done, not what
	}
	n, have := len(keys.Words(text)), len(keys.Words(named))
	return n > 1 && have <= 2*n+2 || n == 1 && !about && have <= 2
}

// ledger says what the logs know of an option that was asked about.
func (a askedAbout) ledger(all []causal.Use, eps Episodes) (AskedOption, error) {
	out := AskedOption{Asked: a.asked}
	if a.found == nil {
		return out, nil
	}
	stats := a.option.stats()
	out.Option, out.Question = &stats, a.choice.question()
	out.Later = laterThanOption(eps, all, a.choice, a.option)
	var last *causal.Use
	for i := range a.choice.uses {
		u := &a.choice.uses[i]
		taken := u.ChosenKey == a.option.key
		switch {
		case !taken && !slices.Contains(a.choice.rejected[i], a.option.key):
		case last == nil, taken && last.ChosenKey != a.option.key, taken == (last.ChosenKey == a.option.key) && u.Day >= last.Day:
			last = u
		}
	}
	if last == nil {
		return out, nil
	}
	use := matchedUse(*last)
	out.Last = &use
	if eps == nil {
		return out, nil
	}
	ep, err := loadEpisode(eps, last.Episode)
	if err == nil && ep.Decision(last.Record) != nil {
		out.Reason = oneLine(ep.Decision(last.Record).Rationale)
	}
	return out, err
}

// matchedUse is a decision behind the figures.
func matchedUse(u causal.Use) MatchedUse {
	return MatchedUse{Episode: u.Episode, Decision: u.Record, Chosen: u.Chosen, Outcome: u.Outcome,
		Own: u.OwnResult, Superseded: u.Superseded}
}
