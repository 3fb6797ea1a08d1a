package lex

import (
	"slices"
	"strings"
)

// Cut slices s around the first of the phrases that occurs in it, as strings.Cut does.
func (ps Phrases) Cut(s string) (before, after string, ok bool) {
	for _, p := range ps {
		if before, after, ok = strings.Cut(s, p); ok {
			return before, after, true
		}
	}
	return s, "", false
}

// OpensWith reports whether t opens with one of the phrases.
func (t Text) OpensWith(ps Phrases) bool {
	return slices.ContainsFunc(ps, func(p string) bool { return t.PhraseAt(0, p) })
}

// Gerund reports whether w is a verb that names an act: "clearing the cache".
func (w Word) Gerund() bool { return !w.Code && strings.HasSuffix(w.Lower, gerundEnding) }

// participle reports whether w ends as a past or a present participle does.
func (w Word) participle() bool {
	return strings.HasSuffix(w.Lower, pastEnding) || strings.HasSuffix(w.Lower, gerundEnding)
}

// FirstIs reports whether the first word of t that is not a number is of class c.
func (t Text) FirstIs(c Class) bool {
	i := slices.IndexFunc(t.Words, func(w Word) bool { return !IsNumber(w.Lower) })
	return i >= 0 && t.At(i, c)
}
