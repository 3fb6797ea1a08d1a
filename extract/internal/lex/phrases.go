package lex

import (
	"slices"
	"strings"
)

// Phrases are words or phrases of one meaning, in the order in which they are tried.
type Phrases []string

// Has reports whether s is one of the phrases.
func (p Phrases) Has(s string) bool { return slices.Contains(p, s) }

// In reports whether one of the phrases occurs in s.
func (p Phrases) In(s string) bool {
	return slices.ContainsFunc(p, func(m string) bool { return strings.Contains(s, m) })
}

// Begin reports whether s begins with one of the phrases.
func (p Phrases) Begin(s string) bool {
	return slices.ContainsFunc(p, func(m string) bool { return strings.HasPrefix(s, m) })
}

// End reports whether s ends with one of the phrases.
func (p Phrases) End(s string) bool {
	return slices.ContainsFunc(p, func(m string) bool { return strings.HasSuffix(s, m) })
}

// hasAny reports whether a word of ws, in quoted code too, is one of the phrases.
func (p Phrases) hasAny(ws []Word) bool {
	return slices.ContainsFunc(ws, func(w Word) bool { return p.Has(w.Lower) })
}
