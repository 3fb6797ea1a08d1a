package reader

import (
	"fmt"
	"slices"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
)

func (v *verifier) link(l Line) string {
	if why := v.ends(l); why != "" {
		return why
	}
	from, to := v.names[l.ID], v.names[l.To]
	switch episode.LinkType(l.Type) {
	case episode.Prevents:
		switch {
		case isError(from):
			return fmt.Sprintf("prevents leads from what is no error to an error, and %s is an error; from the fix to the fault",
				l.ID)
		case !isError(to):
			return fmt.Sprintf("prevents leads to an error, and %s is none", l.To)
		}
	case episode.Causes, episode.Enables:
	default:
		return fmt.Sprintf("%q is no type of a link: causes, enables, prevents", l.Type)
	}
	if why := v.cited(l.Span); why != "" {
		return why
	}
	if l.To != episode.OutcomeRef && !v.near(l.Span, from, to) {
		return fmt.Sprintf("nothing on %s speaks of its ends: cite what says that one bears on the other", onLines(l.Span))
	}
	if v.links[[2]string{l.ID, l.To}] || v.links[[2]string{l.To, l.ID}] {
		return "a pair is linked once, in one direction"
	}
	v.links[[2]string{l.ID, l.To}] = true
	for _, old := range v.Draft.Links {
		if old.Source == l.ID && old.Target == l.To && string(old.Type) == l.Type {
			return "" // the draft says so
		}
	}
	v.entry(corrections.Entry{Op: corrections.PutLink, From: &from.ref, To: &to.ref, Type: l.Type,
		At: v.Lines.Anchor(l.Span), Explicit: stated().MatchString(v.Lines.Of(l.Span))})
	if l.Type == string(episode.Prevents) {
		v.instead(l)
	}
	return ""
}

// instead drops what the draft says ended an error that the answer says ended otherwise. What the
// answer says again stays.
func (v *verifier) instead(l Line) {
	for _, old := range v.Draft.Links {
		again := slices.ContainsFunc(v.answer, func(o Line) bool {
			return o.Verb == AddLink && o.ID == old.Source && o.To == old.Target
		})
		if old.Target != l.To || old.Type != episode.Prevents || old.Source == l.ID || again {
			continue
		}
		from, to := v.names[old.Source].ref, v.names[old.Target].ref
		v.entry(corrections.Entry{Op: corrections.DropLink, From: &from, To: &to})
	}
}

// stated are words by which a log states that one thing bears on another.
var stated = lazy.Pattern(`(?i)\b(?:because|caused?|causing|so that|so|since|therefore|thus|hence|due to|led to|leads to|result(?:ed|s|ing)? (?:in|from)|root cause|fix(?:ed|es)?|resolv(?:ed|es|ing)|resolution|solv(?:ed|es)|solution|block(?:ed|s|er)?|prevent(?:ed|s)?|enabl(?:ed|es)|avoid(?:ed|s)?|after|reason|why)\b|→|=>`)

// followsOn: an end of the link was refused or taken back, which is not a fault of its own.
const followsOn = "an end of it was refused"

func (v *verifier) ends(l Line) string {
	for _, id := range []string{l.ID, l.To} {
		n := v.names[id]
		switch {
		case n == nil:
			return fmt.Sprintf("there is no %s", id)
		case n.gone && n.isNew:
			return followsOn
		case n.gone:
			return fmt.Sprintf("the answer drops %s", id)
		case n.ref.Kind == corrections.Lesson:
			return "lessons have no links"
		}
	}
	switch {
	case l.ID == episode.OutcomeRef:
		return "no link leads from the outcome"
	case l.ID == l.To:
		return "a link leads from one record to another"
	case l.To == episode.OutcomeRef && !v.outcome.Known():
		return "the outcome is not known"
	}
	return ""
}

func isError(n *named) bool {
	return n.ref.Kind == corrections.Event && n.ref.Type == string(episode.Error)
}

// near reports whether lines can show that one thing bears on another: they are between
// the two, in the section of one, or have two of the words of one.
func (v *verifier) near(s episode.Span, ends ...*named) bool {
	first, last := 0, 0
	said := wordSet(v.Lines.Of(s))
	for _, n := range ends {
		shared := 0
		for w := range wordSet(n.ref.Text) {
			if said[w] {
				shared++
			}
		}
		if shared >= 2 {
			return true
		}
		if !v.Lines.Has(n.span) {
			return true // nothing is known of where it is
		}
		if first == 0 || n.span[0] < first {
			first = n.span[0]
		}
		last = max(last, n.span[1])
		for _, sec := range v.sections {
			if n.span[0] >= sec.span[0] && n.span[0] <= sec.span[1] {
				if s[0] <= sec.span[1] && sec.span[0] <= s[1] {
					return true
				}
			}
		}
	}
	return s[0] <= last && first <= s[1]
}

// wordSet are the longer words of a text, and pairs of letters where words have no spaces.
func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	var last token
	for _, t := range tokens(text) {
		switch {
		case t.size < wordSize && t.size == last.size && t.start == last.end:
			out[last.word+t.word] = true
		case t.size == wordSize && len(t.word) >= 4:
			out[t.word] = true
		}
		last = t
	}
	return out
}
